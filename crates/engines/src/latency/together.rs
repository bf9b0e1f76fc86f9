//! Blocks with barriers that start together, of which none waits for room.
//!
//! Let R blocks of b warps start in the first cycle, of which no scheduler has more than s of the warps of each; s is b where
//! nothing is known of that. With w, v, W and V as in `spread`, and E the longest chain of a block by itself
//! ([`own`](crate::own::chain)), one warp for each segment, the last result of a block is there by
//!
//! ```text
//! floor(E + (b - 1) W + (s - 1) V + (R - 1) b (W + V))
//! ```
//!
//! The warp that is followed changes at barriers, and with it the scheduler. What blocks it meanwhile of its own block are letters of
//! this segment, so that only s - 1 warps pay V for it. The other blocks may be in any segment, so that each of their warps pays
//! V, wherever it is. `docs/machines.md` ("Spread warps and barriers") has the proof.

use std::sync::Arc;

use crate::latency::LatencyError;
use crate::latency::costs::{Block, worths};
use crate::latency::critical::Worth;
use crate::latency::error::{plus, times};
use crate::latency::most::{Count, segments};
use crate::latency::own::chain;
use crate::latency::several::Taken;
use warpspan_model::machine::{Machine, Step};

/// When so many equal blocks that start together have ended. Where warps are not `spread`, they may be on any scheduler.
pub(super) fn ends(
    machine: &Arc<Machine>,
    block: &Block<'_>,
    resident: u64,
    spread: bool,
) -> Result<Taken, LatencyError> {
    let share = if spread { block.warps.div_ceil(machine.schedulers()) } else { block.warps };
    let (worth, parts) =
        worths(machine, &[*block], share.checked_mul(resident).ok_or(LatencyError::Overflow)?)?;
    let of = |step: &Step| worth.get(step.letter.index()).copied().unwrap_or(Worth { same: 0, other: 0 });
    let most = |of: &dyn Fn(&Step) -> i128| {
        let alike = |number: i128| Count { inside: number, issued: number, done: number };
        segments(block.code, &|step| alike(of(step)))?.inside()
    };
    let far = most(&|step| of(step).other)?;
    let near = most(&|step| of(step).same - of(step).other)?;
    let own = times(chain(block.code, machine)?.completed, parts)?;
    let beside = times(resident.into(), block.warps)? - i128::from(block.warps);
    let (others, close) = (plus(beside, i128::from(block.warps) - 1)?, plus(beside, i128::from(share) - 1)?);
    let cycles = plus(own, plus(times(far, others)?, times(near, close)?)?)?.div_euclid(parts);
    let spread = spread && share < block.warps;
    Ok(Taken { cycles, blocks: resident.into(), followed: 1, near: close.into(), spread })
}
