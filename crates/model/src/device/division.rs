//! In what parts the multiprocessors of a GPU can be handed out: TPCs, green contexts, instances of MIG.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::device::Capability;
use crate::device::tables::{Text, list, read, text};

/// How multiprocessors are grouped, by compute capability: `gpus/divisions.toml`.
pub static GROUPINGS: LazyLock<&'static [Grouping]> = LazyLock::new(|| &DIVISIONS.grouping);

/// The presets that MIG can divide: `gpus/divisions.toml`.
pub static INSTANCES: LazyLock<&'static [Instances]> = LazyLock::new(|| &DIVISIONS.instances);

static DIVISIONS: LazyLock<Divisions> = LazyLock::new(|| read(include_str!("../../gpus/divisions.toml")));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Divisions {
    grouping: Vec<Grouping>,
    instances: Vec<Instances>,
}

/// The multiprocessors that a part may have: `least`, or more in steps of `step`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    /// The fewest multiprocessors of a part.
    pub least: u64,
    /// Every part has a multiple of so many.
    pub step: u64,
}

/// How the multiprocessors of some compute capabilities are grouped. The rows and their sources are in
/// [`GROUPINGS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grouping {
    /// The first and the last capability of the row, as major and minor version.
    pub capabilities: [[u32; 2]; 2],
    /// The multiprocessors of a TPC, which is the unit of masks.
    pub multiprocessors_per_tpc: u64,
    /// Whether masks of libsmctrl work there, and their bits are the numbers of TPCs.
    pub has_masks: bool,
    /// What a green context may have; `None` where there are none.
    pub green_contexts: Option<Shares>,
    /// Whether MPS can limit the share of a client.
    pub has_limits: bool,
    /// The sources of the numbers.
    #[serde(deserialize_with = "text")]
    pub source: Text,
    /// What is assumed without a source. It is empty where nothing is assumed.
    #[serde(default, deserialize_with = "text")]
    pub assumed: Text,
}

impl Grouping {
    /// The row of a compute capability; `None` if nothing is known of its TPCs.
    pub fn of(capability: &Capability) -> Option<Self> {
        let (major, minor) = capability.version.split_once('.')?;
        let version = [major.parse().ok()?, minor.parse().ok()?];
        let has = |row: &&Self| (row.capabilities[0]..=row.capabilities[1]).contains(&version);
        GROUPINGS.iter().find(has).copied()
    }
}

/// A profile of an instance of MIG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// Its name. It ends with the memory, which differs where a GPU is sold with more than one size.
    #[serde(deserialize_with = "text")]
    pub name: Text,
    /// The number of the profile, as `nvidia-smi mig -lgip` lists it.
    pub id: u32,
    /// The multiprocessors of an instance.
    pub multiprocessors: u64,
    /// Of the eight parts of the memory, how many an instance takes.
    pub parts: u32,
    /// The parts of the memory at which an instance may begin, from 0.
    #[serde(deserialize_with = "list")]
    pub starts: &'static [u32],
}

/// A GPU that can be divided by MIG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instances {
    /// The name of the preset.
    #[serde(deserialize_with = "text")]
    pub preset: Text,
    /// Its profiles, with more multiprocessors from one to the next.
    #[serde(deserialize_with = "list")]
    pub profiles: &'static [Instance],
    /// The sources of the numbers.
    #[serde(deserialize_with = "text")]
    pub source: Text,
}

impl Instances {
    /// The instances of a preset; `None` if it has no MIG, or its profiles are not known.
    pub fn of(preset: &str) -> Option<Self> {
        INSTANCES.iter().find(|row| row.preset == preset).copied()
    }

    /// The presets whose instances are known, for messages: `"a100", ...`.
    pub fn all() -> String {
        INSTANCES.iter().map(|row| format!("{:?}", row.preset)).collect::<Vec<_>>().join(", ")
    }

    /// The profiles, with more multiprocessors from one to the next.
    pub fn profiles(&self) -> impl Iterator<Item = Instance> {
        self.profiles.iter().copied()
    }

    /// The profile of instances of so many multiprocessors.
    pub fn with(&self, multiprocessors: u64) -> Option<Instance> {
        self.profiles().find(|instance| instance.multiprocessors == multiprocessors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{CAPABILITIES, PRESETS, Preset};

    fn of(version: &str) -> Option<Grouping> {
        Grouping::of(&version.parse().unwrap())
    }

    /// These numbers were typed in again, from the table "Green contexts" of the CUDA Programming Guide, the page of the
    /// driver API of CUDA 12.4, and the function of libsmctrl that counts TPCs.
    #[test]
    fn what_each_capability_has() {
        let none = None;
        for (version, per_tpc, green, masks, limits) in [
            ("3.5", 1, none, true, false),
            ("3.7", 1, none, true, false),
            ("5.2", 1, none, true, false),
            ("5.3", 1, none, true, false),
            ("6.0", 2, Some((1, 1)), true, false),
            ("6.1", 1, Some((1, 1)), true, false),
            ("6.2", 1, Some((1, 1)), true, false),
            ("7.0", 2, Some((2, 2)), true, true),
            ("7.2", 2, Some((2, 2)), true, true),
            ("7.5", 2, Some((2, 2)), true, true),
            ("8.0", 2, Some((4, 2)), true, true),
            ("8.6", 2, Some((4, 2)), true, true),
            ("8.7", 2, Some((4, 2)), true, true),
            ("8.9", 2, Some((4, 2)), true, true),
            ("9.0", 2, Some((8, 8)), false, true),
            ("10.0", 2, Some((8, 8)), false, true),
            ("11.0", 2, Some((8, 8)), false, true),
            ("12.1", 2, Some((8, 8)), false, true),
        ] {
            let row = of(version).unwrap();
            let green = green.map(|(least, step)| Shares { least, step });
            let found = (row.multiprocessors_per_tpc, row.green_contexts, row.has_masks, row.has_limits);
            assert_eq!(found, (per_tpc, green, masks, limits), "{version}");
        }
        for version in ["2.0", "2.1", "3.0", "3.2"] {
            assert_eq!(of(version), None, "{version}");
        }
    }

    /// Every known capability from 3.5 on has exactly one row, every preset a whole number of TPCs, and what has no
    /// source is said to be assumed.
    #[test]
    fn rows_cover_each_capability_once() {
        for capability in CAPABILITIES.iter() {
            let (major, minor) = capability.version.split_once('.').unwrap();
            let version = [major.parse().unwrap(), minor.parse().unwrap()];
            let rows = GROUPINGS.iter().filter(|row| {
                (row.capabilities[0]..=row.capabilities[1]).contains(&version) && !row.source.is_empty()
            });
            assert_eq!(rows.count(), usize::from(version >= [3, 5]), "{}", capability.version);
        }
        for preset in PRESETS.iter() {
            let row = Grouping::of(&preset.capability().unwrap()).unwrap();
            assert_eq!(preset.multiprocessors % row.multiprocessors_per_tpc, 0, "{}", preset.name);
        }
        assert!(GROUPINGS.iter().all(|row| row.capabilities[0][0] < 10 || row.assumed.contains("TPC")));
    }

    /// An instance with fewer multiprocessors has a place wherever one with more has it, which the search for
    /// partitions assumes; all fit on the GPU.
    #[test]
    fn smaller_instances_have_more_places() {
        for row in INSTANCES.iter() {
            let preset = Preset::named(row.preset).unwrap();
            let profiles: Vec<Instance> = row.profiles().collect();
            for pair in profiles.windows(2) {
                let [small, large] = [pair[0], pair[1]];
                assert!(small.multiprocessors < large.multiprocessors && small.parts <= large.parts);
                for start in large.starts {
                    assert!(
                        small
                            .starts
                            .iter()
                            .any(|&of| of >= *start && of + small.parts <= start + large.parts),
                        "{}: {}",
                        row.preset,
                        small.name
                    );
                }
            }
            for instance in profiles {
                assert!(instance.multiprocessors <= preset.multiprocessors);
                assert!(instance.starts.iter().all(|start| start + instance.parts <= 8), "{}", instance.name);
                assert_eq!(row.with(instance.multiprocessors), Some(instance));
            }
        }
        assert_eq!(Instances::of("h100-pcie"), None);
    }
}
