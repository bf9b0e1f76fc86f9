//! The analysis of graphs for a person to read.

use std::fmt::Write;

use serde_json::Number;

use crate::commands::rests;
use crate::commands::rta::text::{UNDECIDED, WITHOUT_LIMIT, checked_line, is_above_zero, maybe, mends};
use crate::screen;
use crate::table::{Sheet, judged, table as table_of};
use crate::text::{decimals, several};
use warpspan_records::RtaGraphs;
use warpspan_records::rta::{Meets, VerdictBy};
use warpspan_records::rta_graphs::{Explanation, Graph, Work};

/// The whole of it.
pub(super) fn text(record: &RtaGraphs) -> String {
    let mut out = format!(
        "schedulable {}\n{}{}{} on {} of {} threads, {} and {}; times in {}\n{}\n\n{}\n",
        screen::verdict(&verdict(record)),
        mends(&record.mends),
        rests::lines(&record.assumptions, 12),
        several(record.graphs.len() as u64, "graph"),
        several(record.gpu.multiprocessors, "multiprocessor"),
        record.gpu.threads,
        several(record.cores.count, "core"),
        several(record.copies.engines.len() as u64, "copy engine"),
        record.unit,
        checked_line("bounds", &record.checked),
        table(record),
    );
    for graph in &record.graphs {
        if let (Some(found), Some(bound)) = (&graph.explanation, &graph.response_bound) {
            out += &explained(record, graph, found, bound);
        }
    }
    let mut gap = "\n";
    let reasons =
        record.graphs.iter().filter_map(|graph| Some(format!("{}: {}", graph.name, graph.reason.as_ref()?)));
    for note in reasons.chain(record.notes.iter().cloned()) {
        let _ = writeln!(out, "{gap}note        {note}");
        gap = "";
    }
    out
}

fn verdict(record: &RtaGraphs) -> String {
    let late = record.graphs.iter().find(|graph| graph.meets == Meets::No);
    let late = late.map_or("a graph", |late| late.name.as_str());
    match record.by {
        Some(VerdictBy::LeastResponse) => {
            format!("refuted: no launch of {late} whose nodes take as long as they may can meet its deadline")
        }
        Some(_) => "proved: by the bounds, all launches, whatever nodes take up to their times".to_owned(),
        None if record.without_limit => WITHOUT_LIMIT.to_owned(),
        None => UNDECIDED.to_owned(),
    }
}

fn table(record: &RtaGraphs) -> Sheet {
    let header = [
        "graph",
        "nodes",
        "multiprocessors",
        "period",
        "deadline",
        "meets",
        "worst case at least",
        "makespan alone",
        "response bound",
    ];
    let mut table = table_of(header, [1, 2, 3, 4, 6, 7, 8]);
    for graph in &record.graphs {
        let has_kernels = graph.nodes.iter().any(|node| node.work == Work::Kernel);
        let multiprocessors = match (has_kernels, graph.shares) {
            (false, _) => "-".to_owned(),
            (true, false) => graph.multiprocessors.to_string(),
            (true, true) => format!("{} shared", graph.multiprocessors),
        };
        table.add_row(judged(
            vec![
                graph.name.clone(),
                graph.nodes.len().to_string(),
                multiprocessors,
                graph.period.as_ref().map_or_else(|| "once".to_owned(), decimals),
                maybe(&graph.deadline),
                graph.meets.to_string(),
                maybe(&graph.worst_case_at_least),
                maybe(&graph.makespan),
                maybe(&graph.response_bound),
            ],
            Some(5),
        ));
    }
    table
}

/// Where a bound comes from: the worst path, and a row for each part.
fn explained(record: &RtaGraphs, graph: &Graph, found: &Explanation, bound: &Number) -> String {
    let mut table = table_of(["part", "on", "launches", "time"], [2, 3]);
    let itself = "all nodes".to_owned();
    table.add_row([graph.name.clone(), itself, found.launches.to_string(), decimals(&found.own)]);
    for one in &found.others {
        table.add_row([
            one.graph.clone(),
            one.resource.clone(),
            one.launches.to_string(),
            decimals(&one.time),
        ]);
    }
    let parts =
        [("copies that have begun", &found.blocking), ("memory", &found.memory), ("jitter", &found.jitter)];
    for (part, time) in parts.into_iter().filter(|(_, time)| is_above_zero(time)) {
        table.add_row([part.to_owned(), String::new(), String::new(), decimals(time)]);
    }
    table.add_row(["bound".to_owned(), String::new(), String::new(), decimals(bound)]);
    format!(
        "\nbound of {}: {} {}, along {}\n\n{table}\n",
        graph.name,
        decimals(bound),
        record.unit,
        found.path.join(", ")
    )
}
