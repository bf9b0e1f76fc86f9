//! The analysis of graphs for a person to read.

use std::fmt::Write;

use crate::screen;
use crate::table::{Sheet, judged, table as table_of};
use crate::text::{given, several};
use warpspan_check::bound::statement;
use warpspan_model::time::Duration;
use warpspan_rta::graph::{Analysis, Explanation, Graph, Graphs};
use warpspan_rta::{Basis, DeadlineMet};

/// The whole of it; with `explain` also where bounds come from.
pub(super) fn text(graphs: &Graphs, analysis: &Analysis, notes: &[String], explain: bool) -> String {
    let (gpu, unit) = (graphs.system().gpu(), graphs.system().unit());
    let mut out = format!(
        "schedulable {}\n{} on {} of {} threads, {} and {}; times in {unit}\nchecked     bounds on paper ({})\n\n{}\n",
        screen::verdict(&verdict(graphs, analysis)),
        several(graphs.graphs().len() as u64, "graph"),
        several(gpu.multiprocessors, "multiprocessor"),
        gpu.resources.threads,
        several(graphs.cores().count, "core"),
        several(graphs.copies().engines.len() as u64, "copy engine"),
        statement::GRAPH.name,
        table(graphs, analysis),
    );
    if explain {
        for (graph, result) in graphs.graphs().iter().zip(&analysis.graphs) {
            if let (Some(found), Ok(bound)) = (&result.explanation, &result.bound) {
                out += &explained(graphs, graph, found, *bound);
            }
        }
    }
    let mut gap = "\n";
    let reasons =
        graphs.graphs().iter().enumerate().filter_map(|(number, graph)| {
            Some(format!("{}: {}", graph.name, graphs.reason(analysis, number)?))
        });
    for note in reasons.chain(notes.iter().cloned()) {
        let _ = writeln!(out, "{gap}note        {note}");
        gap = "";
    }
    out
}

fn verdict(graphs: &Graphs, analysis: &Analysis) -> String {
    let late = analysis.graphs.iter().position(|graph| graph.meets == DeadlineMet::No);
    let late = late.map_or("a graph", |late| graphs.graphs()[late].name.as_str());
    match analysis.by {
        Some(Basis::LeastResponse) => {
            format!("refuted: no launch of {late} whose nodes take as long as they may can meet its deadline")
        }
        Some(_) => format!(
            "proved{}: by the bounds, all launches, whatever nodes take up to their times",
            given(&graphs.system().provided())
        ),
        None if graphs.system().memory_without_limit() => {
            "undecided, memory without limit: the machine has no [[server]] that says how fast the data of its code moves".to_owned()
        }
        None => "undecided: that all deadlines are met is not proved, nor that one is missed".to_owned(),
    }
}

fn table(graphs: &Graphs, analysis: &Analysis) -> Sheet {
    let write = |time| graphs.system().unit().write(time);
    let maybe = |time: Option<Duration>| time.map_or_else(|| "-".to_owned(), write);
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
    for (graph, result) in graphs.graphs().iter().zip(&analysis.graphs) {
        let multiprocessors = match (graph.has_kernels(), result.shares) {
            (false, _) => "-".to_owned(),
            (true, false) => result.multiprocessors.to_string(),
            (true, true) => format!("{} shared", result.multiprocessors),
        };
        table.add_row(judged(
            vec![
                graph.name.clone(),
                graph.nodes.len().to_string(),
                multiprocessors,
                graph.period.map_or_else(|| "once".to_owned(), write),
                maybe(graph.deadline),
                result.meets.name().to_owned(),
                maybe(result.worst_at_least),
                maybe(result.makespan.as_ref().ok().copied()),
                maybe(result.bound.as_ref().ok().copied()),
            ],
            Some(5),
        ));
    }
    table
}

/// Where a bound comes from: the worst path, and a row for each part.
fn explained(graphs: &Graphs, graph: &Graph, found: &Explanation, bound: Duration) -> String {
    let write = |time| graphs.system().unit().write(time);
    let path: Vec<&str> = found.path.iter().map(|&node| graph.nodes[node].name.as_str()).collect();
    let mut table = table_of(["part", "on", "launches", "time"], [2, 3]);
    let itself = "all nodes".to_owned();
    table.add_row([graph.name.clone(), itself, found.launches.to_string(), write(found.own)]);
    for one in &found.others {
        let name = graphs.graphs()[one.graph].name.clone();
        let resource = graphs.name_of(one.resource).to_owned();
        table.add_row([name, resource, one.launches.to_string(), write(one.time)]);
    }
    let parts =
        [("copies that have begun", found.blocking), ("memory", found.memory), ("jitter", found.jitter)];
    for (part, time) in parts.into_iter().filter(|(_, time)| *time > Duration::ZERO) {
        table.add_row([part.to_owned(), String::new(), String::new(), write(time)]);
    }
    table.add_row(["bound".to_owned(), String::new(), String::new(), write(bound)]);
    format!(
        "\nbound of {}: {} {}, along {}\n\n{table}\n",
        graph.name,
        write(bound),
        graphs.system().unit(),
        path.join(", ")
    )
}
