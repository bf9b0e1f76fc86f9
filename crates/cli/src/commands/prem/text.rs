//! The result of `prem` for a person to read.

use std::fmt::Write;

use crate::commands::rests;
use crate::table::table;
use crate::text::{several, stop};
use warpspan_records::Prem;
use warpspan_records::prem::{Contention, Durations, Kernel, SearchEnd, Sharing, Simulation};

/// Rows of a table; the rest is in the JSON.
const ROWS: usize = 30;

/// The whole of it.
pub(super) fn text(record: &Prem) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<12} {text}");
    };
    let (mode, kernels) = (record.mode, &record.kernels);
    let is_uniform = kernels.windows(2).all(|pair| shape(&pair[0]) == shape(&pair[1]));
    let shown = if is_uniform { &kernels[..1] } else { &kernels[..kernels.len().min(ROWS)] };
    for kernel in shown {
        let name = if is_uniform { several(kernels.len(), "kernel") } else { kernel.name.clone() };
        let (blocks, tiles) = (several(kernel.blocks, "block"), several(kernel.tiles, "tile"));
        let text = format!(
            "{blocks} of {tiles}; prefetch {}, compute {}, writeback {} ns",
            kernel.prefetch_ns, kernel.compute_ns, kernel.writeback_ns
        );
        line(&name, text);
    }
    line("mode", format!("{mode}; timer {} ns", record.timer_ns));
    if let Some(offsets) = record.offsets {
        let writeback = offsets.writeback_ns.map(|ns| format!(", writeback {ns} ns")).unwrap_or_default();
        line("offsets", format!("prefetch {} ns{writeback}", offsets.prefetch_ns));
    } else {
        let slots = || record.slots.iter().take(ROWS);
        let each: Vec<String> = slots().map(|slot| slot.prefetch_ns.to_string()).collect();
        line("offsets", format!("prefetch {} ns", each.join(", ")));
        if mode.times_writebacks() {
            let each: Vec<String> = slots().map(|slot| slot.writeback_ns.to_string()).collect();
            line("", format!("writeback {} ns, from the start of a hyperperiod", each.join(", ")));
        }
    }
    let found = record.search.map_or_else(String::new, |search| match search.stop {
        SearchEnd::Proved => ", the least there is".to_owned(),
        stopped => format!("; the least is {} ns or more ({})", search.least_hyperperiod_ns, stop(stopped)),
    });
    line("hyperperiod", format!("{} ns{found}", record.hyperperiod_ns));
    line(
        "planned",
        format!("{}: each phase just as long as its duration; no bound", time(record.planned_ns)),
    );
    match (record.execution_ns, record.assumption) {
        (Some(execution), Some(Contention::Contended)) => {
            line("execution", format!("at most {} from the launch, whatever else runs", time(execution)));
        }
        (Some(execution), _) => {
            line("execution", format!("at most {} from the launch", time(execution)));
        }
        (None, _) => {
            let why = record.no_bound.as_deref().unwrap_or_default();
            line("execution", format!("no bound: {why}"));
        }
    }
    if let Some(Sharing { capacity, at_least, estimate, bound_ns }) = &record.sharing {
        if let (Some(capacity), Some(seen)) = (capacity, estimate) {
            line(
                "shared",
                format!("{} on average: estimate, if memory phases that overlap share", time(seen.mean_ns)),
            );
            line("", format!("a memory that serves {capacity} blocks at full speed"));
        }
        if let (Some(at_least), Some(bound)) = (*at_least, *bound_ns) {
            line("", format!("at most {} from the launch, however they share it,", time(bound)));
            line(
                "",
                format!("since it always serves {} or more, as is declared", several(at_least, "block")),
            );
        }
    }
    rests::rows(&record.assumptions).into_iter().for_each(|(name, what)| line(name, what));
    if let Some(prologue) = record.prologue_ns {
        line("prologue", format!("{prologue} ns, in the execution"));
    }
    record.notes.iter().for_each(|note| line("note", note.clone()));
    let over = |other: u64| {
        let Some(execution) = record.execution_ns else { return time(other) };
        let percent = u128::from(other) * 100 / u128::from(execution.max(1));
        format!("{}, {}.{:02} times that", time(other), percent / 100, percent % 100)
    };
    let contended = kernels.iter().any(|kernel| kernel.contended.is_some());
    let of =
        if contended { "phases under contention" } else { "the same phases, not under contention: no bound" };
    line("composed", format!("{}: tiles times {of}", over(record.composed_ns)));
    line("in turn", format!("{}: one kernel after the other", over(record.one_after_other_ns)));
    if record.largest_delay_ns > 0 {
        let again = match record.pattern {
            1 => "in every hyperperiod alike".to_owned(),
            many => format!("the same again every {many} hyperperiods"),
        };
        let text = format!("delays starts by up to {} ns, {again}", record.largest_delay_ns);
        line("timer", text);
    }
    let (between, within) = (record.memory_overlaps, record.memory_overlaps_within_kernels);
    let relaxed = match (between, record.relaxed_if_early) {
        (0, true) => "yes: no memory phases of different kernels overlap, even if phases end early".into(),
        (0, false) => {
            "yes: no memory phases of different kernels overlap, but they may if phases end early".into()
        }
        _ => format!("no: {} of memory phases of different kernels overlap", several(between, "pair")),
    };
    line("relaxed rule", relaxed);
    let strict = match (record.strict, record.blocks_together) {
        (true, _) => "yes: one memory phase at a time".to_owned(),
        (false, true) => "no: the blocks of a kernel start together".to_owned(),
        (false, false) => format!("no: {} of memory phases overlap", several(between + within, "pair")),
    };
    line("strict rule", strict);
    line(
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
    out.push_str(&overlaps(record));
    if let Some(simulation) = &record.simulation {
        out.push_str(&simulated(simulation, kernels));
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
pub(super) fn time(ns: u64) -> String {
    let digits = format!("{:06}", ns % 1_000_000);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{ns} ns ({}{point}{digits} ms)", ns / 1_000_000)
}

fn overlaps(record: &Prem) -> String {
    let (overlaps, kernels) = (&record.overlaps, &record.kernels);
    if overlaps.is_empty() {
        return "\nno phases overlap\n".into();
    }
    let pattern = match record.pattern {
        1 => "a hyperperiod".to_owned(),
        many => format!("{many} hyperperiods"),
    };
    let header = ["kernels", "phases", &pattern, "the run", "longest ns", "total ns"];
    let mut table = table(header, 2..6);
    for overlap in overlaps.iter().take(ROWS) {
        table.add_row([
            overlap.kernels.map(|kernel| kernels[kernel - 1].name.clone()).join(", "),
            overlap.phases.map(|phase| phase.to_string()).join(", "),
            overlap.steady.to_string(),
            overlap.count.to_string(),
            overlap.longest_ns.to_string(),
            overlap.total_ns.to_string(),
        ]);
    }
    let more = overlaps.len().saturating_sub(ROWS);
    let more = if more > 0 { format!("and {more} more: --format json has all\n") } else { String::new() };
    format!("\npairs of phases that overlap:\n{table}\n{more}")
}

fn simulated(outcome: &Simulation, kernels: &[Kernel]) -> String {
    let overruns = &outcome.overruns;
    let mut out = format!(
        "\nsimulated    {} times, phases of {} to {} percent of their durations, seed {}\n",
        outcome.runs, outcome.low_percent, outcome.high_percent, outcome.seed
    );
    let _ = writeln!(
        out,
        "time         {} to {} ns, jitter {:.3} percent: seen, no bound",
        outcome.shortest_ns, outcome.longest_ns, outcome.jitter_percent
    );
    let _ = writeln!(
        out,
        "overruns     prefetch {}, compute {}, writeback {}; {} late starts, {} overlaps of memory phases",
        overruns.prefetch, overruns.compute, overruns.writeback, outcome.late_starts, outcome.memory_overlaps
    );
    if outcome.memory_overlaps > 0 {
        out.push_str(
            "             phases that overlap are drawn as long as others: contention is not simulated\n",
        );
    }
    if outcome.longest_overrun_ns > 0 {
        let _ = writeln!(out, "longest      {} ns too long", outcome.longest_overrun_ns);
    }
    for overrun in &overruns.first {
        let _ = writeln!(
            out,
            "  OVERRUN    run {}, {}, block {}, tile {}: {} by {} ns",
            overrun.run,
            kernels[overrun.kernel - 1].name,
            overrun.block,
            overrun.tile,
            overrun.phase,
            overrun.by_ns
        );
    }
    out
}
