//! What each warp does in each cycle of a schedule, and for what it waits.
//!
//! An [`Activity`] is made of a schedule that the verifier has replayed, so every wait in it has a cause that the
//! rules allow: the unit of the next instruction takes no more, the scheduler issues no more, a result or a barrier
//! is not there yet, or the block has no slot. One description serves all three kinds of schedule: the paper's
//! multiprocessor is a machine whose units have `sigma_U` instances, an occupancy of 1 and a latency of 1.
//!
//! Warps, instructions and blocks count from 0 here, and from 1 in [`Activity::name`] and in every message.

mod of;
mod spent;

pub use spent::Spent;

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

/// An instruction that a warp has issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// The warp.
    pub warp: usize,
    /// The instruction of its line.
    pub instruction: usize,
    /// The letter.
    pub letter: String,
    /// The cycle of the issue.
    pub cycle: u64,
    /// The last cycle in which it holds its unit.
    pub until: u64,
}

/// What a warp does in a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doing {
    /// Its block waits for a slot until before this cycle.
    Absent {
        /// The first cycle in which the block is in its slot.
        starts: u64,
    },
    /// It issues this.
    Issues(Issued),
    /// It waits for the result of its last instruction.
    Latency {
        /// The instruction that it waits for.
        of: Issued,
        /// The cycle from which on the result is there.
        ready: u64,
    },
    /// It waits at a barrier.
    Barrier {
        /// The instruction after the barrier.
        instruction: usize,
        /// The warps of its block that have not come in this cycle.
        missing: Vec<usize>,
        /// The cycle from which on the barrier is open.
        opens: u64,
    },
    /// It is ready, and its unit takes no more in this cycle.
    Unit {
        /// What it is ready for.
        next: Next,
        /// The name of the unit.
        unit: String,
        /// How many issues the unit holds at once.
        instances: u64,
        /// The issues that hold it.
        by: Vec<Issued>,
    },
    /// It is ready, and its scheduler issues no more in this cycle.
    Width {
        /// What it is ready for.
        next: Next,
        /// How many instructions the scheduler issues in a cycle.
        width: u64,
        /// What it issues in this cycle.
        by: Vec<Issued>,
    },
    /// It has issued its last instruction.
    Finished {
        /// The cycle of it; 0 for a warp without instructions.
        last: u64,
    },
}

/// What a waiting warp is ready for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// The instruction of its line.
    pub instruction: usize,
    /// The letter.
    pub letter: String,
    /// The first cycle in which it was ready.
    pub since: u64,
    /// How many warps are ready for the same unit, or for the same scheduler, in this cycle, those that issue
    /// among them.
    pub ready: u64,
}

/// Where a warp stands at the start of a cycle.
enum Standing {
    Absent { starts: u64 },
    Latency { ready: u64 },
    Barrier { opens: u64 },
    Ready { instruction: usize, since: u64 },
    Finished,
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

    fn letter(&self, warp: usize, instruction: usize) -> &Letter {
        &self.letters[self.lines[self.warps[warp].line].letters[instruction]]
    }

    fn issued(&self, warp: usize, instruction: usize) -> Issued {
        let letter = self.letter(warp, instruction);
        let (cycle, _) = self.warps[warp].issues[instruction];
        Issued { warp, instruction, letter: letter.name.clone(), cycle, until: cycle + letter.occupancy - 1 }
    }

    /// Where a warp stands at the start of a cycle.
    fn standing(&self, warp: usize, cycle: u64) -> Standing {
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
    fn arrives(&self, warp: usize, instruction: usize) -> u64 {
        match instruction.checked_sub(1).map(|before| self.warps[warp].issues[before]) {
            Some((cycle, latency)) => cycle.saturating_add(latency),
            None => self.warps[warp].starts,
        }
    }

    /// The warps that meet a warp at barriers, itself among them. They stand next to each other.
    fn members(&self, warp: usize) -> impl Iterator<Item = usize> + '_ {
        let (block, line) = (self.warps[warp].block, self.warps[warp].line);
        let is_member = move |at: &usize| self.warps[*at].block == block && self.warps[*at].line == line;
        let from = (0..=warp).rev().take_while(is_member).last().unwrap_or(warp);
        (from..self.warps.len()).take_while(is_member)
    }

    /// The issues that hold a unit in a cycle, as a warp of this home sees it.
    fn holders(&self, unit: usize, home: u64, cycle: u64) -> Vec<Issued> {
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
    fn in_cycles(&self, from: u64, to: u64) -> &[Issue] {
        let start = self.issues.partition_point(|issue| issue.cycle < from);
        let end = self.issues.partition_point(|issue| issue.cycle <= to);
        &self.issues[start..end]
    }
}
