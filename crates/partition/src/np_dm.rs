//! The test for non-preemptive deadline-monotonic priorities: exact response times.
//!
//! The task with the shorter deadline has the higher priority; among equal deadlines it is the task given
//! first. A job of task i is delayed longest when a lower-priority job has just started and all other tasks
//! arrive together (R. Davis, A. Burns, R. Bril, J. Lukkien, *Controller Area Network (CAN) schedulability
//! analysis: refuted, revisited and revised*, Real-Time Systems 35, 2007). With B = max `C_j` over lower
//! priorities, job q = 0, 1, ... of the busy period starts at the least
//!
//! ```text
//! s = B + q C_i + sum over higher priorities j of n_j(s) C_j,      R = max over q of s + C_i - q T_i
//! ```
//!
//! where `n_j(s)` counts the arrivals up to s. Where a lower-priority job blocks, s is a limit that is
//! approached from below and never attained, so an arrival at s itself comes too late to run before: n =
//! ceil(s/T). Otherwise n = floor(s/T) + 1.

use crate::effort::Effort;
use crate::interval::END;
use crate::{Sporadic, Undecided};

/// Whether all deadlines are met; it is known that U <= 1 and C <= D.
pub(super) fn accepts(tasks: &[Sporadic], effort: &mut Effort) -> Result<bool, Undecided> {
    let mut sorted = tasks.to_vec();
    sorted.sort_by_key(|task| task.deadline); // A stable sort keeps the given order among equal deadlines.
    for task in 0..sorted.len() {
        if !meets(&sorted, task, effort)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all jobs of a task meet their deadlines; the tasks are in the order of priority.
fn meets(tasks: &[Sporadic], number: usize, effort: &mut Effort) -> Result<bool, Undecided> {
    let task = tasks[number];
    let (higher, lower) = (&tasks[..number], &tasks[number + 1..]);
    let blocking = lower.iter().map(|task| task.execution).max().unwrap_or(0);
    let arrived = |start: u64, other: &Sporadic| match blocking {
        0 => start / other.period + 1,
        _ => start.div_ceil(other.period).max(1),
    };
    let (mut start, mut own, mut arrival) = (blocking, blocking, 0);
    while arrival < END {
        start = start.max(own);
        loop {
            // The deadline is met only if start + C <= arrival + D, and start only grows.
            if start + task.execution > arrival + task.deadline {
                return Ok(false);
            }
            effort.take(number + 1)?;
            let next = own + higher.iter().map(|other| arrived(start, other) * other.execution).sum::<u64>();
            if next <= start {
                break;
            }
            start = next;
        }
        // The busy period of the priorities down to this one has ended if the next job arrives later.
        let done = start + task.execution;
        let all = |time: u64, task: &Sporadic| time.div_ceil(task.period) * task.execution;
        if done <= arrival + task.period {
            let workload = blocking + tasks[..=number].iter().map(|task| all(done, task)).sum::<u64>();
            if workload <= done {
                return Ok(true);
            }
        }
        own += task.execution;
        arrival += task.period;
    }
    Err(Undecided::TooLong)
}
