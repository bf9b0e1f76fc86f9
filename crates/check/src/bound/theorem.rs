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

words! {
    /// The theorem or the computation that a number follows from, as records name it: one name for each family.
    #[schemars(rename = "BasisName")]
    Family {
        /// The length of a schedule, which the verifier has replayed in this run.
        Schedule = "schedule",
        /// I + (W-1) a, or for two warps the longest path over pairs of positions.
        ClosedForm = "closed-form",
        /// The phase bound.
        Phase = "phase",
        /// The length of a kernel and the waits on each unit.
        CriticalPath = "critical-path",
        /// The critical path on a machine, and what the servers of the memory add.
        Memory = "memory",
        /// The critical path among letters that others can have issued.
        Reachable = "reachable",
        /// The bound of loose round robin.
        RoundRobin = "lrr",
        /// The bound of oldest first.
        OldestFirst = "oldest",
        /// The bound of greedy, then oldest.
        GreedyOldest = "gto",
        /// The bound of greedy, then youngest.
        GreedyYoungest = "cggty",
        /// The phase bound with issue width and latency.
        PhaseWidthLatency = "phase-width-latency",
        /// Few warps with long latencies.
        Pipelined = "pipelined",
        /// What the fullest unit needs, or the longest kernel.
        Bottleneck = "bottleneck",
        /// The sum over the segments between barriers.
        Segments = "segments",
        /// The phase bound of a structured program.
        Program = "program",
        /// The costs of blocks that follow one another.
        Relay = "relay",
        /// The largest makespan, by a search of every state.
        Exhaustive = "exhaustive",
        /// The dual bound of HiGHS over a horizon that no schedule exceeds.
        IlpDual = "ilp-dual",
    }
}

/// What is known of a theorem.
struct Row {
    family: Family,
    statement: &'static Statement,
    says: &'static str,
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
    /// What is known of each: its name in records, where it is stated and proved, and its words.
    const fn row(self) -> Row {
        const fn row(family: Family, statement: &'static Statement, says: &'static str) -> Row {
            Row { family, statement, says }
        }
        use Family as Of;
        use statement as at;
        match self {
            Self::Schedule => row(Of::Schedule, &at::SCHEDULE, "a schedule that attains it, replayed"),
            Self::ClosedForm => row(Of::ClosedForm, &at::CLOSED_FORM, "closed form I + (W-1)a"),
            Self::LongestPair => {
                row(Of::ClosedForm, &at::LONGEST_PAIR, "longest path over pairs of positions (W = 2)")
            }
            Self::Phase => row(Of::Phase, &at::PHASE, "phase bound"),
            Self::PhaseOfStates => row(
                Of::Phase,
                &at::PHASE_OF_STATES,
                "phase bound, from every state that a search could not rule out",
            ),
            Self::BusyTime => row(Of::Phase, &at::BUSY_TIME, "sum over blocks"),
            Self::Relay => row(Of::Relay, &at::RELAY, "blocks that follow one another"),
            Self::EqualBlocks => row(Of::Relay, &at::EQUAL_BLOCKS, "blocks that follow one another"),
            Self::CriticalPath => row(Of::CriticalPath, &at::CRITICAL_PATH, "critical path"),
            Self::CriticalPathOnMachine => {
                row(Of::CriticalPath, &at::CRITICAL_PATH_ON_MACHINE, "critical path")
            }
            Self::SpreadWarps => {
                row(Of::CriticalPath, &at::SPREAD_WARPS, "blocks whose warps are spread over the schedulers")
            }
            Self::Memory => row(
                Of::Memory,
                &at::CRITICAL_PATH_WITH_MEMORY,
                "critical path with the memory that all share",
            ),
            Self::Reachable => {
                row(Of::Reachable, &at::REACHABLE, "critical path among letters that others can have issued")
            }
            Self::RoundRobin => row(Of::RoundRobin, &at::ROUND_ROBIN, "loose round robin"),
            Self::OldestFirst => row(Of::OldestFirst, &at::OLDEST_FIRST, "oldest warp first"),
            Self::GreedyOldest => row(Of::GreedyOldest, &at::GREEDY_OLDEST, "greedy, then oldest"),
            Self::GreedyYoungest => row(Of::GreedyYoungest, &at::GREEDY_YOUNGEST, "greedy, then youngest"),
            Self::PhaseWidthLatency => row(
                Of::PhaseWidthLatency,
                &at::PHASE_WIDTH_LATENCY,
                "phase bound with issue width and latency",
            ),
            Self::Pipelined => row(Of::Pipelined, &at::PIPELINED, "few warps with long latencies"),
            Self::CriticalPathOfStates => row(
                Of::CriticalPath,
                &at::CRITICAL_PATH_OF_STATES,
                "critical paths from the states that the search had come to",
            ),
            Self::Pessimistic => row(Of::CriticalPath, &at::PESSIMISTIC, "Be12 Eq. 5-7"),
            Self::Bottleneck => row(Of::Bottleneck, &at::BOTTLENECK, "bottleneck"),
            Self::Segments(_) => row(Of::Segments, &at::SEGMENTS, "sum over the segments between barriers"),
            Self::Program => row(Of::Program, &at::PROGRAM, "phase bound of structured programs"),
            Self::ProgramBusyTime => row(Of::Program, &at::PROGRAM_BUSY_TIME, "sum over blocks"),
            Self::PathClosedForm => row(
                Of::ClosedForm,
                &at::PATH_CLOSED_FORM,
                "closed form |z| + (W-1)a(p) of paths of the program",
            ),
            Self::Exhaustive { .. } => row(Of::Exhaustive, &at::EXHAUSTIVE, "exhaustive search"),
            Self::DualShort => {
                row(Of::IlpDual, &at::ILP_DUAL, "dual bound of HiGHS on the short formulation (Be12 Fig. 3)")
            }
            Self::DualLong => row(
                Of::IlpDual,
                &at::ILP_DUAL,
                "dual bound of HiGHS on the long formulation (Be12 Eq. 33, 36)",
            ),
            Self::DualAggregated => {
                row(Of::IlpDual, &at::ILP_DUAL, "dual bound of HiGHS on the aggregated formulation")
            }
            Self::DualLatency => row(
                Of::IlpDual,
                &at::ILP_DUAL,
                "dual bound of HiGHS on the formulation for machines with latency",
            ),
        }
    }

    /// The family that records name.
    pub const fn family(self) -> Family {
        self.row().family
    }

    /// The name of its family.
    pub const fn name(self) -> &'static str {
        self.row().family.name()
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
        self.row().statement
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
        let says = self.row().says;
        match self {
            Self::Exhaustive { states } => write!(f, "{says} over {states} states"),
            _ => f.write_str(says),
        }
    }
}
