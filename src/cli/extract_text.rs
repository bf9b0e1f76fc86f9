//! What `extract` tells a person.

use comfy_table::{CellAlignment, Table, presets};

use crate::cli::extract_record::EntryRecord;

/// An entry: its facts, and its listing if there is one; `why` also why each instruction has its letter.
pub(super) fn text(entry: &EntryRecord, why: bool) -> String {
    let mut out =
        format!("{}  line {}, compute capability {}\n", entry.name, entry.line, entry.compute_capability);
    for (name, fact) in entry.facts() {
        out.push_str(&format!("  {name:<12}  {fact}\n"));
    }
    if !entry.listing.is_empty() && (why || entry.bound.is_some()) {
        out.push_str(&format!("{}\n", listing(entry, why)));
    }
    out
}

/// So that a line of megabytes is no table of megabytes times lines.
fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

fn listing(entry: &EntryRecord, why: bool) -> Table {
    let bound = entry.bound.is_some();
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let mut header = vec!["line", "label", "instruction", "letter", "count"];
    header.extend(if bound { &["phase", "adds", "share"][..] } else { &[] });
    header.extend(why.then_some("why"));
    table.set_header(header);
    for line in &entry.listing {
        let mut row = vec![
            line.line.to_string(),
            line.label.clone().unwrap_or_default(),
            shortened(&line.instruction),
            line.letter.clone(),
            line.count.map_or("?".to_owned(), |count| count.to_string()),
        ];
        if bound {
            row.push(line.phase.clone().unwrap_or_default());
            row.push(line.adds.clone().unwrap_or_default());
            row.push(line.share.map_or(String::new(), |share| format!("{share:.1}%")));
        }
        row.extend(why.then(|| line.why.clone()));
        table.add_row(row);
    }
    let numbers = if bound { &[0, 4, 6, 7][..] } else { &[0, 4] };
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
