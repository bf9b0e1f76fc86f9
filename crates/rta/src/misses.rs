//! Deadlines that are missed in a run of the simulator.
//!
//! Where every C is given, the system can have a run in which every block takes exactly C. So a deadline that is missed
//! in such a run, verified by [`replay`](crate::replay), is missed for certain.

use std::collections::HashSet;

use crate::{Event, Job, Releases, System};
use warpspan_model::time::Duration;

/// A launch that misses its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Miss {
    /// The number of the launch, from 0.
    pub launch: u64,
    /// The time of its release.
    pub release: Duration,
    /// The time of its completion; `None` if the run does not show it.
    pub completion: Option<Duration>,
}

/// The first launch of each kernel that misses its deadline, in a run in which every event before `until` is
/// known.
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
