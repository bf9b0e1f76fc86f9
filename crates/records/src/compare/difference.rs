//! What differs between two launches besides their bounds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::compare::assumptions::of_assumptions;
use crate::compare::causes::Code;
use crate::compare::ledger::Ledger;
use warpspan_model::time::in_largest_unit;
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
    pub(super) fn new(what: What, old: Option<String>, new: Option<String>) -> Self {
        Self { what, id: None, subject: None, old, new }
    }

    /// Whether bounds say nothing of each other where this differs.
    pub(super) const fn parts(&self) -> bool {
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

/// All that differs between two launches, in the order of [`What`].
pub(super) fn differences(before: &Ledger, after: &Ledger, code: Code) -> Vec<Difference> {
    let mut differs: Vec<Difference> = Vec::new();
    let mut add = |what: What, old: Option<String>, new: Option<String>| {
        if old != new {
            differs.push(Difference::new(what, old, new));
        }
    };
    if !before.grid.is_that_of(&after.grid) {
        add(What::Grid, Some(before.grid.text()), Some(after.grid.text()));
    }
    if !before.block.is_that_of(&after.block) {
        add(What::Block, Some(before.block.text()), Some(after.block.text()));
    }
    add(What::Gpu, Some(before.gpu.clone()), Some(after.gpu.clone()));
    add(What::Entry, Some(before.entry.clone()), Some(after.entry.clone()));
    add(What::Deadline, in_ns(before.deadline_ns.as_ref()), in_ns(after.deadline_ns.as_ref()));
    // Older records do not say these.
    let mut add_known = |what: What, old: Option<String>, new: Option<String>| {
        if old.is_some() && new.is_some() {
            add(what, old, new);
        }
    };
    add_known(What::Clock, before.clock(), after.clock());
    add_known(What::Machine, before.machine.clone(), after.machine.clone());
    add(What::Program, Some(before.version.clone()), Some(after.version.clone()));
    if code == Code::Changed {
        let hash =
            |side: &Ledger| side.inputs.as_ref().and_then(|inputs| inputs.listing.as_deref().map(short));
        let (old, new) = (hash(before), hash(after));
        let both = old.is_some() && new.is_some() && old != new;
        differs.push(Difference::new(What::Code, old.filter(|_| both), new.filter(|_| both)));
    }
    differs.extend(of_files(before, after));
    differs.extend(of_assumptions(before, after, code));
    differs.sort_by_key(|one| What::ALL.iter().position(|what| *what == one.what));
    differs
}

/// Files besides the listing that are others, where both records have the hashes.
fn of_files(old: &Ledger, new: &Ledger) -> Vec<Difference> {
    let (Some(old), Some(new)) = (&old.inputs, &new.inputs) else { return Vec::new() };
    let mut paths: Vec<&String> = old.others.iter().chain(&new.others).map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    let difference = |path: &String| {
        let (old, new) = (old.hash(path), new.hash(path));
        let [before, after] = [old, new].map(|hash| hash.map(short));
        let of_file =
            || Difference { subject: Some(path.clone()), ..Difference::new(What::File, before, after) };
        (old != new).then(of_file)
    };
    paths.into_iter().filter_map(difference).collect()
}

/// The beginning of a hash, which tells two files apart.
fn short(hash: &str) -> String {
    format!("sha256 {}", hash.get(..12).unwrap_or(hash))
}

/// A number of nanoseconds, in the largest unit of which there is one.
fn in_ns(number: Option<&Number>) -> Option<String> {
    number.map(|number| number.as_u64().map_or_else(|| format!("{number} ns"), in_largest_unit))
}
