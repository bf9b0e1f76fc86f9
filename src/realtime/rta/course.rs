//! All launches of all kernels, by one of two engines, until the state repeats.
//!
//! Seen at the last first release and one hyperperiod later, and again: when two of these states are equal all that follows has
//! happened already, so the largest response times so far are the largest ever.

use thiserror::Error;

use crate::limits::{Limits, Stop};
use crate::realtime::rta::jobs::{self, Job, Releases};
use crate::realtime::rta::{Algorithm2, Event, Request, Rules, System, Time, Unit, big_multiprocessor};
use crate::source::{Message, Remedy};

/// An engine that plays launches in time.
pub(super) trait Engine {
    /// Plays what happens before `end`, telling events, until told to stop.
    fn run(&mut self, end: Time, observer: &mut dyn FnMut(Event) -> bool);
    /// The state, to be compared with another.
    fn seen_from(&self, time: Time) -> Vec<u64>;
}

impl Engine for Rules<'_> {
    fn run(&mut self, end: Time, observer: &mut dyn FnMut(Event) -> bool) {
        Rules::run(self, end, observer);
    }

    fn seen_from(&self, time: Time) -> Vec<u64> {
        Rules::seen_from(self, time)
    }
}

/// Algorithm 2, fed with launches.
pub(super) struct Fifo<'a> {
    system: &'a System,
    executions: &'a [Time],
    releases: Releases<'a>,
    gpu: Algorithm2,
    last_complete: Vec<Time>,
    /// A kernel of which a launch came before the one ahead of it in its stream was complete; or just as it completed, while
    /// others of the same release come after it. Whether it is ahead of them depends on which comes first, release or completion.
    pub(super) overtaking: Option<usize>,
}

impl<'a> Fifo<'a> {
    pub(super) fn new(system: &'a System, executions: &'a [Time]) -> Self {
        Self {
            system,
            executions,
            releases: Releases::new(system),
            gpu: Algorithm2::new(big_multiprocessor(system)),
            last_complete: vec![Time(0); system.streams.len()],
            overtaking: None,
        }
    }
}

impl Engine for Fifo<'_> {
    fn run(&mut self, end: Time, observer: &mut dyn FnMut(Event) -> bool) {
        while let Some(job) = self.releases.before(end) {
            let task = &self.system.tasks[job.task];
            let completion = self.gpu.launch(Request {
                release: job.release,
                execution: self.executions[job.task],
                blocks: task.blocks,
                threads: task.block.threads,
            });
            let last = &mut self.last_complete[task.stream];
            let at_once = *last == job.release && *last > Time(0);
            if *last > job.release || (at_once && self.releases.peek() == Some(job.release)) {
                self.overtaking = Some(job.task);
            }
            *last = completion.max(*last);
            if !observer(Event::Completed(job, completion)) {
                return;
            }
        }
    }

    /// Of the GPU, and of the launches that are complete at that time or later: another may be released with them.
    fn seen_from(&self, time: Time) -> Vec<u64> {
        let since = |last: &Time| if last.0 == 0 { 0 } else { (last.0 + 1).saturating_sub(time.0) };
        let complete = self.last_complete.iter().map(since);
        self.gpu.seen_from(time).into_iter().chain(complete).collect()
    }
}

/// The response times of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Response {
    /// When the first launch completes.
    pub completion: Time,
    /// The largest response time of all launches.
    pub worst: Time,
    /// The release of the first launch that has it.
    pub worst_release: Time,
    /// How many launches were looked at.
    pub launches: u64,
}

/// Which launches were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covers {
    /// All there will ever be.
    All,
    /// Those released before this time.
    Before(Time),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum CourseError {
    /// No hyperperiod.
    Hyperperiod,
    /// Too much to play.
    TooMany(u128),
    /// Times could overflow.
    Overflow,
}

impl CourseError {
    /// Why, and what would do.
    pub fn message(&self) -> Message {
        match self {
            Self::Hyperperiod => Message::text(
                "the hyperperiod of the periods exceeds 2^62 grains of time: want periods with common factors, or ",
            )
            .remedy(Remedy::Horizon),
            Self::TooMany(launches) => {
                Message::text(format!("{launches} launches are to be played, more than {MOST_LAUNCHES}: want "))
                    .remedy(Remedy::NearerHorizon)
                    .then(", or periods with common factors")
            }
            Self::Overflow => Message::text(
                "blocks times execution times, over the launches played, exceed 2^62 grains of time: want a coarser unit",
            ),
        }
    }
}

/// Why a run ended before all was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// A limit.
    Stop(Stop),
    /// So many launches after the horizon had to be played that the rest was left.
    Launches,
    /// So many events.
    Events,
}

/// The first events of a run, in order: releases are left out.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) events: Vec<Event>,
    /// There were more than are kept.
    pub(super) full: bool,
    seen: u64,
}

impl Record {
    /// Events that are kept at most.
    const MOST: usize = 1_000_000;

    /// Forgets what was recorded: another run begins.
    fn begin(&mut self) {
        *self = Self::default();
    }

    fn add(&mut self, event: Event) {
        self.seen += 1;
        self.full |= self.events.len() == Self::MOST || self.seen > MOST_EVENTS;
        if !self.full && !matches!(event, Event::Released(_)) {
            self.events.push(event);
        }
    }

    /// Leaves out what happens at the last time, which may be there in part, and tells until when all is there.
    pub(super) fn cut(&mut self) -> Time {
        let now = |event: &Event| match event {
            Event::Placed(placed) if placed.rounds > 1 => None,
            event => Some(event.time()),
        };
        let last = self.events.iter().filter_map(now).max().unwrap_or_default();
        if self.full {
            self.events.retain(|event| event.time() < last);
        }
        last
    }
}

/// Events that are played at most where the simulator only judges, and that are looked at where it does not.
pub(super) const MOST_EVENTS: u64 = 4_000_000;
/// Launches that are played at most.
pub const MOST_LAUNCHES: u128 = 4_000_000;
/// Hyperperiods that are played at most in search of a state that repeats.
const MOST_HYPERPERIODS: u64 = 256;

/// What is to be played.
pub(super) struct Play<'a> {
    pub(super) system: &'a System,
    pub(super) executions: &'a [Time],
    /// Only launches before this time, each to its end.
    pub(super) horizon: Option<Time>,
    /// There is no state that repeats: the first hyperperiod must do.
    pub(super) overloaded: bool,
    /// Events that are played at most.
    pub(super) most_events: u64,
    pub(super) limits: &'a Limits,
}

/// What was played.
pub(super) struct Played<E> {
    /// In the order of kernels; `None` for one of which a launch was not seen to its end.
    pub(super) responses: Vec<Option<Response>>,
    pub(super) covers: Covers,
    pub(super) cut: Option<Cut>,
    pub(super) engine: E,
}

/// Response times, as launches complete.
struct Ledger<'a> {
    responses: Vec<Option<Response>>,
    horizon: Time,
    /// Launches of each kernel before the horizon that are not complete, and of all.
    left: (Vec<u128>, u128),
    /// Launches after it that were released all the same.
    beyond: u128,
    /// Launches that are released and not complete.
    open: u64,
    events: u64,
    most_events: u64,
    limits: &'a Limits,
    cut: Option<Cut>,
    record: &'a mut Record,
}

/// Bytes that an engine keeps of a launch that is not complete, at most.
const LAUNCH_BYTES: u64 = 256;

impl Ledger<'_> {
    /// Whether to go on.
    fn note(&mut self, event: Event) -> bool {
        self.record.add(event);
        self.events += 1;
        match event {
            Event::Released(job) => {
                self.open += 1;
                self.beyond += u128::from(job.release >= self.horizon);
            }
            Event::Completed(job, time) => {
                self.open = self.open.saturating_sub(1);
                if job.release < self.horizon {
                    self.left.0[job.task] -= 1;
                    self.left.1 -= 1;
                    self.add(job, time);
                }
            }
            Event::Placed(_) | Event::Queued(..) => {}
        }
        if self.left.1 == 0 {
            return false;
        }
        let stop = if self.open > self.limits.memory / LAUNCH_BYTES {
            Some(Stop::MemoryLimit)
        } else if self.events.is_multiple_of(1 << 16) {
            self.limits.stopped()
        } else {
            None
        };
        // An engine tells what else happens at the same time before it ends: what has cut the run stands.
        self.cut = self.cut.or(match stop {
            Some(stop) => Some(Cut::Stop(stop)),
            None if self.beyond > MOST_LAUNCHES => Some(Cut::Launches),
            None if self.events >= self.most_events => Some(Cut::Events),
            None => None,
        });
        self.cut.is_none()
    }

    fn add(&mut self, job: Job, completion: Time) {
        let time = completion - job.release;
        match &mut self.responses[job.task] {
            Some(response) => {
                response.launches += 1;
                if time > response.worst {
                    (response.worst, response.worst_release) = (time, job.release);
                }
            }
            none => {
                *none = Some(Response { completion, worst: time, worst_release: job.release, launches: 1 });
            }
        }
    }
}

impl Play<'_> {
    /// Plays engines made by `make`.
    pub(super) fn with<E: Engine>(
        &self,
        make: impl Fn() -> E,
        record: &mut Record,
    ) -> Result<Played<E>, CourseError> {
        let start = self.system.tasks.iter().map(|task| task.release).max().unwrap_or_default();
        match (self.horizon, jobs::hyperperiod(self.system)) {
            (Some(horizon), _) => self.until(horizon, make(), record),
            (None, None) => Err(CourseError::Hyperperiod),
            (None, Some(Time(0))) => {
                let played = self.until(start + Time(1), make(), record)?;
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

    /// Every launch before the horizon to its end, among those that come later.
    fn until<E: Engine>(
        &self,
        horizon: Time,
        mut engine: E,
        record: &mut Record,
    ) -> Result<Played<E>, CourseError> {
        let all = self.affordable(horizon)?;
        let left = self.system.tasks.iter().map(|task| jobs::count_of(task, Time(0), horizon)).collect();
        let mut ledger = self.ledger(horizon, (left, all), record);
        if all > 0 && ledger.cut.is_none() {
            engine.run(Unit::MAX, &mut |event| ledger.note(event));
        }
        let Ledger { responses, left: (left, _), cut, .. } = ledger;
        let seen = responses.into_iter().zip(left).map(|(response, left)| response.filter(|_| left == 0));
        Ok(Played { responses: seen.collect(), covers: Covers::Before(horizon), cut, engine })
    }

    /// All launches, if the state repeats.
    fn repeating<E: Engine>(
        &self,
        start: Time,
        length: Time,
        mut engine: E,
        record: &mut Record,
    ) -> Result<Option<Played<E>>, CourseError> {
        self.affordable(start + length)?;
        let without_end = vec![u128::MAX; self.system.tasks.len()];
        let mut ledger = self.ledger(Unit::MAX, (without_end, u128::MAX), record);
        let mut run = |end: Time, ledger: &mut Ledger<'_>| {
            if ledger.cut.is_none() {
                engine.run(end, &mut |event| ledger.note(event));
            }
            // A run that was cut ended before, and has no state at this time.
            ledger.cut.is_none().then(|| engine.seen_from(end))
        };
        let mut state = run(start, &mut ledger);
        let mut end = start;
        for _ in 0..MOST_HYPERPERIODS {
            end = end + length;
            if end > Unit::MAX || state.is_none() || self.affordable(end).is_err() {
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
        let responses = vec![None; self.system.tasks.len()];
        Ok(Some(Played { responses, covers: Covers::Before(Time(0)), cut: Some(cut), engine }))
    }

    fn ledger<'b>(&'b self, horizon: Time, left: (Vec<u128>, u128), record: &'b mut Record) -> Ledger<'b> {
        record.begin();
        Ledger {
            responses: vec![None; self.system.tasks.len()],
            horizon,
            left,
            beyond: 0,
            open: 0,
            events: 0,
            most_events: self.most_events,
            limits: self.limits,
            cut: self.limits.stopped().map(Cut::Stop),
            record,
        }
    }

    /// How many launches there are before `end`, if they can be played and no time overflows.
    fn affordable(&self, end: Time) -> Result<u128, CourseError> {
        let launches = jobs::count(self.system, Time(0), end);
        // As many again may have to be played to see the last of these complete.
        if launches > MOST_LAUNCHES {
            return Err(CourseError::TooMany(launches));
        }
        let mut total = u128::from(end.0);
        for (task, &Time(execution)) in self.system.tasks.iter().zip(self.executions) {
            let one = u128::from(task.blocks) * u128::from(execution)
                + u128::from(task.copy_in.0)
                + u128::from(task.copy_out.0);
            let launches = jobs::count_of(task, Time(0), end);
            total = one
                .checked_mul(launches)
                .and_then(|sum| total.checked_add(sum))
                .ok_or(CourseError::Overflow)?;
        }
        (total <= u128::from(Unit::MAX.0)).then_some(launches).ok_or(CourseError::Overflow)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Limits are looked at every 65,536 events. An engine ends at the end of the time that it is at, so more events may follow:
    /// they do not make the run a whole one.
    #[test]
    fn a_run_that_is_cut_stays_cut() {
        let limits = Limits::new(None, 1 << 30, 1, Arc::new(AtomicBool::new(true)));
        let mut record = Record::default();
        let mut ledger = Ledger {
            responses: vec![None],
            horizon: Unit::MAX,
            left: (vec![10], 10),
            beyond: 0,
            open: 0,
            events: (1 << 16) - 1,
            most_events: u64::MAX,
            limits: &limits,
            cut: None,
            record: &mut record,
        };
        let released = |number| Event::Released(Job { release: Time(0), task: 0, number });
        assert!(!ledger.note(released(0)));
        assert!(!ledger.note(released(1)));
        assert_eq!(ledger.cut, Some(Cut::Stop(Stop::Interrupted)));
    }
}
