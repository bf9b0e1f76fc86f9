//! Windows of a processor core: how long after its release a job ends at most, by priorities, by deadlines, or in any order.
//! The recurrences and their proofs stand in the parent module.

use crate::co_running::{Arrivals, CoRunning, Deadlines, is_overloaded};
use crate::cost::Ps;
use crate::job::{Ending, Jobs, Part};
use crate::response::{Bounds, FINE, MOST, coarse, demand, fine, longest};

/// The most releases of a job that are examined in its windows.
const MOST_RELEASES: usize = 20_000;

/// What orders the tasks of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Fixed priorities.
    Priorities,
    /// Deadlines, the earliest first.
    Deadlines,
    /// Nothing that is known.
    Any,
}

/// What a job, or the beginning of one, takes without other tasks.
#[derive(Debug, Clone, Copy)]
struct Own {
    /// With all waits.
    time: Ps,
    /// How often it suspends itself.
    suspensions: Ps,
}

impl Own {
    /// This after so many jobs.
    fn after(self, jobs: Ps, whole: Self) -> Self {
        let sum = |one: Ps, all: Ps| one.saturating_add(jobs.saturating_mul(all));
        Self { time: sum(self.time, whole.time), suspensions: sum(self.suspensions, whole.suspensions) }
    }
}

/// A task of a core whose jobs that have begun cannot be preempted, while something more urgent waits.
struct Blocking {
    demand: Ps,
    /// It delays a job that is released less than this after the window begins; `None` where it delays any. After a
    /// suspension it may delay any too.
    until: Option<Ps>,
}

/// Others on the core of a task.
struct Core {
    co_running: Vec<CoRunning>,
    blocking: Vec<Blocking>,
}

impl Core {
    /// What others run in a window ahead of a job that is released so long after it begins, or of any.
    fn within(&self, window: Ps, released: Option<Ps>) -> Ps {
        self.co_running.iter().map(|one| one.within(window, released)).fold(0, Ps::saturating_add)
    }

    fn grows_until(&self, window: Ps) -> Ps {
        self.co_running.iter().map(|one| one.grows_until(window)).max().unwrap_or(window)
    }

    /// What blocks the core at each return from a suspension.
    fn blocked(&self) -> Ps {
        self.blocking.iter().map(|one| one.demand).max().unwrap_or(0)
    }

    /// The demand on the core that does not depend on the length of a window with such jobs of the task.
    fn fixed(&self, own: Own, released: Ps) -> Ps {
        let blocks = |one: &&Blocking| one.until.is_none_or(|until| released < until);
        let at_first = self.blocking.iter().filter(blocks).map(|one| one.demand).max().unwrap_or(0);
        let later = self.blocked().saturating_mul(own.suspensions);
        own.time.saturating_add(at_first).saturating_add(later)
    }
}

impl Jobs<'_> {
    /// From the release of a job on processor cores to the end of these parts of it: the largest of its cores. The parts
    /// begin with the job.
    pub(super) fn processor(&self, task: usize, parts: &[Part], ending: Ending, now: &Bounds) -> Option<Ps> {
        let units = self.model.tasks[task].units.iter();
        let all = units.map(|&unit| self.on_core(task, unit, parts, ending, now));
        all.collect::<Option<Vec<Ps>>>()?.into_iter().max()
    }

    fn on_core(&self, task: usize, unit: usize, parts: &[Part], ending: Ending, now: &Bounds) -> Option<Ps> {
        let arrivals = self.arrivals(task, now)?;
        let core = self.core(task, unit, now)?;
        let part = own(parts, now)?;
        if self.model.tasks[task].units.len() > 1 {
            // Where jobs may run side by side, only one at a time is examined.
            let limit = arrivals.period.map_or(Some(MOST), |period| period.checked_sub(arrivals.jitter))?;
            let fixed = core.fixed(part, 0);
            let work = |window| fixed.saturating_add(core.within(window, None));
            let limit = limit.saturating_add(FINE - 1);
            return self.least(fixed, limit, ending, work, |window| core.grows_until(window));
        }
        let job = self.job(task)?;
        let whole = own(&job.parts, now)?;
        self.longest_window(&core, arrivals, (whole, job.ending), (part, ending))
    }

    /// What orders a task and the others of its core. Between schedulers there is no order: what may delay a task that may
    /// delay ours may delay ours too, so with several of them on the core nothing is less urgent. So it is with tasks
    /// whose deadlines are not known.
    fn order(&self, task: usize, unit: usize) -> Order {
        let of = &self.model.tasks[task];
        let is_alone = self.others(task, unit).all(|other| self.model.tasks[other].scheduler == of.scheduler);
        let has_deadlines = || {
            let mut others = self.others(task, unit).filter(|&other| self.stays(other));
            let is_known = |task: usize| self.model.tasks[task].ordering_deadline().is_some();
            of.units.len() == 1 && is_known(task) && others.all(is_known)
        };
        match of.scheduler.filter(|_| is_alone).map(|one| &self.model.schedulers[one]) {
            Some(one) if one.is_fixed_priority() => Order::Priorities,
            Some(one) if one.is_earliest_deadline_first() && has_deadlines() => Order::Deadlines,
            _ => Order::Any,
        }
    }

    /// Whether a task stays on its core and never suspends itself.
    pub(super) fn stays(&self, task: usize) -> bool {
        self.model.tasks[task].units.len() == 1 && self.job(task).is_some_and(|job| !job.suspends())
    }

    /// The others that may delay a task on a core.
    fn core(&self, task: usize, unit: usize, now: &Bounds) -> Option<Core> {
        let of = &self.model.tasks[task];
        let order = self.order(task, unit);
        let (mut co_running, mut blocking) = (Vec::new(), Vec::new());
        let deadline = of.ordering_deadline().filter(|_| order == Order::Deadlines);
        for other in self.others(task, unit) {
            let of_other = &self.model.tasks[other];
            let is_less_urgent = order == Order::Priorities && of_other.is_less_urgent_than(of);
            if is_less_urgent && of_other.is_preemptive {
                continue;
            }
            let demand = demand(self.job(other)?, now)?;
            if is_less_urgent {
                blocking.push(Blocking { demand, until: None });
            } else if !self.stays(other) {
                let period = self.arrivals(other, now)?.period;
                let response = now.response(other)?;
                if period.is_some_and(|period| coarse(response) > coarse(period)) {
                    return None;
                }
                co_running.push(CoRunning::Carried { response, demand, period });
            } else {
                let both = deadline.zip(of_other.ordering_deadline());
                let deadlines = both
                    .map(|(own, other)| Deadlines { own: fine(own.0.into()), other: fine(other.0.into()) });
                if let Some(of) = deadlines.filter(|_| !of_other.is_preemptive) {
                    blocking.push(Blocking { demand, until: Some(of.other.saturating_sub(of.own)) });
                }
                co_running.push(CoRunning::Released {
                    arrivals: self.arrivals(other, now)?,
                    demand,
                    deadlines,
                });
            }
        }
        Some(Core { co_running, blocking })
    }

    /// The largest time from the release of a job to the end of a part of it, over all times at which it may be released
    /// in a window that begins while nothing ahead of it waits. Jobs before it in the window are whole ones.
    fn longest_window(
        &self,
        core: &Core,
        own: Arrivals,
        (whole, whole_ending): (Own, Ending),
        (part, ending): (Own, Ending),
    ) -> Option<Ps> {
        // Then each further job leaves more work than the last.
        let of_own = whole.time.saturating_add(whole.suspensions.saturating_mul(core.blocked()));
        let loads = core.co_running.iter().map(CoRunning::load).chain([(of_own, own.period)]);
        if is_overloaded(loads.map(|(time, period)| (coarse(time), period.map(coarse)))) {
            return None;
        }
        let grows_until = |window| core.grows_until(window);
        let (mut jobs, mut busy, mut longest): (Ps, Ps, Ps) = (0, 0, 0);
        let mut looked_at = 0;
        loop {
            jobs += 1;
            // Until then so many jobs are complete, and all others that come.
            let fixed = core.fixed(whole.after(jobs - 1, whole), 0);
            let work = |window| fixed.saturating_add(core.within(window, None));
            busy = self.least(fixed.max(busy.saturating_sub(1)), MOST, whole_ending, work, grows_until)?;
            // The first job after so many comes no earlier than this.
            let next =
                |jobs: Ps| own.period.map(|period| jobs.saturating_mul(period).saturating_sub(own.jitter));
            let end = next(jobs).map_or(busy, |next| next.min(busy));
            let own = part.after(jobs - 1, whole);
            let mut released = next(jobs - 1).unwrap_or(0);
            loop {
                looked_at += 1;
                if looked_at > MOST_RELEASES {
                    return None;
                }
                let fixed = core.fixed(own, released);
                let work = |window| fixed.saturating_add(core.within(window, Some(released)));
                let window = self.least(fixed, MOST, ending, work, grows_until)?;
                longest = longest.max(window.saturating_sub(released));
                // In between, nothing more comes ahead, and the job itself comes later.
                let later = core.co_running.iter().filter_map(|one| one.next_release(released)).min();
                match later.filter(|&later| later < end) {
                    Some(later) => released = later,
                    None => break,
                }
            }
            // Moments keep no job waiting into the time after them.
            match next(jobs) {
                Some(next) if coarse(busy) > next.div_ceil(FINE) => {}
                _ => return Some(longest),
            }
        }
    }
}

/// What parts of a job take at most without other tasks, and how often the job suspends itself in them.
fn own(parts: &[Part], now: &Bounds) -> Option<Own> {
    let mut own = Own { time: 0, suspensions: 0 };
    for part in parts {
        match part {
            Part::Run(run) => own.time = own.time.saturating_add(fine(run.total().upper)),
            Part::Trigger { .. } => {}
            Part::Wait(wait) => {
                own.time = own.time.saturating_add(longest(wait, now)?);
                own.suspensions += Ps::from(!wait.is_active);
            }
        }
    }
    Some(own)
}
