//! Why a kernel is not proved to meet its deadline, in a sentence.

use warpspan_model::time::Duration;
use warpspan_rta::{Analysis, DeadlineMet, Miss, System, no_bound};

/// `None` for a kernel that is proved to meet it.
pub(super) fn reason(system: &System, analysis: &Analysis, kernel: usize) -> Option<String> {
    let (task, judged) = (&system.tasks()[kernel], &analysis.kernels[kernel]);
    let write = |time| format!("{} {}", system.unit().write(time), system.unit());
    let due = |from: Duration| task.deadline.map_or_else(String::new, |deadline| write(from + deadline));
    let limit = limit(system, kernel);
    // Algorithm 2 tells no parts.
    let most = if analysis.safe { String::new() } else { most(system, analysis, kernel) };
    Some(match (judged.meets, judged.miss, judged.bound) {
        (DeadlineMet::Yes, ..) => return None,
        (DeadlineMet::No, Some(Miss { launch, release, completion }), _) => {
            let what = match completion {
                Some(time) => format!("completes at {}", write(time)),
                None => "is not complete then".to_owned(),
            };
            let launch = launch + 1;
            format!(
                "launch {launch}, released at {}, has to be complete at {} and {what}",
                write(release),
                due(release)
            )
        }
        (DeadlineMet::No, None, _) => {
            let least = judged.least.map_or_else(String::new, write);
            format!("no launch whose blocks take C takes less than {least} > {limit}")
        }
        (DeadlineMet::Unknown, _, Some(bound)) if task.deadline.is_none_or(|deadline| bound <= deadline) => {
            "the bound takes the memory to be without limit, since the machine has no [[server]]".to_owned()
        }
        (DeadlineMet::Unknown, _, Some(bound)) => format!("bound {} > {limit}{most}", write(bound)),
        (DeadlineMet::Unknown, _, None) => match analysis.bounds[kernel].response {
            Ok(_) => "it was not seen to complete".to_owned(),
            Err(why) => format!("no bound: {}", no_bound(system, why, &limit, &most)),
        },
    })
}

/// Why a kernel has no bound; `None` if it has one.
pub(super) fn why_no_bound(system: &System, analysis: &Analysis, kernel: usize) -> Option<String> {
    let why = analysis.bounds[kernel].response.err()?;
    Some(no_bound(system, why, &limit(system, kernel), &most(system, analysis, kernel)))
}

/// The time by which a launch has to be complete.
fn limit(system: &System, kernel: usize) -> String {
    let task = &system.tasks()[kernel];
    let write = |time| format!("{} {}", system.unit().write(time), system.unit());
    match (task.deadline, task.period) {
        (Some(deadline), Some(period)) if deadline == period => format!("period {}", write(period)),
        (Some(deadline), _) => format!("deadline {}", write(deadline)),
        (None, _) => "no deadline".to_owned(),
    }
}

/// The kernel that contributes most to a bound.
fn most(system: &System, analysis: &Analysis, kernel: usize) -> String {
    analysis.bounds[kernel].most.map_or_else(String::new, |(most, percent)| {
        let itself = if most == kernel { " itself" } else { "" };
        format!("; {percent} % of it is {}{itself}", system.tasks()[most].name)
    })
}
