//! All that differs between two launches besides their bounds.

use serde_json::Number;

use crate::compare::{Difference, What};
use crate::compared::assumptions::of_assumptions;
use crate::compared::code::Code;
use crate::compared::ledger::Ledger;
use warpspan_model::time::in_largest_unit;

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
