//! What `prem` tells.

pub mod measured;
pub mod offsets;
pub mod plan;

use crate::table::first;
use crate::words::{in_words, names, several, stop};
use crate::{Document, Said, Table, Tone};
use warpspan_records::Prem;
use warpspan_records::prem::{Contention, Durations, Kernel, SearchEnd, Sharing, Simulation};

/// Rows of a table; the rest is in the JSON.
const ROWS: usize = 30;

/// The answer.
pub fn document(record: &Prem) -> Document {
    let many = several(record.memory_overlaps, "overlap");
    let said = match (record.execution_ns, record.memory_overlaps) {
        (None, _) => Said::new(Tone::Undecided, format!("no bound, {many} of memory phases"), ""),
        (Some(time), overlaps) => {
            let apart = if overlaps == 0 {
                "no memory phases overlap".into()
            } else {
                format!("{many} of memory phases")
            };
            Said::new(Tone::Proved, format!("bounded, {apart}"), format!("at most {}", in_words(time)))
        }
    };
    let names = names(record.kernels.iter().map(|kernel| kernel.name.as_str()));
    let mut out = Document::new("prem", names, said, 12);
    match (record.execution_ns, record.assumption) {
        (Some(execution), Some(Contention::Contended)) => {
            out.fact("execution", format!("at most {} from the launch, whatever else runs", time(execution)));
        }
        (Some(execution), _) => {
            out.fact("execution", format!("at most {} from the launch", time(execution)));
        }
        (None, _) => {
            let why = record.no_bound.as_deref().unwrap_or_default();
            out.fact("execution", format!("no bound: {why}"));
        }
    }
    if let Some(Sharing { capacity, at_least, estimate, bound_ns }) = &record.sharing {
        if let (Some(capacity), Some(seen)) = (capacity, estimate) {
            out.fact(
                "shared",
                format!("{} on average: estimate, if memory phases that overlap share", time(seen.mean_ns)),
            );
            out.fact("", format!("a memory that serves {capacity} blocks at full speed"));
        }
        if let (Some(at_least), Some(bound)) = (*at_least, *bound_ns) {
            out.fact("", format!("at most {} from the launch, however they share it,", time(bound)));
            out.fact(
                "",
                format!("since it always serves {} or more, as is declared", several(at_least, "block")),
            );
        }
    }
    out.rests_on(&record.assumptions);
    let (mode, kernels) = (record.mode, &record.kernels);
    let is_uniform = kernels.windows(2).all(|pair| shape(&pair[0]) == shape(&pair[1]));
    let shown = kernels.iter().take(if is_uniform { 1 } else { ROWS });
    for kernel in shown {
        let name = if is_uniform { several(kernels.len(), "kernel") } else { kernel.name.clone() };
        let (blocks, tiles) = (several(kernel.blocks, "block"), several(kernel.tiles, "tile"));
        let text = format!(
            "{blocks} of {tiles}; prefetch {}, compute {}, writeback {} ns",
            kernel.prefetch_ns, kernel.compute_ns, kernel.writeback_ns
        );
        out.fact(&name, text);
    }
    out.fact("mode", format!("{mode}; timer {} ns", record.timer_ns));
    if let Some(offsets) = record.offsets {
        let writeback = offsets.writeback_ns.map(|ns| format!(", writeback {ns} ns")).unwrap_or_default();
        out.fact("offsets", format!("prefetch {} ns{writeback}", offsets.prefetch_ns));
    } else {
        let slots = || record.slots.iter().take(ROWS);
        let each: Vec<String> = slots().map(|slot| slot.prefetch_ns.to_string()).collect();
        out.fact("offsets", format!("prefetch {} ns", each.join(", ")));
        if mode.times_writebacks() {
            let each: Vec<String> = slots().map(|slot| slot.writeback_ns.to_string()).collect();
            out.fact("", format!("writeback {} ns, from the start of a hyperperiod", each.join(", ")));
        }
    }
    let found = record.search.map_or_else(String::new, |search| match search.stop {
        SearchEnd::Proved => ", the least there is".to_owned(),
        stopped => format!("; the least is {} ns or more ({})", search.least_hyperperiod_ns, stop(stopped)),
    });
    out.fact("hyperperiod", format!("{} ns{found}", record.hyperperiod_ns));
    out.fact(
        "planned",
        format!("{}: each phase just as long as its duration; no bound", time(record.planned_ns)),
    );
    if let Some(prologue) = record.prologue_ns {
        out.fact("prologue", format!("{prologue} ns, in the execution"));
    }
    out.facts("note", &record.notes);
    let over = |other: u64| {
        let Some(execution) = record.execution_ns else { return time(other) };
        let percent = u128::from(other) * 100 / u128::from(execution.max(1));
        format!("{}, {}.{:02} times that", time(other), percent / 100, percent % 100)
    };
    let contended = kernels.iter().any(|kernel| kernel.contended.is_some());
    let of =
        if contended { "phases under contention" } else { "the same phases, not under contention: no bound" };
    out.fact("composed", format!("{}: tiles times {of}", over(record.composed_ns)));
    out.fact("in turn", format!("{}: one kernel after the other", over(record.one_after_other_ns)));
    if record.largest_delay_ns > 0 {
        let again = match record.pattern {
            1 => "in every hyperperiod alike".to_owned(),
            many => format!("the same again every {many} hyperperiods"),
        };
        let text = format!("delays starts by up to {} ns, {again}", record.largest_delay_ns);
        out.fact("timer", text);
    }
    let (between, within) = (record.memory_overlaps, record.memory_overlaps_within_kernels);
    let relaxed = match (between, record.relaxed_if_early) {
        (0, true) => "yes: no memory phases of different kernels overlap, even if phases end early".into(),
        (0, false) => {
            "yes: no memory phases of different kernels overlap, but they may if phases end early".into()
        }
        _ => format!("no: {} of memory phases of different kernels overlap", several(between, "pair")),
    };
    out.fact("relaxed rule", relaxed);
    let strict = match (record.strict, record.blocks_together) {
        (true, _) => "yes: one memory phase at a time".to_owned(),
        (false, true) => "no: the blocks of a kernel start together".to_owned(),
        (false, false) => {
            format!("no: {} of memory phases overlap", several(between.saturating_add(within), "pair"))
        }
    };
    out.fact("strict rule", strict);
    out.fact(
        "least",
        match (record.minimal_offset_ns, record.minimal_writeback_offset_ns) {
            (None, _) => format!("no offsets satisfy the {} rule in this mode", record.rule),
            (Some(prefetch), Some(writeback)) => format!(
                "prefetch {prefetch} ns, writeback {writeback} ns: even offsets that satisfy the {} rule",
                record.rule
            ),
            (Some(prefetch), None) => {
                format!("{prefetch} ns: the even offset that satisfies the {} rule", record.rule)
            }
        },
    );
    overlaps(&mut out, record);
    if let Some(simulation) = &record.simulation {
        simulated(&mut out, simulation, kernels);
    }
    out
}

/// What tells one kernel from another, but for its name.
fn shape(kernel: &Kernel) -> (u64, u64, Durations, Option<Durations>) {
    let Kernel { prefetch_ns, compute_ns, writeback_ns, .. } = *kernel;
    let durations = Durations { prefetch_ns, compute_ns, writeback_ns };
    (kernel.blocks, kernel.tiles, durations, kernel.contended)
}

/// A time in ns, and in ms with all its digits.
pub fn time(ns: u64) -> String {
    let digits = format!("{:06}", ns % 1_000_000);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{ns} ns ({}{point}{digits} ms)", ns / 1_000_000)
}

/// The name of a kernel by its number, which somebody else may have written.
fn name(kernels: &[Kernel], number: usize) -> &str {
    kernels.get(number.wrapping_sub(1)).map_or("?", |kernel| &kernel.name)
}

fn overlaps(out: &mut Document, record: &Prem) {
    let (overlaps, kernels) = (&record.overlaps, &record.kernels);
    if overlaps.is_empty() {
        out.gap();
        return out.line("no phases overlap");
    }
    let pattern = match record.pattern {
        1 => "a hyperperiod".to_owned(),
        many => format!("{many} hyperperiods"),
    };
    let table = Table::of(first(overlaps, ROWS))
        .words("kernels", |overlap| overlap.kernels.map(|kernel| name(kernels, kernel)).join(", "))
        .words("phases", |overlap| overlap.phases.map(|phase| phase.to_string()).join(", "))
        .number(&pattern, |overlap| overlap.steady)
        .number("the run", |overlap| overlap.count)
        .number("longest ns", |overlap| overlap.longest_ns)
        .number("total ns", |overlap| overlap.total_ns);
    out.gap();
    out.line("pairs of phases that overlap:");
    out.table(table);
    let more = overlaps.len().saturating_sub(ROWS);
    if more > 0 {
        out.line(format!("and {more} more: --format json has all"));
    }
}

fn simulated(out: &mut Document, outcome: &Simulation, kernels: &[Kernel]) {
    let overruns = &outcome.overruns;
    let (low, high) = (outcome.low_percent, outcome.high_percent);
    out.gap();
    out.fact(
        "simulated",
        format!(
            "{} times, phases of {low} to {high} percent of their durations, seed {}",
            outcome.runs, outcome.seed
        ),
    );
    out.fact(
        "time",
        format!(
            "{} to {} ns, jitter {:.3} percent: seen, no bound",
            outcome.shortest_ns, outcome.longest_ns, outcome.jitter_percent
        ),
    );
    out.fact(
        "overruns",
        format!(
            "prefetch {}, compute {}, writeback {}; {} late starts, {} overlaps of memory phases",
            overruns.prefetch,
            overruns.compute,
            overruns.writeback,
            outcome.late_starts,
            outcome.memory_overlaps
        ),
    );
    if outcome.memory_overlaps > 0 {
        out.fact("", "phases that overlap are drawn as long as others: contention is not simulated");
    }
    if outcome.longest_overrun_ns > 0 {
        out.fact("longest", format!("{} ns too long", outcome.longest_overrun_ns));
    }
    for overrun in &overruns.first {
        let kernel = name(kernels, overrun.kernel);
        let (run, block, tile) = (overrun.run, overrun.block, overrun.tile);
        let by = format!("{} by {} ns", overrun.phase, overrun.by_ns);
        out.fact("  OVERRUN", format!("run {run}, {kernel}, block {block}, tile {tile}: {by}"));
    }
}
