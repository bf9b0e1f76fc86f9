//! The evidence for the two ends of an interval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_check::bound;
pub use warpspan_check::bound::Checked;
use warpspan_model::words;

/// What the two ends of an interval follow from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Of the lower end; null in older records of programs, whose lower end was 0.
    pub lower: Option<Basis>,
    /// Of the upper end.
    pub upper: Option<Basis>,
}

/// What a number follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// The theorem or the computation.
    pub name: BasisName,
    /// How the step from there to the number is checked.
    pub checked: Checked,
}

words! {
    /// The theorem or the computation that a number follows from.
    BasisName {
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

impl Basis {
    /// What a bound follows from.
    pub fn of(theorem: bound::Theorem) -> Self {
        use bound::Theorem;
        let name = match theorem {
            Theorem::Schedule => BasisName::Schedule,
            Theorem::ClosedForm | Theorem::LongestPair | Theorem::PathClosedForm => BasisName::ClosedForm,
            Theorem::Phase | Theorem::PhaseOfStates | Theorem::BusyTime => BasisName::Phase,
            Theorem::CriticalPath
            | Theorem::CriticalPathOnMachine
            | Theorem::SpreadWarps
            | Theorem::CriticalPathOfStates
            | Theorem::Pessimistic => BasisName::CriticalPath,
            Theorem::Memory => BasisName::Memory,
            Theorem::Reachable => BasisName::Reachable,
            Theorem::RoundRobin => BasisName::RoundRobin,
            Theorem::OldestFirst => BasisName::OldestFirst,
            Theorem::GreedyOldest => BasisName::GreedyOldest,
            Theorem::GreedyYoungest => BasisName::GreedyYoungest,
            Theorem::PhaseWidthLatency => BasisName::PhaseWidthLatency,
            Theorem::Pipelined => BasisName::Pipelined,
            Theorem::Bottleneck => BasisName::Bottleneck,
            Theorem::Segments(_) => BasisName::Segments,
            Theorem::Program | Theorem::ProgramBusyTime => BasisName::Program,
            Theorem::Relay | Theorem::EqualBlocks => BasisName::Relay,
            Theorem::Exhaustive { .. } => BasisName::Exhaustive,
            Theorem::DualShort | Theorem::DualLong | Theorem::DualAggregated | Theorem::DualLatency => {
                BasisName::IlpDual
            }
        };
        Self { name, checked: theorem.checked() }
    }
}
