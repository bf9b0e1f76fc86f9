//! What `prem --offsets` tells.

use super::time;
use crate::words::several;
use crate::{Document, Said, Table, Tone};
use warpspan_records::PremOffsets;

/// The answer, with the columns of the table that the CSV has under the names of the record.
pub fn document(found: &PremOffsets) -> Document {
    let timer = found.timer_ns.map_or_else(String::new, |timer| format!("; timer {timer} ns"));
    let said = Said::new(Tone::Proved, "swept", several(found.rows.len() as u64, "offset"));
    let mut out = Document::new("prem-offsets", format!("offsets, {}", found.mode), said, 12);
    out.fact("mode", format!("{}{timer}", found.mode));
    if let Some(capacity) = &found.capacity {
        let (low, high, seed) = (found.low_percent, found.high_percent, found.seed);
        let runs = several(found.runs, "run");
        out.fact("capacity", format!("the memory serves {capacity} blocks at full speed; estimates are of"));
        out.fact("", format!("{runs} of phases of {low} to {high} percent of their durations, seed {seed}"));
    }
    let unscheduled = found.unscheduled.as_ref().map(|seen| {
        format!("{} on average, jitter {:.3} percent: estimate", time(seen.mean_ns), seen.jitter_percent)
    });
    out.facts("no schedule", unscheduled);
    let what = "the bound however memory is shared assumes that it always serves";
    let however = found.at_least.map(|least| format!("{what} {} or more", several(least, "block")));
    out.facts("however", however);
    out.rests_on(&found.assumptions);
    out.facts("note", &found.notes);
    let table = Table::of(&found.rows)
        .number("offset ns", |row| row.prefetch_ns)
        .number("hyperperiod ns", |row| row.hyperperiod_ns)
        .number("planned ns", |row| row.planned_ns)
        .number("shared: mean ns", |row| row.estimate.as_ref().map(|seen| seen.mean_ns))
        .number("jitter %", |row| row.estimate.as_ref().map(|seen| format!("{:.3}", seen.jitter_percent)))
        .number("at most, however shared", |row| row.shared_bound_ns)
        .number("at most, by durations", |row| row.execution_ns);
    out.gap();
    out.table(table);
    out.line("planned: each phase just as long as its duration, no bound; shared: estimate");
    if let Some(why) = found.rows.iter().find_map(|row| row.refused.as_ref()) {
        out.line(format!("no schedule: {why}"));
    }
    out
}
