//! A run: one of two engines simulates all launches of all kernels until the state repeats.
//!
//! The state is compared when the last kernel is first released, and after each hyperperiod from then on.
//! When two successive states are equal, everything that follows has happened already, so the largest
//! response times so far are the largest ever.

mod fifo;
mod ledger;
mod record;

use thiserror::Error;

use crate::jobs;
use crate::run::ledger::{Ledger, MOST_LAUNCHES};
use crate::{Event, Rules, System};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::source::{Message, Remedy};
use warpspan_model::time::Duration;

pub(super) use fifo::Fifo;
pub(super) use record::{MOST_EVENTS, Record};

/// An engine that simulates launches in time.
pub(super) trait Engine {
    /// Plays the events before `end` and reports them, until the observer has seen enough.
    fn run(&mut self, end: Duration, observer: &mut dyn FnMut(Event) -> bool);
    /// The state as seen from this time, so that it can be compared with another one.
    fn seen_from(&self, time: Duration) -> Vec<u64>;
}

impl Engine for Rules<'_> {
    fn run(&mut self, end: Duration, observer: &mut dyn FnMut(Event) -> bool) {
        Rules::run(self, end, observer);
    }

    fn seen_from(&self, time: Duration) -> Vec<u64> {
        Rules::seen_from(self, time)
    }
}

/// The response times of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Response {
    /// The completion time of the first launch.
    pub completion: Duration,
    /// The largest response time of all launches.
    pub worst: Duration,
    /// The release of the first launch that has this response time.
    pub worst_release: Duration,
    /// The number of launches that were examined.
    pub launches: u64,
}

/// The launches that were examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covers {
    /// All launches that there will ever be.
    All,
    /// The launches that are released before this time.
    Before(Duration),
}

/// Why launches cannot be simulated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum RunError {
    /// There is no hyperperiod, or it is too long.
    Hyperperiod,
    /// There are too many launches.
    TooMany(u128),
    /// Times could overflow.
    Overflow,
}

impl RunError {
    /// The message: what is wrong, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::Hyperperiod => Message::text(
                "the hyperperiod of the periods exceeds 2^62 grains of time: want periods with common factors, or ",
            )
            .remedy(Remedy::Horizon),
            Self::TooMany(launches) => {
                Message::text(format!("{launches} launches are to be simulated, more than {MOST_LAUNCHES}: want "))
                    .remedy(Remedy::NearerHorizon)
                    .then(", or periods with common factors")
            }
            Self::Overflow => Message::text(
                "blocks times execution times, over the launches simulated, exceed 2^62 grains of time: want a coarser unit",
            ),
        }
    }
}

/// What ended a run before all was simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// A limit was reached.
    Stop(Stop),
    /// Too many launches after the horizon had to be simulated.
    Launches,
    /// Too many events were simulated.
    Events,
}

/// The most hyperperiods that are simulated in search of a state that repeats.
const MOST_HYPERPERIODS: u64 = 256;

/// What to simulate, and how far.
pub(super) struct Play<'a> {
    pub(super) system: &'a System,
    pub(super) executions: &'a [Duration],
    /// Where this is given, only launches before this time are simulated, each to its end.
    pub(super) horizon: Option<Duration>,
    /// No state will repeat, so only the first hyperperiod is simulated.
    pub(super) overloaded: bool,
    /// The most events that are simulated.
    pub(super) most_events: u64,
    pub(super) limits: &'a Limits,
}

/// The result of playing launches.
pub(super) struct Played<E> {
    /// The response times in the order of kernels; `None` for a kernel of which a launch was not seen to its
    /// end.
    pub(super) responses: Vec<Option<Response>>,
    pub(super) covers: Covers,
    pub(super) cut: Option<RunEnd>,
    pub(super) engine: E,
}

impl Play<'_> {
    /// Plays the launches on engines that `make` gives.
    pub(super) fn with<E: Engine>(
        &self,
        make: impl Fn() -> E,
        record: &mut Record,
    ) -> Result<Played<E>, RunError> {
        let start = self.system.tasks().iter().map(|task| task.release).max().unwrap_or_default();
        match (self.horizon, jobs::hyperperiod(self.system)) {
            (Some(horizon), _) => self.until(horizon, make(), record),
            (None, None) => Err(RunError::Hyperperiod),
            (None, Some(Duration(0))) => {
                let played = self.until(start + Duration(1), make(), record)?;
                let covers = if played.cut.is_none() { Covers::All } else { played.covers };
                Ok(Played { covers, ..played })
            }
            (None, Some(length)) => {
                if !self.overloaded
                    && let Some(played) = self.repeating(start, length, make(), record)?
                {
                    return Ok(played);
                }
                self.until(start + length, make(), record)
            }
        }
    }

    /// Plays every launch before the horizon to its end, together with the launches that come later.
    fn until<E: Engine>(
        &self,
        horizon: Duration,
        mut engine: E,
        record: &mut Record,
    ) -> Result<Played<E>, RunError> {
        let all = self.affordable(horizon)?;
        let left =
            self.system.tasks().iter().map(|task| jobs::count_of(task, Duration(0), horizon)).collect();
        let mut ledger = self.ledger(horizon, (left, all), record);
        if all > 0 && ledger.cut.is_none() {
            engine.run(Duration::MAX, &mut |event| ledger.note(event));
        }
        let Ledger { responses, left: (left, _), cut, .. } = ledger;
        let seen = responses.into_iter().zip(left).map(|(response, left)| response.filter(|_| left == 0));
        Ok(Played { responses: seen.collect(), covers: Covers::Before(horizon), cut, engine })
    }

    /// Plays launches until the state repeats, which then speaks for all launches; `None` if it does not
    /// repeat.
    fn repeating<E: Engine>(
        &self,
        start: Duration,
        length: Duration,
        mut engine: E,
        record: &mut Record,
    ) -> Result<Option<Played<E>>, RunError> {
        self.affordable(start + length)?;
        let without_end = vec![u128::MAX; self.system.tasks().len()];
        let mut ledger = self.ledger(Duration::MAX, (without_end, u128::MAX), record);
        let mut run = |end: Duration, ledger: &mut Ledger<'_>| {
            if ledger.cut.is_none() {
                engine.run(end, &mut |event| ledger.note(event));
            }
            // A run that was cut ended earlier, so it has no state at this time.
            ledger.cut.is_none().then(|| engine.seen_from(end))
        };
        let mut state = run(start, &mut ledger);
        let mut end = start;
        for _ in 0..MOST_HYPERPERIODS {
            end = end + length;
            if end > Duration::MAX || state.is_none() || self.affordable(end).is_err() {
                break;
            }
            let later = run(end, &mut ledger);
            if later.is_some() && later == state {
                let responses = ledger.responses;
                return Ok(Some(Played { responses, covers: Covers::All, cut: None, engine }));
            }
            state = later;
        }
        let Some(cut) = ledger.cut else { return Ok(None) };
        let responses = vec![None; self.system.tasks().len()];
        Ok(Some(Played { responses, covers: Covers::Before(Duration(0)), cut: Some(cut), engine }))
    }

    fn ledger<'b>(
        &'b self,
        horizon: Duration,
        left: (Vec<u128>, u128),
        record: &'b mut Record,
    ) -> Ledger<'b> {
        record.begin();
        Ledger {
            responses: vec![None; self.system.tasks().len()],
            horizon,
            left,
            beyond: 0,
            open: 0,
            events: 0,
            most_events: self.most_events,
            limits: self.limits,
            cut: self.limits.stopped().map(RunEnd::Stop),
            record,
        }
    }

    /// The number of launches before `end`, if they can be simulated and no time overflows.
    fn affordable(&self, end: Duration) -> Result<u128, RunError> {
        let launches = jobs::count(self.system, Duration(0), end);
        // As many launches again may have to be simulated until the last of these is complete.
        if launches > MOST_LAUNCHES {
            return Err(RunError::TooMany(launches));
        }
        let mut total = u128::from(end.0);
        for (task, &Duration(execution)) in self.system.tasks().iter().zip(self.executions) {
            let one = u128::from(task.blocks) * u128::from(execution)
                + u128::from(task.copy_in.0)
                + u128::from(task.copy_out.0);
            let launches = jobs::count_of(task, Duration(0), end);
            total =
                one.checked_mul(launches).and_then(|sum| total.checked_add(sum)).ok_or(RunError::Overflow)?;
        }
        (total <= u128::from(Duration::MAX.0)).then_some(launches).ok_or(RunError::Overflow)
    }
}
