//! Tasks of several processes: what runs on the cores and what on the GPU, as GCAPS has them (section 4).

use warpspan_model::time::{Duration, TimeUnit};
use warpspan_model::words;

/// A GPU segment of a job: what the core does for it, and what the GPU does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Segment {
    /// `G^m`: the most time on the core, for launches and other calls.
    pub misc: Duration,
    /// `G^e`: the most time on the GPU while nobody else is on it, in one piece between two works of the core.
    pub pure: Duration,
}

/// How often jobs of a task arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recurring {
    /// T: two arrivals are at least so far apart. More than zero.
    pub period: Duration,
    /// D, from the arrival.
    pub deadline: Duration,
}

/// A task: a process with a context of its own on the GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// Its core, an index of [`TaskSet::cores`].
    pub core: usize,
    /// A larger number is more urgent; no two tasks with a period have the same.
    pub priority: i64,
    /// Its arrivals; `None` for a best-effort task, of which nothing is known but that it is less urgent than all others.
    pub recurring: Option<Recurring>,
    /// C: the most time of all CPU segments of a job together.
    pub cpu: Duration,
    /// Its GPU segments, in order. A best-effort task with any number uses the GPU as it likes.
    pub segments: Vec<Segment>,
}

impl Task {
    /// Whether it uses the GPU.
    pub fn uses_gpu(&self) -> bool {
        !self.segments.is_empty()
    }

    /// `C + G^m`: the most that a job needs of its core, besides updates of the runlist and waiting.
    pub(super) fn on_core(&self) -> u128 {
        let misc: u128 = self.segments.iter().map(|segment| u128::from(segment.misc.0)).sum();
        u128::from(self.cpu.0) + misc
    }

    /// `G^e` of all segments.
    pub(super) fn on_gpu(&self) -> u128 {
        self.segments.iter().map(|segment| u128::from(segment.pure.0)).sum()
    }

    /// The least time from the arrival of a job that takes all its times: what the core does for a segment may overlap
    /// what the GPU does.
    pub fn least(&self) -> u128 {
        let longer = |segment: &Segment| u128::from(segment.misc.max(segment.pure).0);
        u128::from(self.cpu.0) + self.segments.iter().map(longer).sum::<u128>()
    }
}

/// Who has the GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduling {
    /// The default driver: the processes with work take turns.
    TimeSlices {
        /// L: a turn ends after so long at the latest. More than zero.
        slice: Duration,
        /// theta: how long it takes to change to another process.
        switch: Duration,
    },
    /// GCAPS: the most urgent process between the beginning and the end of its GPU segment.
    Preemptive {
        /// epsilon: how long an update of the runlist takes, with the change to another process.
        update: Duration,
    },
}

impl Scheduling {
    /// Its name in files and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeSlices { .. } => "time-slices",
            Self::Preemptive { .. } => "preemptive",
        }
    }
}

words! {
    /// What a job does on its core while the GPU works for it.
    #[derive(Default)]
    Waiting {
        /// It leaves the core.
        #[default]
        Suspend = "suspend",
        /// It holds the core.
        // But for more urgent tasks.
        Busy = "busy",
    }
}

/// Tasks of several processes on cores and one GPU. [`TaskSet::new`] has checked what the analyses rely on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSet {
    unit: TimeUnit,
    scheduling: Scheduling,
    waiting: Waiting,
    cores: Vec<String>,
    tasks: Vec<Task>,
}

/// The most tasks: the effort of a round grows with the square of their number.
pub const MOST_TASKS: usize = 2_000;
/// The most GPU segments of a job.
pub const MOST_SEGMENTS: usize = 10_000;

impl TaskSet {
    /// Tasks that share a GPU in this way, with times in grains of this unit.
    ///
    /// # Errors
    /// What is wrong, with the number of the task where it is of one.
    pub fn new(
        unit: TimeUnit,
        scheduling: Scheduling,
        waiting: Waiting,
        cores: Vec<String>,
        tasks: Vec<Task>,
    ) -> Result<Self, (Option<usize>, String)> {
        let set = Self { unit, scheduling, waiting, cores, tasks };
        set.check()?;
        Ok(set)
    }

    fn check(&self) -> Result<(), (Option<usize>, String)> {
        if self.tasks.is_empty() || self.tasks.len() > MOST_TASKS {
            return Err((None, format!("{} tasks: want 1 to {MOST_TASKS}", self.tasks.len())));
        }
        let shared = match self.scheduling {
            Scheduling::TimeSlices { slice, switch } => [slice, switch],
            Scheduling::Preemptive { update } => [update, update],
        };
        if let Scheduling::TimeSlices { slice: Duration::ZERO, .. } = self.scheduling {
            return Err((None, "slice = 0: want more than 0".to_owned()));
        }
        let mut times: Vec<(Option<usize>, Duration)> = shared.map(|time| (None, time)).to_vec();
        for (number, task) in self.tasks.iter().enumerate() {
            let wrong = |what: String| Err((Some(number), format!("task {}: {what}", task.name)));
            if task.core >= self.cores.len() {
                return wrong("a core that does not exist".to_owned());
            }
            if task.segments.len() > MOST_SEGMENTS {
                return wrong(format!("{} GPU segments: want {MOST_SEGMENTS} or fewer", task.segments.len()));
            }
            let of_segments = task.segments.iter().flat_map(|segment| [segment.misc, segment.pure]);
            let arrivals = task.recurring.iter().flat_map(|every| [every.period, every.deadline]);
            times.extend(of_segments.chain(arrivals).chain([task.cpu]).map(|time| (Some(number), time)));
            let Some(every) = task.recurring else { continue };
            if every.period == Duration::ZERO || task.least() == 0 {
                return wrong("a period or a job of 0: want more than 0".to_owned());
            }
            let same = |other: &Task| other.recurring.is_some() && other.priority == task.priority;
            if let Some(other) = self.tasks[..number].iter().find(|other| same(other)) {
                let what =
                    format!("priority = {} is that of task {} too: want another", task.priority, other.name);
                return wrong(what);
            }
            if self.tasks[..number].iter().any(|other| other.name == task.name) {
                return wrong("another task has this name".to_owned());
            }
        }
        match times.into_iter().find(|(_, time)| *time > Duration::MAX) {
            Some((task, _)) => Err((task, "a time of more than 2^62 grains".to_owned())),
            None => Ok(()),
        }
    }

    /// The unit of all times.
    pub fn unit(&self) -> TimeUnit {
        self.unit
    }

    /// Who has the GPU.
    pub fn scheduling(&self) -> Scheduling {
        self.scheduling
    }

    /// What jobs do on their core while the GPU works for them.
    pub fn waiting(&self) -> Waiting {
        self.waiting
    }

    /// The names of the cores.
    pub fn cores(&self) -> &[String] {
        &self.cores
    }

    /// The tasks, one or more.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Whether `other` has a period and is more urgent than `task`.
    pub(super) fn above(&self, other: usize, task: usize) -> bool {
        let (other, task) = (&self.tasks[other], &self.tasks[task]);
        other.recurring.is_some() && (task.recurring.is_none() || other.priority > task.priority)
    }

    /// The more urgent tasks on the core of a task: hpp of GCAPS.
    pub(super) fn above_on_core(&self, task: usize) -> impl Iterator<Item = usize> + '_ {
        let on_core = move |other: &usize| self.tasks[*other].core == self.tasks[task].core;
        (0..self.tasks.len()).filter(on_core).filter(move |&other| self.above(other, task))
    }
}
