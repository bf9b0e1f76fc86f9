//! What adds most to the bound of an entry, for a person to read.

use crate::commands::extract::text::shortened;
use crate::table::{Sheet, bar, table};
use crate::text::several;
use warpspan_records::extract::EntryBound;

/// A row: the line, its text, what it adds, its share, and whether it is one of those that are compared.
type Row<'a> = (String, String, &'a str, f64, bool);

/// The most expensive lines of the listing if they are asked for, then what each loop adds and each line of the source.
pub(super) fn tables(bound: &EntryBound, lines: bool) -> String {
    let of_line = bound.lines.iter().map(|one| {
        let text = one.instruction.as_deref().unwrap_or("(in a function)");
        (one.line.to_string(), shortened(text), one.adds.as_str(), one.share, true)
    });
    let further = bound.further.iter().map(|one| {
        let what = several(u64::try_from(one.lines).unwrap_or(u64::MAX), "further line");
        (String::new(), what, one.adds.as_str(), one.share, false)
    });
    let of_loop = bound
        .loops
        .iter()
        .map(|one| (one.line.to_string(), one.label.clone(), one.adds.as_str(), one.share, true));
    let of_source = bound.source.iter().map(|one| {
        let name = one.file.rsplit(['/', '\\']).next().unwrap_or(&one.file);
        (one.line.to_string(), shortened(name), one.adds.as_str(), one.share, true)
    });
    let lines = if lines { of_line.chain(further).collect() } else { Vec::new() };
    let all = [("instruction", lines), ("loop", of_loop.collect()), ("source", of_source.collect())];
    let all = all.iter().filter(|(_, rows)| !rows.is_empty()).map(|(what, rows)| shares(what, rows));
    all.map(|table| format!("{table}\n")).collect::<Vec<_>>().join("\n")
}

fn shares(what: &str, rows: &[Row<'_>]) -> Sheet {
    let most = rows.iter().filter(|row| row.4).map(|row| row.3).fold(0.0, f64::max);
    let mut table = table(["line", what, "adds", "share", ""], [0, 2, 3]);
    for (line, text, adds, share, compared) in rows {
        let drawn = if *compared { bar(*share, most) } else { String::new() };
        table.add_row([line, text, *adds, &format!("{share:.1}%"), &drawn]);
    }
    table
}
