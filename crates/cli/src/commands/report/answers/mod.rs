//! From records to what `report` draws of them.

mod compare;
mod extract;
mod lines;
mod links;
mod occupancy;
mod partition;
mod prem;
mod rta;
mod simulate;
mod time;

pub(super) use compare::compare;
pub(super) use extract::extract;
pub(super) use links::Links;
pub(super) use occupancy::{Span, drawn as run_of};
pub(super) use partition::partition;
pub(in crate::commands) use partition::partitioned;
pub(super) use prem::prem;
pub(super) use rta::deadlines;
pub(super) use simulate::simulate;
pub(super) use time::time;
