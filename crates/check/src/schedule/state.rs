//! Where warps stand while a schedule is replayed, and the rules that each cycle has to keep.

use crate::schedule::{Issue, Violation};
use warpspan_model::{Cycles, Instance, PerUnit, Unit};

/// Where the warps stand after the cycles that were played.
pub(super) struct State<'a> {
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
    /// The state before the first cycle.
    pub(super) fn new(instance: &'a Instance) -> Self {
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

    /// Whether no warp has an instruction left.
    pub(super) fn is_finished(&self) -> bool {
        Unit::ALL.iter().all(|&unit| self.ready[unit] == 0)
    }

    /// The last cycle in which a warp of each group has issued.
    pub(super) fn into_completions(self) -> Vec<Cycles> {
        self.completions
    }

    /// Plays one cycle, and returns the first rule that its issues break.
    pub(super) fn step(&mut self, cycle: u64, issues: &[Issue]) -> Result<(), Violation> {
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
