//! GPUs that a file may name.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::assumption::{Assumption, Id};
use crate::device::tables::{Text, read, text};
use crate::device::{Capability, CapabilityError, Gpu, Memory, REGISTER_PARTS, Resources, WARP};
use crate::source::Remedy;
use crate::time::Clock;

/// The GPUs that a file may name: `gpus/presets.toml`.
pub static PRESETS: LazyLock<Vec<Preset>> =
    LazyLock::new(|| read::<Presets>(include_str!("../../gpus/presets.toml")).gpu);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Presets {
    gpu: Vec<Preset>,
}

/// A GPU that a file may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The name in files.
    #[serde(deserialize_with = "text")]
    pub name: Text,
    /// The product, and the name under which it is sold.
    #[serde(deserialize_with = "text")]
    pub title: Text,
    /// The compute capability.
    #[serde(deserialize_with = "text")]
    pub capability: Text,
    /// The number of multiprocessors.
    pub multiprocessors: u64,
    /// The memory that all multiprocessors share, with sources of its own.
    pub memory: Memory,
    /// The source of the other numbers.
    #[serde(deserialize_with = "text")]
    pub source: Text,
    /// What is assumed without a source. It is empty where nothing is assumed.
    #[serde(default, deserialize_with = "text")]
    pub assumed: Text,
    /// The highest clock of the GPU in kilohertz that its data sheet names, which of a card is its boost clock; the SXM H100 and the
    /// H200 showed theirs when they were measured. Power modes and heat lower it.
    pub highest_kilohertz: Option<u64>,
}

impl Preset {
    /// The highest clock that the data sheet names. No time is safe that rests on it, unless the GPU is kept at
    /// that clock.
    pub fn highest_clock(&self) -> Option<Clock> {
        Clock::from_hertz(self.highest_kilohertz?.checked_mul(1000)?)
    }

    /// The highest clock that the data sheet names, where this one is above it.
    pub fn clock_below(&self, clock: Clock) -> Option<Clock> {
        self.highest_clock().filter(|&highest| clock > highest)
    }

    /// The known names, for messages: `"jetson-nano", "jetson-tx2", ...`.
    pub fn all() -> String {
        PRESETS.iter().map(|preset| format!("{:?}", preset.name)).collect::<Vec<_>>().join(", ")
    }

    /// The GPU of this name, as it stands in [`PRESETS`] or as people write it: `orin`, `H100`, `RTX 4090`.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase().replace([' ', '_'], "-");
        let found = |name: &str| PRESETS.iter().find(|preset| preset.name == name).copied();
        found(&name).or_else(|| found(&format!("jetson-{name}")))
    }

    /// What to say of a name that is none: the names that are most like it, or else where all are listed.
    pub fn like(name: &str) -> String {
        let mut near: Vec<(f64, &str)> =
            PRESETS.iter().map(|preset| (likeness(name, preset.name), preset.name)).collect();
        near.retain(|&(likeness, _)| likeness > 0.8);
        near.sort_by(|one, other| other.0.total_cmp(&one.0));
        match near.iter().take(3).map(|(_, name)| format!("{name:?}")).collect::<Vec<_>>().join(" or ") {
            none if none.is_empty() => "want a preset, all of which `warpspan gpus` lists".to_owned(),
            near => format!("did you mean {near}? `warpspan gpus` lists all presets"),
        }
    }

    /// How many multiprocessors run where nobody says that.
    pub fn running(&self) -> Assumption {
        let (id, what, count) = (Id::GpuMultiprocessors, "multiprocessors", self.multiprocessors);
        if self.modes_switch_off() {
            let value = format!("all {count} run, of which power modes may switch some off");
            return Assumption::assumed(id, what, value).unless(Remedy::Multiprocessors);
        }
        if !self.assumed.is_empty() {
            let value = format!("{count}: {}", self.assumed);
            return Assumption::assumed(id, what, value).unless(Remedy::Multiprocessors);
        }
        Assumption::sourced(id, what, count.to_string(), self.source)
    }

    /// Whether power modes of the product switch multiprocessors off, as those of Jetson modules do from Xavier on. An AGX Orin
    /// in its default mode of 30 W runs half of its own (`nvpmodel`).
    pub fn modes_switch_off(&self) -> bool {
        self.memory.shared_with_cpu && !["jetson-nano", "jetson-tx2"].contains(&self.name)
    }

    /// The compute capability.
    ///
    /// # Errors
    /// Never for the rows of [`PRESETS`].
    pub fn capability(&self) -> Result<Capability, CapabilityError> {
        self.capability.parse()
    }

    /// The GPU without a clock. The user must say the clock, since it depends on the power mode.
    ///
    /// # Errors
    /// Never for the rows of [`PRESETS`].
    pub fn gpu(&self) -> Result<Gpu, CapabilityError> {
        let resident = self.capability()?.resident;
        Ok(Gpu {
            multiprocessors: self.multiprocessors,
            resources: Resources {
                threads: resident.warps * WARP,
                shared_memory: resident.shared_memory,
                registers: resident.registers,
                blocks: resident.blocks.least,
            },
            register_parts: REGISTER_PARTS,
            clock: None,
        })
    }
}

/// How like a written name is to that of a preset, with or without its family, from 0 to 1.
fn likeness(written: &str, preset: &str) -> f64 {
    let short = preset.trim_start_matches("jetson-").trim_start_matches("rtx-");
    let written = written.to_lowercase();
    strsim::jaro_winkler(&written, preset).max(strsim::jaro_winkler(&written, short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_gpu_and_the_tx2_is_that_of_pa19() {
        for &preset in PRESETS.iter() {
            let cores = preset.capability().unwrap().cuda_cores;
            assert!(preset.gpu().unwrap().resources.threads >= 1024, "{}", preset.name);
            assert!(preset.capability().unwrap().resident.blocks.least > 0 && cores > 0);
            assert_eq!(Preset::named(preset.name), Some(preset));
        }
        assert_eq!(Preset::named("jetson-tx2").unwrap().gpu(), Ok(Gpu::JETSON_TX2));
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        for (written, name) in [
            ("orin", "jetson-orin"),
            ("H100", "h100"),
            ("RTX 4090", "rtx-4090"),
            ("Jetson_Orin", "jetson-orin"),
        ] {
            assert_eq!(Preset::named(written).unwrap().name, name);
        }
        assert_eq!(Preset::named("oryn"), None);
        for (written, name) in
            [("jetson-orn", "jetson-orin"), ("rtx4090", "rtx-4090"), ("oryn", "jetson-orin")]
        {
            assert!(
                Preset::like(written).contains(&format!("{name:?}")),
                "{written}: {}",
                Preset::like(written)
            );
        }
        assert!(!Preset::like("voodoo").contains("did you mean"));
    }

    /// The numbers of cores were typed in again from the data sheets.
    #[test]
    fn cores_of_the_data_sheets() {
        let cores = |name| {
            let preset = Preset::named(name).unwrap();
            preset.multiprocessors * preset.capability().unwrap().cuda_cores
        };
        for (name, all) in [
            ("jetson-nano", 128),
            ("jetson-tx2", 256),
            ("jetson-xavier", 512),
            ("jetson-xavier-nx", 384),
            ("jetson-orin", 2048),
            ("jetson-orin-32gb", 1792),
            ("jetson-orin-nx", 1024),
            ("jetson-orin-nano", 1024),
            ("jetson-orin-nano-4gb", 512),
            ("jetson-thor", 2560),
            ("jetson-thor-t4000", 1536),
            ("titan", 2688),
            ("titan-x", 3584),
            ("titan-v", 5120),
            ("v100", 5120),
            ("rtx-2060", 1920),
            ("rtx-2070", 2304),
            ("titan-rtx", 4608),
            ("a100", 6912),
            ("rtx-3070", 5888),
            ("rtx-a6000", 10752),
            ("h100", 16896),
            ("h100-pcie", 14592),
            ("h200", 16896),
            ("rtx-2080", 2944),
            ("rtx-2080-ti", 4352),
            ("rtx-3060", 3584),
            ("rtx-3080", 8704),
            ("rtx-3090", 10496),
            ("rtx-4060", 3072),
            ("rtx-4060-ti", 4352),
            ("rtx-4070", 5888),
            ("rtx-4080", 9728),
            ("rtx-4090", 16384),
            ("rtx-5070", 6144),
            ("rtx-5070-ti", 8960),
            ("rtx-5080", 10752),
            ("rtx-5090", 21760),
            ("a10", 9216),
            ("a30", 3584),
            ("a40", 10752),
            ("l4", 7424),
            ("l40s", 18176),
            ("b200", 18944),
        ] {
            assert_eq!(cores(name), all, "{name}");
        }
    }
}
