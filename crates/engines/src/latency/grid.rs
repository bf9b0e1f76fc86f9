//! Blocks of one kernel that follow one another, by the critical path.
//!
//! A multiprocessor holds R blocks at once, and a block frees its place when its last result is there. Let a block have
//! b warps, A the most that a warp's letters last, the sum of max(hi, n), F the same until its last issue, and omega
//! the largest weight of a warp's letters for a warp of the same scheduler. Then the blocks of one multiprocessor that
//! had x of them end by
//!
//! ```text
//! P(x) = (K - 1) A + F + floor((x b - K) omega),    K = ceil(x / R)
//! ```
//!
//! On M multiprocessors with one queue, let x be the blocks of that which ends last. Another one had
//! `y <= floor((N - x) / (M - 1))`, and the last block started within
//!
//! ```text
//! Q(y) = k A + floor((y b - k) omega),    k = floor(y / R)
//! ```
//!
//! cycles. From then on each multiprocessor needs `L = h + F + floor((R b - 1) omega)` more, where h is the most cycles
//! for which a letter holds its unit after its result is there. So the grid ends by the largest over x of
//! min(P(x), L + Q(y)). `docs/machines.md` has the proofs. Where the warps of a block are spread over the schedulers, smaller
//! bounds take the places of P, Q and L (`spread`).

use std::sync::Arc;

use crate::latency::LatencyError;
use crate::latency::bounds::upper;
use crate::latency::context::Context;
use crate::latency::costs::overhang;
use crate::latency::critical::worth;
use crate::latency::error::{plus, times};
use crate::latency::follow::{AtOnce, Blocks, Followed, theorem};
use crate::latency::memory::{Traffic, window};
use crate::latency::own::in_order;
use crate::latency::several::{Queue, Taken};
use crate::latency::spread::{Alone, Spread};
use crate::latency::weights::Weights;
use crate::own::own;
use warpspan_check::bound::Upper;
use warpspan_model::machine::{Machine, MachineGroup, MachineWorkload};

/// What a grid's blocks cost, in cycles; omega in parts of a cycle.
struct Terms {
    alone: Alone,
    worth: i128,
    parts: i128,
    warps: i128,
    resident: i128,
    spread: Option<Spread>,
}

/// Upper bound on the last cycle in which a warp of equal blocks issues, which have no barrier and follow one another. Unless they are known to be spread, warps of a block may
/// be pinned to the schedulers in any way, so each is counted as one of the same scheduler.
///
/// # Errors
/// If a number is zero, the code has barriers or is no valid program, or numbers do not fit.
pub fn grid(machine: &Arc<Machine>, blocks: &Blocks<'_>) -> Result<Upper, LatencyError> {
    Ok(grid_followed(machine, blocks, 0, &blocks.traffic(machine)?)?.upper)
}

/// The same bound with the blocks that it counts, of which one warp each is followed, where all that is asked of the
/// memory meanwhile is given. It counts `later` cycles after the last issue, such as those of the last results.
///
/// # Errors
/// As [`grid()`].
pub fn grid_followed(
    machine: &Arc<Machine>,
    blocks: &Blocks<'_>,
    later: u64,
    traffic: &Traffic,
) -> Result<Followed, LatencyError> {
    let Blocks { block, .. } = blocks;
    // The warps that are on the multiprocessor at once, whose number decides whether the width limits. All
    // of them may be on one scheduler.
    let AtOnce { resident, warps } = blocks.at_once()?;
    if block.code.has_barrier() {
        return Err(LatencyError::Grid);
    }
    let group = MachineGroup { code: block.code.clone(), warps };
    let together = MachineWorkload::new(Arc::clone(machine), vec![group]);
    let together = together.map_err(|_| LatencyError::Overflow)?;
    let mut context = Context::new(&together)?;
    context.width = machine.width().filter(|&width| width < warps);
    let weights = Weights::new(&context)?;
    let own = own(block.code, machine)?;
    let spread = blocks.spread && machine.schedulers() > 1;
    let terms = Terms {
        alone: Alone {
            sum: in_order(block.code, machine)?,
            whole: own.completion.into(),
            last: own.last_issue.into(),
        },
        worth: worth(block.code, &weights, &context.letters[0], &context.units[0])?.same,
        parts: weights.parts,
        warps: block.warps.into(),
        resident: resident.into(),
        spread: spread.then(|| Spread::new(machine, block, resident)).transpose()?,
    };
    let queue = Queue {
        blocks: blocks.number.into(),
        resident: resident.into(),
        multiprocessors: blocks.multiprocessors.into(),
        held: overhang(machine, Some(block.code)).into(),
    };
    let found = queue.ends(&|blocks| terms.ends(blocks), &|blocks| terms.starts(blocks))?;
    let late = window(machine, traffic, plus(found.cycles, later.into())?)?;
    Followed::new(upper(late.cycles, theorem(traffic, found.spread))?, late.servers, &found)
}

impl Terms {
    /// The weight of `warps` warps for those that are followed, in whole cycles.
    fn waits(&self, warps: i128) -> Result<i128, LatencyError> {
        Ok(times(self.worth, warps)?.div_euclid(self.parts))
    }

    /// P: the cycle in which a multiprocessor that had these blocks issues last.
    fn ends(&self, blocks: i128) -> Result<Taken, LatencyError> {
        let Alone { sum, whole, last } = self.alone;
        let followed = (blocks + self.resident - 1) / self.resident;
        let others = times(self.warps, blocks)? - followed;
        let by_sum = plus(plus(times(sum, followed - 1)?, last)?, self.waits(others)?)?;
        // With E, the block that is left half-way may yet be worth the letters of its followed warp that are to
        // come.
        let left = i128::from(followed > 1);
        let by_own = plus(plus(times(whole, followed - 1)?, last)?, self.waits(others + left)?)?;
        let spread = self.spread.as_ref().map(|spread| spread.ends(self.alone, blocks));
        Ok(Taken::of_any(by_sum.min(by_own), blocks, followed, others).or_spread(spread))
    }

    /// Q: the cycles for which a multiprocessor that had these blocks may be full.
    fn starts(&self, blocks: i128) -> Result<Taken, LatencyError> {
        let followed = blocks / self.resident;
        let others = times(self.warps, blocks)? - followed;
        let cycles = plus(times(self.alone.whole, followed)?, self.waits(others)?)?;
        let spread = self.spread.as_ref().map(|spread| spread.starts(self.alone, blocks));
        Ok(Taken::of_any(cycles, blocks, followed, others).or_spread(spread))
    }
}
