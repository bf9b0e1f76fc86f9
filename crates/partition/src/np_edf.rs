//! The test for non-preemptive earliest deadline first: processor demand with blocking.
//!
//! A set of sporadic tasks with D <= T meets all deadlines under non-preemptive EDF if and only if U <= 1
//! and, for every t, dbf(t) + max {`C_j` : `D_j` > t} <= t (L. George, N. Rivierre, M. Spuri, *Preemptive and
//! non-preemptive real-time uniprocessor scheduling*, INRIA RR-2966, 1996; K. Jeffay, D. Stanat, C. Martel,
//! RTSS 1991), however ties between equal deadlines are broken. Those papers count `C_j` - 1, since their
//! time is discrete; here a job may start at any moment before the others arrive, so all of `C_j` may block.

use crate::edf::{self, holds_below};
use crate::effort::Effort;
use crate::interval::linear;
use crate::{Sporadic, Undecided};

/// Whether all deadlines are met; it is known that U <= 1 and C <= D.
pub(super) fn accepts(tasks: &[Sporadic], effort: &mut Effort) -> Result<bool, Undecided> {
    if !edf::accepts(tasks, effort)? {
        return Ok(false);
    }
    // A task can block only before its own deadline, and a task with a longer deadline and a longer execution
    // time blocks longer there.
    let mut sorted = tasks.to_vec();
    sorted.sort_unstable_by_key(|task| (task.deadline, task.execution));
    let mut longest = 0;
    for (place, task) in sorted.iter().enumerate().rev() {
        if task.execution <= longest {
            continue;
        }
        longest = task.execution;
        let earlier = &sorted[..place];
        effort.take(place)?;
        let end = linear(earlier, longest).map_or(task.deadline, |end| task.deadline.min(end + 1));
        if !holds_below(earlier, longest, end, effort)? {
            return Ok(false);
        }
    }
    Ok(true)
}
