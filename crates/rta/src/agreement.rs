//! The closed form where it applies, and the comparison of methods that must agree.

use crate::run::{Response, RunError};
use crate::{AnalysisError, Breach, System, big_multiprocessor, closed_form};
use warpspan_model::time::Duration;

/// Response times by the closed form, or a description of the systems that it is for.
pub(super) fn in_closed_form(
    system: &System,
    times: &[Duration],
    breaches: &[Breach],
) -> Result<Result<Vec<Option<Response>>, &'static str>, AnalysisError> {
    let Some(first) = system.tasks().first() else { return Ok(Ok(Vec::new())) };
    let domain = [
        (times.iter().all(|time| *time == times[0]), "kernels of equal execution times"),
        (system.tasks().iter().all(|task| task.release == first.release), "kernels of equal releases"),
        (system.tasks().iter().all(|task| task.period == first.period), "kernels of equal periods"),
        (
            breaches.iter().all(Breach::is_open),
            "what Algorithm 2 is for: blocks of one size, limited by threads, one priority, no copies",
        ),
    ];
    if let Some((_, what)) = domain.into_iter().find(|(holds, _)| !holds) {
        return Ok(Err(what));
    }
    let most = big_multiprocessor(system) / first.block.threads;
    let blocks = system.tasks().iter().map(|task| task.blocks);
    let completions = closed_form(most, times[0], first.release, blocks).ok_or(RunError::Overflow)?;
    let last = completions.last().copied().unwrap_or_default() - first.release;
    if first.period.is_some_and(|period| last > period) {
        return Ok(Err("kernels that all complete within a period"));
    }
    let response = |completion: Duration| {
        let time = completion - first.release;
        Some(Response { completion, worst: time, worst_release: first.release, launches: 1 })
    };
    Ok(Ok(completions.into_iter().map(response).collect()))
}

/// Checks that two methods agree on every kernel that both have seen to complete.
pub(super) fn agree(
    system: &System,
    one: &[Option<Response>],
    other: &[Option<Response>],
    first: &str,
    second: &str,
) -> Result<(), AnalysisError> {
    for ((task, one), other) in system.tasks().iter().zip(one).zip(other) {
        let (Some(one), Some(other)) = (one, other) else { continue };
        if (one.completion, one.worst) != (other.completion, other.worst) {
            let show = |response: &Response| {
                let times = [response.completion, response.worst].map(|time| system.unit().write(time));
                format!("completes first at {} and takes at most {}", times[0], times[1])
            };
            return Err(AnalysisError::Disagreement(format!(
                "kernel {}: {first}: {}; {second}: {}",
                task.name,
                show(one),
                show(other)
            )));
        }
    }
    Ok(())
}
