//! GPU tasks (Si21 section 3.4.2).

use thiserror::Error;

use crate::{Execution, Mechanism, Slicing, write_time};
use warpspan_model::source::disturbs;
use warpspan_model::time::Millionths;
use warpspan_model::words;

words! {
    /// What a kernel mostly does.
    // Si21 Definition 1.
    #[derive(Hash)]
    Kind {
        /// More multiprocessors do not make it faster, from some number of them on.
        // Memory-intensive.
        Memory = "memory",
        /// All others.
        // Compute-intensive.
        Compute = "compute",
    }
}

/// A sporadic task: its jobs are at least a period apart, and each must be done within the deadline.
#[derive(Debug, Clone)]
pub struct Task {
    name: String,
    period: Millionths,
    deadline: Millionths,
    kind: Kind,
    execution: Execution,
}

/// Why a task or a task set is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TaskError {
    /// The period is zero.
    #[error("period = 0: want more than 0")]
    Period,
    /// The deadline is zero.
    #[error("deadline = 0: want more than 0")]
    Deadline,
    /// The deadline is beyond the period.
    #[error(
        "deadline = {} beyond the period = {}: want a deadline of at most the period, as all tests assume",
        write_time(*.0), write_time(*.1)
    )]
    Late(Millionths, Millionths),
    /// There are no multiprocessors, or too many.
    #[error("multiprocessors = {0}: want 1 to 1000")]
    Multiprocessors(usize),
    /// There are no tasks, or too many.
    #[error("{0} tasks: want 1 to 1000")]
    Tasks(usize),
    /// A name is blank or has characters that cannot be printed.
    #[error("name = {0:?}: want one or more characters that can be printed")]
    Unprintable(String),
    /// There are no such slices.
    #[error(
        "slices = {0}: there are {1} multiprocessors: want slices of 1 or more, and no more than these in all"
    )]
    Slices(Slicing, usize),
    /// The mechanism can set up no partition on this GPU.
    #[error("mechanism = {:?}: {what}", .mechanism.name())]
    Mechanism {
        /// The mechanism.
        mechanism: Mechanism,
        /// Why, and what would do.
        what: String,
    },
    /// Two tasks have the same name.
    #[error("two tasks are called {0:?}: want a name each")]
    Name(String),
}

impl Task {
    /// A task.
    ///
    /// # Errors
    /// If the name is blank or has characters that cannot be printed, if the period or the deadline is zero,
    /// or if the deadline is beyond the period.
    pub fn new(
        name: String,
        period: Millionths,
        deadline: Millionths,
        kind: Kind,
        execution: Execution,
    ) -> Result<Self, TaskError> {
        if name.trim().is_empty() || name.chars().any(disturbs) {
            return Err(TaskError::Unprintable(name));
        }
        if period == Millionths::default() {
            return Err(TaskError::Period);
        }
        if deadline == Millionths::default() {
            return Err(TaskError::Deadline);
        }
        if deadline > period {
            return Err(TaskError::Late(deadline, period));
        }
        Ok(Self { name, period, deadline, kind, execution })
    }

    /// The same task with another C(m).
    #[must_use]
    pub(super) fn taking(self, execution: Execution) -> Self {
        Self { execution, ..self }
    }

    /// The name that the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// T, the least time between two jobs.
    pub fn period(&self) -> Millionths {
        self.period
    }

    /// D, the time from the arrival of a job by which it must be done; at most T.
    pub fn deadline(&self) -> Millionths {
        self.deadline
    }

    /// Whether it is memory-intensive or compute-intensive.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// C(m).
    pub fn execution(&self) -> &Execution {
        &self.execution
    }
}
