//! The check of deadline-monotonic priorities without preemption: each job of the busy period must have a moment at
//! which it can start in time (the form of J. Lehoczky, *Fixed priority scheduling of periodic task sets with arbitrary
//! deadlines*, RTSS 1990).
//!
//! Job q of a task starts by s if B + q C and all jobs of higher priority that arrive up to s take at most s.
//! These terms are constant between arrivals, so it is enough to examine the last moment before each arrival
//! and the latest moment at which the job may start. The jobs of higher priority take at least s times their
//! sum of C/T, which rules out the early moments.

use super::Load;
use crate::Undecided;
use crate::effort::Effort;

/// The first deadline that can be missed, of the first task that can miss one; it is known that U <= 1.
pub(super) fn first_missed(loads: &[Load], effort: &mut Effort) -> Result<Option<u128>, Undecided> {
    const ONE: u128 = 1 << 40;
    for (place, task) in loads.iter().enumerate() {
        let is_higher = |other: usize| (loads[other].deadline, other) < (task.deadline, place);
        let others = || (0..loads.len()).filter(|&other| other != place);
        let higher: Vec<Load> =
            others().filter(|&other| is_higher(other)).map(|other| loads[other]).collect();
        let lower = others().filter(|&other| !is_higher(other));
        let blocking = lower.map(|other| loads[other].execution).max().unwrap_or(0);
        // The share of the time that higher priorities leave, rounded up.
        let free = ONE - higher.iter().map(|other| other.execution * ONE / other.period).sum::<u128>();
        let jobs = busy(task, &higher, blocking, effort)?.div_ceil(task.period);
        for job in 0..jobs {
            let deadline = job * task.period + task.deadline;
            let Some(latest) = deadline.checked_sub(task.execution) else { return Ok(Some(deadline)) };
            let own = blocking + job * task.execution;
            let starts = |start: u128| {
                let arrived = |other: &Load| match blocking {
                    0 => start / other.period + 1,
                    _ => start.div_ceil(other.period).max(1),
                };
                own + higher.iter().map(|other| arrived(other) * other.execution).sum::<u128>() <= start
            };
            let earliest = own * ONE / free;
            let ends = higher.iter().flat_map(|other| {
                let step = other.period;
                ((earliest / step).max(1)..=latest / step).map(move |k| k * step - u128::from(blocking == 0))
            });
            let mut in_time = false;
            for start in std::iter::once(latest).chain(ends) {
                effort.take(higher.len() + 1)?;
                in_time = starts(start);
                if in_time {
                    break;
                }
            }
            if !in_time {
                return Ok(Some(deadline));
            }
        }
    }
    Ok(None)
}

/// The longest busy period of a task and the tasks of higher priority.
fn busy(task: &Load, higher: &[Load], blocking: u128, effort: &mut Effort) -> Result<u128, Undecided> {
    let mut length = blocking + task.execution;
    loop {
        effort.take(higher.len() + 1)?;
        let work = |load: &Load| load.execution * length.div_ceil(load.period);
        let next = blocking + higher.iter().map(work).sum::<u128>() + work(task);
        if next == length {
            return Ok(length);
        }
        if next > 1 << 61 {
            return Err(Undecided::TooLong);
        }
        length = next;
    }
}
