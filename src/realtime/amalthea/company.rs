//! How much other tasks run within a window.

use crate::model::time::Duration;
use crate::realtime::amalthea::cost::Ps;

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
}

/// A task that may delay another one.
pub(super) enum Company {
    /// It never suspends itself and stays on its core.
    Released { arrivals: Arrivals, demand: Ps },
    /// A job may have been released before.
    Carried { response: Ps, demand: Ps, period: Option<Ps> },
}

impl Company {
    /// The most that it runs in a window.
    pub(super) fn within(&self, window: Ps) -> Ps {
        match *self {
            Self::Released { arrivals, demand } => arrivals.within(window).saturating_mul(demand),
            Self::Carried { demand, period: None, .. } => demand.min(window),
            Self::Carried { response, demand, period: Some(period) } => {
                let reach = window.saturating_add(response.saturating_sub(demand));
                (reach / period).saturating_mul(demand).saturating_add(demand.min(reach % period))
            }
        }
    }
}

impl Company {
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
