//! Non-preemptive earliest deadline first: processor demand with blocking.
//!
//! A set of sporadic tasks with D <= T meets all deadlines under non-preemptive EDF if and only if U <= 1 and, for every t,
//! dbf(t) + max {`C_j` : `D_j` > t} <= t (L. George, N. Rivierre, M. Spuri, *Preemptive and non-preemptive real-time
//! uniprocessor scheduling*, INRIA RR-2966, 1996; K. Jeffay, D. Stanat, C. Martel, RTSS 1991). Those papers count `C_j` - 1,
//! since time is discrete there; here a job may start at any moment before the others arrive, so all of `C_j` may block.

use crate::partition::Sporadic;
use crate::partition::edf::holds_below;
use crate::partition::test::interval;

/// Whether all deadlines hold; U <= 1 and C <= D are known.
pub(super) fn accepts(tasks: &[Sporadic]) -> bool {
    let Some(length) = interval(tasks) else { return false };
    if !holds_below(tasks, 0, length + 1) {
        return false;
    }
    // A task blocks before its deadline; a task with a longer deadline and a longer execution time outdoes it there.
    let mut by_deadline: Vec<&Sporadic> = tasks.iter().collect();
    by_deadline.sort_unstable_by_key(|task| (task.deadline, task.execution));
    let mut longest = 0;
    by_deadline.iter().rev().all(|task| {
        if task.execution <= longest {
            return true;
        }
        longest = task.execution;
        holds_below(tasks, longest, task.deadline)
    })
}
