//! All launches of all kernels, by one of two engines, until the state repeats.
//!
//! Seen at the last first release and one hyperperiod later, and again: when two of these states are equal all that follows has
//! happened already, so the largest response times so far are the largest ever.

use thiserror::Error;

use crate::limits::{Limits, Stop};
use crate::rta::jobs::{self, Job, Releases};
use crate::rta::{Algorithm2, Event, Request, Rules, System, Time, Unit, big_multiprocessor};

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
    /// A kernel of which a launch came before the one ahead of it in its stream was complete.
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
            if *last > job.release {
                self.overtaking = Some(job.task);
            }
            *last = completion.max(*last);
            if !observer(Event::Completed(job, completion)) {
                return;
            }
        }
    }

    fn seen_from(&self, time: Time) -> Vec<u64> {
        self.gpu.seen_from(time)
    }
}

/// The response times of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Response {
    /// When the first launch completes.
    pub completion: Time,
    /// From its release to that.
    pub first: Time,
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
pub enum CourseError {
    /// No hyperperiod.
    #[error(
        "the hyperperiod of the periods exceeds 2^62 grains of time: want periods with common factors, or --horizon"
    )]
    Hyperperiod,
    /// Too much to play.
    #[error(
        "{0} launches are to be played, more than {MOST_LAUNCHES}: want a nearer --horizon, or periods with common factors"
    )]
    TooMany(u128),
    /// Times could overflow.
    #[error(
        "blocks times execution times, over the launches played, exceed 2^62 grains of time: want a coarser unit"
    )]
    Overflow,
    /// A limit.
    #[error("stopped by {}", .0.name())]
    Stopped(Stop),
}

/// The events of a run, in order, as long as they are not too many.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) events: Option<Vec<Event>>,
}

impl Record {
    /// Events that are kept at most.
    const MOST: usize = 1_000_000;

    /// Forgets what was recorded: another run begins.
    fn begin(&mut self) {
        self.events.iter_mut().for_each(Vec::clear);
    }

    fn add(&mut self, event: Event) {
        if let Some(events) = &mut self.events {
            events.push(event);
            if events.len() > Self::MOST {
                self.events = None;
            }
        }
    }
}

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
    pub(super) limits: &'a Limits,
}

/// Response times in the order of kernels, `None` for one that never completes; of which launches; the engine.
type Played<E> = (Vec<Option<Response>>, Covers, E);

/// Response times, as launches complete.
struct Ledger<'a> {
    responses: Vec<Option<Response>>,
    horizon: Time,
    /// Launches before the horizon that are not complete.
    left: u128,
    /// Launches after it that were looked at all the same.
    beyond: u128,
    events: u64,
    limits: &'a Limits,
    stop: Option<Stop>,
    record: &'a mut Record,
}

impl Ledger<'_> {
    /// Whether to go on.
    fn note(&mut self, event: Event) -> bool {
        self.record.add(event);
        self.events += 1;
        if self.events.is_multiple_of(1 << 16) {
            self.stop = self.limits.stopped();
        }
        if let Event::Completed(job, time) = event {
            if job.release < self.horizon {
                self.left -= 1;
                self.add(job, time);
            } else {
                self.beyond += 1;
            }
        }
        self.left > 0 && self.beyond <= MOST_LAUNCHES && self.stop.is_none()
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
                *none = Some(Response {
                    completion,
                    first: time,
                    worst: time,
                    worst_release: job.release,
                    launches: 1,
                });
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
                let (responses, _, engine) = self.until(start + Time(1), make(), record)?;
                Ok((responses, Covers::All, engine))
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
        let left = self.affordable(horizon)?;
        let mut ledger = self.ledger(horizon, left, record);
        if left > 0 {
            engine.run(Unit::MAX, &mut |event| ledger.note(event));
        }
        match ledger.stop {
            Some(stop) => Err(CourseError::Stopped(stop)),
            None => Ok((ledger.responses, Covers::Before(horizon), engine)),
        }
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
        let mut ledger = self.ledger(Unit::MAX, u128::MAX, record);
        engine.run(start, &mut |event| ledger.note(event));
        let mut state = engine.seen_from(start);
        let mut end = start;
        for _ in 0..MOST_HYPERPERIODS {
            end = end + length;
            if end > Unit::MAX || self.affordable(end).is_err() {
                break;
            }
            engine.run(end, &mut |event| ledger.note(event));
            if let Some(stop) = ledger.stop {
                return Err(CourseError::Stopped(stop));
            }
            let later = engine.seen_from(end);
            if later == state {
                return Ok(Some((ledger.responses, Covers::All, engine)));
            }
            state = later;
        }
        Ok(None)
    }

    fn ledger<'b>(&'b self, horizon: Time, left: u128, record: &'b mut Record) -> Ledger<'b> {
        record.begin();
        let responses = vec![None; self.system.tasks.len()];
        Ledger { responses, horizon, left, beyond: 0, events: 0, limits: self.limits, stop: None, record }
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
