//! What a block costs the time of a multiprocessor that it shares with other blocks, by the critical path.
//!
//! Let S be the time that a letter keeps its warp at most, max(hi, n), and omega its weight for another warp of the
//! same scheduler. Follow one block after another through some cycles of a multiprocessor, each until it ends, and in
//! each block the warp whose results at the next barrier come last. Every cycle then lies in the S of a letter of a
//! followed warp, or is paid by the omega of other letters. So the number of cycles is at most the sum of
//!
//! ```text
//! A    = the sum of omega over all letters of a block, for each block, and
//! C    = the sum of S - omega over the letters of the warps that are followed, for each followed block
//! ```
//!
//! over all blocks that are there in these cycles, whatever they run, whenever they start and whichever
//! schedulers their warps are pinned to. `docs/machine-blocks.md` has the proof.
//!
//! A block ends when its last result is there. A letter whose occupancy exceeds its latency still holds its unit then,
//! for as many cycles as its [`overhang`] says. Blocks that have ended before the cycles in question begin are counted
//! by that number of cycles.

use std::collections::BTreeSet;
use std::sync::Arc;

use num_rational::Ratio;

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::critical::Worth;
use crate::latency::error::{plus, times};
use crate::latency::most::{Count, along, segments};
use crate::latency::own::longest;
use crate::latency::weights::Weights;
use warpspan_model::machine::{LetterId, Machine, MachineGroup, MachineWorkload, Step};
use warpspan_model::program::Piece;

/// Equal warps that start together and end together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'a> {
    /// What each warp runs.
    pub code: &'a Piece<Step>,
    /// The number of its warps, 1 or more.
    pub warps: u64,
}

/// What one block costs, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockCost {
    /// A, if it is there while other blocks are followed.
    pub beside: Ratio<i128>,
    /// A + C, if it is followed. It is no less than `beside`.
    pub followed: Ratio<i128>,
}

/// What each block costs where at most `most_warps` warps are on the multiprocessor at once.
///
/// ```
/// use warpspan_engines::latency::{Block, block_costs};
/// use warpspan_model::machine::{Latency, Machine, Unit};
///
/// let load = Unit { latency: Latency { least: 1, most: 10 }, ..Unit::simple("L") };
/// let machine = std::sync::Arc::new(Machine::new(1, Some(2), vec![load, Unit::simple("C")], vec![])?);
/// let code = machine.code("LCCL")?;
/// // Each letter of a warp that is not followed is worth a cycle, and the followed one takes 10 + 1 + 1 + 10.
/// let found = block_costs(&machine, &[Block { code: &code, warps: 4 }], 8)?;
/// assert_eq!((found[0].beside, found[0].followed), (16.into(), (12 + 22).into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a block has no warps or no letter, its code is no valid program, or numbers do not fit.
pub fn block_costs(
    machine: &Arc<Machine>,
    blocks: &[Block<'_>],
    most_warps: u64,
) -> Result<Vec<BlockCost>, LatencyError> {
    let (costs, parts) = in_parts(machine, blocks, most_warps)?;
    let cycles = |number| Ratio::new(number, parts);
    let cost =
        |[beside, followed]: [i128; 2]| BlockCost { beside: cycles(beside), followed: cycles(followed) };
    Ok(costs.into_iter().map(cost).collect())
}

/// What each block costs where each scheduler has no more than its share `s = ceil(b / S)` of the b warps of any block: the sum
/// over its segments of b W + s V and of what a followed warp costs more (`latency/spread.rs`). It is the same
/// whether the block is followed or not.
///
/// # Errors
/// As [`block_costs`].
pub fn spread_costs(
    machine: &Arc<Machine>,
    blocks: &[Block<'_>],
    most_warps: u64,
) -> Result<Vec<BlockCost>, LatencyError> {
    let share = |block: &Block<'_>| block.warps.div_ceil(machine.schedulers());
    // Of the warps that are there at once one scheduler has no larger part than of those of some block.
    let part = |block: &Block<'_>| -> Result<i128, LatencyError> {
        let warps = i128::from(block.warps.max(1));
        Ok((times(most_warps.into(), share(block))? + warps - 1) / warps)
    };
    let parts = blocks.iter().map(part).collect::<Result<Vec<i128>, _>>()?;
    let on_one = parts.into_iter().max().unwrap_or(0);
    let (worth, parts) = worths(machine, blocks, u64::try_from(on_one).unwrap_or(u64::MAX))?;
    let cost = |block: &Block<'_>| {
        let most = |of: &dyn Fn(&Step) -> i128| {
            let alike = |number: i128| Count { inside: number, issued: number, done: number };
            segments(block.code, &|step| alike(of(step)))?.inside()
        };
        let of = |letter: LetterId| worth.get(letter.index()).copied().unwrap_or(Worth { same: 0, other: 0 });
        let far = most(&|step| of(step.letter).other)?;
        let near = most(&|step| of(step.letter).same - of(step.letter).other)?;
        let time = most(&|step| longest(step, machine).saturating_mul(parts))?;
        let beside = plus(times(far, block.warps)?, times(near, share(block))?)?;
        let all = Ratio::new(plus(beside, (time - far - near).max(0))?, parts);
        Ok(BlockCost { beside: all, followed: all })
    };
    blocks.iter().map(cost).collect()
}

/// The same in parts of a cycle, and the number of parts.
pub(super) fn in_parts(
    machine: &Arc<Machine>,
    blocks: &[Block<'_>],
    most_warps: u64,
) -> Result<(Vec<[i128; 2]>, i128), LatencyError> {
    // All warps that are there at once may be on one scheduler.
    let (worth, parts) = worths(machine, blocks, most_warps)?;
    let omega = |letter: LetterId| worth.get(letter.index()).map_or(0, |worth| worth.same);
    let costs = blocks.iter().map(|block| cost(machine, block, parts, &omega));
    Ok((costs.collect::<Result<_, _>>()?, parts))
}

/// What each letter of blocks is worth beside any of them, by its number, where a scheduler has at most so many warps; and the
/// number of parts of a cycle in which that is counted.
pub(super) fn worths(
    machine: &Arc<Machine>,
    blocks: &[Block<'_>],
    on_one: u64,
) -> Result<(Vec<Worth>, i128), LatencyError> {
    let group = |block: &Block<'_>| MachineGroup { code: block.code.clone(), warps: block.warps };
    let all = MachineWorkload::new(Arc::clone(machine), blocks.iter().map(group).collect());
    let all = all.map_err(|_| LatencyError::Overflow)?;
    let mut context = Context::new(&all)?;
    context.width = machine.width().filter(|&width| width < on_one);
    let weights = Weights::new(&context)?;
    // Any block may be followed, so a letter is weighed against the units of all.
    let units: BTreeSet<usize> = context.units.iter().flatten().copied().collect();
    let letters = context.all_letters();
    let size = letters.last().map_or(0, |letter| letter.index() + 1);
    let mut worth = vec![Worth { same: 0, other: 0 }; size];
    for letter in letters {
        let (same, other) = (weights.same(letter, &units)?, weights.other(letter, &units)?);
        worth[letter.index()] = Worth { same, other };
    }
    Ok((worth, weights.parts))
}

/// What one block costs, not followed and followed, where `omega` is the weight of a letter in parts of a cycle.
fn cost(
    machine: &Machine,
    block: &Block<'_>,
    parts: i128,
    omega: &dyn Fn(LetterId) -> i128,
) -> Result<[i128; 2], LatencyError> {
    let alike = |number: i128| Count { inside: number, issued: number, done: number };
    // No letter keeps its warp for so long that the product does not fit.
    let time = |step: &Step| longest(step, machine).saturating_mul(parts);
    let worth = |step: &Step| omega(step.letter);
    let beside = times(along(block.code, &worth)?, block.warps)?;
    let chain = segments(block.code, &|step| alike(time(step)))?.inside()?;
    let segment = segments(block.code, &|step| alike(worth(step)))?.inside()?;
    let more = segments(block.code, &|step| alike(time(step).saturating_sub(worth(step))))?.inside()?;
    // The maxima over the paths are taken separately: of the followed warp and of all others, or of all warps and of
    // what the followed one costs more. The smaller sum holds.
    let apart = plus(times(segment, block.warps - 1)?, chain)?;
    Ok([beside, apart.min(plus(beside, more)?).max(beside)])
}

/// The most cycles for which a letter of this code still holds its unit after its result is there; of any letter
/// of the machine if there is no code.
pub fn overhang(machine: &Machine, code: Option<&Piece<Step>>) -> u64 {
    let of = |letter: LetterId| {
        let letter = machine.letter(letter);
        letter.occupancy.saturating_sub(letter.latency.least)
    };
    match code {
        Some(code) => code.letters().map(|step| of(step.letter)).max(),
        None => (0..machine.letters().len()).filter_map(LetterId::new).map(of).max(),
    }
    .unwrap_or(0)
}
