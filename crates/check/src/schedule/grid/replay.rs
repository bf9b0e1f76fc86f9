//! The judge of schedules of grids, which replays the semantics of [`Grid`] in integers.
//!
//! It imports no engine and nothing of the judge of one multiprocessor. A schedule that passes proves a lower
//! bound, whatever found it.

use std::collections::BTreeMap;

use crate::schedule::grid::{Issue, Schedule, Start, Violation};
use warpspan_model::{Cycles, Grid, Kernel, PerUnit, Unit};

/// A schedule of a grid that was replayed and keeps every rule. It proves that the worst case is at least its
/// makespan.
///
/// Only [`replay`] constructs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    schedule: Schedule,
    makespan: Cycles,
}

impl Witness {
    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The last cycle in which a warp issues on any multiprocessor.
    pub fn makespan(&self) -> Cycles {
        self.makespan
    }
}

/// Replays a schedule of a grid and returns the witness, or the first rule that the schedule breaks.
///
/// The time is O(cycles x warps present), and the memory is that of the warps of all blocks.
///
/// # Errors
/// The first violation in order of cycles.
pub fn replay(grid: &Grid, schedule: Schedule) -> Result<Witness, Violation> {
    let instance = grid.block().instance().ok_or(Violation::Paths)?;
    let kernel = &instance.groups()[0].kernel;
    let letters = u128::from(grid.blocks()) * u128::from(instance.total_issues());
    let found = schedule.issues.len() as u64;
    let unfinished = Violation::Unfinished { found, expected: u64::try_from(letters).unwrap_or(u64::MAX) };
    if u128::from(found) < letters {
        // A schedule with too few issues ends here, so what follows is no larger than the schedule.
        return Err(unfinished);
    }
    let mut judge = Judge {
        grid,
        kernel,
        sigma: PerUnit::from_fn(|unit| instance.given_sigma(unit)),
        blocks: vec![None; index(grid.blocks())],
        present: BTreeMap::new(),
        waiting: grid.blocks(),
        empty: u128::from(grid.resident()) * u128::from(grid.multiprocessors()),
        freed: Vec::new(),
    };
    let (mut starts, mut issues) = (&schedule.starts[..], &schedule.issues[..]);
    let mut cycle = 0;
    let first = |starts: &[Start], issues: &[Issue]| {
        let start = starts.first().map(|start| start.cycle);
        start.into_iter().chain(issues.first().map(|issue| issue.cycle)).min()
    };
    while let Some(next) = first(starts, issues) {
        if next == 0 {
            return Err(Violation::CycleZero);
        }
        if next > cycle + 1 && judge.is_idle() {
            // Nothing is present, so no rule can be broken before the next start or issue.
            judge.freed.clear();
            cycle = next;
        } else {
            cycle += 1;
        }
        let now;
        (now, starts) = starts.split_at(starts.partition_point(|start| start.cycle <= cycle));
        judge.start(cycle, now)?;
        let now;
        (now, issues) = issues.split_at(issues.partition_point(|issue| issue.cycle <= cycle));
        judge.issue(cycle, now)?;
    }
    if judge.waiting > 0 || !judge.is_idle() {
        return Err(unfinished);
    }
    Ok(Witness { schedule, makespan: Cycles(cycle) })
}

fn index(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// A block that has started.
#[derive(Debug, Clone)]
struct Block {
    multiprocessor: u64,
    slot: u64,
    next: Vec<u64>,   // by warp: the instruction that is due
    issued: Vec<u64>, // by warp: the cycle of the last issue
}

struct Judge<'a> {
    grid: &'a Grid,
    kernel: &'a Kernel,
    sigma: PerUnit<u64>,
    blocks: Vec<Option<Block>>,
    /// By multiprocessor that has had a block: the slots that hold a block, and the block.
    present: BTreeMap<u64, Vec<(u64, u64)>>,
    waiting: u64,
    /// The number of empty slots of all multiprocessors.
    empty: u128,
    /// Multiprocessor and slot of each block that ended in the cycle before.
    freed: Vec<(u64, u64)>,
}

impl Judge<'_> {
    /// Whether no block is in a slot.
    fn is_idle(&self) -> bool {
        self.present.values().all(Vec::is_empty)
    }

    /// Starts blocks in a cycle.
    fn start(&mut self, cycle: u64, starts: &[Start]) -> Result<(), Violation> {
        let grid = self.grid;
        for &Start { multiprocessor, slot, block, .. } in starts {
            let named = [
                ("block", block, grid.blocks()),
                ("multiprocessor", multiprocessor, grid.multiprocessors()),
                ("slot", slot, grid.resident()),
            ];
            for (what, index, most) in named {
                if index >= most {
                    return Err(Violation::NoSuch { cycle, what, found: index.saturating_add(1), most });
                }
            }
            if self.blocks[index(block)].is_some() {
                return Err(Violation::StartsTwice { cycle, block: block + 1 });
            }
            let present = self.present.entry(multiprocessor).or_default();
            let (number, place) = (block + 1, (slot + 1, multiprocessor + 1));
            if let Some(&(_, holds)) = present.iter().find(|(taken, _)| *taken == slot) {
                let (slot, multiprocessor) = place;
                return Err(Violation::Occupied {
                    cycle,
                    block: number,
                    slot,
                    multiprocessor,
                    holds: holds + 1,
                });
            }
            if cycle > 1 && !self.freed.contains(&(multiprocessor, slot)) {
                let (slot, multiprocessor) = place;
                return Err(Violation::LateStart { cycle, block: number, slot, multiprocessor });
            }
            present.push((slot, block));
            let zero = vec![0; index(grid.warps_per_block())];
            self.blocks[index(block)] =
                Some(Block { multiprocessor, slot, next: zero.clone(), issued: zero });
            self.waiting -= 1;
            self.empty -= 1;
        }
        self.freed.clear();
        if self.waiting > 0 && self.empty > 0 {
            return Err(Violation::EmptySlot { cycle, empty: self.empty, waiting: self.waiting });
        }
        Ok(())
    }

    /// Plays the issues of a cycle.
    fn issue(&mut self, cycle: u64, issues: &[Issue]) -> Result<(), Violation> {
        // What is ready, and which barriers are open, is as it was before any issue of this cycle.
        let ready: BTreeMap<u64, PerUnit<u64>> =
            self.present.iter().map(|(&number, present)| (number, self.ready(present))).collect();
        let units: Vec<Unit> =
            issues.iter().map(|issue| self.checked(cycle, issue)).collect::<Result<_, _>>()?;
        let mut counts: BTreeMap<u64, PerUnit<u64>> = BTreeMap::new();
        for (issue, unit) in issues.iter().zip(units) {
            let Some(block) = &mut self.blocks[index(issue.block)] else { continue };
            let warp = index(issue.warp);
            if block.issued[warp] == cycle {
                return Err(Violation::Twice { cycle, block: issue.block + 1, warp: issue.warp + 1 });
            }
            block.issued[warp] = cycle;
            block.next[warp] += 1;
            counts.entry(block.multiprocessor).or_default()[unit] += 1;
        }
        for (number, ready) in ready {
            let counts = counts.get(&number).copied().unwrap_or_default();
            for unit in Unit::ALL {
                let (issued, ready, sigma) = (counts[unit], ready[unit], self.sigma[unit]);
                let multiprocessor = number + 1;
                if issued > sigma {
                    return Err(Violation::Capacity { cycle, multiprocessor, unit, issued, sigma });
                }
                if issued < ready.min(sigma) {
                    return Err(Violation::NotWorkConserving {
                        cycle,
                        multiprocessor,
                        unit,
                        ready,
                        issued,
                        sigma,
                    });
                }
            }
        }
        self.end(issues);
        Ok(())
    }

    /// The unit of an issue that its warp may make.
    fn checked(&self, cycle: u64, issue: &Issue) -> Result<Unit, Violation> {
        let grid = self.grid;
        for (what, index, most) in
            [("block", issue.block, grid.blocks()), ("warp", issue.warp, grid.warps_per_block())]
        {
            if index >= most {
                return Err(Violation::NoSuch { cycle, what, found: index.saturating_add(1), most });
            }
        }
        let (number, warp) = (issue.block + 1, issue.warp + 1);
        let Some(block) = &self.blocks[index(issue.block)] else {
            return Err(Violation::NotStarted { cycle, block: number, warp });
        };
        let next = block.next[index(issue.warp)];
        let unit = self.kernel.units().get(index(next)).copied();
        let unit = unit.filter(|_| issue.instruction == next).ok_or(Violation::OutOfOrder {
            cycle,
            block: number,
            warp,
            found: issue.instruction.saturating_add(1),
            next: next + 1,
        })?;
        if self.stands(block, next) {
            return Err(Violation::Barrier { cycle, block: number, warp, instruction: next + 1 });
        }
        Ok(unit)
    }

    /// Whether a warp whose next instruction is `next` stands at a barrier, which some warp of its block has
    /// not reached.
    fn stands(&self, block: &Block, next: u64) -> bool {
        let is_barrier = self.kernel.barriers().binary_search(&index(next)).is_ok();
        is_barrier && block.next.iter().any(|&other| other < next)
    }

    /// The number of ready warps of the blocks of a multiprocessor.
    fn ready(&self, present: &[(u64, u64)]) -> PerUnit<u64> {
        let mut ready = PerUnit::default();
        for &(_, block) in present {
            let Some(block) = &self.blocks[index(block)] else { continue };
            for &next in &block.next {
                if let Some(&unit) = self.kernel.units().get(index(next))
                    && !self.stands(block, next)
                {
                    ready[unit] += 1;
                }
            }
        }
        ready
    }

    /// Frees the slots of the blocks that these issues have ended.
    fn end(&mut self, issues: &[Issue]) {
        let length = self.kernel.instructions();
        for issue in issues.iter().filter(|issue| issue.instruction + 1 == length) {
            let Some(block) = &self.blocks[index(issue.block)] else { continue };
            let place = (block.multiprocessor, block.slot);
            if block.next.iter().all(|&next| next == length) && !self.freed.contains(&place) {
                if let Some(present) = self.present.get_mut(&place.0) {
                    present.retain(|&(slot, _)| slot != place.1);
                }
                self.freed.push(place);
                self.empty += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
