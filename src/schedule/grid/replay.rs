//! The judge of schedules of grids, which replays the semantics of [`Grid`] in integers.
//!
//! It imports no engine and nothing of the judge of one multiprocessor. A schedule that passes proves a lower
//! bound, whatever found it.

use std::collections::BTreeMap;

use crate::model::{Cycles, Grid, Kernel, PerUnit, Unit};
use crate::schedule::grid::{Issue, Schedule, Start, Violation};

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
mod tests {
    use super::*;
    use crate::model::{Code, Multiprocessor};

    fn grid(code: &str, sigma_l: &str, [warps, blocks, multiprocessors, resident]: [u64; 4]) -> Grid {
        let multiprocessor = Multiprocessor::new(sigma_l.parse().unwrap(), "1".parse().unwrap());
        let grid = Grid::new(code.parse::<Code>().unwrap(), multiprocessor, warps, blocks).unwrap();
        grid.on(multiprocessors, resident).unwrap()
    }

    /// A start from cycle, multiprocessor, slot and block, all from 1.
    type At = (u64, u64, u64, u64);

    /// The judgement of starts and of issues as (cycle, block, warp, instruction), all from 1.
    fn judge(grid: &Grid, starts: &[At], issues: &[At]) -> Result<u64, String> {
        let start = |&(cycle, multiprocessor, slot, block): &At| Start {
            cycle,
            multiprocessor: multiprocessor - 1,
            slot: slot - 1,
            block: block - 1,
        };
        let issue = |&(cycle, block, warp, instruction): &At| Issue {
            cycle,
            block: block - 1,
            warp: warp - 1,
            instruction: instruction - 1,
        };
        let schedule = Schedule::new(starts.iter().map(start).collect(), issues.iter().map(issue).collect());
        replay(grid, schedule).map(|witness| witness.makespan().0).map_err(|violation| violation.to_string())
    }

    /// Three blocks of LC follow one another in a slot.
    const STARTS: [At; 3] = [(1, 1, 1, 1), (3, 1, 1, 2), (5, 1, 1, 3)];
    const ISSUES: [At; 6] =
        [(1, 1, 1, 1), (2, 1, 1, 2), (3, 2, 1, 1), (4, 2, 1, 2), (5, 3, 1, 1), (6, 3, 1, 2)];

    #[test]
    fn a_valid_schedule_passes() {
        assert_eq!(judge(&grid("LC", "1", [1, 3, 1, 1]), &STARTS, &ISSUES), Ok(6));
        // On two multiprocessors either takes the third block.
        let two = grid("LC", "1", [1, 3, 2, 1]);
        for last in [1, 2] {
            let starts = [(1, 1, 1, 1), (1, 2, 1, 2), (3, last, 1, 3)];
            let issues = [(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 2), (2, 2, 1, 2), (3, 3, 1, 1), (4, 3, 1, 2)];
            assert_eq!(judge(&two, &starts, &issues), Ok(4));
        }
    }

    #[test]
    fn each_rule_on_starts_is_enforced() {
        let one = grid("LC", "1", [1, 3, 1, 1]);
        let broken = |at: usize, start: At, part: &str| {
            let mut starts = STARTS;
            starts[at] = start;
            let message = judge(&one, &starts, &ISSUES).unwrap_err();
            assert!(message.contains(part), "{message}");
        };
        broken(0, (0, 1, 1, 1), "cycle 0");
        broken(1, (3, 1, 1, 4), "no block 4 in the grid, which has 3");
        broken(1, (3, 2, 1, 2), "no multiprocessor 2 in the grid, which has 1");
        broken(1, (3, 1, 2, 2), "no slot 2 in the grid, which has 1");
        broken(1, (3, 1, 1, 1), "block 1 starts, but it has started before");
        broken(1, (2, 1, 1, 2), "block 2 starts in slot 1 of multiprocessor 1, which holds block 1");
        broken(1, (4, 1, 1, 2), "cycle 3: 1 slots are empty although 2 blocks wait");
        broken(2, (7, 1, 1, 3), "cycle 5: 1 slots are empty although 1 blocks wait");
        broken(0, (2, 1, 1, 1), "cycle 1: 1 slots are empty although 3 blocks wait");
        // A block that never starts leaves its slot empty.
        let message = judge(&one, &STARTS[..2], &ISSUES).unwrap_err();
        assert!(message.contains("slots are empty"), "{message}");
        // While no block waits, an empty slot is no fault, but nothing may start there later.
        let two = grid("LC", "1", [1, 2, 2, 1]);
        let issues = [(1, 1, 1, 1), (2, 1, 1, 2), (3, 2, 1, 1), (4, 2, 1, 2)];
        let late = judge(&two, &[(1, 1, 1, 1), (3, 2, 1, 2)], &issues).unwrap_err();
        assert!(late.contains("cycle 1: 1 slots are empty although 1 blocks wait"), "{late}");
        let three = grid("LC", "1", [1, 3, 2, 1]);
        let issues = [(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 2), (2, 2, 1, 2), (4, 3, 1, 1), (5, 3, 1, 2)];
        let starts = [(1, 1, 1, 1), (1, 2, 1, 2), (4, 1, 1, 3)];
        let late = judge(&three, &starts, &issues).unwrap_err();
        assert!(late.contains("nothing freed slot 1 of multiprocessor 1 in the cycle before"), "{late}");
    }

    #[test]
    fn each_rule_on_issues_is_enforced() {
        let one = grid("LC", "1", [1, 3, 1, 1]);
        let broken = |at: usize, issue: At, part: &str| {
            let mut issues = ISSUES;
            issues[at] = issue;
            let message = judge(&one, &STARTS, &issues).unwrap_err();
            assert!(message.contains(part), "{message}");
        };
        broken(0, (0, 1, 1, 1), "cycle 0");
        broken(0, (1, 4, 1, 1), "no block 4");
        broken(0, (1, 1, 2, 1), "no warp 2 in the grid, which has 1");
        broken(2, (2, 2, 1, 1), "warp 1 of block 2 issues, but the block has not started");
        broken(1, (2, 1, 1, 1), "warp 1 of block 1 issues instruction 1, its next is 2");
        broken(1, (2, 1, 1, 3), "issues instruction 3, its next is 2");
        let message = judge(&one, &STARTS, &ISSUES[..5]).unwrap_err();
        assert!(message.contains("ends after 5 of 6"), "{message}");
        let too_many = [&ISSUES[..], &[(9, 3, 1, 3)]].concat();
        let message = judge(&one, &STARTS, &too_many).unwrap_err();
        assert!(message.contains("cycle 9: warp 1 of block 3 issues instruction 3"), "{message}");
        let endless = [&ISSUES[..], &[(u64::MAX, 3, 1, 3)]].concat();
        assert!(judge(&one, &STARTS, &endless).is_err());

        let two = grid("LL", "1", [1, 2, 1, 2]);
        let starts = [(1, 1, 1, 1), (1, 1, 2, 2)];
        let judged = |issues: &[At], part: &str| {
            let message = judge(&two, &starts, issues).unwrap_err();
            assert!(message.contains(part), "{message}");
        };
        judged(&[(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 2), (3, 2, 1, 2)], "2 instructions issue on L");
        judged(&[(1, 1, 1, 1), (3, 2, 1, 1), (4, 1, 1, 2), (5, 2, 1, 2)], "cycle 2: 2 warps");
        judged(&[(1, 1, 1, 1), (1, 1, 1, 1), (2, 1, 1, 2), (3, 2, 1, 2)], "block 1 issues twice");
        assert_eq!(judge(&two, &starts, &[(1, 1, 1, 1), (2, 2, 1, 1), (3, 1, 1, 2), (4, 2, 1, 2)]), Ok(4));
        // With two L's a cycle both blocks go on at once.
        let wide = grid("LL", "2", [1, 2, 1, 2]);
        assert!(judge(&wide, &starts, &[(1, 1, 1, 1), (2, 2, 1, 1), (3, 1, 1, 2), (4, 2, 1, 2)]).is_err());
        let at_once = [(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 2), (2, 2, 1, 2)];
        assert_eq!(judge(&wide, &starts, &at_once), Ok(2));
    }

    #[test]
    fn barriers_are_of_a_block() {
        let two = grid("L|C", "1", [2, 2, 1, 1]);
        let starts = [(1, 1, 1, 1), (5, 1, 1, 2)];
        let block = |first: u64, block: u64| {
            [
                (first, block, 1, 1),
                (first + 1, block, 2, 1),
                (first + 2, block, 1, 2),
                (first + 3, block, 2, 2),
            ]
        };
        assert_eq!(judge(&two, &starts, &[block(1, 1), block(5, 2)].concat()), Ok(8));
        let early = [(1, 1, 1, 1), (2, 1, 2, 1), (2, 1, 1, 2), (3, 1, 2, 2)];
        let message = judge(&two, &[(1, 1, 1, 1), (4, 1, 1, 2)], &[early, block(4, 2)].concat()).unwrap_err();
        assert!(message.contains("cycle 2: warp 1 of block 1 issues instruction 2, but stands"), "{message}");
        assert_eq!(
            replay(&grid("[L/C]", "1", [1, 2, 1, 1]), Schedule::new(vec![], vec![])),
            Err(Violation::Paths)
        );
    }
}
