//! Blocks that follow one another, the warps of each of which are spread over the schedulers.
//!
//! Suppose that each scheduler gets at most `s = ceil(b / S)` of the b warps of a block. A letter is worth w to a followed
//! warp on any scheduler, which is n/m if its unit is shared, and v more to one on its own scheduler. Let A be the most that a
//! warp's letters last, F the last issue of a warp by itself, and W, V the largest sums of w and of v over a path. x blocks,
//! R at once, issue last by
//!
//! ```text
//! P'(x)  = (K-1) A + F + floor((x b - K) W + (x s - K) V + (K-1)(R-1) s V) + (K-1) h,   K = ceil(x / R)
//! P''(x) = (x-1) A + F + floor((x b - x) W + (x s - x) V),                              A no less than W + V
//! ```
//!
//! P' follows the blocks of one place, and pays for changes of scheduler what R - 1 blocks may have left, and the h cycles for
//! which letters of private units may hold these after a block has ended. P'' follows every block, and then changes are free. With
//! barriers, W and V are sums over the segments, C is what a followed warp costs more, v the largest V of a segment, and G
//! the number of segments:
//!
//! ```text
//! P'(x)  = floor(x (b W + s V) + K C + (K G - 1)(R-1) s v) + (K G - 1) h
//! P''(x) = floor(x (b W + s V + C))
//! ```
//!
//! `docs/machines.md` ("Spread warps") has the proof.

use num_rational::Ratio;
use std::sync::Arc;

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::costs::Block;
use crate::latency::error::{plus, times};
use crate::latency::most::{Count, along, segments};
use crate::latency::own::longest;
use crate::latency::several::Taken;
use crate::latency::weights::Weights;
use warpspan_model::machine::{LetterId, Machine, MachineGroup, MachineWorkload, Step};
use warpspan_model::program::Piece;

/// What warps are worth that are spread, in parts of a cycle.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    parts: i128,
    /// b and s.
    warps: i128,
    share: i128,
    resident: i128,
    /// W and V of a whole path.
    far: i128,
    near: i128,
    /// By the numbers of letters.
    of_letters: [Vec<i128>; 2],
    /// h.
    held: i128,
}

/// The most that a warp takes by itself, in cycles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alone {
    /// If the next letter waits for each.
    pub(super) sum: i128,
    /// Until everything of it is over, and until its last issue.
    pub(super) whole: i128,
    pub(super) last: i128,
}

impl Spread {
    /// For blocks of which so many are there at once.
    pub(super) fn new(
        machine: &Arc<Machine>,
        block: &Block<'_>,
        resident: u64,
    ) -> Result<Self, LatencyError> {
        let group = MachineGroup { code: block.code.clone(), warps: block.warps };
        let workload = MachineWorkload::new(Arc::clone(machine), vec![group]);
        let workload = workload.map_err(|_| LatencyError::Overflow)?;
        let mut context = Context::new(&workload)?;
        let share = block.warps.div_ceil(machine.schedulers());
        let on_one = share.checked_mul(resident).ok_or(LatencyError::Overflow)?;
        context.width = machine.width().filter(|&width| width < on_one);
        let weights = Weights::new(&context)?;
        let units = &context.units[0];
        let size = machine.letters().len();
        let mut of_letters = [vec![0; size], vec![0; size]];
        for &letter in &context.letters[0] {
            let far = weights.other(letter, units)?;
            of_letters[0][letter.index()] = far;
            of_letters[1][letter.index()] = weights.same(letter, units)? - far;
        }
        let held = |letter: &LetterId| {
            let letter = machine.letter(*letter);
            let over = letter.occupancy.saturating_sub(letter.latency.least);
            if machine.units()[letter.unit].shared { 0 } else { over }
        };
        let held = context.letters[0].iter().map(held).max().unwrap_or(0);
        let sum = |of: usize| along(block.code, &|step| of_letters[of][step.letter.index()]);
        Ok(Self {
            parts: weights.parts,
            warps: block.warps.into(),
            share: share.into(),
            resident: resident.into(),
            far: sum(0)?,
            near: sum(1)?,
            held: held.into(),
            of_letters,
        })
    }

    /// What followed warps take, in parts of a cycle, and what so many warps are worth, in whole cycles.
    fn cycles(&self, own: i128, far: i128, near: i128) -> Result<i128, LatencyError> {
        let others = plus(times(self.far, far)?, times(self.near, near)?)?;
        Ok(plus(own, others)?.div_euclid(self.parts))
    }

    fn alone(&self, alone: Alone) -> Result<Alone, LatencyError> {
        let parts = |cycles| times(cycles, self.parts);
        Ok(Alone { sum: parts(alone.sum)?, whole: parts(alone.whole)?, last: parts(alone.last)? })
    }

    /// P' and P'', the smaller one, of code without barriers.
    pub(super) fn ends(&self, alone: Alone, blocks: i128) -> Result<Taken, LatencyError> {
        let alone = self.alone(alone)?;
        let followed = (blocks + self.resident - 1) / self.resident;
        let far = times(self.warps, blocks)? - followed;
        let changes = times(times(self.resident - 1, self.share)?, followed - 1)?;
        let near = plus(times(self.share, blocks)? - followed, changes)?;
        let own = |each: i128, followed: i128| plus(times(each, followed - 1)?, alone.last);
        let by_sum = self.cycles(own(alone.sum, followed)?, far, near)?;
        // With E, the block that is left half-way may yet be worth the letters of its followed warp that are to come. On its
        // own scheduler they are among what the blocks have left.
        let left = i128::from(followed > 1);
        let by_own = self.cycles(own(alone.whole, followed)?, far + left, near)?;
        let cycles = plus(by_sum.min(by_own), times(self.held, followed - 1)?)?;
        let of_a_place = taken(cycles, blocks, followed, near);
        let (far, near) = (times(self.warps - 1, blocks)?, times(self.share - 1, blocks)?);
        let by_sum = self.cycles(own(self.dear(alone)?, blocks)?, far, near)?;
        let by_own = self.cycles(
            own(alone.whole, blocks)?,
            times(self.warps, blocks)? - 1,
            times(self.share, blocks)? - 1,
        )?;
        let all = taken(by_sum.min(by_own), blocks, blocks, near);
        Ok(if all.cycles < of_a_place.cycles { all } else { of_a_place })
    }

    /// Q' and Q'', the smaller one, of code without barriers.
    pub(super) fn starts(&self, alone: Alone, blocks: i128) -> Result<Taken, LatencyError> {
        let alone = self.alone(alone)?;
        let followed = blocks / self.resident;
        let far = times(self.warps, blocks)? - followed;
        let number = (followed - 1).max(0);
        let changes = times(times(self.resident - 1, self.share)?, number)?;
        let near = plus(times(self.share, blocks)? - followed, changes)?;
        let cycles = self.cycles(times(alone.whole, followed)?, far, near)?;
        let of_a_place = taken(plus(cycles, times(self.held, number)?)?, blocks, followed, near);
        let (far, near) = (times(self.warps - 1, blocks)?, times(self.share - 1, blocks)?);
        let by_sum = self.cycles(times(self.dear(alone)?, blocks)?, far, near)?;
        let all = [times(self.warps, blocks)?, times(self.share, blocks)?];
        let by_own = self.cycles(times(alone.whole, blocks)?, all[0], all[1])?;
        let all = taken(by_sum.min(by_own), blocks, blocks, near);
        Ok(if all.cycles < of_a_place.cycles { all } else { of_a_place })
    }

    /// A where each block is followed: no less than what a warp is worth.
    fn dear(&self, alone: Alone) -> Result<i128, LatencyError> {
        Ok(alone.sum.max(plus(self.far, self.near)?))
    }
}

fn taken(cycles: i128, blocks: i128, followed: i128, near: i128) -> Taken {
    Taken { cycles, blocks, followed, near: near.into(), spread: true }
}

/// The costs of blocks with or without barriers whose warps are spread, in parts of a cycle.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpreadCosts {
    parts: i128,
    /// b W + s V, and C.
    beside: i128,
    more: i128,
    /// (R-1) s v, and the same in warps.
    change: i128,
    change_warps: Ratio<i128>,
    segments: i128,
    held: i128,
    share: i128,
    resident: i128,
}

impl SpreadCosts {
    pub(super) fn new(machine: &Machine, code: &Piece<Step>, spread: &Spread) -> Result<Self, LatencyError> {
        let alike = |number: i128| Count { inside: number, issued: number, done: number };
        let of = |at: usize| move |step: &Step| alike(spread.of_letters[at][step.letter.index()]);
        // No letter keeps its warp for so long that the product does not fit.
        let time = |step: &Step| alike(longest(step, machine).saturating_mul(spread.parts));
        let (far, near, time) = (segments(code, &of(0))?, segments(code, &of(1))?, segments(code, &time)?);
        let beside = plus(times(far.inside()?, spread.warps)?, times(near.inside()?, spread.share)?)?;
        let others = times(spread.resident - 1, spread.share)?;
        let change_warps = match near.inside()? {
            0 => Ratio::from(0),
            all => Ratio::new(near.largest(), all) * others,
        };
        Ok(Self {
            parts: spread.parts,
            beside,
            more: (time.inside()? - far.inside()? - near.inside()?).max(0),
            change: times(others, near.largest())?,
            change_warps,
            segments: i128::try_from(time.number()).map_err(|_| LatencyError::Overflow)?,
            held: spread.held,
            share: spread.share,
            resident: spread.resident,
        })
    }

    /// P' and P'', the smaller one.
    pub(super) fn ends(&self, blocks: i128) -> Result<Taken, LatencyError> {
        self.least(blocks, (blocks + self.resident - 1) / self.resident)
    }

    /// Q' and Q'', the smaller one.
    pub(super) fn starts(&self, blocks: i128) -> Result<Taken, LatencyError> {
        self.least(blocks, blocks / self.resident)
    }

    fn least(&self, blocks: i128, followed: i128) -> Result<Taken, LatencyError> {
        let near = |followed: i128| -> Result<_, LatencyError> { Ok(times(self.share, blocks)? - followed) };
        let all = plus(self.beside, self.more)?;
        let all = Taken {
            cycles: times(all, blocks)?.div_euclid(self.parts),
            blocks,
            followed: blocks,
            near: near(blocks)?.into(),
            spread: true,
        };
        let of_a_place = || -> Result<Taken, LatencyError> {
            let changes = (times(followed, self.segments)? - 1).max(0);
            let sum = plus(times(self.beside, blocks)?, times(self.more, followed)?)?;
            let sum = plus(sum, times(self.change, changes)?)?;
            let cycles = plus(sum.div_euclid(self.parts), times(self.held, changes)?)?;
            let near = Ratio::from(near(followed)?) + self.change_warps * changes;
            Ok(Taken { cycles, blocks, followed, near, spread: true })
        };
        Ok(match of_a_place() {
            Ok(found) if found.cycles <= all.cycles => found,
            _ => all,
        })
    }
}
