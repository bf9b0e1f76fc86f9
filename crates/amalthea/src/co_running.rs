//! How much other tasks run within a window.

use crate::cost::Ps;
use warpspan_model::time::Duration;

/// The arrivals of a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrivals {
    /// The least time between two of them; `None` where there is one.
    pub(super) period: Option<Ps>,
    pub(super) jitter: Ps,
}

impl Arrivals {
    /// The most releases in a window.
    pub(super) fn within(self, window: Ps) -> Ps {
        self.period.map_or(1, |period| window.saturating_add(self.jitter).div_ceil(period))
    }

    /// How long before its latest deadline that is no later than that of a job that is released so long after a window
    /// begins, the first release in the window may have been due; `None` where all deadlines are later.
    fn spare(self, released: Ps, deadlines: Deadlines) -> Option<Ps> {
        released.saturating_add(deadlines.own).saturating_add(self.jitter).checked_sub(deadlines.other)
    }

    /// The most releases since a window began whose deadlines are no later than that of a job that is released so long
    /// after.
    fn as_urgent(self, released: Ps, deadlines: Deadlines) -> Ps {
        let more = |spare| self.period.map_or(0, |period| spare / period);
        self.spare(released, deadlines).map_or(0, |spare| 1 + more(spare))
    }
}

/// The times from a release to the deadline that orders jobs, under EDF.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadlines {
    /// Of the task that is delayed.
    pub(super) own: Ps,
    /// Of the task that may delay it.
    pub(super) other: Ps,
}

/// A task that may delay another one.
pub(super) enum CoRunning {
    /// It never suspends itself and stays on its core. Where there are deadlines, its jobs with later ones do not count.
    Released { arrivals: Arrivals, demand: Ps, deadlines: Option<Deadlines> },
    /// A job may have been released before.
    Carried { response: Ps, demand: Ps, period: Option<Ps> },
}

impl CoRunning {
    /// The most that it runs in a window, ahead of a job that is released so long after the window begins; without that
    /// time, ahead of any.
    pub(super) fn within(&self, window: Ps, released: Option<Ps>) -> Ps {
        match *self {
            Self::Released { arrivals, demand, deadlines } => {
                let urgent = deadlines.zip(released).map(|(of, released)| arrivals.as_urgent(released, of));
                let jobs = arrivals.within(window);
                urgent.map_or(jobs, |urgent| urgent.min(jobs)).saturating_mul(demand)
            }
            Self::Carried { demand, period: None, .. } => demand.min(window),
            Self::Carried { response, demand, period: Some(period) } => {
                let reach = window.saturating_add(response.saturating_sub(demand));
                (reach / period).saturating_mul(demand).saturating_add(demand.min(reach % period))
            }
        }
    }
}

impl CoRunning {
    /// From which later release on one more job of it comes ahead by its deadline.
    pub(super) fn next_release(&self, released: Ps) -> Option<Ps> {
        let Self::Released { arrivals, deadlines: Some(of), .. } = *self else { return None };
        match arrivals.spare(released, of) {
            // Its first job comes ahead where the deadlines are equal.
            None => of.other.checked_sub(of.own)?.checked_sub(arrivals.jitter),
            Some(spare) => arrivals.period.map(|period| released.saturating_add(period - spare % period)),
        }
    }

    /// What it asks of its unit, job by job.
    pub(super) fn load(&self) -> (Ps, Option<Ps>) {
        match *self {
            Self::Released { arrivals, demand, .. } => (demand, arrivals.period),
            Self::Carried { demand, period, .. } => (demand, period),
        }
    }

    /// Up to which window the work grows as fast as the window; the window itself where it does not.
    pub(super) fn grows_until(&self, window: Ps) -> Ps {
        match *self {
            Self::Released { .. } => window,
            Self::Carried { demand, period: None, .. } => demand.max(window),
            Self::Carried { response, demand, period: Some(period) } => {
                let since = window.saturating_add(response.saturating_sub(demand)) % period;
                window.saturating_add(demand.saturating_sub(since))
            }
        }
    }
}

/// Whether recurring jobs of these times and periods surely ask for more than all of a unit. A millionth of a
/// millionth is neglected.
pub(super) fn is_overloaded(loads: impl IntoIterator<Item = (Ps, Option<Ps>)>) -> bool {
    const WHOLE: Ps = 1 << 40;
    let share = |(time, period): (Ps, Option<Ps>)| {
        period.map_or(0, |period| time.min(Duration::MAX.0.into()).saturating_mul(WHOLE) / period)
    };
    loads.into_iter().map(share).fold(0, Ps::saturating_add) > WHOLE
}
