//! The theorems from which bounds follow.

use std::fmt;

use crate::bound::statement::{self, Checked, Statement};
use warpspan_model::words;

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

/// Declares the theorems, each with its family, the statement that says where it is stated and proved, and its words.
macro_rules! theorems {
    ($(#[$of_all:meta])* $theorem:ident { $(
        $(#[$what:meta])*
        $variant:ident $(($part:ty))? $({ $($field:tt)* })?: $family:ident, $statement:ident, $says:literal;
    )+ }) => {
        $(#[$of_all])*
        pub enum $theorem {
            $($(#[$what])* $variant $(($part))? $({ $($field)* })?,)+
        }

        impl $theorem {
            const fn row(self) -> Row {
                match self {
                    $(Self::$variant { .. } => {
                        Row { family: Family::$family, statement: &statement::$statement, says: $says }
                    })+
                }
            }
        }
    };
}

theorems! {
    /// The theorem from which a bound follows. The list is closed: every bound follows from one of these.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    Theorem {
        /// A schedule with this makespan exists. The verifier has replayed it.
        Schedule: Schedule, SCHEDULE, "a schedule that attains it, replayed";
        /// The closed form `I + (W-1) a` of one kernel at sigma 1.
        ClosedForm: ClosedForm, CLOSED_FORM, "closed form I + (W-1)a";
        /// The longest path over pairs of positions, which is the exact worst case of two warps.
        LongestPair: ClosedForm, LONGEST_PAIR, "longest path over pairs of positions (W = 2)";
        /// The phase bound.
        Phase: Phase, PHASE, "phase bound";
        /// The phase bound from every state that a search could not rule out.
        PhaseOfStates: Phase, PHASE_OF_STATES,
            "phase bound, from every state that a search could not rule out";
        /// The sum over blocks of the cycles that each adds to a busy time.
        BusyTime: Phase, BUSY_TIME, "sum over blocks";
        /// The sum over the blocks of a grid of what each costs, present or followed.
        Relay: Relay, RELAY, "blocks that follow one another";
        /// The same for equal blocks of a string without barriers, all of which a machine has checked.
        EqualBlocks: Relay, EQUAL_BLOCKS, "blocks that follow one another";
        /// The critical path.
        CriticalPath: CriticalPath, CRITICAL_PATH, "critical path";
        /// The critical path on a machine with latency.
        CriticalPathOnMachine: CriticalPath, CRITICAL_PATH_ON_MACHINE, "critical path";
        /// Blocks that follow one another on a machine, the warps of each of which are spread over the schedulers.
        SpreadWarps: CriticalPath, SPREAD_WARPS, "blocks whose warps are spread over the schedulers";
        /// The critical path on a machine whose memory has a rate, with what its servers add.
        Memory: Memory, CRITICAL_PATH_WITH_MEMORY, "critical path with the memory that all share";
        /// The critical path on a machine, where others are cut to the letters that they can have issued.
        Reachable: Reachable, REACHABLE, "critical path among letters that others can have issued";
        /// The same where the schedulers try their warps in loose round robin.
        RoundRobin: RoundRobin, ROUND_ROBIN, "loose round robin";
        /// The same where they try the oldest warp first.
        OldestFirst: OldestFirst, OLDEST_FIRST, "oldest warp first";
        /// The same where the warp that issued last goes first, and then the oldest.
        GreedyOldest: GreedyOldest, GREEDY_OLDEST, "greedy, then oldest";
        /// The same where the warp that issued last goes first, and then the youngest.
        GreedyYoungest: GreedyYoungest, GREEDY_YOUNGEST, "greedy, then youngest";
        /// The phase bound with issue width and latency.
        PhaseWidthLatency: PhaseWidthLatency, PHASE_WIDTH_LATENCY, "phase bound with issue width and latency";
        /// Few warps with long latencies, which never meet at different letters.
        Pipelined: Pipelined, PIPELINED, "few warps with long latencies";
        /// The critical paths from the states that a search had reached.
        CriticalPathOfStates: CriticalPath, CRITICAL_PATH_OF_STATES,
            "critical paths from the states that the search had come to";
        /// Be12 Eq. 5-7, where both sigmas are 1.
        Pessimistic: CriticalPath, PESSIMISTIC, "Be12 Eq. 5-7";
        /// The cycles that the fullest unit or the longest kernel needs.
        Bottleneck: Bottleneck, BOTTLENECK, "bottleneck";
        /// The sum over the segments between barriers. It is checked no better than the weakest of them.
        Segments(Checked): Segments, SEGMENTS, "sum over the segments between barriers";
        /// The phase bound of structured programs.
        Program: Program, PROGRAM, "phase bound of structured programs";
        /// The sum over the blocks of a structured program of the cycles that each adds to a busy time.
        ProgramBusyTime: Program, PROGRAM_BUSY_TIME, "sum over blocks";
        /// The closed form `|z| + (W-1) a(p)` of paths z and p of a program at sigma 1, which warps can take.
        PathClosedForm: ClosedForm, PATH_CLOSED_FORM, "closed form |z| + (W-1)a(p) of paths of the program";
        /// The search visited every reachable state.
        Exhaustive {
            /// The number of states.
            states: u64,
        }: Exhaustive, EXHAUSTIVE, "exhaustive search";
        /// HiGHS's dual bound of the formulation with Be12's short constraints, over a safe horizon.
        DualShort: IlpDual, ILP_DUAL, "dual bound of HiGHS on the short formulation (Be12 Fig. 3)";
        /// HiGHS's dual bound of the formulation with Be12's long constraints, over a safe horizon.
        DualLong: IlpDual, ILP_DUAL, "dual bound of HiGHS on the long formulation (Be12 Eq. 33, 36)";
        /// HiGHS's dual bound of the aggregated formulation, over a safe horizon.
        DualAggregated: IlpDual, ILP_DUAL, "dual bound of HiGHS on the aggregated formulation";
        /// HiGHS's dual bound of the formulation for machines with latency, over a safe horizon.
        DualLatency: IlpDual, ILP_DUAL, "dual bound of HiGHS on the formulation for machines with latency";
    }
}

impl Theorem {
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
