//! Reading the tables of GPUs, which are files of TOML in `gpus`: each row says its sources, and what no source says.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};

pub(super) fn read<T: DeserializeOwned>(text: &str) -> T {
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
