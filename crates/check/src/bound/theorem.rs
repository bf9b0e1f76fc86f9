//! The theorems from which bounds follow.

use std::fmt;

use crate::bound::statement::{self, Statement};
use warpspan_model::words;

words! {
    /// How a number is checked.
    #[derive(PartialOrd, Ord)]
    Checked {
        /// By tests against other engines; there is no proof of the program that found it.
        Tested = "tested",
        /// By a proof on paper.
        Paper = "paper",
        /// By a machine: Coq checked the theorem, or in this very run a program that shares no code with what
        /// found the number checked it.
        Machine = "machine",
    }
}

/// The theorem from which a bound follows. The list is closed: every bound follows from one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theorem {
    /// A schedule with this makespan exists. The verifier has replayed it.
    Schedule,
    /// The closed form `I + (W-1) a` of one kernel at sigma 1.
    ClosedForm,
    /// The longest path over pairs of positions, which is the exact worst case of two warps.
    LongestPair,
    /// The phase bound.
    Phase,
    /// The phase bound from every state that a search could not rule out.
    PhaseOfStates,
    /// The sum over blocks of the cycles that each adds to a busy time.
    BusyTime,
    /// The sum over the blocks of a grid of what each costs, present or followed.
    Relay,
    /// The same for equal blocks of a string without barriers, all of which a machine has checked.
    EqualBlocks,
    /// The critical path.
    CriticalPath,
    /// The critical path on a machine with latency.
    CriticalPathOnMachine,
    /// Blocks that follow one another on a machine, the warps of each of which are spread over the schedulers.
    SpreadWarps,
    /// The critical path on a machine whose memory has a rate, with what its servers add.
    Memory,
    /// The critical path on a machine, where others are cut to the letters that they can have issued.
    Reachable,
    /// The same where the schedulers try their warps in loose round robin.
    RoundRobin,
    /// The same where they try the oldest warp first.
    OldestFirst,
    /// The same where the warp that issued last goes first, and then the oldest.
    GreedyOldest,
    /// The same where the warp that issued last goes first, and then the youngest.
    GreedyYoungest,
    /// The phase bound with issue width and latency.
    PhaseWidthLatency,
    /// Few warps with long latencies, which never meet at different letters.
    Pipelined,
    /// The critical paths from the states that a search had reached.
    CriticalPathOfStates,
    /// Be12 Eq. 5-7, where both sigmas are 1.
    Pessimistic,
    /// The cycles that the fullest unit or the longest kernel needs.
    Bottleneck,
    /// The sum over the segments between barriers. It is checked no better than the weakest of them.
    Segments(Checked),
    /// The phase bound of structured programs.
    Program,
    /// The sum over the blocks of a structured program of the cycles that each adds to a busy time.
    ProgramBusyTime,
    /// The closed form `|z| + (W-1) a(p)` of paths z and p of a program at sigma 1, which warps can take.
    PathClosedForm,
    /// The search visited every reachable state.
    Exhaustive {
        /// The number of states.
        states: u64,
    },
    /// HiGHS's dual bound of the formulation with Be12's short constraints, over a safe horizon.
    DualShort,
    /// HiGHS's dual bound of the formulation with Be12's long constraints, over a safe horizon.
    DualLong,
    /// HiGHS's dual bound of the aggregated formulation, over a safe horizon.
    DualAggregated,
    /// HiGHS's dual bound of the formulation for machines with latency, over a safe horizon.
    DualLatency,
}

impl Theorem {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schedule => "schedule",
            Self::ClosedForm | Self::LongestPair | Self::PathClosedForm => "closed-form",
            Self::Phase | Self::PhaseOfStates | Self::BusyTime => "phase",
            Self::Relay | Self::EqualBlocks => "relay",
            Self::CriticalPath
            | Self::CriticalPathOnMachine
            | Self::SpreadWarps
            | Self::CriticalPathOfStates
            | Self::Pessimistic => "critical-path",
            Self::Memory => "memory",
            Self::Reachable => "reachable",
            Self::RoundRobin => "lrr",
            Self::OldestFirst => "oldest",
            Self::GreedyOldest => "gto",
            Self::GreedyYoungest => "cggty",
            Self::PhaseWidthLatency => "phase-width-latency",
            Self::Pipelined => "pipelined",
            Self::Bottleneck => "bottleneck",
            Self::Segments(_) => "segments",
            Self::Program | Self::ProgramBusyTime => "program",
            Self::Exhaustive { .. } => "exhaustive",
            Self::DualShort | Self::DualLong | Self::DualAggregated | Self::DualLatency => "ilp-dual",
        }
    }

    /// How it is checked.
    pub const fn checked(self) -> Checked {
        match self {
            Self::Segments(weakest) => weakest,
            _ => self.statement().checked,
        }
    }

    /// Where it is stated and proved.
    pub const fn statement(self) -> &'static Statement {
        match self {
            Self::Schedule => &statement::SCHEDULE,
            Self::ClosedForm => &statement::CLOSED_FORM,
            Self::LongestPair => &statement::LONGEST_PAIR,
            Self::Phase => &statement::PHASE,
            Self::PhaseOfStates => &statement::PHASE_OF_STATES,
            Self::BusyTime => &statement::BUSY_TIME,
            Self::Relay => &statement::RELAY,
            Self::EqualBlocks => &statement::EQUAL_BLOCKS,
            Self::CriticalPath => &statement::CRITICAL_PATH,
            Self::CriticalPathOnMachine => &statement::CRITICAL_PATH_ON_MACHINE,
            Self::SpreadWarps => &statement::SPREAD_WARPS,
            Self::Memory => &statement::CRITICAL_PATH_WITH_MEMORY,
            Self::Reachable => &statement::REACHABLE,
            Self::RoundRobin => &statement::ROUND_ROBIN,
            Self::OldestFirst => &statement::OLDEST_FIRST,
            Self::GreedyOldest => &statement::GREEDY_OLDEST,
            Self::GreedyYoungest => &statement::GREEDY_YOUNGEST,
            Self::PhaseWidthLatency => &statement::PHASE_WIDTH_LATENCY,
            Self::Pipelined => &statement::PIPELINED,
            Self::CriticalPathOfStates => &statement::CRITICAL_PATH_OF_STATES,
            Self::Pessimistic => &statement::PESSIMISTIC,
            Self::Bottleneck => &statement::BOTTLENECK,
            Self::Segments(_) => &statement::SEGMENTS,
            Self::Program => &statement::PROGRAM,
            Self::ProgramBusyTime => &statement::PROGRAM_BUSY_TIME,
            Self::PathClosedForm => &statement::PATH_CLOSED_FORM,
            Self::Exhaustive { .. } => &statement::EXHAUSTIVE,
            Self::DualShort | Self::DualLong | Self::DualAggregated | Self::DualLatency => {
                &statement::ILP_DUAL
            }
        }
    }

    /// Whether a lower bound may follow from it.
    pub(super) const fn bounds_below(self) -> bool {
        matches!(
            self,
            Self::Schedule
                | Self::ClosedForm
                | Self::LongestPair
                | Self::Bottleneck
                | Self::Segments(_)
                | Self::PathClosedForm
        )
    }

    /// Whether an upper bound may follow from it.
    pub(super) const fn bounds_above(self) -> bool {
        !matches!(self, Self::Schedule | Self::Bottleneck | Self::PathClosedForm)
    }
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Schedule => "a schedule that attains it, replayed",
            Self::ClosedForm => "closed form I + (W-1)a",
            Self::LongestPair => "longest path over pairs of positions (W = 2)",
            Self::Phase => "phase bound",
            Self::PhaseOfStates => "phase bound, from every state that a search could not rule out",
            Self::BusyTime | Self::ProgramBusyTime => "sum over blocks",
            Self::Relay | Self::EqualBlocks => "blocks that follow one another",
            Self::CriticalPath | Self::CriticalPathOnMachine => "critical path",
            Self::SpreadWarps => "blocks whose warps are spread over the schedulers",
            Self::Memory => "critical path with the memory that all share",
            Self::Reachable => "critical path among letters that others can have issued",
            Self::RoundRobin => "loose round robin",
            Self::OldestFirst => "oldest warp first",
            Self::GreedyOldest => "greedy, then oldest",
            Self::GreedyYoungest => "greedy, then youngest",
            Self::PhaseWidthLatency => "phase bound with issue width and latency",
            Self::Pipelined => "few warps with long latencies",
            Self::CriticalPathOfStates => "critical paths from the states that the search had come to",
            Self::Pessimistic => "Be12 Eq. 5-7",
            Self::Bottleneck => "bottleneck",
            Self::Segments(_) => "sum over the segments between barriers",
            Self::Program => "phase bound of structured programs",
            Self::PathClosedForm => "closed form |z| + (W-1)a(p) of paths of the program",
            Self::Exhaustive { states } => return write!(f, "exhaustive search over {states} states"),
            Self::DualShort => "dual bound of HiGHS on the short formulation (Be12 Fig. 3)",
            Self::DualLong => "dual bound of HiGHS on the long formulation (Be12 Eq. 33, 36)",
            Self::DualAggregated => "dual bound of HiGHS on the aggregated formulation",
            Self::DualLatency => "dual bound of HiGHS on the formulation for machines with latency",
        })
    }
}
