//! The parts of an AMALTHEA model that take time, with all references resolved to numbers.

use num_rational::Ratio;

use crate::xml::Lines;
use warpspan_model::time::Duration;

/// The two ends of something that varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range<T> {
    /// It is never less.
    pub lower: T,
    /// It is never more.
    pub upper: T,
}

/// A model, as far as it is analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The namespace of its elements, which ends in the version of AMALTHEA.
    pub namespace: String,
    /// The processing units.
    pub units: Vec<ProcessingUnit>,
    /// The tasks, in the order of the file.
    pub tasks: Vec<Task>,
    /// The runnables.
    pub runnables: Vec<Runnable>,
    /// The labels.
    pub labels: Vec<Label>,
    /// The schedulers.
    pub schedulers: Vec<Scheduler>,
    /// The event chains.
    pub chains: Vec<Chain>,
    /// What looks wrong or is not used, in the order of the file.
    pub findings: Vec<Finding>,
    /// The accesses to labels that count as no time.
    pub untimed: Vec<Untimed>,
    /// Whether limits of event chains are compared with latencies at the offsets of the model, and not at any.
    pub at_offsets: bool,
    pub(crate) lines: Lines,
}

impl Model {
    /// The line of the file at which a task begins, from 1.
    pub fn line_of(&self, task: &Task) -> usize {
        self.lines.of(task.at)
    }

    /// Adds an event chain along these tasks, without a limit.
    ///
    /// # Panics
    /// If one of the numbers is not that of a task.
    pub fn add_chain(&mut self, name: &str, tasks: Vec<usize>) {
        assert!(tasks.iter().all(|&task| task < self.tasks.len()), "tasks of the model");
        self.chains.push(Chain {
            name: name.to_owned(),
            tasks: Ok(tasks),
            limit: None,
            is_whole: true,
            at: 0,
        });
    }
}

/// Something that a reader should know about the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its line in the file.
    pub line: usize,
    /// Whether the results may be those of a system that was not meant.
    pub is_warning: bool,
    /// What was found, and what is made of it, in a sentence.
    pub what: String,
}

impl Finding {
    pub(crate) const fn warning(line: usize, what: String) -> Self {
        Self { line, is_warning: true, what }
    }

    pub(crate) const fn note(line: usize, what: String) -> Self {
        Self { line, is_warning: false, what }
    }
}

/// A processing unit, a core or a GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessingUnit {
    /// Its name.
    pub name: String,
    /// The name of its definition, which `extended` ticks refer to.
    pub definition: String,
    /// Whether the definition says that it is a GPU.
    pub is_gpu: bool,
    /// Its clock in hertz.
    pub frequency: Ratio<u128>,
    /// How it accesses each memory, by the name of the memory.
    pub accesses: Vec<(String, Access)>,
    /// The bits that one access moves: a line of the cache of its structure, else the width of its port.
    pub line_bits: Option<u64>,
}

/// How a processing unit accesses a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Cycles of the processing unit for an access that reads.
    pub read: Option<Range<u64>>,
    /// Cycles of the processing unit for an access that writes.
    pub write: Option<Range<u64>>,
    /// Bits a second, at most.
    pub rate: Option<Ratio<u128>>,
}

/// A label: data of a size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Its size in bits, where it is given.
    pub bits: Option<u64>,
    /// The name of the memory that holds it, where it is mapped.
    pub memory: Option<String>,
}

/// A scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduler {
    /// Its name.
    pub name: String,
    /// The name of its algorithm; empty where none is given.
    pub algorithm: String,
    /// The processing units that it is responsible for.
    pub responsible: Vec<usize>,
    /// The first byte of its element.
    pub(crate) at: usize,
}

impl Scheduler {
    /// Whether a job runs only while no more urgent one of the scheduler is ready on its processing unit.
    pub fn is_fixed_priority(&self) -> bool {
        matches!(self.algorithm.as_str(), "FixedPriorityPreemptive" | "FixedPriority" | "OSEK")
    }

    /// Whether the same holds with the job of the earliest deadline as the most urgent one.
    pub fn is_earliest_deadline_first(&self) -> bool {
        self.algorithm == "EarliestDeadlineFirst"
    }
}

/// Accesses to labels that count as no time, because the model does not say how long they take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untimed {
    /// The names of the labels; of many labels the first names.
    pub labels: String,
    /// What the model does not say.
    pub why: String,
    /// The line of the first label, from 1.
    pub line: usize,
}

impl Untimed {
    pub(crate) fn finding(&self) -> Finding {
        let what = format!("{}: an access is taken to take no time, since {}", self.labels, self.why);
        Finding { line: self.line, is_warning: true, what }
    }
}

/// What takes time in a runnable or a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// Cycles.
    Ticks {
        /// For definitions that are not named.
        default: Option<Range<u64>>,
        /// For named definitions.
        extended: Vec<(String, Range<u64>)>,
        /// The first byte of its element.
        at: usize,
    },
    /// Data is read or written.
    Label {
        /// The label.
        label: usize,
        /// Whether it is written; else it is read.
        is_write: bool,
        /// How often.
        times: Range<u64>,
    },
    /// A runnable is called.
    Call(usize),
    /// All of these, one after the other.
    All(Vec<Work>),
    /// One of these.
    OneOf {
        /// What may be done.
        work: Vec<Work>,
        /// For each of these, whether it happens in some jobs for certain; what depends on modes may never happen.
        happens: Vec<bool>,
    },
}

/// A runnable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runnable {
    /// Its name.
    pub name: String,
    /// What it does.
    pub work: Work,
}

/// A step of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// It runs, under this name.
    Run(String, Work),
    /// It releases the tasks of a stimulus.
    Trigger {
        /// The number of the stimulus.
        stimulus: usize,
        /// Whether it does so here in each job; else it may do so while the step before runs, or not at all.
        is_certain: bool,
    },
    /// It waits until these events are set.
    Wait {
        /// The events.
        events: Vec<String>,
        /// Whether it keeps its processing unit busy; else it suspends itself.
        is_active: bool,
    },
    /// It sets events.
    Set {
        /// The events.
        events: Vec<String>,
        /// The task for which they are set, as events belong to the task that waits; `None` where the model names
        /// none, and then they are set for each.
        waiting: Option<usize>,
    },
    /// It clears these events.
    Clear(Vec<String>),
}

/// When a task is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// Again and again.
    Recurring {
        /// The least time between arrivals.
        period: Duration,
        /// The most time between arrivals.
        longest: Duration,
        /// A job is released up to so long after it arrives.
        jitter: Duration,
        /// The first arrival, where arrivals are exactly a period apart.
        offset: Option<Duration>,
    },
    /// Once.
    Once,
    /// By another task, through the stimulus of this number.
    Triggered(usize),
    /// Never: it has no stimulus.
    Never,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// When it is released.
    pub activation: Activation,
    /// What it does.
    pub steps: Vec<Step>,
    /// The processing units that it may run on; empty where it is not allocated.
    pub units: Vec<usize>,
    /// Its scheduler, where it is allocated.
    pub scheduler: Option<usize>,
    /// A larger one is more urgent; `None` where the model gives none.
    pub priority: Option<i64>,
    /// Whether it can be preempted at any time.
    pub is_preemptive: bool,
    /// The longest response time that the model allows.
    pub deadline: Option<Duration>,
    /// The factor on the upper ends of the times that its jobs run: 1, unless a margin is sought. A lower end above the new upper end becomes
    /// that.
    pub stretch: Ratio<u128>,
    /// The first byte of its element.
    pub(crate) at: usize,
}

impl Task {
    /// Whether it is less urgent than another one under fixed priorities. Where the model gives one of them no priority,
    /// nothing is known of that.
    pub(crate) fn is_less_urgent_than(&self, other: &Self) -> bool {
        self.priority.zip(other.priority).is_some_and(|(own, other)| own < other)
    }

    /// The time from the arrival or the release of a job to its deadline, where a scheduler may order jobs by deadlines:
    /// the longest response time that the model allows.
    ///
    /// It orders nothing where a job may be released after a later one of its task.
    pub fn ordering_deadline(&self) -> Option<Duration> {
        match self.activation {
            Activation::Recurring { period, jitter, .. } if jitter >= period => None,
            _ => self.deadline,
        }
    }
}

/// An event chain, as the tasks that pass data on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// Its name.
    pub name: String,
    /// The tasks, in order; a reason where they cannot be told.
    pub tasks: Result<Vec<usize>, String>,
    /// The longest reaction that the model allows.
    pub limit: Option<Duration>,
    /// Whether the reaction begins with the arrival or the start of a job and ends with the end of one: between other
    /// events it may take less than jobs do.
    pub is_whole: bool,
    /// The first byte of its element.
    pub(crate) at: usize,
}
