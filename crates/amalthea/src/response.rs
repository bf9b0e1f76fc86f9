//! Upper bounds on response times, as the least solution of all recurrences together.

use crate::co_running::{Arrivals, is_overloaded};
use crate::cost::Ps;
use crate::job::{Ending, Job, Jobs, Wait};
use crate::model::{Activation, Model};
use warpspan_model::time::Duration;

/// The most rounds before what has not settled is given up.
const MOST_ROUNDS: usize = 1_000;
/// The most steps in the search for one window: where all of a unit is asked for, it may never end.
const MOST_STEPS_OF_A_WINDOW: usize = 100_000;
/// The parts of a picosecond in which the recurrences count. One of them stands for the moment of something that takes
/// no time: it is shorter than all times of the model.
pub(super) const FINE: Ps = 1 << 20;
/// No time above this one is a bound.
pub(super) const MOST: Ps = fine(Duration::MAX.0 as Ps);

/// In parts of a picosecond.
pub(super) const fn fine(picoseconds: Ps) -> Ps {
    picoseconds.saturating_mul(FINE)
}

/// Without the moments.
pub(super) const fn coarse(parts: Ps) -> Ps {
    parts / FINE
}

/// The bounds of all tasks in a round, in parts of a picosecond; what is `None` has no bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bounds {
    /// From the release of a job, which is its trigger where another task triggers it, to its end.
    pub(super) window: Vec<Option<Ps>>,
    /// How long after it could be released at the earliest a job is released at the latest.
    pub(super) jitter: Vec<Option<Ps>>,
}

impl Jobs<'_> {
    /// The least bounds that satisfy all recurrences.
    pub(super) fn bounds(&self) -> Bounds {
        let tasks = self.model.tasks.len();
        let mut now = Bounds { window: vec![Some(0); tasks], jitter: vec![Some(0); tasks] };
        for round in 1.. {
            let next = self.round(&now);
            if next == now {
                return now;
            }
            // What has not settled by then is given up, which is safe: it only makes others larger.
            let give_up = round % MOST_ROUNDS == 0;
            let settled = |next: &[Option<Ps>], now: &[Option<Ps>]| {
                let pairs = next.iter().zip(now);
                pairs.map(|(next, now)| if give_up && next != now { None } else { *next }).collect()
            };
            now = Bounds {
                window: settled(&next.window, &now.window),
                jitter: settled(&next.jitter, &now.jitter),
            };
        }
        now
    }

    fn round(&self, now: &Bounds) -> Bounds {
        let all = 0..self.model.tasks.len();
        let jitter = |task: usize| match self.model.tasks[task].activation {
            Activation::Recurring { jitter, .. } => Some(fine(jitter.0.into())),
            Activation::Once => Some(0),
            Activation::Never => None,
            Activation::Triggered(_) => {
                let (origin, stimulus) = self.origin(task)?;
                now.jitter[task].and(now.window[origin])?;
                let job = self.job(origin)?;
                // A trigger takes no time, whatever precedes it.
                let window = self.processor(origin, job.before(stimulus), Ending::Moment, now)?;
                let latest = window.saturating_add(now.jitter[origin]?);
                Some(latest.saturating_sub(fine(self.walk(job.before_at_earliest(stimulus), false))))
            }
        };
        let window = |task: usize| {
            now.window[task]?;
            let job = self.job(task)?;
            now.jitter[task]?;
            if self.is_on_gpu(task) {
                self.gpu(task, job, now)
            } else {
                self.processor(task, &job.parts, job.ending, now)
            }
        };
        Bounds { window: all.clone().map(window).collect(), jitter: all.map(jitter).collect() }
    }

    pub(super) fn is_on_gpu(&self, task: usize) -> bool {
        self.model.tasks[task].units.iter().any(|&unit| self.model.units[unit].is_gpu)
    }

    /// The arrivals of a task; those of a triggered one are those of the task where it all begins.
    pub(super) fn arrivals(&self, task: usize, now: &Bounds) -> Option<Arrivals> {
        let mut root = task;
        // A circle of triggers has no beginning.
        for _ in 0..=self.model.tasks.len() {
            match self.model.tasks[root].activation {
                Activation::Recurring { period, .. } => {
                    let period = Some(fine(period.0.into()));
                    return Some(Arrivals { period, jitter: now.jitter[task]? });
                }
                Activation::Once => return Some(Arrivals { period: None, jitter: now.jitter[task]? }),
                Activation::Never => return None,
                Activation::Triggered(_) => root = self.origin(root)?.0,
            }
        }
        None
    }

    /// Whether a task is ever released, as far as the model says.
    pub(super) fn is_released(&self, task: usize) -> bool {
        self.released[task]
    }

    /// The other tasks that are released on a unit.
    pub(super) fn others(&self, task: usize, unit: usize) -> impl Iterator<Item = usize> {
        let is = move |&other: &usize| {
            other != task && self.model.tasks[other].units.contains(&unit) && self.is_released(other)
        };
        (0..self.model.tasks.len()).filter(is)
    }

    /// From the release of a job on a GPU to its end, in whatever order the GPU serves its tasks: the largest over q
    /// of the time until q jobs of the task and all others are complete that come while the GPU is busy,
    /// less the least time from the beginning of that to the release of the q-th job.
    fn gpu(&self, task: usize, job: &Job, now: &Bounds) -> Option<Ps> {
        let unit = *self.model.tasks[task].units.first()?;
        let mut others = Vec::new();
        for other in self.others(task, unit) {
            others.push((self.arrivals(other, now)?, fine(self.job(other)?.execution.upper)));
        }
        let own = self.arrivals(task, now)?;
        let time = fine(job.execution.upper);
        let loads = others.iter().copied().chain([(own, time)]);
        if is_overloaded(loads.map(|(arrivals, time)| (coarse(time), arrivals.period.map(coarse)))) {
            return None;
        }
        let (mut jobs, mut busy, mut longest): (Ps, Ps, Ps) = (0, 0, 0);
        loop {
            jobs += 1;
            let of_own = jobs.saturating_mul(time);
            let work = |window: Ps| {
                let of = |(arrivals, time): &(Arrivals, Ps)| arrivals.within(window).saturating_mul(*time);
                others.iter().map(of).fold(of_own, Ps::saturating_add)
            };
            busy = self.least(busy, MOST, job.ending, work, |window| window)?;
            let Some(period) = own.period else { return Some(busy) };
            // The q-th job comes no earlier than this after the first one.
            let after = |jobs: Ps| jobs.saturating_mul(period).saturating_sub(own.jitter);
            longest = longest.max(busy.saturating_sub(after(jobs - 1)));
            // Moments keep no job waiting into the time after them.
            if coarse(busy) <= after(jobs).div_ceil(FINE) {
                return Some(longest);
            }
        }
    }
}

impl Jobs<'_> {
    /// The least window that holds all work that may arise in it, if it is within the limit.
    ///
    /// What ends with a moment on its unit waits for what arrives at that very moment too: it takes a part of a picosecond
    /// that no other time is as short as. While some work grows as fast as the window, which it does up to
    /// `grows_until`, a window that is too short stays so.
    pub(super) fn least(
        &self,
        from: Ps,
        limit: Ps,
        ending: Ending,
        work: impl Fn(Ps) -> Ps,
        grows_until: impl Fn(Ps) -> Ps,
    ) -> Option<Ps> {
        let moment = Ps::from(ending == Ending::Moment);
        let mut window = from.saturating_add(moment);
        for _ in 0..MOST_STEPS_OF_A_WINDOW {
            if window > limit || self.steps_left.get() == 0 {
                return None;
            }
            self.steps_left.set(self.steps_left.get() - 1);
            let next = work(window).saturating_add(moment);
            if next <= window {
                return Some(window);
            }
            window = next.max(grows_until(window));
        }
        None
    }
}

impl Bounds {
    /// From the arrival of a job to its end; a triggered one arrives when it could be triggered at the earliest.
    pub(super) fn response(&self, task: usize) -> Option<Ps> {
        Some(self.window[task]?.saturating_add(self.jitter[task]?)).filter(|&response| response <= MOST)
    }

    /// The bound of a task as it is shown: from its arrival, or from its trigger where another task triggers it.
    pub(super) fn shown(&self, model: &Model, task: usize) -> Option<Ps> {
        let shown = match model.tasks[task].activation {
            Activation::Triggered(_) => self.window[task],
            _ => self.response(task),
        };
        shown.map(coarse)
    }
}

/// How long a job keeps its core busy at most, with its active waits.
pub(super) fn demand(job: &Job, now: &Bounds) -> Option<Ps> {
    let mut waits = job.waits().filter(|wait| wait.is_active);
    waits.try_fold(fine(job.execution.upper), |busy, wait| Some(busy.saturating_add(longest(wait, now)?)))
}

/// The longest that a job waits.
pub(super) fn longest(wait: &Wait, now: &Bounds) -> Option<Ps> {
    let setters = wait.setters.as_ref().ok()?;
    setters.iter().map(|&setter| now.window[setter]).collect::<Option<Vec<Ps>>>()?.into_iter().max()
}
