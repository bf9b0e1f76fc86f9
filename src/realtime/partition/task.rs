//! GPU tasks and sets of them (Si21 section 3.4.2).

use std::fmt;

use thiserror::Error;

use crate::model::time::Duration;
use crate::realtime::partition::{Execution, write_time};
use crate::source::disturbs;

/// What a kernel mostly does (Si21 Definition 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Memory-intensive: beyond some number of multiprocessors it runs no faster.
    Memory,
    /// Compute-intensive: all others.
    Compute,
}

impl Kind {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Memory, Self::Compute];

    /// As files and records have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Compute => "compute",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A sporadic task: jobs at least a period apart, each to be done within the deadline.
#[derive(Debug, Clone)]
pub struct Task {
    name: String,
    period: Duration,
    deadline: Duration,
    kind: Kind,
    execution: Execution,
}

/// Why there is no such task or set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TaskError {
    /// Jobs without distance.
    #[error("period = 0: want more than 0")]
    Period,
    /// No time to run in.
    #[error("deadline = 0: want more than 0")]
    Deadline,
    /// Too far off.
    #[error(
        "deadline = {} beyond the period = {}: want a deadline of at most the period, as all tests assume",
        write_time(*.0), write_time(*.1)
    )]
    Late(Duration, Duration),
    /// No multiprocessors, or too many.
    #[error("multiprocessors = {0}: want 1 to 1000")]
    Multiprocessors(usize),
    /// No tasks, or too many.
    #[error("{0} tasks: want 1 to 1000")]
    Tasks(usize),
    /// A name that cannot be printed.
    #[error("name = {0:?}: want one or more characters that can be printed")]
    Unprintable(String),
    /// Two tasks of a name.
    #[error("two tasks are called {0:?}: want a name each")]
    Name(String),
}

impl Task {
    /// A task.
    ///
    /// # Errors
    /// If the name is blank or has characters that cannot be printed, period or deadline is zero, or the deadline is beyond the period.
    pub fn new(
        name: String,
        period: Duration,
        deadline: Duration,
        kind: Kind,
        execution: Execution,
    ) -> Result<Self, TaskError> {
        if name.trim().is_empty() || name.chars().any(disturbs) {
            return Err(TaskError::Unprintable(name));
        }
        if period == Duration::default() {
            return Err(TaskError::Period);
        }
        if deadline == Duration::default() {
            return Err(TaskError::Deadline);
        }
        if deadline > period {
            return Err(TaskError::Late(deadline, period));
        }
        Ok(Self { name, period, deadline, kind, execution })
    }

    /// What the user calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// T, the least time between two jobs.
    pub fn period(&self) -> Duration {
        self.period
    }

    /// D, from the arrival of a job to when it must be done; at most T.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// Memory- or compute-intensive.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// C(m).
    pub fn execution(&self) -> &Execution {
        &self.execution
    }
}

/// Tasks and the multiprocessors of the GPU they share.
#[derive(Debug, Clone)]
pub struct TaskSet {
    tasks: Vec<Task>,
    multiprocessors: usize,
    assumed: Vec<String>,
}

impl TaskSet {
    /// The most tasks, and the most multiprocessors.
    pub const MOST: usize = 1000;

    /// A set of tasks on M multiprocessors.
    ///
    /// # Errors
    /// If there are no tasks or multiprocessors, more than [`MOST`](Self::MOST), or two tasks of a name.
    pub fn new(tasks: Vec<Task>, multiprocessors: usize) -> Result<Self, TaskError> {
        if !(1..=Self::MOST).contains(&multiprocessors) {
            return Err(TaskError::Multiprocessors(multiprocessors));
        }
        if !(1..=Self::MOST).contains(&tasks.len()) {
            return Err(TaskError::Tasks(tasks.len()));
        }
        let mut names = rustc_hash::FxHashSet::default();
        if let Some(twice) = tasks.iter().find(|task| !names.insert(task.name())) {
            return Err(TaskError::Name(twice.name.clone()));
        }
        Ok(Self { tasks, multiprocessors, assumed: Vec::new() })
    }

    /// The same where these sentences say what is taken for granted of the GPU without a source.
    #[must_use]
    pub fn assuming(self, assumed: Vec<String>) -> Self {
        Self { assumed, ..self }
    }

    /// What is taken for granted of the GPU without a source, a sentence each.
    pub fn assumed(&self) -> &[String] {
        &self.assumed
    }

    /// The tasks, in the order given.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// M.
    pub fn multiprocessors(&self) -> usize {
        self.multiprocessors
    }
}
