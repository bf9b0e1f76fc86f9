//! The single-warp time of the warps of a block, from barrier to barrier.

use crate::latency::LatencyError;
use crate::latency::most::{Count, segments};
use crate::own;
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;

/// The time that a chain of warps needs on its own, in cycles: one warp of a block for each segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chain {
    /// The number of segments, or more.
    pub(super) segments: u128,
    /// Until the last issue.
    pub(super) issued: i128,
    /// Until the last result, with all units free.
    pub(super) completed: i128,
}

/// The longest chain of warps that run this code. Where no branch holds a barrier, each segment takes E. Else
/// every instruction is counted as if the next one waited for its result, its unit and its stall, which is
/// safe, because the next one is issued no earlier then.
pub(super) fn chain(code: &Piece<Step>, machine: &Machine) -> Result<Chain, LatencyError> {
    let all = segments(code, &|step| count(step, machine))?;
    let (issued, completed) = match own::chain(code, machine)? {
        Some(found) => (found.last_issue.into(), found.completion.into()),
        None => (all.issued()?, all.inside()?),
    };
    Ok(Chain { segments: all.number(), issued, completed })
}

/// The most that the letters of a warp last if each waits for the one before.
pub(super) fn in_order(code: &Piece<Step>, machine: &Machine) -> Result<i128, LatencyError> {
    segments(code, &|step| count(step, machine))?.inside()
}

/// The cycles that an instruction keeps its warp from the next one, wherever that goes.
pub(super) fn longest(step: &Step, machine: &Machine) -> i128 {
    let stall = step.waits.as_ref().map_or(1, |waits| u64::from(waits.stall));
    machine.letter(step.letter).longest().max(stall).into()
}

fn count(step: &Step, machine: &Machine) -> Count {
    let done = machine.letter(step.letter).latency.most.into();
    Count { inside: longest(step, machine), issued: 1, done }
}
