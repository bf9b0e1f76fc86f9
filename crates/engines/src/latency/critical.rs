//! The critical path: safe for every machine and every code.
//!
//! Without barriers, `finish(w) <= E(w) + floor(weights of the letters of all other warps)`, where E is the time
//! that w takes by itself ([`own`](crate::own)), at most I + Lambda. With
//! barriers, a chain of warps takes the place of w, one of the block for each segment. `docs/machines.md`
//! proves both.

use std::collections::BTreeSet;

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::error::{plus, times};
use crate::latency::most::{Count, along, segments};
use crate::latency::own::chain;
use crate::latency::weights::Weights;
use crate::own::own;
use warpspan_model::machine::{LetterId, Step};
use warpspan_model::program::Piece;

/// The weights of the letters of one warp for another warp, in parts of a cycle: of a whole path, and summed up over
/// segments that may be those of several paths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth {
    /// If it is on the same scheduler.
    pub(super) same: i128,
    /// If it is on another one.
    pub(super) other: i128,
}

/// The largest weight of a whole path of code for a warp with these units.
pub(super) fn worth(
    code: &Piece<Step>,
    weights: &Weights<'_>,
    letters: &BTreeSet<LetterId>,
    units: &BTreeSet<usize>,
) -> Result<Worth, LatencyError> {
    let [same, other] = tables(weights, letters, units)?;
    Ok(Worth {
        same: along(code, &|step| same[step.letter.index()])?,
        other: along(code, &|step| other[step.letter.index()])?,
    })
}

/// The weights of letters on the same scheduler and on another one, by the number of the letter.
fn tables(
    weights: &Weights<'_>,
    letters: &BTreeSet<LetterId>,
    units: &BTreeSet<usize>,
) -> Result<[Vec<i128>; 2], LatencyError> {
    // A loop of no rounds may hold letters that no path has.
    let size = weights.machine.letters().len();
    let mut tables = [vec![0; size], vec![0; size]];
    for &letter in letters {
        tables[0][letter.index()] = weights.same(letter, units)?;
        tables[1][letter.index()] = weights.other(letter, units)?;
    }
    Ok(tables)
}

/// A critical path of one group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CriticalPath {
    /// The cycles that the followed warps take by themselves, until the last issue and until the last result.
    own: [i128; 2],
    /// The other warps of each group that share a scheduler with a followed one.
    pub(super) near: Vec<u64>,
    /// The warps of each group that share none.
    pub(super) far: Vec<u64>,
    /// What they are worth, in parts of a cycle.
    pub(super) waits: i128,
}

impl CriticalPath {
    /// The cycles that the followed warps take by themselves until the last issue.
    pub(super) fn own(&self) -> i128 {
        self.own[0]
    }

    /// The cycle by which the last warp has issued everything, and that at whose end its last result is there.
    pub(super) fn finish(&self, parts: i128) -> Result<[i128; 2], LatencyError> {
        let waits = self.waits.div_euclid(parts);
        Ok([plus(self.own[0], waits)?, plus(self.own[1], waits)?])
    }
}

/// For each group the cycle by which its last warp has issued everything, and that at whose end its last
/// result is there.
pub(super) fn finishes(context: &Context<'_>) -> Result<Vec<[i128; 2]>, LatencyError> {
    let weights = Weights::new(context)?;
    let finish = |group| {
        let mut all = [0; 2];
        for path in paths(context, &weights, group)? {
            let found = path.finish(weights.parts)?;
            all = [all[0].max(found[0]), all[1].max(found[1])];
        }
        Ok(all)
    };
    context.groups().map(finish).collect()
}

/// The critical paths of a group: one, or one for each number of warps that a block with barriers may have.
pub(super) fn paths(
    context: &Context<'_>,
    weights: &Weights<'_>,
    group: usize,
) -> Result<Vec<CriticalPath>, LatencyError> {
    let units = &context.units[group];
    let worth_of = |other: usize| worth(context.code(other), weights, &context.letters[other], units);
    let worths = context.groups().map(worth_of).collect::<Result<Vec<Worth>, _>>()?;
    let block = context.workload.warps_per_block().unwrap_or(u64::MAX).min(context.warps(group));
    let barriers = context.code(group).has_barrier();
    if !barriers || block == 1 {
        return Ok(vec![alone(context, group, &worths)?]);
    }
    let last = context.warps(group) % block;
    let sizes = [block, if last == 0 { block } else { last }];
    sizes.into_iter().map(|size| in_block(context, weights, group, size, &worths)).collect()
}

/// The critical path of a warp that waits for no other one at a barrier.
fn alone(context: &Context<'_>, group: usize, worths: &[Worth]) -> Result<CriticalPath, LatencyError> {
    let own = own(context.code(group), context.machine())?;
    let near: Vec<i128> = worths.iter().map(|worth| worth.same).collect();
    let far: Vec<i128> = worths.iter().map(|worth| worth.other).collect();
    let (waits, near) = context.others(group, &near, &far)?;
    let others = |at: usize| context.warps(at) - u64::from(at == group);
    let far = near.iter().enumerate().map(|(at, near)| others(at) - near).collect();
    Ok(CriticalPath { own: [own.last_issue.into(), own.completion.into()], near, far, waits })
}

/// The critical path of a block of `block` warps along chains of its warps, one for each segment.
///
/// A warp is on the same scheduler as the chain if it shares one with any warp of the chain. A chain of K
/// segments has K warps at most, and a scheduler has at most `ceil(W / S)` of W consecutive warps, so no more
/// than `K ceil(W / S)` warps of a group are.
fn in_block(
    context: &Context<'_>,
    weights: &Weights<'_>,
    group: usize,
    block: u64,
    worths: &[Worth],
) -> Result<CriticalPath, LatencyError> {
    let (code, machine) = (context.code(group), context.machine());
    let own = chain(code, machine)?;
    let links = own.segments.min(block.into()).min(machine.schedulers().into());
    let most_near = |warps: u64, all: u64| -> u64 {
        let most = links.saturating_mul(all.div_ceil(machine.schedulers()).into());
        u64::try_from(most).unwrap_or(u64::MAX).min(warps)
    };
    let [same, other] = tables(weights, &context.letters[group], &context.units[group])?;
    let by_segment = |table: &[i128]| {
        segments(code, &|step| {
            let number = table[step.letter.index()];
            Count { inside: number, issued: number, done: number }
        })?
        .inside()
    };
    // Each segment of the block without the warp of the chain, which is on its own scheduler.
    let members = most_near(block, block);
    let mut waits =
        plus(times(by_segment(&same)?, members - 1)?, times(by_segment(&other)?, block - members)?)?;
    let (mut near, mut far) = (vec![], vec![]);
    for (at, worth) in worths.iter().enumerate() {
        let [own_near, own_far] = if at == group { [members - 1, block - members] } else { [0; 2] };
        let warps = context.warps(at) - if at == group { block } else { 0 };
        let same = most_near(warps, context.warps(at));
        waits = plus(waits, times(worth.same, same)?)?;
        waits = plus(waits, times(worth.other, warps - same)?)?;
        near.push(own_near + same);
        far.push(own_far + warps - same);
    }
    Ok(CriticalPath { own: [own.issued, own.completed], near, far, waits })
}
