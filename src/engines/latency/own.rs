//! The time that a warp needs on its own: the sum over its instructions, each of which waits for the one
//! before.
//!
//! An instruction that says what waits for it is counted as if the next one waited for its result too, and for
//! its stall. That is safe, because the next one is issued later than without.

use crate::engines::latency::LatencyError;
use crate::engines::latency::most::{Count, Segments, segments, whole};
use crate::model::machine::{Machine, Step};
use crate::model::program::Piece;

/// The most time that the paths of a warp need on their own, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Own {
    /// Until the last issue: I + Lambda.
    pub(super) last_issue: i128,
    /// Until the last result.
    pub(super) completion: i128,
}

/// The time that a warp alone needs at most if no barrier makes it wait for others. With dependences the
/// last result may be that of any instruction.
pub(super) fn own(code: &Piece<Step>, machine: &Machine, dependences: bool) -> Result<Own, LatencyError> {
    let most = whole(code, &|step| count(step, machine))?;
    let [last_issue, completion] = most.ended();
    Ok(Own { last_issue, completion: if dependences { most.inside } else { completion } })
}

/// The time that the segments between barriers need, where each may be that of another warp of a block.
pub(super) fn chain(code: &Piece<Step>, machine: &Machine) -> Result<Segments, LatencyError> {
    segments(code, &|step| count(step, machine))
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
