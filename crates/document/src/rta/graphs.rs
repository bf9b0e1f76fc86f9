//! What `rta` tells of graphs.

use serde_json::Number;

use super::{UNDECIDED, WITHOUT_LIMIT, begun, bounds_checked, meets};
use crate::words::{decimals, is_above_zero, names, several};
use crate::{Document, Table};
use warpspan_records::RtaGraphs;
use warpspan_records::rta::{Meets, VerdictBy};
use warpspan_records::rta_graphs::{Explanation, Graph, Work};

/// The answer.
pub fn document(record: &RtaGraphs) -> Document {
    let names = names(record.graphs.iter().map(|graph| graph.name.as_str()));
    let mut out = begun("rta-graphs", names, record.verdict, &says(record));
    out.facts("to mend", &record.mends);
    out.rests_on(&record.assumptions);
    out.line(format!(
        "{} on {} of {} threads, {} and {}; times in {}",
        several(record.graphs.len() as u64, "graph"),
        several(record.gpu.multiprocessors, "multiprocessor"),
        record.gpu.threads,
        several(record.cores.count, "core"),
        several(record.copies.engines.len() as u64, "copy engine"),
        record.unit,
    ));
    out.fact("checked", bounds_checked("bounds", &record.checked));
    out.gap();
    out.table(table(record));
    for graph in &record.graphs {
        if let (Some(found), Some(bound)) = (&graph.explanation, &graph.response_bound) {
            explained(&mut out, record, (graph, found, bound));
        }
    }
    let reasons =
        record.graphs.iter().filter_map(|graph| Some(format!("{}: {}", graph.name, graph.reason.as_ref()?)));
    out.gapped_notes(reasons.chain(record.notes.iter().cloned()));
    out
}

fn says(record: &RtaGraphs) -> String {
    let late = record.graphs.iter().find(|graph| graph.meets == Meets::No);
    let late = late.map_or("a graph", |late| late.name.as_str());
    match record.by {
        Some(VerdictBy::LeastResponse) => {
            format!(
                "refuted: a launch of {late} that is released as late as it may be, and whose nodes take as long as they may, misses its deadline"
            )
        }
        Some(_) => "proved: by the bounds, of all launches".to_owned(),
        None if record.without_limit => WITHOUT_LIMIT.to_owned(),
        None => UNDECIDED.to_owned(),
    }
}

fn table(record: &RtaGraphs) -> Table {
    let multiprocessors =
        |graph: &Graph| match (graph.nodes.iter().any(|node| node.work == Work::Kernel), graph.shares) {
            (false, _) => "-".to_owned(),
            (true, false) => graph.multiprocessors.to_string(),
            (true, true) => format!("{} shared", graph.multiprocessors),
        };
    Table::of(&record.graphs)
        .words("graph", |graph| graph.name.clone())
        .number("nodes", |graph| graph.nodes.len())
        .number("multiprocessors", multiprocessors)
        .number("period", |graph| graph.period.as_ref().map_or_else(|| "once".to_owned(), decimals))
        .number("deadline", |graph| graph.deadline.clone())
        .verdict("meets", |graph| meets(graph.deadline.is_some(), graph.meets))
        .number("worst case at least", |graph| graph.worst_case_at_least.clone())
        .number("makespan alone", |graph| graph.makespan.clone())
        .number("response bound", |graph| graph.response_bound.clone())
        .into()
}

/// Where a bound comes from: the worst path, and a row for each part.
fn explained(out: &mut Document, record: &RtaGraphs, (graph, found, bound): (&Graph, &Explanation, &Number)) {
    let mut table = Table::new(["part", "on", "launches", "time"], [2, 3]);
    let itself = "all nodes".to_owned();
    table.row([graph.name.clone(), itself, found.launches.to_string(), decimals(&found.own)]);
    for one in &found.others {
        table.row([one.graph.clone(), one.resource.clone(), one.launches.to_string(), decimals(&one.time)]);
    }
    let parts =
        [("copies that have begun", &found.blocking), ("memory", &found.memory), ("jitter", &found.jitter)];
    for (part, time) in parts.into_iter().filter(|(_, time)| is_above_zero(time)) {
        table.row([part.to_owned(), String::new(), String::new(), decimals(time)]);
    }
    table.row(["bound".to_owned(), String::new(), String::new(), decimals(bound)]);
    let path = found.path.join(", ");
    out.gap();
    out.line(format!("bound of {}: {} {}, along {path}", graph.name, decimals(bound), record.unit));
    out.gap();
    out.table(table);
}
