//! What an answer rests on, as rows below its first line.

use crate::commands::time::{in_numbers, kind};
use warpspan_model::assumption::Kind;
use warpspan_records::Assumption;

/// How many declarations and assumptions there are, then each that somebody declares or nobody vouches for, with the names of rows.
/// Rules of the model and what sources say stand in the record. There is no row where an answer rests on these alone.
pub(super) fn rows(all: &[Assumption]) -> Vec<(&'static str, String)> {
    let is_shown = |one: &&Assumption| matches!(one.kind, Kind::Declared | Kind::Assumed);
    if !all.iter().any(|one| is_shown(&one)) {
        return Vec::new();
    }
    let mut rows = vec![("rests on", in_numbers(all))];
    let mut last = None;
    for one in all.iter().filter(is_shown) {
        let name = if last == Some(one.kind) { "" } else { kind(one.kind) };
        last = Some(one.kind);
        rows.push((name, one.says()));
    }
    let left = all.iter().filter(|one| !is_shown(one)).count();
    if left > 0 {
        rows.push(("", format!("{left} more: --format json")));
    }
    rows
}

/// The same as lines whose names have this width.
pub(super) fn lines(all: &[Assumption], width: usize) -> String {
    rows(all).iter().map(|(name, what)| format!("{name:<width$}{what}\n")).collect()
}
