//! Why there is no answer.

use thiserror::Error;

use crate::bound::Contradiction;
use crate::engines::portfolio::{EngineName, NotApplicable};
use crate::engines::program::ProgramError;
use crate::model::Cycles;
use crate::schedule::Violation;
use crate::source::Message;

/// Why there is no solution.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The engine does not take the instance.
    #[error(transparent)]
    NotApplicable(#[from] NotApplicable),
    /// The ILP is needed and this build has none.
    #[error(
        "this build has no ILP solver, which this instance needs: build with the feature `highs` (on by default); \
         without it the worst case is between {lower} and {upper} cycles"
    )]
    NoHighs {
        /// What the worst case is at least.
        lower: Cycles,
        /// What the worst case is at most.
        upper: Cycles,
    },
    /// The ILP failed; a file that cannot be written is the user's to mend, anything else is not.
    #[error("{message}")]
    Ilp {
        /// What happened.
        message: String,
        /// Whether the user can mend it.
        usage: bool,
    },
    /// A program has no bound.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Two sources contradict each other: a bug in one of them.
    #[error("{0}")]
    Disagreement(#[from] Disagreement),
}

impl SolveError {
    /// What happened, and what would do.
    pub fn message(&self) -> Message {
        match self {
            Self::NotApplicable(why) => why.message(),
            Self::NoHighs { .. } | Self::Ilp { .. } | Self::Program(_) | Self::Disagreement(_) => {
                Message::text(self)
            }
        }
    }
}

/// Two engines, or an engine and the verifier, contradict each other.
#[derive(Debug, Error)]
pub enum Disagreement {
    /// A lower bound above an upper bound.
    #[error(transparent)]
    Bounds(#[from] Contradiction),
    /// A schedule that breaks a rule.
    #[error("the schedule of engine {engine} is not valid: {violation}; this is a bug, please report it")]
    Schedule {
        /// Whose schedule.
        engine: EngineName,
        /// The first rule it breaks.
        violation: Box<Violation>,
    },
    /// A policy's schedule that breaks a rule, on the machine of the model.
    #[error("the schedule of engine {policy} is not valid: {violation}; this is a bug, please report it")]
    Policy {
        /// Its name.
        policy: &'static str,
        /// The first rule it breaks.
        violation: Box<Violation>,
    },
    /// A valid schedule of another length than claimed.
    #[error(
        "engine {engine} claims {claimed} cycles, its schedule takes {replayed}; this is a bug, please report it"
    )]
    Makespan {
        /// Whose schedule.
        engine: EngineName,
        /// What the engine says.
        claimed: Cycles,
        /// What the replay says.
        replayed: Cycles,
    },
}
