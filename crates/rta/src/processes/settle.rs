//! Joint fixed points.

use crate::processes::Scheduling;
use crate::processes::window::{Found, NoBound};
use crate::processes::{TaskSet, preemptive, slices};
use warpspan_model::time::Duration;

/// The rounds of the iteration. In each, some bound grows by the time of a job or more, so it ends by itself unless
/// periods are very much longer than jobs.
const ROUNDS: usize = 100_000;

/// Bounds on the response times of all tasks.
pub(super) fn settle(set: &TaskSet) -> Vec<Found> {
    let tasks = set.tasks();
    let start = |task: &crate::processes::Task| match task.recurring {
        Some(_) => Ok(task.on_core() + task.on_gpu()),
        None => Err(NoBound::BestEffort),
    };
    let mut found: Vec<Found> = tasks.iter().map(start).collect();
    for _ in 0..ROUNDS {
        let mut settled = true;
        for (task, every) in tasks.iter().enumerate().filter_map(|(task, of)| Some((task, of.recurring?))) {
            let Ok(now) = found[task] else { continue };
            let next = match set.scheduling() {
                Scheduling::TimeSlices { slice, switch } => {
                    slices::next(set, [slice, switch].map(|time| time.0.into()), task, &found)
                }
                Scheduling::Preemptive { update } => preemptive::next(set, update.0.into(), task, &found),
            };
            // The right-hand side never falls where a bound grows or goes, so the first value beyond the period decides.
            let next = next.and_then(|next| match u64::try_from(next.max(now)) {
                Ok(value) if value <= every.period.0 => Ok(value.into()),
                Ok(value) => Err(NoBound::Period(Duration(value))),
                Err(_) => Err(NoBound::TooLarge),
            });
            settled &= next == found[task];
            found[task] = next;
        }
        if settled {
            return found;
        }
    }
    found.into_iter().map(|of| of.and(Err(NoBound::Unsettled))).collect()
}
