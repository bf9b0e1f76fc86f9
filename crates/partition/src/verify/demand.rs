//! The all-approximated test for both EDF policies, walked forward.
//!
//! All deadlines are met if U <= 1 and dbf(t) + B(t) <= t at each deadline t. Here dbf(t) is the execution
//! that is due by t if all tasks arrive together, and B(t) is the longest C of a task with a later deadline
//! where jobs are not preempted, and 0 otherwise. After a deadline of a task its part of dbf is at most the
//! line with slope C/T through that step. So no more deadlines of the task are examined until the sum with
//! lines exceeds some t. Then lines are taken back, one at a time, and dbf is exact where no line is left (K.
//! Albers, F. Slomka, *Efficient feasibility analysis for real-time systems with EDF scheduling*, DATE 2005).
//!
//! Times are whole ticks, so it is enough that a sum with lines is below t + 1. Between two deadlines that
//! are examined the sum grows no faster than t, since U <= 1, and B never grows.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::Load;
use crate::Undecided;
use crate::effort::Effort;

/// The number of parts of a tick; lines are rounded up to such a part.
const PARTS: u128 = 1 << 16;

/// No deadline at or after this time is examined.
const END: u128 = 1 << 61;

/// The most that a task adds by t since its deadline `since`, in parts of a tick.
fn line(load: &Load, since: u128, t: u128) -> u128 {
    (load.execution * (t - since) * PARTS).div_ceil(load.period)
}

/// The first deadline that can be missed; it is known that U <= 1.
pub(super) fn first_missed(
    loads: &[Load],
    blocking: bool,
    effort: &mut Effort,
) -> Result<Option<u128>, Undecided> {
    let end = busy(loads, &mut effort.half())?;
    let latest = loads.iter().map(|load| load.deadline).max().unwrap_or(0);
    let mut next: BinaryHeap<_> =
        loads.iter().enumerate().map(|(i, load)| Reverse((load.deadline, i))).collect();
    let mut lines: VecDeque<(usize, u128)> = VecDeque::new(); // The task of each line, and the deadline at which the line starts.
    let mut due = 0; // This is the demand without the lines.
    while let Some(Reverse((t, task))) = next.pop().filter(|Reverse((t, _))| *t <= end.max(latest)) {
        if t > END {
            return Err(Undecided::TooLong);
        }
        due += loads[task].execution;
        lines.push_back((task, t));
        effort.take(lines.len() + 1)?;
        let mut above: u128 = lines.iter().map(|&(task, since)| line(&loads[task], since, t)).sum();
        let before = if blocking && t < latest {
            effort.take(loads.len())?;
            loads.iter().filter(|load| load.deadline > t).map(|load| load.execution).max().unwrap_or(0)
        } else {
            0
        };
        while (due + before) * PARTS + above >= (t + 1) * PARTS {
            let Some((task, since)) = lines.pop_front() else { return Ok(Some(t)) };
            let load = &loads[task];
            let jobs = (t - since) / load.period;
            above -= line(load, since, t);
            due += jobs * load.execution;
            next.push(Reverse((since + (jobs + 1) * load.period, task)));
        }
    }
    Ok(None)
}

/// The end of the synchronous busy period. If a deadline is missed and nothing blocks, the first one is
/// missed by then. [`END`] where it takes too long to find.
fn busy(loads: &[Load], effort: &mut Effort) -> Result<u128, Undecided> {
    let mut length: u128 = loads.iter().map(|load| load.execution).sum();
    while length < END {
        match effort.take(loads.len()) {
            Err(Undecided::TooLong) => break,
            taken => taken?,
        }
        let work = loads.iter().map(|load| load.execution * length.div_ceil(load.period)).sum();
        if work == length {
            return Ok(length);
        }
        length = work;
    }
    Ok(END)
}
