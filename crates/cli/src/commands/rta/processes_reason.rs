//! Why a task or a kernel of several processes is not proved to meet its deadline, in a sentence.

use warpspan_rta::processes::{Examined, NoBound, TaskSet, kernels};
use warpspan_rta::{DeadlineMet, MOST_PENDING, Shared, without_bound};

/// Why a task is not proved to meet its deadline; `None` if it is, or has none.
pub(super) fn reason_of_task(set: &TaskSet, examined: &Examined, task: usize) -> Option<String> {
    let (of, found) = (&set.tasks()[task], &examined.tasks[task]);
    let write = |time| format!("{} {}", set.unit().write(time), set.unit());
    let deadline = write(of.recurring?.deadline);
    Some(match (found.meets?, found.bound) {
        (DeadlineMet::Yes, _) => return None,
        (DeadlineMet::No, _) => {
            format!(
                "no job that takes its times takes less than {} > deadline {deadline}",
                write(found.least?)
            )
        }
        (DeadlineMet::Unknown, Ok(bound)) => format!("bound {} > deadline {deadline}", write(bound)),
        (DeadlineMet::Unknown, Err(NoBound::Period(reached))) => {
            format!(
                "no bound: it has come to {}, more than the period, and would grow further",
                write(reached)
            )
        }
        (DeadlineMet::Unknown, Err(NoBound::Above(other))) => {
            format!("no bound: the more urgent {} has none", set.tasks()[other].name)
        }
        (DeadlineMet::Unknown, Err(NoBound::TooLarge)) => {
            "no bound: times are too large to be multiplied".to_owned()
        }
        (DeadlineMet::Unknown, Err(NoBound::Unsettled | NoBound::BestEffort)) => {
            "no bound: the search did not settle".to_owned()
        }
    })
}

/// Why a kernel is not proved to meet its deadline; `None` if it is.
pub(super) fn reason_of_kernel(
    shared: &Shared,
    outcomes: &[kernels::Outcome],
    kernel: usize,
) -> Option<String> {
    use kernels::NoBound::{Alone, Beside, Grows, TooLarge, TooMany, Unsettled};
    let system = shared.system();
    let (task, found) = (&system.tasks()[kernel], &outcomes[kernel]);
    let write = |time| format!("{} {}", system.unit().write(time), system.unit());
    let deadline = task.deadline.map_or_else(String::new, write);
    let why = match (found.meets, found.bound) {
        (DeadlineMet::Yes, _) => return None,
        (DeadlineMet::No, _) => {
            let least = found.least.map_or_else(String::new, write);
            return Some(format!(
                "no launch whose blocks take C takes less than {least} > deadline {deadline}"
            ));
        }
        (DeadlineMet::Unknown, Ok(bound)) => {
            return Some(format!("bound {} > deadline {deadline}", write(bound)));
        }
        (DeadlineMet::Unknown, Err(why)) => why,
    };
    let why = match why {
        Alone(why) => format!("in the turns of its process alone, {}", without_bound(system, why)),
        Grows(reached) => format!(
            "it has come to {}, more than {MOST_PENDING} periods, and would grow further",
            write(reached)
        ),
        Beside(other) => format!("{} of its process has none", system.tasks()[other].name),
        TooMany => format!("more than {} launches of its process may delay it", kernels::MOST_LAUNCHES),
        TooLarge => "times are too large to be multiplied".to_owned(),
        Unsettled => "the search was stopped before it settled".to_owned(),
    };
    Some(format!("no bound: {why}"))
}
