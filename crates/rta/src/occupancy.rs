//! Which kernel occupied which multiprocessor when, as Pa19 draws it in Fig. 4.2, 4.4 and 4.6.

use crate::{Event, Job, System};
use warpspan_model::time::{Duration, TimeUnit};

/// Blocks of a launch that run at the same time on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stay {
    /// The index of the kernel, from 0.
    pub kernel: usize,
    /// The number of the launch, from 0.
    pub launch: u64,
    /// The index of the multiprocessor, from 0.
    pub multiprocessor: usize,
    /// The start of the first round.
    pub start: Duration,
    /// The end of the last round.
    pub end: Duration,
    /// How many blocks run side by side in a round.
    pub blocks: u64,
    /// The number of rounds, one after the other.
    pub rounds: u64,
}

/// When a launch is released, and when it has to be complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The index of the kernel, from 0.
    pub kernel: usize,
    /// The number of the launch, from 0.
    pub launch: u64,
    /// When it is released.
    pub release: Duration,
    /// When it has to be complete; `None` without a deadline.
    pub deadline: Option<Duration>,
}

/// What a drawing shows of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupancy {
    /// The unit of times.
    pub unit: TimeUnit,
    /// The number of multiprocessors that are distinguished.
    pub multiprocessors: usize,
    /// How many multiprocessors of the GPU each of them stands for.
    pub joined: usize,
    /// The threads of each multiprocessor.
    pub threads: u64,
    /// Name of each kernel, and threads of its blocks in whole warps.
    pub kernels: Vec<(String, u64)>,
    /// What runs on which multiprocessor, in the order of starts.
    pub stays: Vec<Stay>,
    /// The launches that are released while the run lasts; empty where there are too many to be drawn.
    pub windows: Vec<Window>,
    /// The first and the last time that are drawn; without it all of the run is.
    pub span: Option<(Duration, Duration)>,
}

impl Occupancy {
    /// The most launches of which the releases are kept.
    const MOST_WINDOWS: usize = 60;

    /// What a run of the simulator shows.
    #[doc(hidden)]
    pub fn new(system: &System, executions: &[Duration], events: &[Event]) -> Self {
        let stay = |event: &Event| match *event {
            Event::Placed(placed) => {
                let Job { task, number, .. } = placed.job;
                Some(Stay {
                    kernel: task,
                    launch: number,
                    multiprocessor: placed.multiprocessor,
                    start: placed.start,
                    end: placed.start + executions[task] * placed.rounds,
                    blocks: placed.blocks,
                    rounds: placed.rounds,
                })
            }
            _ => None,
        };
        let mut stays: Vec<Stay> = events.iter().filter_map(stay).collect();
        stays.sort_by_key(|stay| stay.start);
        Self {
            unit: system.unit(),
            multiprocessors: usize::try_from(system.gpu().multiprocessors).unwrap_or(usize::MAX),
            joined: 1,
            threads: system.gpu().resources.threads,
            kernels: system.tasks().iter().map(|task| (task.name.clone(), task.block.threads)).collect(),
            stays,
            windows: Vec::new(),
            span: None,
        }
        .with_launches(system.tasks().iter().map(|task| (task.release, task.period, task.deadline)))
    }

    /// The same with the releases and the deadlines of all launches that are released before the last stay ends.
    /// Each kernel has its first release, and its period and its relative deadline, if it has them.
    #[must_use]
    pub fn with_launches(
        mut self,
        kernels: impl Iterator<Item = (Duration, Option<Duration>, Option<Duration>)>,
    ) -> Self {
        let end = self.stays.iter().map(|stay| stay.end).max().unwrap_or_default();
        let (from, to) = self.span.unwrap_or((Duration(0), end));
        self.windows.clear();
        for (kernel, (first, period, deadline)) in kernels.enumerate() {
            // Launches before this one are over, or due, before the first time that is drawn.
            let waits = deadline.or(period).unwrap_or_default();
            let over = from.0.saturating_sub(first.0).saturating_sub(waits.0);
            let skipped = period.filter(|period| period.0 > 0).map_or(0, |period| over / period.0);
            let skip =
                |first: Duration| Some(Duration(first.0.checked_add(period?.0.checked_mul(skipped)?)?));
            let first = if skipped > 0 { skip(first) } else { Some(first) };
            let next = |&release: &Duration| {
                let next = release.0.checked_add(period?.0).map(Duration)?;
                Some(next).filter(|&next| next > release && next <= Duration::MAX)
            };
            let releases = std::iter::successors(first, next).take_while(|&release| release < to);
            let room = (Self::MOST_WINDOWS + 1).saturating_sub(self.windows.len());
            self.windows.extend((skipped..).zip(releases.take(room)).map(|(launch, release)| Window {
                kernel,
                launch,
                release,
                deadline: deadline.and_then(|deadline| release.0.checked_add(deadline.0)).map(Duration),
            }));
        }
        if self.windows.len() > Self::MOST_WINDOWS {
            self.windows.clear();
        }
        self
    }

    /// The same, cut to what happens from one time to another. The releases must be found again.
    #[must_use]
    pub fn within(mut self, from: Duration, to: Duration) -> Self {
        self.stays.retain(|stay| stay.end > from && stay.start < to);
        self.windows.clear();
        self.span = Some((from, to));
        self
    }

    /// The same with all multiprocessors as one, as Pa19 section 3.3.2 takes and draws them.
    #[must_use]
    pub fn on_one_multiprocessor(mut self) -> Self {
        self.threads = self.threads.saturating_mul(self.multiprocessors as u64);
        self.joined = self.joined.saturating_mul(self.multiprocessors);
        self.multiprocessors = 1;
        for stay in &mut self.stays {
            stay.multiprocessor = 0;
        }
        self
    }
}
