//! What each warp does in each cycle of a schedule, and what it waits for.
//!
//! An [`Activity`] is made of a schedule that the verifier has replayed, so every wait in it has a cause that the
//! rules allow: the unit of the next instruction takes no more, the scheduler issues no more, a result or a barrier
//! is not there yet, or the block has no slot. One description serves all three kinds of schedule: the paper's
//! multiprocessor is a machine whose units have `sigma_U` instances, an occupancy of 1 and a latency of 1.
//!
//! Warps, instructions and blocks count from 0 here, and from 1 in [`Activity::name`] and in every message.

mod breakdown;
mod positions;
mod schedules;
mod state;

pub use breakdown::Spent;
use positions::Standing;
pub use state::{Doing, Issued, Next};

/// What every warp does in every cycle of a replayed schedule.
#[derive(Debug, Clone)]
pub struct Activity {
    warps: Vec<Warp>,
    lines: Vec<Line>,
    letters: Vec<Letter>,
    units: Vec<Unit>,
    /// The instructions that a scheduler may issue in a cycle, if that is limited.
    width: Option<u64>,
    /// All issues, by cycle.
    issues: Vec<Issue>,
    /// How warps are called.
    named: Named,
}

/// How warps are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// By their number alone, since there is one group.
    Warp,
    /// By their group and their number in it.
    Group,
    /// By their block and their number in it.
    Block,
}

#[derive(Debug, Clone)]
struct Warp {
    /// The number of its group or block, and its own in it.
    name: (u64, u64),
    /// The index of its line.
    line: usize,
    /// The warps that meet it at barriers.
    block: u64,
    /// The scheduler or the multiprocessor, whose units it uses.
    home: u64,
    /// The cycle from which on its block is in its slot.
    starts: u64,
    /// By instruction: the cycle of the issue, and its latency.
    issues: Vec<(u64, u64)>,
}

/// The letters of a warp, and the instructions before which a barrier stands.
#[derive(Debug, Clone)]
struct Line {
    letters: Vec<usize>,
    gates: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Letter {
    name: String,
    unit: usize,
    occupancy: u64,
}

#[derive(Debug, Clone)]
struct Unit {
    name: String,
    instances: u64,
    shared: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Issue {
    cycle: u64,
    warp: usize,
    instruction: usize,
}

impl Activity {
    /// The number of warps.
    pub fn warps(&self) -> usize {
        self.warps.len()
    }

    /// The last cycle in which a warp issues.
    pub fn makespan(&self) -> u64 {
        self.issues.last().map_or(0, |issue| issue.cycle)
    }

    /// How warps are called.
    pub fn named(&self) -> Named {
        self.named
    }

    /// What a warp is called.
    pub fn name(&self, warp: usize) -> String {
        let (of, number) = self.warps[warp].name;
        match self.named {
            Named::Warp => format!("warp {number}"),
            Named::Group => format!("warp {number} of group {of}"),
            Named::Block => format!("warp {number} of block {of}"),
        }
    }

    /// The warp with these numbers, from 1: of its group or block, and its own in it.
    pub fn find(&self, of: u64, number: u64) -> Option<usize> {
        self.warps.iter().position(|warp| warp.name == (of, number))
    }

    /// The first of the warps that issue last.
    pub fn last(&self) -> usize {
        let last = |warp: &Warp| warp.issues.last().map_or(0, |&(cycle, _)| cycle);
        let most = self.warps.iter().map(last).max().unwrap_or(0);
        self.warps.iter().position(|warp| last(warp) == most).unwrap_or(0)
    }

    /// What a warp does in a cycle.
    pub fn at(&self, warp: usize, cycle: u64) -> Doing {
        let one = &self.warps[warp];
        let done = one.issues.partition_point(|&(at, _)| at < cycle);
        match self.standing(warp, cycle) {
            Standing::Absent { starts } => Doing::Absent { starts },
            Standing::Finished => Doing::Finished { last: one.issues.last().map_or(0, |&(at, _)| at) },
            Standing::Latency { ready } => Doing::Latency { of: self.issued(warp, done - 1), ready },
            Standing::Barrier { opens } => {
                let missing = |&other: &usize| self.arrives(other, done) > cycle;
                let missing = self.members(warp).filter(missing).collect();
                Doing::Barrier { instruction: done, missing, opens }
            }
            Standing::Ready { instruction, .. } if one.issues[instruction].0 == cycle => {
                Doing::Issues(self.issued(warp, instruction))
            }
            Standing::Ready { instruction, since } => self.waits(warp, cycle, (instruction, since)),
        }
    }

    /// What a ready warp that does not issue waits for.
    fn waits(&self, warp: usize, cycle: u64, (instruction, since): (usize, u64)) -> Doing {
        let letter = self.letter(warp, instruction);
        let unit = &self.units[letter.unit];
        let by = self.holders(letter.unit, self.warps[warp].home, cycle);
        let is_full = by.len() as u64 >= unit.instances;
        let home = self.warps[warp].home;
        let is_rival = |&other: &usize| match self.standing(other, cycle) {
            Standing::Ready { instruction, .. } => {
                let same_unit = self.letter(other, instruction).unit == letter.unit;
                let same_home = self.warps[other].home == home;
                if is_full { same_unit && (unit.shared || same_home) } else { same_home }
            }
            _ => false,
        };
        let ready = (0..self.warps.len()).filter(is_rival).count() as u64;
        let next = Next { instruction, letter: letter.name.clone(), since, ready };
        match self.width {
            Some(width) if !is_full => {
                let of_home = |issue: &&Issue| self.warps[issue.warp].home == home;
                let by = self.in_cycles(cycle, cycle).iter().filter(of_home);
                let by = by.map(|issue| self.issued(issue.warp, issue.instruction)).collect();
                Doing::Width { next, width, by }
            }
            _ => Doing::Unit { next, unit: unit.name.clone(), instances: unit.instances, by },
        }
    }
}
