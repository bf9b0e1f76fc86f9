//! The tables of GPUs, which are files of TOML in `gpus`: each row says its sources, and what no source says.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};

use crate::device::{Between, Capability, Grouping, Instances, Preset};

/// The GPUs that a file may name: `gpus/presets.toml`.
pub static PRESETS: LazyLock<Vec<Preset>> =
    LazyLock::new(|| read::<Presets>(include_str!("../../gpus/presets.toml")).gpu);
/// What is known of each compute capability: `gpus/capabilities.toml`.
pub static CAPABILITIES: LazyLock<Vec<Capability>> =
    LazyLock::new(|| read::<Capabilities>(include_str!("../../gpus/capabilities.toml")).capability);
/// How multiprocessors are grouped, by compute capability: `gpus/divisions.toml`.
pub static GROUPINGS: LazyLock<&'static [Grouping]> = LazyLock::new(|| &DIVISIONS.grouping);
/// The presets that MIG can divide: `gpus/divisions.toml`.
pub static INSTANCES: LazyLock<&'static [Instances]> = LazyLock::new(|| &DIVISIONS.instances);

static DIVISIONS: LazyLock<Divisions> = LazyLock::new(|| read(include_str!("../../gpus/divisions.toml")));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Presets {
    gpu: Vec<Preset>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Capabilities {
    capability: Vec<Capability>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Divisions {
    grouping: Vec<Grouping>,
    instances: Vec<Instances>,
}

fn read<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("a table of the program is as its tests have read it")
}

/// A text of a table, which lives as long as the program.
pub(super) type Text = &'static str;

pub(super) fn text<'de, D: Deserializer<'de>>(reader: D) -> Result<Text, D::Error> {
    String::deserialize(reader).map(|text| &*text.leak())
}

/// A list of a table, which lives as long as the program.
pub(super) fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    reader: D,
) -> Result<&'static [T], D::Error> {
    Vec::deserialize(reader).map(|list| &*list.leak())
}

/// A number, or both ends of one that the sources leave open.
pub(super) fn ends<'de, D: Deserializer<'de>>(reader: D) -> Result<Between, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Ends {
        Settled(u64),
        Open(Between),
    }
    Ok(match Ends::deserialize(reader)? {
        Ends::Settled(number) => Between::exactly(number),
        Ends::Open(ends) => ends,
    })
}
