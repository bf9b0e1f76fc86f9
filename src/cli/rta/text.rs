//! An analysis for a person to read.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};

use crate::input::LISTING_LIMITS;
use crate::program::Code;
use crate::rta::{
    Analysis, Company, Covers, Execution, Method, Response, Solved, Source, System, Time, big_multiprocessor,
    utilisation,
};

/// The most kernels of a table.
const MOST: usize = 200;

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
        "{} multiprocessor{plural} of {} threads; times in {}\n",
        gpu.multiprocessors, gpu.room.threads, system.unit
    );
    let total: f64 = (0..system.tasks.len()).map(|task| utilisation(system, executions, task)).sum();
    let capacity = big_multiprocessor(system);
    let _ = writeln!(out, "utilisation {total:.2} of {capacity} threads\n");
    let _ = writeln!(out, "{}", table(system, executions, analysis));
    if system.tasks.len() > MOST {
        let _ = writeln!(out, "({} more; --format json has all)", system.tasks.len() - MOST);
    }
    let _ = writeln!(out, "\nschedulable {}", verdict(system, analysis));
    for note in notes {
        let _ = writeln!(out, "note        {note}");
    }
    out
}

fn table(system: &System, executions: &[Execution], analysis: &Analysis) -> Table {
    let write = |time| system.unit.write(time);
    let maybe = |time: Option<Time>| time.map_or_else(|| "-".to_owned(), write);
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let mut header =
        vec!["kernel", "C", "blocks", "threads", "release", "completion", "response", "deadline", "meets"];
    let simulated = analysis.simulated.as_ref().filter(|_| !analysis.breaches.is_empty());
    if simulated.is_some() {
        header.push("simulated");
    }
    if !analysis.safe && analysis.bounds.is_some() {
        header.push("at most");
    }
    let columns = header.len();
    table.set_header(header);
    for (index, task) in system.tasks.iter().enumerate().take(MOST) {
        let response = analysis.responses[index].as_ref();
        let time = |of: fn(&Response) -> Time| maybe(response.map(of));
        let mut row = vec![
            task.name.clone(),
            write(executions[index].time),
            task.blocks.to_string(),
            task.threads.to_string(),
            write(task.release),
            time(|response| response.completion),
            time(|response| response.worst),
            maybe(task.deadline),
            if analysis.meets[index] { "yes" } else { "NO" }.to_owned(),
        ];
        if let Some((simulated, _)) = simulated {
            row.push(maybe(simulated[index].map(|response| response.worst)));
        }
        if let Some(bounds) = analysis.bounds.as_ref().filter(|_| !analysis.safe) {
            row.push(write(bounds[index]));
        }
        table.add_row(row);
    }
    for column in (1..columns).filter(|&column| column != 8) {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn verdict(system: &System, analysis: &Analysis) -> String {
    let by = match analysis.method {
        Method::Algorithm2 => "Algorithm 2",
        Method::ClosedForm => "the closed form",
        Method::Simulate => "the simulator",
    };
    let late = analysis.meets.iter().filter(|&&meets| !meets).count();
    if analysis.overloaded {
        return "no: in the long run more threads are asked for than there are".to_owned();
    }
    if late > 0 {
        let plural = if late == 1 { "" } else { "s" };
        return format!("no: {late} kernel{plural} can miss the deadline, by {by}");
    }
    if analysis.safe {
        return format!("yes, proved: by {by}, all launches, whatever blocks take up to C");
    }
    if analysis.proved(system) {
        return "yes, proved: by the bounds (\"at most\"), all launches, whatever blocks take up to C"
            .to_owned();
    }
    format!("yes by {by}, but NOT proved: see the notes")
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
                "C of {} does not hold: blocks of {} are on the same multiprocessor at the same time",
                name(*task),
                name(*beside)
            ),
            Company::Waited { task } => format!(
                "C of {} does not hold: its blocks follow others, so they need not start together",
                name(*task)
            ),
        });
    }
    if !analysis.safe {
        notes.push(match &analysis.bounds {
            Some(_) => {
                "only the column \"at most\" (bound) holds for all blocks that take up to C".to_owned()
            }
            None => "no bound was found that holds for all blocks that take up to C".to_owned(),
        });
    }
    if let Covers::Before(time) = analysis.covers {
        notes.push(format!("only launches before {} were looked at", system.unit.write(time)));
    }
    if analysis.simulated.is_none() && analysis.method != Method::Simulate {
        notes.push("the simulator was stopped after 10 s and judged nothing".to_owned());
    }
    notes
}

/// How far the method is from the simulator.
fn apart(analysis: &Analysis, simulated: &[Option<Response>]) -> String {
    let (mut low, mut high) = (0_usize, 0_usize);
    for (one, other) in analysis.responses.iter().zip(simulated) {
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
