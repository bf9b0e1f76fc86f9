//! Upper bounds on response times, as the least solution of all recurrences together.

use crate::model::time::Duration;
use crate::realtime::amalthea::company::{Arrivals, Company, is_overloaded};
use crate::realtime::amalthea::cost::Ps;
use crate::realtime::amalthea::job::{Job, Jobs, Part, Wait};
use crate::realtime::amalthea::model::Activation;

/// The most rounds before what has not settled is given up.
const MOST_ROUNDS: usize = 1_000;
/// No time above this one is a bound.
const MOST: Ps = Duration::MAX.0 as Ps;

/// The bounds of all tasks in a round; what is `None` has no bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bounds {
    /// From the arrival of a job, or from its trigger, to its end.
    pub(super) response: Vec<Option<Ps>>,
    /// How long after it could be released at the earliest a job is released at the latest.
    pub(super) jitter: Vec<Option<Ps>>,
}

impl Jobs<'_> {
    /// The least bounds that satisfy all recurrences.
    pub(super) fn bounds(&self) -> Bounds {
        let tasks = self.model.tasks.len();
        let mut now = Bounds { response: vec![Some(0); tasks], jitter: vec![Some(0); tasks] };
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
                response: settled(&next.response, &now.response),
                jitter: settled(&next.jitter, &now.jitter),
            };
        }
        now
    }

    fn round(&self, now: &Bounds) -> Bounds {
        let all = 0..self.model.tasks.len();
        let jitter = |task: usize| match self.model.tasks[task].activation {
            Activation::Recurring { jitter, .. } => Some(jitter.0.into()),
            Activation::Once => Some(0),
            Activation::Never => None,
            Activation::Triggered(_) => {
                let (origin, stimulus) = self.origin(task)?;
                now.jitter[task].and(now.response[origin])?;
                let before = self.job(origin)?.before(stimulus);
                let latest = self.processor(origin, before, now)?;
                Some(latest.saturating_sub(self.walk(before, false)))
            }
        };
        let response = |task: usize| {
            now.response[task]?;
            let job = self.job(task)?;
            now.jitter[task]?;
            if self.is_on_gpu(task) { self.gpu(task, now) } else { self.processor(task, &job.parts, now) }
        };
        Bounds { response: all.clone().map(response).collect(), jitter: all.map(jitter).collect() }
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
                    return Some(Arrivals { period: Some(period.0.into()), jitter: now.jitter[task]? });
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

    /// The longest time that a GPU is busy without a pause: whatever the order, a job is complete by then.
    fn gpu(&self, task: usize, now: &Bounds) -> Option<Ps> {
        let unit = *self.model.tasks[task].units.first()?;
        let mut loads = Vec::new();
        for other in self.others(task, unit).chain([task]) {
            loads.push((self.arrivals(other, now)?, self.job(other)?.execution.upper));
        }
        if is_overloaded(loads.iter().map(|(arrivals, time)| (*time, arrivals.period))) {
            return None;
        }
        let work = |window: Ps| {
            loads.iter().fold(0, |sum: Ps, (arrivals, time)| {
                sum.saturating_add(arrivals.within(window).saturating_mul(*time))
            })
        };
        self.least(1, MOST, work)
    }

    /// The response time of a task on processor cores, up to the end of these parts of its job: the largest of
    /// its cores. The parts begin with the job.
    fn processor(&self, task: usize, parts: &[Part], now: &Bounds) -> Option<Ps> {
        let units = self.model.tasks[task].units.iter();
        let all = units.map(|&unit| self.on_core(task, unit, parts, now));
        all.collect::<Option<Vec<Ps>>>()?.into_iter().max()
    }

    fn on_core(&self, task: usize, unit: usize, parts: &[Part], now: &Bounds) -> Option<Ps> {
        let arrivals = self.arrivals(task, now)?;
        let (own, suspensions) = own(parts, now)?;
        let mut blocking = 0;
        let mut company = Vec::new();
        // Between schedulers there is no order. What may delay a task that may delay ours may delay ours too, so
        // with several of them on the core nothing is less urgent.
        let scheduler = self.model.tasks[task].scheduler;
        let is_ordered = scheduler.is_some_and(|one| self.model.schedulers[one].is_fixed_priority())
            && self.others(task, unit).all(|other| self.model.tasks[other].scheduler == scheduler);
        for other in self.others(task, unit) {
            let of_other = &self.model.tasks[other];
            let is_less_urgent = is_ordered && of_other.priority < self.model.tasks[task].priority;
            if is_less_urgent && of_other.is_preemptive {
                continue;
            }
            let job = self.job(other)?;
            let demand = demand(job, now)?;
            if is_less_urgent {
                blocking = demand.max(blocking);
            } else if job.suspends() || of_other.units.len() > 1 {
                let period = self.arrivals(other, now)?.period;
                let response = now.response[other]?;
                if period.is_some_and(|period| response > period) {
                    return None;
                }
                company.push(Company::Carried { response, demand, period });
            } else {
                company.push(Company::Released { arrivals: self.arrivals(other, now)?, demand });
            }
        }
        let own = own.saturating_add(blocking.saturating_mul(suspensions.saturating_add(1)));
        let limit = arrivals.period.map_or(Some(MOST), |period| period.checked_sub(arrivals.jitter))?;
        let work = |window| company.iter().fold(own, |sum: Ps, one| sum.saturating_add(one.within(window)));
        let window = self.least(own, limit, work)?;
        Some(window.saturating_add(arrivals.jitter)).filter(|&response| response <= MOST)
    }
}

impl Jobs<'_> {
    /// The least window that holds all work that may arise in it, if it is within the limit.
    fn least(&self, from: Ps, limit: Ps, work: impl Fn(Ps) -> Ps) -> Option<Ps> {
        let mut window = from;
        while window <= limit && self.steps_left.get() > 0 {
            self.steps_left.set(self.steps_left.get() - 1);
            let next = work(window);
            if next <= window {
                return Some(window);
            }
            window = next;
        }
        None
    }
}

/// How long a job keeps its core busy at most, with its active waits.
fn demand(job: &Job, now: &Bounds) -> Option<Ps> {
    let mut waits = job.waits().filter(|wait| wait.is_active);
    waits.try_fold(job.execution.upper, |busy, wait| Some(busy.saturating_add(longest(wait, now)?)))
}

/// What parts of a job take at most without company, and how often the job suspends itself in them.
fn own(parts: &[Part], now: &Bounds) -> Option<(Ps, Ps)> {
    let (mut time, mut suspensions): (Ps, Ps) = (0, 0);
    for part in parts {
        match part {
            Part::Run(run) => time = time.saturating_add(run.total().upper),
            Part::Trigger(_) => {}
            Part::Wait(wait) => {
                time = time.saturating_add(longest(wait, now)?);
                suspensions += Ps::from(!wait.is_active);
            }
        }
    }
    Some((time, suspensions))
}

/// The longest that a job waits.
fn longest(wait: &Wait, now: &Bounds) -> Option<Ps> {
    let setters = wait.setters.as_ref().ok()?;
    setters.iter().map(|&setter| now.response[setter]).collect::<Option<Vec<Ps>>>()?.into_iter().max()
}
