//! Why there is no answer.

use std::fmt;

use crate::flags::{flag, in_flags, pasted};
use warpspan_model::source::{InputError, Message, Remedy};
use warpspan_rta::ExecutionError;
use warpspan_rta::time::{AloneError, CoRunningError};
use warpspan_solver::portfolio::SolveError;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What is asked is wrong, or something is missing that only the user knows.
    Usage,
    /// A bug.
    Internal,
    /// Two bounds contradict each other: a bug too.
    Disagreement,
    /// Whoever asked has stopped it before there was an answer.
    Stopped,
}

/// Why there is no answer, and what would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: Kind,
    /// What is wrong.
    pub message: Message,
    /// All that the code of a listing leaves open, where that is what is wrong: more than the message has words for.
    pub in_all: Vec<Remedy>,
    /// The file that is wrong, or another place, and the line in it.
    pub place: Option<(String, Option<usize>)>,
}

impl Failure {
    fn new(kind: Kind, message: Message) -> Self {
        Self { kind, message, in_all: Vec::new(), place: None }
    }

    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, Message::text(message))
    }

    /// The same with a message of several parts.
    pub(crate) fn refused(message: Message) -> Self {
        Self::new(Kind::Usage, message)
    }

    pub(crate) fn internal(message: impl fmt::Display) -> Self {
        Self::new(Kind::Internal, Message::text(message))
    }

    pub(crate) fn disagreement(message: impl fmt::Display) -> Self {
        Self::new(Kind::Disagreement, Message::text(message))
    }

    pub(crate) fn stopped() -> Self {
        Self::new(Kind::Stopped, Message::text("stopped by an interrupt before there was a bound"))
    }

    /// The code of a listing has no bound before all of this is said.
    pub(crate) fn open(message: Message, in_all: Vec<Remedy>) -> Self {
        Self { in_all, ..Self::refused(message) }
    }

    /// What would do: what the message names, and what it has no words for.
    pub fn remedies(&self) -> impl Iterator<Item = &Remedy> {
        self.message.remedies().chain(&self.in_all)
    }

    /// The message in the words of the command line, with all flags that would do, ready to be pasted.
    pub fn in_flags(&self) -> String {
        let message = in_flags(&self.message);
        match pasted(&self.in_all) {
            flags if flags.is_empty() => message,
            flags => format!("{message}; in all: {}", flags.join(" ")),
        }
    }

    /// The flags that the message names as what would do.
    pub fn flags(&self) -> Vec<String> {
        self.message.remedies().map(flag).collect()
    }
}

/// In the words of the command line.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_flags())
    }
}

impl std::error::Error for Failure {}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        let message = error.message();
        let place = (!error.place.is_empty()).then_some((error.place, error.line));
        Self { place, ..Self::new(Kind::Usage, message) }
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        let kind = match &error {
            SolveError::NotApplicable(_)
            | SolveError::Program(_)
            | SolveError::OnMachine(_)
            | SolveError::NoHighs { .. }
            | SolveError::Ilp { usage: true, .. } => Kind::Usage,
            SolveError::Ilp { usage: false, .. } => Kind::Internal,
            SolveError::Disagreement(_) => Kind::Disagreement,
        };
        Self::new(kind, error.message())
    }
}

impl From<ExecutionError> for Failure {
    fn from(error: ExecutionError) -> Self {
        match error {
            ExecutionError::Solve(error) => error.into(),
            ExecutionError::Code { .. } | ExecutionError::OnMachine { .. } | ExecutionError::Clock(..) => {
                Self::usage(error)
            }
        }
    }
}

impl From<AloneError> for Failure {
    fn from(error: AloneError) -> Self {
        match error {
            AloneError::Execution(error) => error.into(),
            AloneError::Latency(_) | AloneError::System(_) => Self::usage(error),
        }
    }
}

impl From<CoRunningError> for Failure {
    fn from(error: CoRunningError) -> Self {
        match error {
            CoRunningError::Execution(error) => error.into(),
            CoRunningError::System(error) => Self::usage(error),
        }
    }
}
