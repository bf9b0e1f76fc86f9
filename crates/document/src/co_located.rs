//! What `partition --co-located` tells.

use crate::words::{names, several};
use crate::{Document, Said, Table, Text, Tone};
use warpspan_records::CoLocated;

const HEADS: [&str; 8] =
    ["task", "kind", "blocks", "deadline", "period", "response, at most", "alone", "RT-PAWS, simulated"];

/// The cells of each task.
pub fn rows(record: &CoLocated) -> impl Iterator<Item = [String; 8]> {
    record.tasks.iter().map(|task| {
        [
            task.name.clone(),
            task.kind.clone(),
            task.blocks.to_string(),
            task.deadline.to_string(),
            task.period.to_string(),
            task.response.to_string(),
            task.alone.to_string(),
            task.rt_paws.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string),
        ]
    })
}

/// The answer.
pub fn document(record: &CoLocated) -> Document {
    let said = if record.schedulable {
        Said::new(Tone::Proved, "proved to hold", "all deadlines together in one partition")
    } else {
        Said::new(Tone::Undecided, "not proved to hold", "all deadlines together in one partition")
    };
    let title = names(record.tasks.iter().map(|task| task.name.as_str()));
    let all = several(record.multiprocessors as u64, "multiprocessor");
    let mut out = Document::new("co-located", title, said, 9);
    if let Some(used) = record.used {
        let used = several(used as u64, "multiprocessor");
        let verdict = Text::verdict("schedulable");
        out.line(
            verdict.then(format!(": all in one partition of {used}, in any work-conserving order of warps")),
        );
        out.line(format!("{all}; kernels run together"));
        out.rests_on(&record.assumptions);
        out.gap();
        let mut table = Table::new(HEADS, 2..8);
        rows(record).for_each(|row| table.row(row));
        out.table(table);
    }
    if let Some(reason) = &record.reason {
        out.line(Text::verdict(format!("not found: {reason}")));
        out.line(format!("{all}; kernels run together"));
    }
    let on = record.one_at_a_time.map(|fewest| several(fewest as u64, "multiprocessor"));
    let on = on.map_or_else(|| format!("not on {all}"), |fewest| format!("on {fewest}"));
    out.line(format!("one kernel at a time in one partition, np-edf: {on}"));
    record.notes.iter().for_each(|note| out.line(format!("note: {note}")));
    out
}
