//! The response times of a run, and what ends the run before all launches are simulated.

use crate::Event;
use crate::jobs::Job;
use crate::run::record::Record;
use crate::run::{Response, RunEnd};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::time::Duration;

/// The most launches that are simulated.
pub(super) const MOST_LAUNCHES: u128 = 4_000_000;

/// The response times, collected as launches complete.
pub(super) struct Ledger<'a> {
    pub(super) responses: Vec<Option<Response>>,
    pub(super) horizon: Duration,
    /// The launches before the horizon that are not complete: of each kernel, and of all.
    pub(super) left: (Vec<u128>, u128),
    /// The launches after the horizon that were released all the same.
    pub(super) beyond: u128,
    /// The launches that are released and not complete.
    pub(super) open: u64,
    pub(super) events: u64,
    pub(super) most_events: u64,
    pub(super) limits: &'a Limits,
    pub(super) cut: Option<RunEnd>,
    pub(super) record: &'a mut Record,
}

/// The most bytes that an engine keeps of a launch that is not complete.
const LAUNCH_BYTES: u64 = 256;

impl Ledger<'_> {
    /// Takes an event into account; returns whether the run should go on.
    pub(super) fn note(&mut self, event: Event) -> bool {
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
        // An engine reports the remaining events of the same time before it ends, so the first reason that
        // cut the run is kept.
        self.cut = self.cut.or(match stop {
            Some(stop) => Some(RunEnd::Stop(stop)),
            None if self.beyond > MOST_LAUNCHES => Some(RunEnd::Launches),
            None if self.events >= self.most_events => Some(RunEnd::Events),
            None => None,
        });
        self.cut.is_none()
    }

    fn add(&mut self, job: Job, completion: Duration) {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Limits are examined every 65,536 events. An engine finishes the time that it is at, so more events may
    /// follow; they must not make the run a whole one.
    #[test]
    fn a_run_that_is_cut_stays_cut() {
        let limits = Limits::new(None, 1 << 30, 1, Arc::new(AtomicBool::new(true)));
        let mut record = Record::default();
        let mut ledger = Ledger {
            responses: vec![None],
            horizon: Duration::MAX,
            left: (vec![10], 10),
            beyond: 0,
            open: 0,
            events: (1 << 16) - 1,
            most_events: u64::MAX,
            limits: &limits,
            cut: None,
            record: &mut record,
        };
        let released = |number| Event::Released(Job { release: Duration(0), task: 0, number });
        assert!(!ledger.note(released(0)));
        assert!(!ledger.note(released(1)));
        assert_eq!(ledger.cut, Some(RunEnd::Stop(Stop::Interrupted)));
    }
}
