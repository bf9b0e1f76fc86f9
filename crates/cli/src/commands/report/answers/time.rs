//! Drawings of the time of a launch: what adds up to it, and what lines cost.

use super::lines::{Line, amounts, codes};
use super::links::Links;
use warpspan_document::assumptions::in_numbers;
use warpspan_document::time::{clock, title};
use warpspan_document::words::{exactly, in_words, ratio};
use warpspan_figures::{Amounts, Costed, Costs, Input, Quantity};
use warpspan_records::Time;
use warpspan_records::time::{CyclesOf, Part};

/// Adds a record to what is drawn.
pub(in crate::commands::report) fn time(record: &Time, links: &Links, input: &mut Input) {
    let Some(bound) = record.bound_ns else { return };
    let cycle = 1000.0 / record.clock.slowest_mhz.as_f64().unwrap_or(1.0);
    input.sketches.push(parts(record, bound, cycle).into());
    let Some(cycles) = &record.cycles else { return };
    input.sketches.push(units(record, cycles, cycle).into());
    let lines: Vec<Line> = cycles.lines.iter().map(Line::from).collect();
    let source: Vec<Line> = cycles.source.iter().map(Line::from).collect();
    for (what, lines) in [("the source", &source), ("the listing", &lines)] {
        if !lines.is_empty() {
            let title = format!("What lines of {what} add to {}", title(record));
            input.sketches.push(lines_of(record, title, lines.iter(), cycle).into());
        }
    }
    input.codes.extend(codes(&record.entry, &record.file, "cycles", &source, links));
    input.codes.extend(codes(&record.entry, &record.file, "cycles", &lines, links));
}

/// The parts of the bound; the time of the kernel is split where the record says how.
fn parts(record: &Time, bound: u64, cycle: f64) -> Costs {
    let row = |name: &str, amounts: Amounts, tip: String| Costed { name: name.to_owned(), amounts, tip };
    let mut rows = Vec::new();
    for Part { name, ns } in &record.parts {
        let ns = ns.as_f64().unwrap_or_default();
        match &record.cycles {
            Some(cycles) if name == "kernel" => rows.extend(split(record, cycles, cycle)),
            _ if name.starts_with("memory: ") => {
                rows.push(row(name, Amounts { memory: ns, ..Amounts::default() }, String::new()));
            }
            _ => rows.push(row(name, Amounts { whole: ns, ..Amounts::default() }, String::new())),
        }
    }
    let deadline = record.deadline_ns.as_ref();
    Costs {
        title: format!("{}: at most {}", title(record), in_words(bound)),
        caption: format!(
            "What adds up to the bound of a launch, at {}. It rests on {}.",
            clock(record),
            in_numbers(&record.assumptions)
        ),
        quantity: Quantity::Time,
        rows,
        sum: Some(("at most".to_owned(), real(bound))),
        deadline: deadline
            .and_then(|deadline| Some((format!("deadline {}", exactly(deadline)), deadline.as_f64()?))),
    }
}

/// The cycles of the kernel by what they are: of a single warp, of others, of each server of the memory.
fn split(record: &Time, cycles: &CyclesOf, cycle: f64) -> Vec<Costed> {
    let row = |name: String, cycles: f64, amounts: &dyn Fn(f64) -> Amounts| Costed {
        name,
        amounts: amounts(cycles * cycle),
        tip: format!("{cycles:.0} cycles"),
    };
    let mut rows = vec![
        row("latency of a single warp".to_owned(), ratio(&cycles.own), &|own| Amounts {
            own,
            ..Amounts::default()
        }),
        row("contention of warps".to_owned(), ratio(&cycles.others), &|others| Amounts {
            others,
            ..Amounts::default()
        }),
    ];
    if cycles.memory.is_some() {
        for server in record.memory.iter().flat_map(|memory| &memory.servers) {
            let name = format!("memory: {}", server.name);
            rows.push(row(name, real(server.cycles), &|memory| Amounts { memory, ..Amounts::default() }));
        }
    }
    rows
}

/// The time of the kernel by the units of the machine.
fn units(record: &Time, cycles: &CyclesOf, cycle: f64) -> Costs {
    let rows = cycles.units.iter().map(|unit| {
        let Amounts { own, others, memory, whole } = amounts(&unit.cost);
        Costed {
            name: unit.unit.clone(),
            amounts: Amounts { own: own * cycle, others: others * cycle, memory: memory * cycle, whole },
            tip: format!("{:.1}% of the kernel", unit.cost.share),
        }
    });
    let kernel = record.bound_cycles.map_or(0.0, real) * cycle;
    Costs {
        title: format!("{} by the units of the machine", title(record)),
        caption: format!(
            "Where instructions of the kernel wait, at {}; launch and copies are not in it.",
            clock(record)
        ),
        quantity: Quantity::Time,
        rows: rows.collect(),
        sum: Some(("kernel".to_owned(), kernel)),
        deadline: None,
    }
}

fn lines_of<'a>(
    record: &Time,
    title: String,
    lines: impl Iterator<Item = &'a Line<'a>>,
    cycle: f64,
) -> Costs {
    Costs {
        title,
        caption: format!("At {}, over all blocks of the launch.", clock(record)),
        quantity: Quantity::Time,
        rows: lines.map(|line| line.row(&record.file, cycle)).collect(),
        sum: None,
        deadline: None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a length of a bar")]
fn real(number: u64) -> f64 {
    number as f64
}
