//! An analysis for a person to read.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};

use crate::cli::flags::in_flags;
use crate::cli::rta::reason::reason;
use crate::input::LISTING_LIMITS;
use crate::model::Code;
use crate::realtime::rta::{
    Analysis, By, Company, Covers, Cut, Execution, Judged, Meets, Method, Response, Solved, Source, System,
    Time, big_multiprocessor, utilisation,
};

/// The most kernels of a table.
const MOST: usize = 200;
/// The column that is no number.
const MEETS: usize = 6;

/// The whole of it.
pub(super) fn text(
    system: &System,
    executions: &[Execution],
    analysis: &Analysis,
    notes: &[String],
) -> String {
    let gpu = &system.gpu;
    let plural = if gpu.multiprocessors == 1 { "" } else { "s" };
    let mut out = format!(
        "schedulable {}\n{} multiprocessor{plural} of {} threads; times in {}\n",
        verdict(system, analysis),
        gpu.multiprocessors,
        gpu.room.threads,
        system.unit
    );
    let total: f64 = (0..system.tasks.len()).map(|task| utilisation(system, executions, task)).sum();
    let capacity = big_multiprocessor(system);
    let _ = writeln!(out, "utilisation {total:.2} of {capacity} threads\n");
    let _ = writeln!(out, "{}", table(system, executions, analysis));
    if system.tasks.len() > MOST {
        let _ = writeln!(out, "({} more; --format json has all)", system.tasks.len() - MOST);
    }
    let reasons = (0..system.tasks.len()).take(MOST).filter_map(|kernel| {
        let name = &system.tasks[kernel].name;
        Some(format!("{name}: {}", reason(system, analysis, kernel)?))
    });
    let mut gap = "\n";
    for note in reasons.chain(notes.iter().cloned()) {
        let _ = writeln!(out, "{gap}note        {note}");
        gap = "";
    }
    out
}

fn table(system: &System, executions: &[Execution], analysis: &Analysis) -> Table {
    let write = |time| system.unit.write(time);
    let maybe = |time: Option<Time>| time.map_or_else(|| "-".to_owned(), write);
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let mut header = vec!["kernel", "C", "blocks", "threads", "release", "deadline", "meets"];
    header.extend(["response bound", "response estimate", "completion"]);
    let simulated = analysis.simulated.as_ref().filter(|_| !analysis.breaches.is_empty());
    if simulated.is_some() {
        header.push("simulated estimate");
    }
    let columns = header.len();
    table.set_header(header);
    for (index, task) in system.tasks.iter().enumerate().take(MOST) {
        let estimate = analysis.estimates[index].as_ref();
        let mut row = vec![
            task.name.clone(),
            write(executions[index].time),
            task.blocks.to_string(),
            task.threads.to_string(),
            write(task.release),
            maybe(task.deadline),
            analysis.kernels[index].meets.name().to_owned(),
            maybe(analysis.kernels[index].bound),
            maybe(estimate.map(|response| response.worst)),
            maybe(estimate.map(|response| response.completion)),
        ];
        if let Some((simulated, _)) = simulated {
            row.push(maybe(simulated[index].map(|response| response.worst)));
        }
        table.add_row(row);
    }
    for column in (1..columns).filter(|&column| column != MEETS) {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn verdict(system: &System, analysis: &Analysis) -> String {
    let late = |least: bool| {
        let late = |kernel: &Judged| kernel.meets == Meets::No && kernel.miss.is_none() == least;
        let late = analysis.kernels.iter().position(late);
        late.map_or("a kernel", |late| system.tasks[late].name.as_str())
    };
    match analysis.by {
        Some(By::Algorithm2) => {
            "proved: by Algorithm 2, all launches, each exactly a period after the one before, whatever blocks take up to C".to_owned()
        }
        Some(By::Bound) => "proved: by the bounds, all launches, whatever blocks take up to C".to_owned(),
        Some(By::Schedule) => {
            format!("refuted: {} misses its deadline in a run where every block takes C", late(false))
        }
        Some(By::LeastResponse) => {
            format!("refuted: no launch of {} whose blocks take C can meet its deadline", late(true))
        }
        Some(By::Overload) => {
            "refuted: in the long run more threads are asked for than there are, so deadlines are missed"
                .to_owned()
        }
        None => "undecided: that all deadlines are met is not proved, nor that one is missed".to_owned(),
    }
}

/// What should be known beside the numbers, a sentence each.
pub(super) fn notes(system: &System, executions: &[Execution], analysis: &Analysis) -> Vec<String> {
    let mut notes = Vec::new();
    let name = |task: usize| &system.tasks[task].name;
    for (task, execution) in system.tasks.iter().zip(executions) {
        let Some(Solved { warps, resident, interval, .. }) = &execution.solved else { continue };
        let (lower, upper) = (interval.lower().cycles(), interval.upper().cycles());
        let from = match interval.is_exact() {
            true => "the exact worst case".to_owned(),
            false => format!("the upper end of {lower} to {upper}"),
        };
        notes.push(format!(
            "C of {}: {upper} cycles, {from}, of {warps} warps: {resident} block{} that a multiprocessor holds at once, and nothing \
             else on it",
            task.name,
            if *resident == 1 { "" } else { "s" }
        ));
    }
    notes.extend_from_slice(&system.assumed);
    let of_listing = |source: &Source| matches!(source, Source::Listing(_) | Source::Code(Code::Program(_)));
    if system.tasks.iter().any(|task| of_listing(&task.execution)) {
        notes.push(LISTING_LIMITS.to_owned());
    }
    for breach in &analysis.breaches {
        notes.push(format!("Algorithm 2 does not hold here: {breach}"));
    }
    if analysis.method != Method::Simulate && !analysis.breaches.is_empty() {
        notes.extend(analysis.simulated.as_ref().map(|(simulated, _)| apart(analysis, simulated)));
        if let (Some((_, Covers::Before(end))), Covers::All) = (&analysis.simulated, analysis.covers) {
            let end = system.unit.write(*end);
            notes.push(format!(
                "the simulator found no state that repeats and looked at launches before {end} only"
            ));
        }
    }
    for company in &analysis.company {
        notes.push(match company {
            Company::Other { task, beside } => format!(
                "C of {} does not hold: blocks of {} are on the GPU at the same time, and may be on the same multiprocessor",
                name(*task),
                name(*beside)
            ),
            Company::Waited { task } => format!(
                "C of {} does not hold: its blocks follow others, so they need not start together",
                name(*task)
            ),
        });
    }
    if analysis.overloaded && analysis.by != Some(By::Overload) {
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
        Covers::Before(time) if time > Time(0) => {
            notes.push(format!("estimates are of launches before {} only", system.unit.write(time)));
        }
        _ => {}
    }
    if let Some(cut) = analysis.cut.filter(|_| analysis.method != Method::Simulate) {
        let why = match cut {
            Cut::Stop(stop) => stop.name(),
            Cut::Launches => "launches piled up",
            Cut::Events => "more than 4 million events",
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
