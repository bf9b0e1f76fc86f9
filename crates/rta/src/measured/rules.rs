//! The scheduling rules on measured blocks: what each rule implies for them, and the first block that breaks
//! one.
//!
//! A rule is checked only as far as times tell. Each test finds the least tolerance at which a block keeps the rule, so
//! a finding says by how much the run misses it at most, whether it breaks it or not.

use crate::System;
use crate::measured::{Launch, Measurement};
use warpspan_model::time::Duration;
use warpspan_model::words;

/// The millionths by which the clocks of host and GPU may drift apart: two crystals of 50 each. The examiner's factor
/// for the GPU's timer is within that, too.
pub const DRIFT: u64 = 100;

words! {
    /// A rule that can be checked on measured blocks.
    Rule {
        /// A launch enters its stream when it is called: no block starts before.
        G1 = "G1",
        /// A kernel enters its queue at the head of its stream: no block starts before the launch ahead in the stream
        /// is complete.
        G2 = "G2",
        /// A kernel whose blocks are all placed leaves the queue: then blocks of the next one start as soon as there
        /// is room.
        G3 = "G3",
        /// A kernel leaves its stream when its blocks are complete: the host does not see the stream empty before.
        G4 = "G4",
        /// Only the kernel at the head of the queue places blocks: none starts before all blocks of a kernel ahead
        /// have started.
        X1 = "X1",
        /// A block starts only where registers and a block slot are free.
        R1 = "R1",
        /// A block starts only where its threads are free.
        R2 = "R2",
        /// A block starts only where its shared memory is free.
        R3 = "R3",
        /// A copy out waits for the kernels ahead in its stream: it is not complete before their blocks are.
        C1 = "C1",
        /// A copy in leaves its stream when it is complete: no block of the kernels behind it starts before.
        C4 = "C4",
        /// A kernel places blocks only while the more urgent queues are empty.
        A2 = "A2",
    }
}

impl Rule {
    /// What it says of times of blocks.
    pub fn says(self) -> &'static str {
        match self {
            Self::G1 => "no block starts before its launch is called",
            Self::G2 => "no block starts before the launch ahead in its stream is complete",
            Self::G3 => "no block of the kernel at the head waits while it fits",
            Self::G4 => "the host does not see a stream empty before its blocks end",
            Self::X1 => "no block starts before the blocks of the kernels ahead in the queue",
            Self::R1 => "registers and block slots of a multiprocessor suffice",
            Self::R2 => "threads of a multiprocessor suffice",
            Self::R3 => "shared memory of a multiprocessor suffices",
            Self::C1 => "no copy out is complete before the blocks ahead of it end",
            Self::C4 => "no block starts before the copy in ahead of it is complete",
            Self::A2 => "no block starts while a more urgent kernel waits",
        }
    }
}

/// What logs do not tell, a sentence each.
pub const NOT_JUDGED: [&str; 3] = [
    "A1 is not verified: a log does not say which queue a kernel was in",
    "C2 and C3 are not verified: a log says when the host had its copies, not when the copy engine made them",
    "where calls overlap, either launch may be ahead in the queue; the computed run has them in the order of the returns",
];

/// What was found of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How many blocks or launches it was checked on.
    pub judged: u64,
    /// The least tolerance at which all of them keep the rule.
    pub off: Duration,
    /// The first block that breaks the rule by more than the tolerance.
    pub breach: Option<RuleBreach>,
}

/// A block that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleBreach {
    /// Its launch, an index of the launches of the run.
    pub launch: usize,
    /// Its number in the grid, from 0.
    pub block: usize,
    /// When it breaks the rule.
    pub at: Duration,
    /// What is wrong, in a sentence.
    pub what: String,
}

impl Measurement {
    /// A block, as sentences name it: `block 2 of K1 on multiprocessor 1`.
    pub(super) fn block(&self, launch: usize, block: usize) -> String {
        let multiprocessor = self.launches[launch].blocks[block].multiprocessor + 1;
        format!("block {} of {} on multiprocessor {multiprocessor}", block + 1, self.launch(launch))
    }

    /// A launch, as sentences name it. The number is left out where there is only one.
    pub fn launch(&self, launch: usize) -> String {
        let name = &self.system.tasks()[launch].name;
        let same = |other: usize| self.system.tasks()[other].name == *name;
        match self.launches[launch].number {
            0 if !(0..self.launches.len()).any(|other| other != launch && same(other)) => name.clone(),
            number => format!("launch {} of {name}", number + 1),
        }
    }

    /// A time with its unit.
    pub(super) fn time(&self, time: Duration) -> String {
        time_of(&self.system, time)
    }
}

fn time_of(system: &System, time: Duration) -> String {
    format!("{} {}", system.unit().write(time), system.unit())
}

/// The latest time of the GPU's clock that a time of the host's may be.
pub(super) fn latest(host: Duration) -> Duration {
    Duration(host.0.saturating_add(drift(host)))
}

/// The earliest time of the GPU's clock that a time of the host's may be.
pub(super) fn earliest(host: Duration) -> Duration {
    Duration(host.0 - drift(host))
}

/// How far the clocks may be apart at a time.
pub(super) fn drift(time: Duration) -> u64 {
    time.0 / (1_000_000 / DRIFT)
}

/// How much later one time is than another, or zero.
pub(super) fn beyond(time: Duration, limit: Duration) -> Duration {
    Duration(time.0.saturating_sub(limit.0))
}

/// The finding on a rule so far.
pub(super) struct Tally {
    tolerance: Duration,
    finding: Finding,
}

impl Tally {
    pub(super) fn new(rule: Rule, tolerance: Duration) -> Self {
        Self { tolerance, finding: Finding { rule, judged: 0, off: Duration::ZERO, breach: None } }
    }

    /// Notes a block that keeps the rule only with this tolerance, at a time.
    pub(super) fn judge(
        &mut self,
        [launch, block]: [usize; 2],
        at: Duration,
        off: Duration,
        what: impl FnOnce() -> String,
    ) {
        let finding = &mut self.finding;
        finding.judged += 1;
        finding.off = finding.off.max(off);
        let is_first = finding.breach.as_ref().is_none_or(|first| at < first.at);
        if off > self.tolerance && is_first {
            finding.breach = Some(RuleBreach { launch, block, at, what: what() });
        }
    }

    pub(super) fn end(self) -> Finding {
        self.finding
    }
}

/// The blocks of a launch in the order of their starts.
pub(super) fn by_start(launch: &Launch) -> Vec<usize> {
    let mut order: Vec<usize> = (0..launch.blocks.len()).collect();
    order.sort_by_key(|&block| launch.blocks[block].start);
    order
}
