//! Why there is no answer.

use thiserror::Error;

use crate::portfolio::EngineName;
use warpspan_check::bound::Contradiction;
use warpspan_check::schedule::{LinesError, Violation};
use warpspan_engines::latency::LatencyError;
use warpspan_engines::phase::Domain;
use warpspan_engines::positions::Unsolved;
use warpspan_engines::program::ProgramError;
use warpspan_model::Cycles;
use warpspan_model::source::{Message, Remedy};

/// Why an engine does not accept an instance.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum NotApplicable {
    /// The closed form does not hold for it.
    Domain(#[from] Domain),
    /// The ILP accepts no barriers.
    Barriers,
    /// The engine does not accept the barriers of several blocks.
    Blocks,
    /// The engine does not accept blocks that follow one another.
    Grid,
    /// The engine does not accept machines with latency, or not this workload on one.
    Machine,
}

impl NotApplicable {
    /// What the engine does not accept, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::Domain(why) => Message::text(why),
            Self::Barriers => {
                Message::of(Remedy::Engine("ilp")).then(" takes no barriers: want another engine")
            }
            Self::Blocks => Message::text("barriers of several blocks: only ")
                .remedy(Remedy::Engine("auto"))
                .then(" or phase takes them; one block is solved by any but ilp"),
            Self::Grid => Message::text("blocks that follow one another: only ")
                .remedy(Remedy::Engine("auto"))
                .then(", states or phase takes them"),
            Self::Machine => Message::text("a machine with latency and issue width: only ")
                .remedy(Remedy::Engine("auto"))
                .then(" takes it, and states for straight lines that start together"),
        }
    }
}

/// Why there is no solution.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The engine does not accept the instance.
    #[error(transparent)]
    NotApplicable(#[from] NotApplicable),
    /// The ILP is needed, but this build has none.
    #[error(
        "this build has no ILP solver, which this instance needs: build with the feature `highs` (on by default); \
         without it the worst case is between {lower} and {upper} cycles"
    )]
    NoHighs {
        /// The lower bound on the worst case.
        lower: Cycles,
        /// The upper bound on the worst case.
        upper: Cycles,
    },
    /// The ILP failed. A user can mend a file that cannot be written, but no other failure.
    #[error("{message}")]
    Ilp {
        /// What happened, and what would mend it.
        message: Message,
        /// Whether the user can mend it.
        usage: bool,
    },
    /// A program has no bound.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Code has no bound on its machine.
    #[error(transparent)]
    OnMachine(#[from] LatencyError),
    /// Two sources contradict each other, which is a bug in one of them.
    #[error("{0}")]
    Disagreement(#[from] Disagreement),
}

impl SolveError {
    /// What happened, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::NotApplicable(why) => why.message(),
            Self::Ilp { message, .. } => message.clone(),
            Self::NoHighs { .. } | Self::Program(_) | Self::OnMachine(_) | Self::Disagreement(_) => {
                Message::text(self)
            }
        }
    }
}

/// Two engines, or an engine and the verifier, contradict each other.
#[derive(Debug, Error)]
pub enum Disagreement {
    /// A lower bound is above an upper bound.
    #[error(transparent)]
    Bounds(#[from] Contradiction),
    /// A schedule breaks a rule.
    #[error("the schedule of engine {engine} is not valid: {violation}; this is a bug, please report it")]
    Schedule {
        /// The engine that claims the schedule.
        engine: EngineName,
        /// The first rule that the schedule breaks.
        violation: Box<Violation>,
    },
    /// A path that an engine names is none of the program.
    #[error("the path of engine {engine} is not valid: {why}; this is a bug, please report it")]
    Path {
        /// The engine that claims the path.
        engine: EngineName,
        /// What is wrong with it.
        why: Box<LinesError>,
    },
    /// A schedule on a machine breaks a rule, or has another length than was claimed.
    #[error("{0}; this is a bug, please report it")]
    OnMachine(Box<Unsolved>),
    /// A result on a machine comes later than its bound says.
    #[error(
        "the last result of a schedule of engine {engine} is there at cycle {found}, which the bound says is at most \
         {most}; this is a bug, please report it"
    )]
    Result {
        /// The engine that claims the schedule.
        engine: EngineName,
        /// The cycle of the last result.
        found: Cycles,
        /// The bound on it.
        most: Cycles,
    },
    /// A policy's schedule breaks a rule on the machine of the model.
    #[error("the schedule of engine {policy} is not valid: {violation}; this is a bug, please report it")]
    Policy {
        /// The name of the policy.
        policy: &'static str,
        /// The first rule that the schedule breaks.
        violation: Box<Violation>,
    },
    /// A valid schedule has another length than was claimed.
    #[error(
        "engine {engine} claims {claimed} cycles, its schedule takes {replayed}; this is a bug, please report it"
    )]
    Makespan {
        /// The engine that claims the schedule.
        engine: EngineName,
        /// The makespan that the engine claims.
        claimed: Cycles,
        /// The makespan that the replay finds.
        replayed: Cycles,
    },
}
