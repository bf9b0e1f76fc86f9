//! Where warps stand, and what holds a unit.

use crate::schedule::activity::{Activity, Issue, Issued, Letter};

/// Where a warp stands at the start of a cycle.
pub(super) enum Standing {
    Absent { starts: u64 },
    Latency { ready: u64 },
    Barrier { opens: u64 },
    Ready { instruction: usize, since: u64 },
    Finished,
}

impl Activity {
    pub(super) fn letter(&self, warp: usize, instruction: usize) -> &Letter {
        &self.letters[self.lines[self.warps[warp].line].letters[instruction]]
    }

    pub(super) fn issued(&self, warp: usize, instruction: usize) -> Issued {
        let letter = self.letter(warp, instruction);
        let (cycle, _) = self.warps[warp].issues[instruction];
        Issued { warp, instruction, letter: letter.name.clone(), cycle, until: cycle + letter.occupancy - 1 }
    }

    /// Where a warp stands at the start of a cycle.
    pub(super) fn standing(&self, warp: usize, cycle: u64) -> Standing {
        let one = &self.warps[warp];
        let done = one.issues.partition_point(|&(at, _)| at < cycle);
        if cycle < one.starts {
            return Standing::Absent { starts: one.starts };
        }
        if done == one.issues.len() {
            return Standing::Finished;
        }
        let ready = self.arrives(warp, done);
        if cycle < ready {
            return Standing::Latency { ready };
        }
        if !self.lines[one.line].gates.contains(&done) {
            return Standing::Ready { instruction: done, since: ready };
        }
        let opens = self.members(warp).map(|other| self.arrives(other, done)).max().unwrap_or(ready);
        match cycle < opens {
            true => Standing::Barrier { opens },
            false => Standing::Ready { instruction: done, since: opens },
        }
    }

    /// The cycle from which on a warp has the result of the instruction before this one.
    pub(super) fn arrives(&self, warp: usize, instruction: usize) -> u64 {
        match instruction.checked_sub(1).map(|before| self.warps[warp].issues[before]) {
            Some((cycle, latency)) => cycle.saturating_add(latency),
            None => self.warps[warp].starts,
        }
    }

    /// The warps that share barriers with a warp, itself among them. Their numbers are consecutive.
    pub(super) fn members(&self, warp: usize) -> impl Iterator<Item = usize> + '_ {
        let (block, line) = (self.warps[warp].block, self.warps[warp].line);
        let is_member = move |at: &usize| self.warps[*at].block == block && self.warps[*at].line == line;
        let from = (0..=warp).rev().take_while(is_member).last().unwrap_or(warp);
        (from..self.warps.len()).take_while(is_member)
    }

    /// The issues that hold a unit in a cycle, as a warp of this home sees it.
    pub(super) fn holders(&self, unit: usize, home: u64, cycle: u64) -> Vec<Issued> {
        let of_unit = self.letters.iter().filter(|letter| letter.unit == unit);
        let longest = of_unit.map(|letter| letter.occupancy).max().unwrap_or(1);
        let holds = |issue: &&Issue| {
            let letter = self.letter(issue.warp, issue.instruction);
            let here = self.units[unit].shared || self.warps[issue.warp].home == home;
            letter.unit == unit && here && issue.cycle + letter.occupancy > cycle
        };
        let issues = self.in_cycles(cycle.saturating_sub(longest - 1), cycle).iter().filter(holds);
        issues.map(|issue| self.issued(issue.warp, issue.instruction)).collect()
    }

    /// The issues of these cycles.
    pub(super) fn in_cycles(&self, from: u64, to: u64) -> &[Issue] {
        let start = self.issues.partition_point(|issue| issue.cycle < from);
        let end = self.issues.partition_point(|issue| issue.cycle <= to);
        &self.issues[start..end]
    }
}
