//! Instances with barriers.
//!
//! Where all warps are one block, a barrier cuts every schedule in two: the warps go on in the cycle after the last of them
//! has come, all at once, as at the start. So the worst case is the sum of the worst cases of the segments, at any sigma,
//! the best case that of the best cases, and schedules are joined end to end. Elsewhere the bounds hold as they are (the
//! phase bound with the segments' rates added up, the critical path), and schedules are simulated; no engine searches them.

use std::collections::HashMap;
use std::time::Instant;

use crate::bound::{Interval, Lower, Upper};
use crate::engines::phase;
use crate::engines::portfolio::second;
use crate::engines::portfolio::{
    Disagreement, Engine, IlpOptions, Observer, Solution, SolveError, before, replayed,
};
use crate::limits::{Limits, Stop};
use crate::model::{Instance, Kernel};
use crate::schedule::{Issue, Schedule, Witness};
use crate::source::{Message, Remedy};

/// The sum over the segments, or what is known of several blocks.
pub(super) fn solve(
    instance: &Instance,
    engine: Engine,
    options: &IlpOptions,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    match (instance.segments(), engine) {
        (Some(_), Engine::Ilp) => {
            let what = Message::of(Remedy::Engine("ilp")).then(" takes no barriers: want another engine");
            Err(SolveError::Barriers(what))
        }
        (Some(segments), _) => {
            let one = |segment: &Instance| super::answer(segment, engine, options, limits, observer);
            one_block(instance, &segments, engine, one, limits)
        }
        (None, Engine::Auto | Engine::Phase) => several_blocks(instance, limits),
        (None, _) => {
            let what = Message::text("barriers of several blocks: only ")
                .remedy(Remedy::Engine("auto"))
                .then(" or phase takes them; one block is solved by any but ilp");
            Err(SolveError::Barriers(what))
        }
    }
}

fn one_block(
    instance: &Instance,
    segments: &[Instance],
    engine: Engine,
    solve: impl Fn(&Instance) -> Result<Solution, SolveError>,
    limits: &Limits,
) -> Result<Solution, SolveError> {
    let start = Instant::now();
    let mut solved: HashMap<&Kernel, (&Instance, Solution)> = HashMap::new();
    let mut order = Vec::new();
    for segment in segments {
        let kernel = &segment.groups()[0].kernel;
        if !solved.contains_key(kernel) {
            solved.insert(kernel, (segment, solve(segment)?));
        }
        order.push(kernel);
    }
    let mut budget = second::Budget::new(limits, start.elapsed()); // of all segments together
    let mut different: Vec<&Kernel> = order.clone();
    different.sort_unstable_by_key(|kernel| kernel.units());
    different.dedup();
    for &kernel in &different {
        let Some((segment, solution)) = solved.remove(kernel) else { continue };
        solved.insert(kernel, (segment, second::look(segment, engine, solution, limits, &mut budget)?));
    }
    let all: Vec<&Solution> = order.iter().map(|&kernel| &solved[kernel].1).collect();
    let upper = Upper::segments(&all.iter().map(|one| one.interval.upper()).collect::<Vec<_>>());
    let fits = instance.total_issues().saturating_mul(size_of::<Issue>() as u64 * 2) <= limits.memory;
    let join = |witnesses: Option<Vec<&Witness>>| {
        let witnesses = witnesses.filter(|_| fits);
        witnesses.map(|witnesses| replayed(instance, joined(&order, &witnesses), "segments")).transpose()
    };
    let witness = join(all.iter().map(|one| one.witness.as_ref()).collect())?;
    let best_witness = join(all.iter().map(|one| one.best_witness.as_ref()).collect())?;
    let lower = match &witness {
        Some(witness) => Lower::replayed(witness),
        None => Lower::segments(&all.iter().map(|one| one.interval.lower()).collect::<Vec<_>>()),
    };
    let engines: Vec<&'static str> = all.iter().map(|one| one.engine).collect();
    let mut solution = Solution {
        interval: Interval::new(lower, upper).map_err(Disagreement::from)?,
        engine: if engines.iter().all(|&engine| engine == engines[0]) { engines[0] } else { "segments" },
        stop: all.iter().map(|one| one.stop).find(|&stop| stop != Stop::Proved).unwrap_or(Stop::Proved),
        witness,
        best_case: all.iter().map(|one| one.best_case).sum(),
        best_witness,
        model: None,
        states: all.iter().map(|one| one.states).sum(),
        phase: None,
        checks: second::together(different.iter().map(|&kernel| &solved[kernel].1.checks[..])),
        notes: vec![format!(
            "{} segments between barriers, solved one by one ({} different)",
            order.len(),
            solved.len()
        )],
        elapsed: std::time::Duration::ZERO,
    };
    if matches!(engine, Engine::Auto | Engine::Phase) {
        solution.within_phases(phase::bound(instance))?;
    }
    if solution.interval.is_exact() {
        solution.stop = Stop::Proved;
    }
    Ok(solution)
}

/// The schedules of the segments, each beginning in the cycle after the one before it ends.
fn joined(segments: &[&Kernel], witnesses: &[&Witness]) -> Schedule {
    let (mut cycles, mut instructions) = (0, 0);
    let mut issues = Vec::new();
    for (segment, witness) in segments.iter().zip(witnesses) {
        issues.extend(witness.schedule().issues().iter().map(|issue| Issue {
            cycle: issue.cycle + cycles,
            instruction: issue.instruction + instructions,
            ..*issue
        }));
        cycles += witness.makespan().0;
        instructions += u32::try_from(segment.len()).unwrap_or(u32::MAX); // kernels are shorter
    }
    Schedule::new(issues)
}

fn several_blocks(instance: &Instance, limits: &Limits) -> Result<Solution, SolveError> {
    let mut solution = before(instance, "phase", limits)?;
    solution.within_phases(phase::bound(instance))?;
    solution.stop = match solution.interval.is_exact() {
        true => Stop::Proved,
        false => Stop::Blocks,
    };
    solution.notes.push("barriers of several blocks: bounds and simulated schedules, no search".into());
    Ok(solution)
}
