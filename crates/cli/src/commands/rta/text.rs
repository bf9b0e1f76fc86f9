//! An analysis for a person to read.

use std::fmt::Write;

use crate::commands::rta::reason::reason;
use crate::flags::in_flags;
use crate::screen;
use crate::table::{Sheet, judged, table as table_of};
use crate::text::{given, several};
use warpspan_check::bound::Checked;
use warpspan_kernel::input::LISTING_LIMITS;
use warpspan_model::Code;
use warpspan_model::machine::Declared;
use warpspan_model::machine::Role;
use warpspan_model::time::Duration;
use warpspan_rta::{
    Analysis, Basis, Breach, Covers, DeadlineMet, Execution, KernelVerdict, Method, NotAlone, Response,
    RunEnd, Solved, Source, System, big_multiprocessor, utilisation,
};

/// The most kernels of a table.
pub(super) const MOST: usize = 200;
/// The whole of it.
pub(super) fn text(
    system: &System,
    executions: &[Execution],
    analysis: &Analysis,
    notes: &[String],
) -> String {
    let gpu = system.gpu();
    let mut out = format!(
        "schedulable {}\n{} of {} threads; times in {}\n",
        screen::verdict(&verdict(system, analysis)),
        several(gpu.multiprocessors, "multiprocessor"),
        gpu.resources.threads,
        system.unit()
    );
    let total: f64 =
        system.tasks().iter().zip(executions).map(|(task, one)| utilisation(task, one.time)).sum();
    let capacity = big_multiprocessor(system);
    let _ = writeln!(out, "utilisation {total:.2} of {capacity} threads");
    let _ = writeln!(out, "checked     {}\n", checked(executions, analysis));
    let _ = writeln!(out, "{}", table(system, executions, analysis));
    if system.tasks().len() > MOST {
        let _ = writeln!(out, "({} more; --format json has all)", system.tasks().len() - MOST);
    }
    let reasons = (0..system.tasks().len()).take(MOST).filter_map(|kernel| {
        let name = &system.tasks()[kernel].name;
        Some(format!("{name}: {}", reason(system, analysis, kernel)?))
    });
    let mut gap = "\n";
    for note in reasons.chain(notes.iter().cloned()) {
        let _ = writeln!(out, "{gap}note        {note}");
        gap = "";
    }
    out
}

fn table(system: &System, executions: &[Execution], analysis: &Analysis) -> Sheet {
    let write = |time| system.unit().write(time);
    let maybe = |time: Option<Duration>| time.map_or_else(|| "-".to_owned(), write);
    let has_jitter = system.tasks().iter().any(|task| task.jitter > Duration::ZERO);
    let mut header = vec!["kernel", "C", "blocks", "threads", "release"];
    header.extend(has_jitter.then_some("jitter"));
    header.extend(["deadline", "meets", "response bound", "response estimate", "completion"]);
    let simulated = analysis.simulated.as_ref().filter(|_| !analysis.follows_algorithm2());
    if simulated.is_some() {
        header.push("simulated estimate");
    }
    let meets = header.iter().position(|title| *title == "meets");
    let columns = header.len();
    let mut table = table_of(header, (1..columns).filter(|&column| Some(column) != meets));
    for (index, task) in system.tasks().iter().enumerate().take(MOST) {
        let estimate = analysis.estimates[index].as_ref();
        let mut row = vec![
            task.name.clone(),
            write(executions[index].time),
            task.blocks.to_string(),
            task.threads.to_string(),
            write(task.release),
        ];
        row.extend(has_jitter.then(|| write(task.jitter)));
        row.extend([
            maybe(task.deadline),
            analysis.kernels[index].meets.name().to_owned(),
            maybe(analysis.kernels[index].bound),
            maybe(estimate.map(|response| response.worst)),
            maybe(estimate.map(|response| response.completion)),
        ]);
        if let Some((simulated, _)) = simulated {
            row.push(maybe(simulated[index].map(|response| response.worst)));
        }
        table.add_row(judged(row, meets));
    }
    table
}

fn verdict(system: &System, analysis: &Analysis) -> String {
    let late = |least: bool| {
        let late = |kernel: &KernelVerdict| kernel.meets == DeadlineMet::No && kernel.miss.is_none() == least;
        let late = analysis.kernels.iter().position(late);
        late.map_or("a kernel", |late| system.tasks()[late].name.as_str())
    };
    match analysis.by {
        Some(Basis::Algorithm2) => format!(
            "proved{}: by Algorithm 2, all launches, each exactly a period after the one before, whatever blocks take up to C",
            given(&system.provided())
        ),
        Some(Basis::Bound) => {
            format!("proved{}: by the bounds, all launches, whatever blocks take up to C", given(&system.provided()))
        }
        Some(Basis::Schedule) => {
            format!("refuted: {} misses its deadline in a run where every block takes C", late(false))
        }
        Some(Basis::LeastResponse) => {
            format!("refuted: no launch of {} whose blocks take C can meet its deadline", late(true))
        }
        Some(Basis::Overload) => {
            "refuted: in the long run more threads are asked for than there are, so deadlines are missed"
                .to_owned()
        }
        None if system.memory_without_limit() => {
            "undecided, memory without limit: the machine has no [[server]] that says how fast the data of its code moves".to_owned()
        }
        None => "undecided: that all deadlines are met is not proved, nor that one is missed".to_owned(),
    }
}

/// How the verdict and the bounds are checked.
fn checked(executions: &[Execution], analysis: &Analysis) -> String {
    let say = |checked: Checked, basis: Basis| {
        let word = match checked {
            Checked::Machine => "by machine",
            Checked::Paper => "on paper",
            Checked::Tested => "by tests only",
        };
        format!("{word} ({})", basis.statement().name)
    };
    // Algorithm 2 takes C as it was solved, and so is checked no better than that; the bounds do not use it.
    let solved = executions.iter().filter_map(|one| one.solved.as_ref());
    let of_solved = solved.map(|solved| solved.upper.theorem().checked()).min();
    let bounds = if analysis.safe { Basis::Algorithm2 } else { Basis::Bound };
    let of = |basis: Basis| match of_solved.filter(|_| basis == Basis::Algorithm2) {
        Some(weakest) => weakest.min(basis.statement().checked),
        None => basis.statement().checked,
    };
    let verdict = analysis.by.filter(|by| *by != bounds);
    let verdict = verdict.map(|by| format!("verdict {}, ", say(of(by), by)));
    verdict.unwrap_or_default() + &format!("response bounds {}", say(of(bounds), bounds))
}

/// What should be known beside the numbers, a sentence each.
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
    notes.extend_from_slice(system.assumed());
    if system.asks_memory() {
        for task in system.tasks() {
            let says = |declared: &Declared| {
                let (server, key) = if declared.role == Role::Dram {
                    ("the DRAM", "dram_bytes")
                } else {
                    ("the L2", "l2_bytes")
                };
                format!(
                    "takes a launch of {} to move {} bytes through {server} at most, as {key} says",
                    task.name, declared.bytes
                )
            };
            notes.extend(task.traffic.iter().map(says));
        }
    }
    let of_listing = |source: &Source| match source {
        Source::Listing(_) | Source::Code(Code::Program(_)) => true,
        Source::Code(Code::Kernel(_)) | Source::Given(_) | Source::OnMachine(_) => false,
    };
    if system.tasks().iter().any(|task| of_listing(&task.execution)) {
        notes.push(LISTING_LIMITS.to_owned());
    }
    for breach in &analysis.breaches {
        notes.push(match breach {
            Breach::Release(_) => {
                format!("Algorithm 2 gives estimates, for a first launch at 0, and no bounds: {breach}")
            }
            _ => format!("Algorithm 2 does not hold here: {breach}"),
        });
    }
    if analysis.method != Method::Simulate && !analysis.follows_algorithm2() {
        notes.extend(analysis.simulated.as_ref().map(|(simulated, _)| apart(analysis, simulated)));
        if let (Some((_, Covers::Before(end))), Covers::All) = (&analysis.simulated, analysis.covers) {
            let end = system.unit().write(*end);
            notes.push(format!(
                "the simulator found no state that repeats and looked at launches before {end} only"
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
        let what =
            "the response bound holds for all blocks that take up to C; the estimates and completions do not";
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
        (0, 0) => "the simulator says the same all the same".to_owned(),
        _ => format!(
            "against the simulator, {} is too low for {low} of {} kernels and too high for {high}",
            analysis.method.name(),
            simulated.len()
        ),
    }
}
