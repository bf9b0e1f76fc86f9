//! From records to what `report` shows of them.

mod bound;
mod budget;
mod compare;
mod extract;
mod lines;
mod links;
mod measured;
mod occupancy;
mod partition;
mod prem;
mod rta;
mod simulate;
mod solve;
mod time;

pub(super) use bound::bound;
pub(super) use budget::budget;
pub(super) use compare::compare;
pub(super) use extract::extract;
pub(super) use links::Links;
pub(super) use measured::measured;
pub(super) use occupancy::{Span, drawn as run_of};
pub(super) use partition::partition;
pub(in crate::commands) use partition::partitioned;
pub(super) use prem::prem;
pub(super) use rta::{deadlines, rta};
pub(super) use simulate::simulate;
pub(super) use solve::solve;
pub(super) use time::time;

use serde_json::Number;

/// The first names of many, as a title has them.
fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const FIRST: usize = 6;
    let names: Vec<&str> = names.collect();
    let more = if names.len() > FIRST { ", ..." } else { "" };
    format!("{}{more}", names.iter().take(FIRST).copied().collect::<Vec<_>>().join(", "))
}

/// A number that may be missing.
fn maybe(number: Option<&Number>) -> String {
    number.map_or_else(|| "-".to_owned(), ToString::to_string)
}

/// How far the upper end of an interval lies above the lower one, in percent of the lower one.
#[expect(clippy::cast_precision_loss, reason = "a share for a person to read")]
fn gap(lower: u64, upper: u64) -> f64 {
    100.0 * upper.saturating_sub(lower) as f64 / lower.max(1) as f64
}
