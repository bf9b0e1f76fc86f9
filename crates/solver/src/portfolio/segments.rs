//! Solving one block with barriers, segment by segment.
//!
//! If all warps are in one block, a barrier cuts every schedule in two: the warps go on in the cycle after
//! the last of them has arrived, all at once, as at the start. The worst case is therefore the sum of the
//! worst cases of the segments, at any sigma, and the best case is the sum of their best cases. The schedules
//! are concatenated.

use std::collections::HashMap;

use crate::portfolio::findings::{Claim, Found};
use crate::portfolio::task::Task;
use crate::portfolio::{Disagreement, EngineChoice, EngineName, Note, Solution, SolveError, cross_check};
use warpspan_check::bound::{Interval, Lower, Upper, bottleneck, critical_path};
use warpspan_check::schedule::{Issue, Schedule, Witness};
use warpspan_check::seal::SEAL;
use warpspan_engines::phase;
use warpspan_model::limits::{Ending, Instant};
use warpspan_model::{Instance, Kernel};

/// Solves each different segment once, and adds the segments up.
///
/// # Errors
/// If an engine fails, or two sources disagree.
pub(super) fn solve(
    instance: &Instance,
    segments: &[Instance],
    task: &Task<'_>,
) -> Result<Solution, SolveError> {
    let start = Instant::now();
    let mut solved: HashMap<&Kernel, (&Instance, Solution)> = HashMap::new();
    let mut order = Vec::new();
    for segment in segments {
        let kernel = &segment.groups()[0].kernel;
        if !solved.contains_key(kernel) {
            solved.insert(kernel, (segment, task.answer(segment)?));
        }
        order.push(kernel);
    }
    let mut different: Vec<&Kernel> = order.clone();
    different.sort_unstable_by_key(|kernel| kernel.units());
    different.dedup();
    if task.is_checked() {
        let mut budget = cross_check::Budget::new(&task.limits, start.elapsed()); // for all segments together
        for kernel in &different {
            if let Some((segment, solution)) = solved.get_mut(kernel) {
                cross_check::look(segment, solution, &task.limits, &mut budget)?;
            }
        }
    }
    let all: Vec<&Solution> = order.iter().map(|&kernel| &solved[kernel].1).collect();
    let mut found = joined(instance, &order, &all, task.limits.memory)?;
    found.notes.push(Note::Segments { all: order.len(), different: solved.len() });
    if matches!(task.choice, EngineChoice::Auto | EngineChoice::Phase) {
        found.within_phases(phase::bound_while(instance, &|| task.limits.stopped().is_none()))?;
    }
    let ending = all.iter().map(|one| one.ending).find(|&ending| ending != Ending::Proved);
    let ending = found.or_proved(ending.unwrap_or(Ending::Proved));
    let engine = all[0].engine;
    let engine = if all.iter().all(|one| one.engine == engine) { engine } else { EngineName::Segments };
    let checks = cross_check::together(different.iter().map(|&kernel| &solved[kernel].1.checks[..]));
    Ok(Solution { checks, ..Solution::new(engine, found, ending) })
}

/// Combines what is known of the segments into what is known of the whole.
fn joined(
    instance: &Instance,
    order: &[&Kernel],
    all: &[&Solution],
    memory: u64,
) -> Result<Found, Disagreement> {
    let fits = instance.total_issues().saturating_mul(size_of::<Issue>() as u64 * 2) <= memory;
    let join = |witnesses: Option<Vec<&Witness>>| {
        let witnesses = witnesses.filter(|_| fits);
        let claim =
            |witnesses: Vec<&Witness>| Claim::new(EngineName::Segments, end_to_end(order, &witnesses));
        witnesses.map(|witnesses| claim(witnesses).replayed(instance)).transpose()
    };
    let witness = join(all.iter().map(|one| one.found.witness.as_ref()).collect())?;
    let best_witness = join(all.iter().map(|one| one.found.best_witness.as_ref()).collect())?;
    let upper = Upper::of_segments(all.iter().map(|one| one.found.interval.upper()), SEAL);
    let lower = match &witness {
        Some(witness) => Some(Lower::replayed(witness)),
        None => Lower::of_segments(all.iter().map(|one| one.found.interval.lower()), SEAL),
    };
    let interval = Interval::new(
        lower.unwrap_or_else(|| bottleneck(instance)),
        upper.unwrap_or_else(|| critical_path(instance)),
    )?;
    Ok(Found {
        witness,
        best_case: all.iter().map(|one| one.found.best_case).sum(),
        best_witness,
        states: all.iter().map(|one| one.found.states).sum(),
        ..Found::new(interval)
    })
}

/// Concatenates the schedules of the segments. Each begins in the cycle after the one before it ends.
fn end_to_end(segments: &[&Kernel], witnesses: &[&Witness]) -> Schedule {
    let (mut cycles, mut instructions) = (0, 0);
    let mut issues = Vec::new();
    for (segment, witness) in segments.iter().zip(witnesses) {
        issues.extend(witness.schedule().issues().iter().map(|issue| Issue {
            cycle: issue.cycle + cycles,
            instruction: issue.instruction + instructions,
            ..*issue
        }));
        cycles += witness.makespan().0;
        instructions += u32::try_from(segment.len()).unwrap_or(u32::MAX); // kernels are shorter than this
    }
    Schedule::new(issues)
}
