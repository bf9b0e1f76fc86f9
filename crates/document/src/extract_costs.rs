//! Where the bound of an entry goes, in tables.

use crate::words::{last, several, shortened};
use crate::{Cell, Table};
use warpspan_records::extract::{Cost, EntryBound, MachineBound};

/// The bound in words.
pub(crate) fn facts(bound: &MachineBound) -> Vec<(&'static str, String)> {
    let block = bound.warps_per_block.map_or(String::new(), |block| format!(" in blocks of {block}"));
    let MachineBound { upper, theorem, critical_path, own, .. } = bound;
    let warps = several(bound.warps, "warp");
    let mut facts = vec![("bound", format!("{upper} cycles for {warps}{block}: {theorem}"))];
    if upper != critical_path {
        let what = format!("the lines below add up to the critical path, {critical_path} cycles");
        facts.push(("bound", what));
    }
    facts.push(("alone", format!("{own} cycles of the critical path are those of a warp by itself")));
    facts
}

/// What each line adds to a bound on a machine, and then each loop and each line of the source.
pub(crate) fn costs(bound: &MachineBound) -> Vec<Table> {
    let of_loop = bound.loops.iter().map(|one| (one.line.to_string(), one.label.clone(), &one.cost));
    let of_source =
        bound.source.iter().map(|one| (one.line.to_string(), shortened(last(&one.file)), &one.cost));
    let further = [("loop", of_loop.collect::<Vec<_>>()), ("source", of_source.collect())];
    let further = further.iter().filter(|(_, rows)| !rows.is_empty());
    std::iter::once(lines(bound)).chain(further.map(|(what, rows)| by_reason(what, rows))).collect()
}

fn lines(bound: &MachineBound) -> Table {
    let rows = bound.lines.iter().map(|line| {
        let text = line.instruction.as_deref().unwrap_or("(in a function)");
        (line.line.to_string(), shortened(text), &line.cost)
    });
    let further = bound.further.iter().map(|one| (String::new(), further_lines(one.lines), &one.cost));
    let mut table = by_reason("instruction", &rows.chain(further).collect::<Vec<_>>());
    let rest = [
        ("overlap of latencies", &bound.overlap),
        ("several paths", &bound.several_paths),
        ("rounding", &bound.rounding),
    ];
    let rest = rest.into_iter().filter(|(_, cycles)| *cycles != "0");
    for (what, cycles) in rest.chain([("critical path", &bound.critical_path.to_string())]) {
        table.row(["", what, "", "", "", "", cycles, "", ""]);
    }
    table
}

/// What lines add by their reasons: the line, its text, and its cost.
fn by_reason(what: &str, rows: &[(String, String, &Cost)]) -> Table {
    // Where the memory is without limit, nothing is to be told of it.
    let memory = rows.iter().any(|(.., cost)| cost.memory != "0");
    let reasons = ["own issue", "own latency", "others' unit", "others' slots"];
    let heads = ["line", what].into_iter().chain(reasons).chain(memory.then_some("memory"));
    let mut table =
        Table::new(heads.chain(["adds", "share", ""]), [0].into_iter().chain(2..8 + usize::from(memory)));
    let most = most(rows.iter().map(|(line, _, cost)| (line.as_str(), cost.share)));
    for (line, text, cost) in rows {
        let Cost { own_issue, own_latency, others_unit, others_slots, memory: of_memory, adds, share } = cost;
        let cells = [line, text, own_issue, own_latency, others_unit, others_slots].into_iter();
        let cells = cells.chain(memory.then_some(of_memory)).chain([adds]).map(Cell::from);
        table.row(cells.chain(share_of(line, *share, most)));
    }
    table
}

/// What adds most to a bound of the paper's model: the most expensive lines of the listing if they are asked for, then what each loop
/// adds and each line of the source.
pub(crate) fn shares(bound: &EntryBound, lines: bool) -> Vec<Table> {
    let of_line = bound.lines.iter().map(|one| {
        let text = one.instruction.as_deref().unwrap_or("(in a function)");
        (one.line.to_string(), shortened(text), one.adds.as_str(), one.share)
    });
    let further = bound.further.iter();
    let further = further.map(|one| (String::new(), further_lines(one.lines), one.adds.as_str(), one.share));
    let of_loop =
        bound.loops.iter().map(|one| (one.line.to_string(), one.label.clone(), one.adds.as_str(), one.share));
    let of_source = bound
        .source
        .iter()
        .map(|one| (one.line.to_string(), shortened(last(&one.file)), one.adds.as_str(), one.share));
    let lines = if lines { of_line.chain(further).collect() } else { Vec::new() };
    let all = [("instruction", lines), ("loop", of_loop.collect()), ("source", of_source.collect())];
    let table = |(what, rows): &(&str, Vec<(String, String, &str, f64)>)| {
        let mut table = Table::new(["line", what, "adds", "share", ""], [0, 2, 3]);
        let most = most(rows.iter().map(|(line, .., share)| (line.as_str(), *share)));
        for (line, text, adds, share) in rows {
            let cells = [line.as_str(), text, adds].map(Cell::from).into_iter();
            table.row(cells.chain(share_of(line, *share, most)));
        }
        table
    };
    all.iter().filter(|(_, rows)| !rows.is_empty()).map(table).collect()
}

/// How many lines are left out.
fn further_lines(count: usize) -> String {
    several(u64::try_from(count).unwrap_or(u64::MAX), "further line")
}

/// The largest share of a line. The further lines, which have no line of their own, are not one of those that are compared.
fn most<'a>(shares: impl Iterator<Item = (&'a str, f64)>) -> f64 {
    shares.filter(|(line, _)| !line.is_empty()).map(|(_, share)| share).fold(0.0, f64::max)
}

/// A share as a number and as a bar.
fn share_of(line: &str, share: f64, most: f64) -> [Cell; 2] {
    let part = if line.is_empty() || most <= 0.0 { 0.0 } else { share / most };
    [format!("{share:.1}%").into(), Cell::Bar(part)]
}
