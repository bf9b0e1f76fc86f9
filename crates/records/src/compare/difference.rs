//! Something that differs between two launches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_model::words;

words! {
    /// What differs.
    What {
        /// The code: another listing, or other instructions.
        Code = "code",
        /// The entry of the listing that is timed, under one name in both versions.
        Entry = "entry",
        /// What somebody says by a flag, a key or a file.
        Declared = "declared",
        /// What nobody vouches for.
        Assumed = "assumed",
        /// A rule of the model.
        Modelled = "modelled",
        /// What a source says.
        Sourced = "sourced",
        /// A file that was read besides the listing.
        File = "file",
        /// The clock of the GPU.
        Clock = "clock",
        /// The machine whose latencies count.
        Machine = "machine",
        /// The version of the program that wrote the record.
        Program = "program",
        /// The deadline, which says nothing of the bound.
        Deadline = "deadline",
        /// The grid. The bounds are not comparable.
        Grid = "grid",
        /// The size of a block. The bounds are not comparable.
        Block = "block",
        /// The GPU. The bounds are not comparable.
        Gpu = "gpu",
        /// Something else that a bound is for: warps, blocks, a machine, a unit. The bounds are not comparable.
        Launch = "launch",
    }
}

/// Something that differs between the two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// What it is.
    pub what: What,
    /// The name of what is declared or assumed, as `loop.bound`; absent of what is neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What it is about, as `loop .L_x_2`; absent where `what` says it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// What the old version says; null where it says nothing.
    pub old: Option<String>,
    /// What the new version says; null where it says nothing.
    pub new: Option<String>,
}

impl Difference {
    pub(crate) fn new(what: What, old: Option<String>, new: Option<String>) -> Self {
        Self { what, id: None, subject: None, old, new }
    }

    /// Whether bounds say nothing of each other where this differs.
    pub(crate) const fn parts(&self) -> bool {
        matches!(self.what, What::Grid | What::Block | What::Gpu | What::Launch)
    }

    /// In words, without what it is.
    pub fn says(&self) -> String {
        let change = match (&self.old, &self.new) {
            (Some(old), Some(new)) => format!("{old} -> {new}"),
            (Some(old), None) => format!("{old} -> none"),
            (None, Some(new)) => format!("none -> {new}"),
            (None, None) => "other instructions".to_owned(),
        };
        let subject = self.subject.as_ref().map_or_else(String::new, |subject| format!("{subject}: "));
        let id = self.id.as_ref().map_or_else(String::new, |id| format!(" [{id}]"));
        format!("{subject}{change}{id}")
    }
}
