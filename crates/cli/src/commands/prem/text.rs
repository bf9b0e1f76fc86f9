//! The result of `prem` for a person to read.

use std::fmt::Write;

use crate::commands::prem::run::{Scheduled, Shared};
use crate::table::table;
use crate::text::{several, stop};
use warpspan_model::limits::Ending;
use warpspan_model::time::Nanoseconds;
use warpspan_prem::{Outcome, Rule, composed, one_after_other, planned_end};

/// Rows of a table; the rest is in the JSON.
const ROWS: usize = 30;

pub(super) fn result(result: &Scheduled) -> String {
    let schedule = &result.schedule;
    let (mode, tile_set) = (schedule.mode(), schedule.tile_set());
    let mut out = String::new();
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<12} {text}");
    };
    let kernels = tile_set.kernels();
    let shown = if tile_set.is_uniform() { &kernels[..1] } else { &kernels[..kernels.len().min(ROWS)] };
    for kernel in shown {
        let uniform = tile_set.is_uniform();
        let name = if uniform { several(kernels.len(), "kernel") } else { kernel.name.clone() };
        let (blocks, tiles) = (several(kernel.blocks, "block"), several(kernel.tiles, "tile"));
        let phases = kernel.phases;
        let text = format!(
            "{blocks} of {tiles}; prefetch {}, compute {}, writeback {} ns",
            phases.prefetch.0, phases.compute.0, phases.writeback.0
        );
        line(&name, text);
    }
    line("mode", format!("{mode}; timer {} ns", tile_set.timer().0));
    if let Some(offsets) = schedule.offsets() {
        let timed = mode.times_writebacks().then(|| format!(", writeback {} ns", offsets.writeback.0));
        let writeback = timed.unwrap_or_default();
        line("offsets", format!("prefetch {} ns{writeback}", offsets.prefetch.0));
    } else {
        let slots = schedule.slots().iter().take(ROWS);
        let each: Vec<String> = slots.map(|slot| slot.prefetch.0.to_string()).collect();
        line("offsets", format!("prefetch {} ns", each.join(", ")));
        if mode.times_writebacks() {
            let slots = schedule.slots().iter().take(ROWS);
            let each: Vec<String> = slots.map(|slot| slot.writeback.0.to_string()).collect();
            line("", format!("writeback {} ns, from the start of a hyperperiod", each.join(", ")));
        }
    }
    let found = match result.search {
        Some((_, Ending::Proved)) => ", the least there is".to_owned(),
        Some((least, why)) => format!("; the least is {} ns or more ({})", least.0, stop(why)),
        None => String::new(),
    };
    line("hyperperiod", format!("{} ns{found}", schedule.hyperperiod().0));
    line(
        "planned",
        format!("{}: each phase just as long as its duration; no bound", time(planned_end(schedule))),
    );
    match &result.execution {
        Ok(execution) => {
            line("execution", format!("at most {} from the launch,", time(execution.time())));
            line("", format!("if {}", execution.assumption().text()));
        }
        Err(why) => line("execution", format!("no bound: {why}")),
    }
    if let Some(Shared { sharing, seen, bound }) = &result.shared {
        if let (Some(capacity), Some(seen)) = (sharing.capacity, seen) {
            line(
                "shared",
                format!("{} on average: estimate, if memory phases that overlap share", time(seen.mean)),
            );
            line("", format!("a memory that serves {capacity} blocks at full speed"));
        }
        if let (Some(at_least), Some(bound)) = (sharing.at_least, bound) {
            line("", format!("at most {} from the launch, however they share it,", time(*bound)));
            line("", format!("if it always serves {} or more", several(at_least, "block")));
        }
    }
    tile_set.assumes().into_iter().for_each(|assumed| line("assumed", assumed));
    match (result.prologue, result.assumed_prologue()) {
        (Some(prologue), _) => line("prologue", format!("{} ns, in the execution", prologue.0)),
        (None, assumed) => line("prologue", assumed.unwrap_or_default().to_owned()),
    }
    result.assumed.iter().for_each(|assumed| line("note", assumed.clone()));
    let over = |other: Nanoseconds| {
        let Ok(execution) = &result.execution else { return time(other) };
        let percent = u128::from(other.0) * 100 / u128::from(execution.time().0.max(1));
        format!("{}, {}.{:02} times that", time(other), percent / 100, percent % 100)
    };
    let contended = kernels.iter().any(|kernel| kernel.contended.is_some());
    let of =
        if contended { "phases under contention" } else { "the same phases, not under contention: no bound" };
    line("composed", format!("{}: tiles times {of}", over(composed(tile_set))));
    line("in turn", format!("{}: one kernel after the other", over(one_after_other(tile_set))));
    if schedule.largest_delay() > Nanoseconds::ZERO {
        let again = match schedule.pattern() {
            1 => "in every hyperperiod alike".to_owned(),
            many => format!("the same again every {many} hyperperiods"),
        };
        let text = format!("delays starts by up to {} ns, {again}", schedule.largest_delay().0);
        line("timer", text);
    }
    let (between, within) = result.planned.memory_overlaps();
    let relaxed = match (between, result.early.holds(Rule::Relaxed)) {
        (0, true) => "yes: no memory phases of different kernels overlap, even if phases end early".into(),
        (0, false) => {
            "yes: no memory phases of different kernels overlap, but they may if phases end early".into()
        }
        _ => format!("no: {} of memory phases of different kernels overlap", several(between, "pair")),
    };
    line("relaxed rule", relaxed);
    let strict = match (result.planned.holds(Rule::Strict), result.planned.blocks_together) {
        (true, _) => "yes: one memory phase at a time".to_owned(),
        (false, true) => "no: the blocks of a kernel start together".to_owned(),
        (false, false) => format!("no: {} of memory phases overlap", several(between + within, "pair")),
    };
    line("strict rule", strict);
    line(
        "least",
        match result.least {
            None => format!("no offsets satisfy the {} rule in this mode", result.rule),
            Some(least) if mode.times_writebacks() => format!(
                "prefetch {} ns, writeback {} ns: even offsets that satisfy the {} rule",
                least.prefetch.0, least.writeback.0, result.rule
            ),
            Some(least) => {
                format!("{} ns: the even offset that satisfies the {} rule", least.prefetch.0, result.rule)
            }
        },
    );
    out.push_str(&overlaps(result));
    if let Some((jitter, seed, outcome)) = &result.simulation {
        let range = format!("{} to {} percent of their durations, seed {seed}", jitter.low, jitter.high);
        out.push_str(&simulation(outcome, &range, result));
    }
    out
}

/// A time in ns, and in ms with all its digits.
pub(super) fn time(ns: Nanoseconds) -> String {
    let digits = format!("{:06}", ns.0 % 1_000_000);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{} ns ({}{point}{digits} ms)", ns.0, ns.0 / 1_000_000)
}

fn overlaps(result: &Scheduled) -> String {
    let overlaps = &result.planned.overlaps;
    if overlaps.is_empty() {
        return "\nno phases overlap\n".into();
    }
    let kernels = result.schedule.tile_set().kernels();
    let pattern = match result.planned.pattern {
        1 => "a hyperperiod".to_owned(),
        many => format!("{many} hyperperiods"),
    };
    let header = ["kernels", "phases", &pattern, "the run", "longest ns", "total ns"];
    let mut table = table(header, 2..6);
    for overlap in overlaps.iter().take(ROWS) {
        table.add_row([
            format!("{}, {}", kernels[overlap.kernels.0].name, kernels[overlap.kernels.1].name),
            format!("{}, {}", overlap.phases.0, overlap.phases.1),
            overlap.steady.to_string(),
            overlap.count.to_string(),
            overlap.longest.0.to_string(),
            overlap.total.to_string(),
        ]);
    }
    let more = overlaps.len().saturating_sub(ROWS);
    let more = if more > 0 { format!("and {more} more: --format json has all\n") } else { String::new() };
    format!("\npairs of phases that overlap:\n{table}\n{more}")
}

fn simulation(outcome: &Outcome, range: &str, result: &Scheduled) -> String {
    let kernels = result.schedule.tile_set().kernels();
    let [prefetch, compute, writeback] = outcome.overruns;
    let mut out = format!("\nsimulated    {} times, phases of {range}\n", outcome.runs);
    let _ = writeln!(
        out,
        "time         {} to {} ns, jitter {:.3} percent: seen, no bound",
        outcome.shortest.0,
        outcome.longest_run.0,
        outcome.jitter()
    );
    let _ = writeln!(
        out,
        "overruns     prefetch {prefetch}, compute {compute}, writeback {writeback}; {} late starts, {} overlaps of memory \
         phases",
        outcome.late, outcome.memory_overlaps
    );
    if outcome.memory_overlaps > 0 {
        out.push_str(
            "             phases that overlap are drawn as long as others: contention is not simulated\n",
        );
    }
    if outcome.is_overrun() {
        let _ = writeln!(out, "longest      {} ns too long", outcome.longest.0);
    }
    for overrun in &outcome.first {
        let _ = writeln!(
            out,
            "  OVERRUN    run {}, {}, block {}, tile {}: {} by {} ns",
            overrun.run + 1,
            kernels[overrun.kernel].name,
            overrun.block + 1,
            overrun.tile + 1,
            overrun.phase,
            overrun.by.0
        );
    }
    out
}
