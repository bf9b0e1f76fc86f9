//! Where the time of an entry on a machine goes, for a person to read.

use crate::commands::extract::text::shortened;
use crate::table::{Sheet, bar, table};
use crate::text::several;
use warpspan_records::extract::{Cost, MachineBound};

/// The bound in words.
pub(super) fn facts(bound: &MachineBound) -> Vec<(&'static str, String)> {
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

/// What each line adds, and then each loop and each line of the source.
pub(super) fn tables(bound: &MachineBound) -> String {
    let mut all = vec![lines(bound)];
    if !bound.loops.is_empty() {
        let rows = bound.loops.iter().map(|one| (vec![one.line.to_string(), one.label.clone()], &one.cost));
        all.push(costs(&["line", "loop"], rows));
    }
    if !bound.source.is_empty() {
        let rows = bound.source.iter().map(|one| {
            let name = one.file.rsplit(['/', '\\']).next().unwrap_or(&one.file);
            (vec![one.line.to_string(), shortened(name)], &one.cost)
        });
        all.push(costs(&["line", "source"], rows));
    }
    all.iter().map(|table| format!("{table}\n")).collect::<Vec<_>>().join("\n")
}

fn lines(bound: &MachineBound) -> Sheet {
    let rows = bound.lines.iter().map(|line| {
        let text = line.instruction.as_deref().unwrap_or("(in a function)");
        (vec![line.line.to_string(), shortened(text)], &line.cost)
    });
    let further = bound.further.iter().map(|further| {
        let what = several(u64::try_from(further.lines).unwrap_or(u64::MAX), "further line");
        (vec![String::new(), what], &further.cost)
    });
    let mut table = costs(&["line", "instruction"], rows.chain(further));
    let mut add = |what: &str, cycles: &str| {
        table.add_row(["", what, "", "", "", "", cycles, "", ""]);
    };
    let rest = [
        ("overlap of latencies", &bound.overlap),
        ("several paths", &bound.several_paths),
        ("rounding", &bound.rounding),
    ];
    for (what, cycles) in rest.into_iter().filter(|(_, cycles)| *cycles != "0") {
        add(what, cycles);
    }
    add("critical path", &bound.critical_path.to_string());
    table
}

fn costs<'a>(first: &[&str], rows: impl Iterator<Item = (Vec<String>, &'a Cost)>) -> Sheet {
    let rows: Vec<(Vec<String>, &Cost)> = rows.collect();
    // Where the memory is without limit, nothing is to be told of it.
    let memory = rows.iter().any(|(_, cost)| cost.memory != "0");
    let reasons = ["own issue", "own latency", "others' unit", "others' slots"];
    let reasons = reasons.into_iter().chain(memory.then_some("memory")).chain(["adds", "share", ""]);
    let numbers = [0].into_iter().chain(2..8 + usize::from(memory)).collect::<Vec<usize>>();
    let mut table = table(first.iter().copied().chain(reasons).collect::<Vec<_>>(), numbers);
    // The further lines, which have no line of their own, are not one of those that are compared.
    let compared = |row: &[String]| row.first().is_some_and(|line| !line.is_empty());
    let most = rows.iter().filter(|(row, _)| compared(row)).map(|(_, cost)| cost.share).fold(0.0, f64::max);
    for (mut row, cost) in rows {
        let drawn = if compared(&row) { bar(cost.share, most) } else { String::new() };
        let Cost { own_issue, own_latency, others_unit, others_slots, memory: of_memory, adds, share } = cost;
        row.extend([own_issue, own_latency, others_unit, others_slots].map(Clone::clone));
        row.extend(memory.then(|| of_memory.clone()));
        row.push(adds.clone());
        row.push(format!("{share:.1}%"));
        row.push(drawn);
        table.add_row(row);
    }
    table
}
