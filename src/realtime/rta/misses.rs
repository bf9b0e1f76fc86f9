//! Deadlines that are missed in a run of the simulator.
//!
//! Where every C is given, a run in which all blocks take just that long, judged by [`replay`](crate::realtime::rta::replay), is one that
//! the system can have: a deadline missed in it is missed for certain.

use std::collections::HashSet;

use crate::model::time::Duration;
use crate::realtime::rta::{Event, Job, Releases, System};

/// A launch that is late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Miss {
    /// Which launch, from 0.
    pub launch: u64,
    /// When it was released.
    pub release: Duration,
    /// When it is complete; `None` if that is not in the run.
    pub completion: Option<Duration>,
}

/// The first late launch of each kernel, in a run of which all is known that happens before `until`.
pub(super) fn misses(system: &System, events: &[Event], until: Duration) -> Vec<Option<Miss>> {
    let mut misses: Vec<Option<Miss>> = vec![None; system.tasks().len()];
    let mut completed: HashSet<Job> = HashSet::new();
    for event in events {
        let Event::Completed(job, time) = *event else { continue };
        completed.insert(job);
        let late = system.tasks()[job.task].deadline.is_some_and(|deadline| time > job.release + deadline);
        let first = misses[job.task].is_none_or(|miss| job.number < miss.launch);
        if late && first {
            misses[job.task] =
                Some(Miss { launch: job.number, release: job.release, completion: Some(time) });
        }
    }
    for job in Releases::new(system).take_while(|job| job.release < until) {
        let due = system.tasks()[job.task].deadline.map(|deadline| job.release + deadline);
        let first = misses[job.task].is_none_or(|miss| job.number < miss.launch);
        if first && due.is_some_and(|due| due < until) && !completed.contains(&job) {
            misses[job.task] = Some(Miss { launch: job.number, release: job.release, completion: None });
        }
    }
    misses
}
