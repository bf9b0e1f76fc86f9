//! A worst schedule, read back from the table of the search.

use crate::grid::choices::{Successor, each_round, successors};
use crate::grid::search::Search;
use crate::grid::state::{Blocks, Rules};
use warpspan_check::schedule::{Issue, Schedule, Start};
use warpspan_model::limits::Stop;

/// A block with its place and its warps by number.
struct Present {
    number: u64,
    slot: u64,
    next: Vec<u16>, // by warp: the instruction that is due
}

/// The cycles left in a state, if the search has left it.
fn left(rules: &Rules<'_>, search: &Search<'_>, waiting: u64, all: Vec<Blocks>) -> Option<u64> {
    let keys = rules.keys(waiting, all);
    keys.iter().try_fold(0, |most, key| Some(search.known(key)?.worst.max(most)))
}

/// A schedule that attains the worst case.
pub(super) fn schedule(rules: &Rules<'_>, search: &Search<'_>) -> Result<Schedule, Stop> {
    let mut first: Option<(u64, Vec<u64>, u64)> = None;
    search.each_start(&mut |starts, waiting| {
        let all = starts.iter().map(|&count| rules.with_fresh(&[], count)).collect();
        let cycles = left(rules, search, waiting, all).unwrap_or(0);
        if first.as_ref().is_none_or(|(most, ..)| cycles > *most) {
            first = Some((cycles, starts.to_vec(), waiting));
        }
    })?;
    let Some((_, begin, mut waiting)) = first else { return Ok(Schedule::new(Vec::new())) };
    let (mut starts, mut issues) = (Vec::new(), Vec::new());
    let mut all: Vec<Vec<Present>> = begin.iter().map(|_| Vec::new()).collect();
    let mut free: Vec<Vec<u64>> = begin.iter().map(|&count| (0..count).rev().collect()).collect();
    let (mut begin, mut started, mut cycle) = (begin, 0, 0);
    loop {
        cycle += 1;
        for (multiprocessor, count) in (0..).zip(&begin) {
            for _ in 0..*count {
                let at = usize::try_from(multiprocessor).unwrap_or(usize::MAX);
                let Some(slot) = free[at].pop() else { break };
                starts.push(Start { cycle, multiprocessor, slot, block: started });
                all[at].push(Present { number: started, slot, next: rules.with_fresh(&[], 1) });
                started += 1;
            }
        }
        if all.iter().all(Vec::is_empty) {
            return Ok(Schedule::of_blocks(starts, issues));
        }
        let (chosen, next) = worst(rules, search, &all, waiting)?;
        for (at, (present, successor)) in all.iter_mut().zip(&chosen).enumerate() {
            step(cycle, present, successor, &mut issues);
            present.retain(|block| {
                let ended = block.next.iter().all(|&next| next == rules.length);
                if ended {
                    free[at].push(block.slot);
                }
                !ended
            });
        }
        waiting -= next.iter().sum::<u64>();
        begin = next;
    }
}

/// A choice after which most cycles are left, and how many blocks start on each multiprocessor.
fn worst(
    rules: &Rules<'_>,
    search: &Search<'_>,
    all: &[Vec<Present>],
    waiting: u64,
) -> Result<(Vec<Successor>, Vec<u64>), Stop> {
    let sorted = |block: &Present| {
        let mut warps = block.next.clone();
        warps.sort_unstable();
        warps
    };
    let mut options: Vec<Vec<Successor>> = Vec::new();
    for present in all {
        options.push(successors(rules, &present.iter().flat_map(sorted).collect::<Blocks>()));
    }
    if waiting == 0 {
        // Nothing connects the multiprocessors any longer, so each makes its own worst choice.
        for option in &mut options {
            let cycles = |successor: &Successor| left(rules, search, 0, vec![successor.blocks.clone()]);
            let most = option.iter().max_by_key(|&successor| cycles(successor)).cloned();
            option.retain(|successor| most.as_ref() == Some(successor));
        }
    }
    let mut found: Option<(u64, Vec<Successor>, Vec<u64>)> = None;
    each_round(&options, waiting, &mut |chosen, starts| {
        let next = chosen.iter().zip(starts);
        let next = next.map(|(successor, &count)| rules.with_fresh(&successor.blocks, count));
        let cycles = left(rules, search, waiting - starts.iter().sum::<u64>(), next.collect()).unwrap_or(0);
        if found.as_ref().is_none_or(|(most, ..)| cycles > *most) {
            found = Some((cycles, chosen.iter().map(|&one| one.clone()).collect(), starts.to_vec()));
        }
        Ok(())
    })?;
    Ok(found.map(|(_, chosen, starts)| (chosen, starts)).unwrap_or_default())
}

/// Lets the warps of a multiprocessor issue.
fn step(cycle: u64, present: &mut [Present], successor: &Successor, issues: &mut Vec<Issue>) {
    for &(at, instruction, count) in &successor.issues {
        let block = &mut present[at];
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let due: Vec<usize> =
            (0..block.next.len()).filter(|&warp| block.next[warp] == instruction).take(count).collect();
        for warp in due {
            let warps_per_block = block.next.len() as u64;
            issues.push(Issue::of_block(
                cycle,
                [block.number, warp as u64],
                warps_per_block,
                instruction.into(),
            ));
            block.next[warp] += 1;
        }
    }
}
