//! What else should be known of an analysis, a sentence each.

use warpspan_document::words::several;
use warpspan_kernel::input::key;
use warpspan_launch::flags::in_flags;
use warpspan_model::time::Duration;
use warpspan_rta::{
    Analysis, Basis, Breach, Covers, Execution, Method, NotAlone, Response, RunEnd, Solved, System,
};

/// The notes to the numbers, a sentence each.
pub(super) fn notes(system: &System, executions: &[Execution], analysis: &Analysis) -> Vec<String> {
    let mut notes = Vec::new();
    let name = |task: usize| &system.tasks()[task].name;
    let breached = system.asks_memory();
    for (task, execution) in system.tasks().iter().zip(executions) {
        let Some(solved) = &execution.solved else { continue };
        let Solved { warps, resident, lower, .. } = solved;
        let upper = solved.upper.cycles();
        let from = match lower {
            _ if solved.is_exact() => "the exact worst case".to_owned(),
            Some(lower) => format!("the upper end of {} to {upper}", lower.cycles()),
            None => "an upper bound".to_owned(),
        };
        let memory = if breached { ", without what the memory adds" } else { "" };
        notes.push(format!(
            "C of {}: {upper} cycles, {from}, of {warps} warps: {} that a multiprocessor holds at once, and nothing \
             else on it{memory}",
            task.name,
            several(*resident, "block")
        ));
    }
    notes.extend(system.rests().notes.iter().map(|note| note.worded(key)));
    for breach in &analysis.breaches {
        notes.push(match breach {
            Breach::Release(_) => {
                format!("Algorithm 2 gives estimates, for a first launch at 0, and no bounds: {breach}")
            }
            Breach::Needs(_) => {
                format!("estimates follow the threads alone, as in Pa19, and bounds do not: {breach}")
            }
            _ => format!("Algorithm 2 does not hold here: {breach}"),
        });
    }
    if analysis.method != Method::Simulate && !analysis.follows_algorithm2() {
        notes.extend(analysis.simulated.as_ref().map(|(simulated, _)| apart(analysis, simulated)));
        if let (Some((_, Covers::Before(end))), Covers::All) = (&analysis.simulated, analysis.covers) {
            let end = system.unit().write(*end);
            notes.push(format!(
                "the simulator found no state that repeats and simulated launches before {end} only"
            ));
        }
    }
    for why in &analysis.not_alone {
        notes.push(match why {
            NotAlone::Beside { task, beside } => format!(
                "C of {} does not hold: blocks of {} are on the GPU at the same time, and may be on the same multiprocessor",
                name(*task),
                name(*beside)
            ),
            NotAlone::Waited { task } => format!(
                "C of {} does not hold: its blocks follow others, so they need not start together",
                name(*task)
            ),
        });
    }
    if analysis.overloaded && analysis.by != Some(Basis::Overload) {
        notes.push(
            "if all blocks take C, more threads are asked for in the long run than there are".to_owned(),
        );
    }
    if !analysis.safe {
        let what = "the response bound holds for blocks that take up to C, and for code however it is issued; the estimates and completions do not";
        notes.push(what.to_owned());
    }
    notes.extend(analysis.missing.as_ref().map(|missing| in_flags(&missing.message())));
    match analysis.covers {
        Covers::Before(time) if time > Duration(0) => {
            notes.push(format!("estimates are of launches before {} only", system.unit().write(time)));
        }
        _ => {}
    }
    if let Some(cut) = analysis.cut.filter(|_| analysis.method != Method::Simulate) {
        let why = match cut {
            RunEnd::Stop(stop) => stop.name(),
            RunEnd::Launches => "launches piled up",
            RunEnd::Events => "more than 4 million events",
        };
        notes.push(format!("the simulator was cut short ({why}), so Algorithm 2 was compared with nothing"));
    }
    notes
}

/// How far the method is from the simulator.
fn apart(analysis: &Analysis, simulated: &[Option<Response>]) -> String {
    let (mut low, mut high) = (0_usize, 0_usize);
    for (one, other) in analysis.estimates.iter().zip(simulated) {
        let worst = |response: &Option<Response>| response.map_or(u64::MAX, |response| response.worst.0);
        low += usize::from(worst(one) < worst(other));
        high += usize::from(worst(one) > worst(other));
    }
    match (low, high) {
        (0, 0) => "the simulator agrees nevertheless".to_owned(),
        _ => format!(
            "against the simulator, {} is too low for {low} of {} kernels and too high for {high}",
            analysis.method.name(),
            simulated.len()
        ),
    }
}
