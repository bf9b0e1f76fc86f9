//! The adversary's choices in a cycle.

use crate::grid::state::{Blocks, Rules};
use warpspan_model::limits::Stop;
use warpspan_model::{PerUnit, Unit};

/// Warps of a block that issue the same instruction: the index of the block, the instruction, and how many.
pub(super) type Issues = (usize, u16, u64);

/// What a choice makes of a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Successor {
    /// The blocks that have not ended.
    pub(super) blocks: Blocks,
    /// The number of blocks that have ended.
    pub(super) ended: usize,
    /// The issues of the choice.
    pub(super) issues: Vec<Issues>,
}

/// The different states of a multiprocessor after a cycle, each with one choice that leads there. The blocks
/// may be in any order, the warps of each in rising order.
pub(super) fn successors(rules: &Rules<'_>, blocks: &[u16]) -> Vec<Successor> {
    let mut ready: PerUnit<Vec<Issues>> = PerUnit::from_fn(|_| Vec::new());
    for (at, block) in blocks.chunks(rules.warps).enumerate() {
        for run in block.chunk_by(|a, b| a == b) {
            let next = run[0];
            let stands = next > block[0] && rules.kernel.barriers().binary_search(&next.into()).is_ok();
            if let Some(&unit) = rules.kernel.units().get(usize::from(next)).filter(|_| !stands) {
                ready[unit].push((at, next, run.len() as u64));
            }
        }
    }
    let on = |unit: Unit| {
        let all: u64 = ready[unit].iter().map(|(_, _, count)| count).sum();
        let mut choices = Vec::new();
        spread(&ready[unit], all.min(rules.sigma[unit]), &mut Vec::new(), &mut choices);
        choices
    };
    let (loads, cores) = (on(Unit::LoadStore), on(Unit::CudaCore));
    let mut found: Vec<Successor> = loads
        .iter()
        .flat_map(|load| cores.iter().map(move |core| [&load[..], &core[..]].concat()))
        .map(|issues| after(rules, blocks, issues))
        .collect();
    found.sort_unstable();
    found.dedup_by(|a, b| a.blocks == b.blocks);
    found
}

/// Adds every way in which `left` of the ready warps can issue.
fn spread(ready: &[Issues], left: u64, chosen: &mut Vec<Issues>, choices: &mut Vec<Vec<Issues>>) {
    if left == 0 {
        choices.push(chosen.clone());
        return;
    }
    let Some((&(block, next, most), others)) = ready.split_first() else { return };
    for count in 0..=most.min(left) {
        if count > 0 {
            chosen.push((block, next, count));
        }
        spread(others, left - count, chosen, choices);
        if count > 0 {
            chosen.pop();
        }
    }
}

/// The multiprocessor after the issues.
fn after(rules: &Rules<'_>, blocks: &[u16], issues: Vec<Issues>) -> Successor {
    let mut blocks = blocks.to_vec();
    for &(block, next, count) in &issues {
        let block = &mut blocks[block * rules.warps..][..rules.warps];
        // The last of the warps that are due to issue this instruction move up, so the order stays.
        let end = block.partition_point(|&at| at <= next);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        for at in &mut block[end.saturating_sub(count)..end] {
            *at += 1;
        }
    }
    let mut ended = 0;
    for at in (0..blocks.len()).step_by(rules.warps).rev() {
        if blocks[at] == rules.length {
            blocks.drain(at..at + rules.warps);
            ended += 1;
        }
    }
    rules.sort(&mut blocks);
    Successor { ended, blocks, issues }
}

/// Calls `visit` for every combination of one successor of each multiprocessor and of numbers of blocks that
/// start there. All free slots are filled while blocks wait; which of them, is the adversary's choice.
pub(super) fn each_round(
    options: &[Vec<Successor>],
    waiting: u64,
    visit: &mut impl FnMut(&[&Successor], &[u64]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    combine(options, &mut Vec::new(), &mut |chosen| {
        let free: Vec<u64> = chosen.iter().map(|successor| successor.ended as u64).collect();
        let starting = free.iter().sum::<u64>().min(waiting);
        share(&free, starting, &mut Vec::new(), &mut |starts| visit(chosen, starts))
    })
}

fn combine<'a>(
    options: &'a [Vec<Successor>],
    chosen: &mut Vec<&'a Successor>,
    visit: &mut impl FnMut(&[&'a Successor]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let Some((first, others)) = options.split_first() else { return visit(chosen) };
    for successor in first {
        chosen.push(successor);
        combine(others, chosen, visit)?;
        chosen.pop();
    }
    Ok(())
}

/// Calls `visit` for every way to share blocks among multiprocessors with so many free slots.
pub(super) fn share(
    free: &[u64],
    left: u64,
    starts: &mut Vec<u64>,
    visit: &mut impl FnMut(&[u64]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let Some((&first, others)) = free.split_first() else { return visit(starts) };
    let room: u64 = others.iter().sum();
    for count in left.saturating_sub(room)..=first.min(left) {
        starts.push(count);
        share(others, left - count, starts, visit)?;
        starts.pop();
    }
    Ok(())
}
