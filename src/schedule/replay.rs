//! The judge of schedules, which replays the semantics of [`crate::model`] in integers.
//!
//! It imports no engine, so a schedule that passes proves a lower bound, whatever found it.

use crate::model::{Cycles, Instance, PerUnit, Unit};
use crate::schedule::{Issue, Schedule, Violation};

/// A schedule that was replayed and keeps every rule. It proves that the worst case is at least its makespan.
///
/// Only [`replay`] constructs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    schedule: Schedule,
    completions: Vec<Cycles>,
}

impl Witness {
    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The last cycle in which any warp issues.
    pub fn makespan(&self) -> Cycles {
        self.completions.iter().copied().max().unwrap_or_default()
    }

    /// The last cycle in which a warp of each group issues.
    pub fn completions(&self) -> &[Cycles] {
        &self.completions
    }
}

/// Replays a schedule and returns the witness, or the first rule that the schedule breaks.
///
/// The time is O(issues + cycles) and the memory O(warps).
///
/// # Errors
/// The first violation in order of cycles.
pub fn replay(instance: &Instance, schedule: Schedule) -> Result<Witness, Violation> {
    let found = schedule.issues().len() as u64;
    let unfinished = Violation::Unfinished { found, expected: instance.total_issues() };
    if instance.total_warps() > found {
        // a schedule with too few issues ends here, so the state below is no larger than the schedule
        return Err(unfinished);
    }
    let mut state = State::new(instance);
    let mut cycle = 0;
    for issues in schedule.issues().chunk_by(|a, b| a.cycle == b.cycle) {
        if issues[0].cycle == 0 {
            return Err(Violation::CycleZero);
        }
        while cycle + 1 < issues[0].cycle {
            cycle += 1;
            state.step(cycle, &[])?;
            if state.is_finished() {
                break; // the issues that are left are judged below
            }
        }
        cycle = issues[0].cycle;
        state.step(cycle, issues)?;
    }
    if !state.is_finished() {
        return Err(unfinished);
    }
    Ok(Witness { completions: state.completions, schedule })
}

struct State<'a> {
    instance: &'a Instance,
    next: Vec<Vec<u32>>,          // by group and warp: the instruction that is due
    issued: Vec<Vec<u64>>,        // by group and warp: the cycle of the last issue, 0 before the first
    ready: PerUnit<u64>,          // warps whose next instruction is for the unit and that stand at no barrier
    opened: Vec<Vec<usize>>,      // by group and block: the barriers that have opened
    standing: Vec<Vec<u64>>,      // by group and block: the warps that stand at the next barrier
    opening: Vec<(usize, usize)>, // blocks all of whose warps have reached the barrier in this cycle
    completions: Vec<Cycles>,
}

impl<'a> State<'a> {
    fn new(instance: &'a Instance) -> Self {
        let warps = |group: usize| usize::try_from(instance.groups()[group].warps).unwrap_or(usize::MAX);
        let groups = instance.groups().len();
        let mut ready = PerUnit::from_fn(|_| 0);
        for group in instance.groups() {
            ready[group.kernel.units()[0]] += group.warps;
        }
        // blocks matter only where there is a barrier
        let blocks = |group: usize| match instance.groups()[group].kernel.barriers() {
            [] => 0,
            _ => instance.warps_per_block().map_or(1, |block| warps(group).div_ceil(size(block))),
        };
        Self {
            instance,
            next: (0..groups).map(|group| vec![0; warps(group)]).collect(),
            issued: (0..groups).map(|group| vec![0; warps(group)]).collect(),
            ready,
            opened: (0..groups).map(|group| vec![0; blocks(group)]).collect(),
            standing: (0..groups).map(|group| vec![0; blocks(group)]).collect(),
            opening: Vec::new(),
            completions: vec![Cycles(0); groups],
        }
    }

    fn is_finished(&self) -> bool {
        Unit::ALL.iter().all(|&unit| self.ready[unit] == 0)
    }

    /// Plays one cycle.
    fn step(&mut self, cycle: u64, issues: &[Issue]) -> Result<(), Violation> {
        let ready = self.ready;
        let mut count = PerUnit::from_fn(|_| 0_u64);
        for issue in issues {
            let unit = self.issue(cycle, issue)?;
            count[unit] += 1;
            if count[unit] > self.instance.sigma(unit) {
                return Err(Violation::Capacity { cycle, unit, sigma: self.instance.sigma(unit) });
            }
        }
        for unit in Unit::ALL {
            if count[unit] < self.instance.sigma(unit).min(ready[unit]) {
                return Err(self.idle(cycle, unit, count[unit]));
            }
        }
        for (group, block) in std::mem::take(&mut self.opening) {
            let kernel = &self.instance.groups()[group].kernel;
            let first = kernel.units()[kernel.barriers()[self.opened[group][block]]];
            self.ready[first] += std::mem::take(&mut self.standing[group][block]);
            self.opened[group][block] += 1;
        }
        Ok(())
    }

    /// The block of a warp, and the instruction before which its next barrier stands, if it has one.
    fn barrier(&self, group: usize, warp: usize) -> Option<(usize, usize)> {
        let block = self.instance.warps_per_block().map_or(0, |block| warp / size(block));
        let opened = *self.opened[group].get(block)?;
        Some((block, *self.instance.groups()[group].kernel.barriers().get(opened)?))
    }

    /// The number of warps of a block.
    fn members(&self, group: usize, block: usize) -> u64 {
        let warps = self.instance.groups()[group].warps;
        let most = self.instance.warps_per_block().unwrap_or(warps);
        most.min(warps - block as u64 * most)
    }

    /// Lets one warp issue its next instruction, and returns the unit.
    fn issue(&mut self, cycle: u64, issue: &Issue) -> Result<Unit, Violation> {
        let (group, warp) = (issue.group as usize, issue.warp as usize);
        let groups = self.instance.groups();
        let number = u64::from(issue.group) + 1;
        if group >= groups.len() {
            return Err(Violation::NoSuchGroup { cycle, found: number, groups: groups.len() });
        }
        let (found, warps) = (u64::from(issue.warp) + 1, groups[group].warps);
        if found > warps {
            return Err(Violation::NoSuchWarp { cycle, group: number, found, warps });
        }
        if self.issued[group][warp] == cycle {
            return Err(Violation::Twice { cycle, group: number, warp: found });
        }
        let next = self.next[group][warp];
        let units = groups[group].kernel.units();
        if issue.instruction != next || next as usize >= units.len() {
            let (instruction, next) = (u64::from(issue.instruction) + 1, u64::from(next) + 1);
            return Err(Violation::OutOfOrder {
                cycle,
                group: number,
                warp: found,
                found: instruction,
                next,
            });
        }
        let barrier = self.barrier(group, warp);
        if barrier.is_some_and(|(_, before)| before == next as usize) {
            let instruction = u64::from(next) + 1;
            return Err(Violation::Barrier { cycle, group: number, warp: found, instruction });
        }
        let unit = units[next as usize];
        self.ready[unit] -= 1;
        match (units.get(next as usize + 1), barrier) {
            (Some(_), Some((block, before))) if before == next as usize + 1 => {
                self.standing[group][block] += 1;
                if self.standing[group][block] == self.members(group, block) {
                    self.opening.push((group, block));
                }
            }
            (Some(&after), _) => self.ready[after] += 1,
            (None, _) => {}
        }
        self.next[group][warp] = next + 1;
        self.issued[group][warp] = cycle;
        self.completions[group] = Cycles(cycle);
        Ok(unit)
    }

    /// Names a warp that waits for `unit` in `cycle` although it has room.
    fn idle(&self, cycle: u64, unit: Unit, issued: u64) -> Violation {
        let mut who = (0, 0, 0);
        'search: for (group, next) in self.next.iter().enumerate() {
            let units = self.instance.groups()[group].kernel.units();
            for (warp, &next) in next.iter().enumerate() {
                let stands = self.barrier(group, warp).is_some_and(|(_, before)| before == next as usize);
                if !stands && self.issued[group][warp] != cycle && units.get(next as usize) == Some(&unit) {
                    who = (group, warp, next);
                    break 'search;
                }
            }
        }
        Violation::NotWorkConserving {
            cycle,
            group: who.0 as u64 + 1,
            warp: who.1 as u64 + 1,
            instruction: u64::from(who.2) + 1,
            unit,
            issued,
            sigma: self.instance.sigma(unit),
        }
    }
}

fn size(block: u64) -> usize {
    usize::try_from(block).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Multiprocessor, WarpGroup};

    fn instance(kernel: &str, warps: u64, sigma_l: &str) -> Instance {
        let multiprocessor = Multiprocessor::new(sigma_l.parse().unwrap(), "1".parse().unwrap());
        Instance::new(vec![WarpGroup { kernel: kernel.parse().unwrap(), warps }], multiprocessor).unwrap()
    }

    /// A schedule from triples (cycle, warp, instruction), all from 1.
    fn schedule(issues: &[(u64, u32, u32)]) -> Schedule {
        let issue = |&(cycle, warp, instruction): &(u64, u32, u32)| Issue {
            cycle,
            group: 0,
            warp: warp - 1,
            instruction: instruction - 1,
        };
        Schedule::new(issues.iter().map(issue).collect())
    }

    fn judge(instance: &Instance, issues: &[(u64, u32, u32)]) -> Result<u64, String> {
        replay(instance, schedule(issues)).map(|w| w.makespan().0).map_err(|violation| violation.to_string())
    }

    /// The schedule of Be12 Fig. 2: LLC, four warps, nine cycles.
    const FIG_2: [(u64, u32, u32); 12] = [
        (1, 1, 1),
        (2, 2, 1),
        (3, 3, 1),
        (4, 4, 1),
        (5, 1, 2),
        (6, 1, 3),
        (6, 2, 2),
        (7, 2, 3),
        (7, 3, 2),
        (8, 3, 3),
        (8, 4, 2),
        (9, 4, 3),
    ];

    #[test]
    fn be12_fig_2_is_valid() {
        assert_eq!(judge(&instance("LLC", 4, "1"), &FIG_2), Ok(9));
    }

    #[test]
    fn each_rule_is_enforced() {
        let two = instance("LC", 2, "1");
        assert_eq!(judge(&two, &[(1, 1, 1), (2, 1, 2), (2, 2, 1), (3, 2, 2)]), Ok(3));
        let broken = |issues: &[(u64, u32, u32)], part: &str| {
            let message = judge(&two, issues).unwrap_err();
            assert!(message.contains(part), "{message}");
        };
        broken(&[(0, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 2)], "cycle 0");
        broken(&[(1, 3, 1), (2, 1, 1), (3, 2, 1)], "no warp 3 in group 1, which has 2");
        broken(&[(1, 1, 2), (2, 1, 1)], "issues instruction 2, its next is 1");
        broken(&[(1, 1, 1), (1, 1, 2), (2, 2, 1)], "warp 1 of group 1 issues twice");
        broken(&[(1, 1, 1), (1, 2, 1), (2, 1, 2)], "more than sigma_L = 1");
        broken(&[(1, 1, 1), (2, 2, 1), (3, 1, 2), (4, 2, 2)], "ready for instruction 2 on C");
        broken(&[(2, 1, 1), (3, 1, 2), (3, 2, 1), (4, 2, 2)], "cycle 1: warp 1 of group 1 is ready");
        broken(&[(1, 1, 1), (2, 1, 2), (2, 2, 1)], "ends after 3 of 4");
        broken(&[(1, 1, 1)], "ends after 1 of 4");
        broken(
            &[(1, 1, 1), (2, 1, 2), (2, 2, 1), (3, 2, 2), (9, 2, 3)],
            "issues instruction 3, its next is 3",
        );
        broken(&[(u64::MAX, 1, 1), (u64::MAX, 2, 1)], "cycle 1: warp 1");
    }

    /// With two L's a cycle no warp of two needs to wait: LL with W = 4 at sigma_L = 2 has schedules of 4 and
    /// of 5 cycles.
    #[test]
    fn larger_sigma() {
        let instance = instance("LL", 4, "2");
        assert_eq!(
            judge(
                &instance,
                &[(1, 1, 1), (1, 2, 1), (2, 3, 1), (2, 1, 2), (3, 4, 1), (3, 2, 2), (4, 3, 2), (5, 4, 2),]
            )
            .map_err(|e| e.contains("cycle 4")),
            Err(true)
        );
        assert_eq!(
            judge(
                &instance,
                &[(1, 1, 1), (1, 2, 1), (2, 3, 1), (2, 1, 2), (3, 3, 2), (3, 2, 2), (4, 4, 1), (5, 4, 2),]
            ),
            Ok(5)
        );
    }

    #[test]
    fn groups_complete_on_their_own() {
        let groups = vec![
            WarpGroup { kernel: "LL".parse().unwrap(), warps: 1 },
            WarpGroup { kernel: "C".parse().unwrap(), warps: 1 },
        ];
        let instance = Instance::new(groups, Multiprocessor::default()).unwrap();
        let issue = |cycle, group, instruction| Issue { cycle, group, warp: 0, instruction };
        let witness =
            replay(&instance, Schedule::new(vec![issue(1, 0, 0), issue(1, 1, 0), issue(2, 0, 1)])).unwrap();
        assert_eq!(witness.completions(), [Cycles(2), Cycles(1)]);
        assert_eq!(witness.makespan(), Cycles(2));
    }
}
