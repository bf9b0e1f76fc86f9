//! Numbers that the sources leave open.

use schemars::JsonSchema;
use serde::de::Deserializer;
use serde::{Deserialize, Serialize};

/// A number that is at least `least` and at most `most`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Between {
    /// It is at least this.
    pub least: u64,
    /// It is at most this.
    pub most: u64,
}

impl Between {
    /// An interval whose ends are the same number.
    #[doc(hidden)]
    pub const fn exactly(number: u64) -> Self {
        Self { least: number, most: number }
    }
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
