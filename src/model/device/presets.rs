//! GPUs that a file may name.

use crate::model::device::{
    Capability, CapabilityError, Gpu, REGISTER_PARTS, Resources, WARP, assumed_to_have,
};
use crate::model::time::Clock;

/// A GPU that a file may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name in files.
    pub name: &'static str,
    /// The product, and the name under which it is sold.
    pub title: &'static str,
    /// The compute capability.
    pub capability: &'static str,
    /// The number of multiprocessors.
    pub multiprocessors: u64,
    /// The source of these numbers.
    pub source: &'static str,
    /// What is assumed without a source. It is empty where nothing is assumed.
    pub assumed: &'static str,
    /// The highest clock of the GPU in kilohertz that its data sheet names. Power modes and heat lower it.
    pub highest_kilohertz: Option<u64>,
}

const DATA_SHEET: &str = "as many cores as the data sheet says, divided by those of a multiprocessor";

/// The known GPUs.
pub const PRESETS: [Preset; 24] = [
    up_to(
        921_600,
        preset("jetson-nano", "Jetson Nano", "5.3", 1, "deviceQuery: 1 multiprocessor of 128 cores"),
    ),
    up_to(
        1_300_000,
        preset(
            "jetson-tx2",
            "Jetson TX2",
            "6.2",
            2,
            "deviceQuery: 2 multiprocessors of 128 cores; Pa19 section 2.2",
        ),
    ),
    up_to(
        1_377_000,
        preset("jetson-xavier", "Jetson AGX Xavier", "7.2", 8, "deviceQuery: 8 multiprocessors of 64 cores"),
    ),
    Preset {
        assumed: DATA_SHEET,
        highest_kilohertz: Some(1_100_000),
        ..preset("jetson-xavier-nx", "Jetson Xavier NX", "7.2", 6, "data sheet: 384 cores")
    },
    up_to(
        1_300_000,
        preset(
            "jetson-orin",
            "Jetson AGX Orin 64GB",
            "8.7",
            16,
            "Jetson AGX Orin technical brief: 16 multiprocessors of 128 cores",
        ),
    ),
    Preset {
        assumed: DATA_SHEET,
        highest_kilohertz: Some(930_000),
        ..preset("jetson-orin-32gb", "Jetson AGX Orin 32GB", "8.7", 14, "data sheet: 1792 cores")
    },
    up_to(
        765_000,
        preset(
            "jetson-orin-nx",
            "Jetson Orin NX 16GB and 8GB",
            "8.7",
            8,
            "deviceQuery of 16GB: 8 multiprocessors of 128 cores; data sheet: 1024 cores in both",
        ),
    ),
    Preset {
        assumed: DATA_SHEET,
        highest_kilohertz: Some(625_000),
        ..preset("jetson-orin-nano", "Jetson Orin Nano 8GB", "8.7", 8, "data sheet: 1024 cores")
    },
    Preset {
        assumed: DATA_SHEET,
        highest_kilohertz: Some(625_000),
        ..preset("jetson-orin-nano-4gb", "Jetson Orin Nano 4GB", "8.7", 4, "data sheet: 512 cores")
    },
    up_to(
        1_575_000,
        preset(
            "jetson-thor",
            "Jetson T5000 (AGX Thor)",
            "11.0",
            20,
            "CUDA driver on the developer kit: 20 multiprocessors; data sheet: 2560 cores (the chip has 24)",
        ),
    ),
    Preset {
        assumed: DATA_SHEET,
        ..preset("jetson-thor-t4000", "Jetson T4000", "11.0", 12, "data sheet: 1536 cores")
    },
    of_cores("titan", "GeForce GTX TITAN", "3.5", 14, "data sheet: 2688 cores"),
    of_cores("titan-x", "TITAN X (Pascal)", "6.1", 28, "data sheet: 3584 cores"),
    of_cores("titan-v", "TITAN V", "7.0", 80, "data sheet: 5120 cores"),
    of_cores("v100", "Tesla V100", "7.0", 80, "data sheet: 5120 cores"),
    of_cores("rtx-2060", "GeForce RTX 2060", "7.5", 30, "data sheet: 1920 cores"),
    of_cores("rtx-2070", "GeForce RTX 2070", "7.5", 36, "data sheet: 2304 cores"),
    of_cores("titan-rtx", "TITAN RTX", "7.5", 72, "data sheet: 4608 cores"),
    of_cores("a100", "A100", "8.0", 108, "data sheet: 6912 cores"),
    of_cores("rtx-3070", "GeForce RTX 3070", "8.6", 46, "data sheet: 5888 cores"),
    of_cores("rtx-a6000", "RTX A6000", "8.6", 84, "data sheet: 10752 cores"),
    of_cores("h100", "H100 SXM", "9.0", 132, "data sheet: 16896 cores"),
    of_cores("h100-pcie", "H100 PCIe", "9.0", 114, "data sheet: 14592 cores"),
    of_cores("h200", "H200", "9.0", 132, "data sheet: 16896 cores"),
];

const fn preset(
    name: &'static str,
    title: &'static str,
    capability: &'static str,
    multiprocessors: u64,
    source: &'static str,
) -> Preset {
    Preset { name, title, capability, multiprocessors, source, assumed: "", highest_kilohertz: None }
}

/// A GPU of which the data sheet says the cores.
const fn of_cores(
    name: &'static str,
    title: &'static str,
    capability: &'static str,
    multiprocessors: u64,
    source: &'static str,
) -> Preset {
    Preset { assumed: DATA_SHEET, ..preset(name, title, capability, multiprocessors, source) }
}

/// The same GPU with the highest clock that its data sheet names.
const fn up_to(kilohertz: u64, preset: Preset) -> Preset {
    Preset { highest_kilohertz: Some(kilohertz), ..preset }
}

impl Preset {
    /// The highest clock that the data sheet names. No time is safe that rests on it, unless the GPU is kept at
    /// that clock.
    pub fn highest_clock(&self) -> Option<Clock> {
        Clock::from_hertz(self.highest_kilohertz?.checked_mul(1000)?)
    }

    /// The known names, for messages: `"jetson-nano", "jetson-tx2", ...`.
    pub fn all() -> String {
        PRESETS.map(|preset| format!("{:?}", preset.name)).join(", ")
    }

    /// The GPU of this name.
    pub fn named(name: &str) -> Option<Self> {
        PRESETS.into_iter().find(|preset| preset.name == name)
    }

    /// The caution to print beside numbers that rest on the number of multiprocessors, if that is assumed.
    pub(crate) fn assumes(&self) -> Option<String> {
        let plural = if self.multiprocessors == 1 { "" } else { "s" };
        let figure = format!("{} multiprocessor{plural}", self.multiprocessors);
        (!self.assumed.is_empty()).then(|| assumed_to_have("preset", self.name, &figure))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_gpu_and_the_tx2_is_that_of_pa19() {
        for preset in PRESETS {
            let cores = preset.capability().unwrap().cuda_cores;
            assert!(preset.gpu().unwrap().resources.threads >= 1024, "{}", preset.name);
            assert!(preset.capability().unwrap().resident.blocks.least > 0 && cores > 0);
            assert_eq!(Preset::named(preset.name), Some(preset));
        }
        assert_eq!(Preset::named("jetson-tx2").unwrap().gpu(), Ok(Gpu::JETSON_TX2));
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
        ] {
            assert_eq!(cores(name), all, "{name}");
        }
    }
}
