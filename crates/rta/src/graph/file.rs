//! Reading a file of graphs.

use std::collections::HashMap;

use crate::graph::dag::Dag;
use crate::graph::model::{MOST_ENGINES, MOST_NODES};
use crate::graph::{Copies, Cores, Graph, Graphs, Multiprocessors, Node, Policy, Work};
use crate::{CopiesTable, CoresTable, GraphTable, NodeTable, read_tables, time_of_key};
use warpspan_model::source::{InputError, Source, Spanned, has_keys};
use warpspan_model::time::{Duration, TimeUnit};

/// No host has so many cores.
const MOST_CORES: u64 = 1 << 20;

/// Whether a text is a file of graphs: it has a `[[graph]]` table. What is wrong with it is for its reader to say.
pub fn is_graphs(text: &str) -> bool {
    has_keys(text, &["graph"])
}

/// Reads a file of graphs; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn read_graphs(place: &str, text: &str) -> Result<Graphs, InputError> {
    let source = Source { place, text };
    let tables = read_tables(&source)?;
    let system = tables.system;
    let cores = cores(&source, tables.cores.as_ref())?;
    let copies = copies(&source, tables.copies.as_ref())?;
    let kernels = system.tasks().iter().enumerate();
    let kernels: HashMap<String, usize> = kernels.map(|(number, task)| (task.name.clone(), number)).collect();
    let reader = Reader { source: &source, unit: system.unit(), kernels: &kernels, engines: &copies.engines };
    let mut graphs: Vec<Graph> = Vec::new();
    for (number, table) in (1..).zip(&tables.graphs) {
        let graph = reader.graph(number, table)?;
        if graphs.iter().any(|other| other.name == graph.name) {
            let what = format!("name = {:?}: another graph has this name", graph.name);
            return Err(source.error(table.span().start, what));
        }
        graphs.push(graph);
    }
    let launched =
        |kernel: usize| graphs.iter().any(|graph| graph.kernel_nodes().any(|(_, of)| of == kernel));
    if let Some(kernel) = (0..system.tasks().len()).find(|&kernel| !launched(kernel)) {
        let name = &system.tasks()[kernel].name;
        let what =
            format!("kernel {name}: no node launches it: want a [[graph.node]] with kernel = {name:?}");
        return Err(InputError::new(place, what));
    }
    let all = system.gpu().multiprocessors;
    let mut left = all;
    for (graph, table) in graphs.iter().zip(&tables.graphs) {
        let number = match graph.multiprocessors {
            Multiprocessors::Own(number) => number,
            Multiprocessors::Search => 1,
            Multiprocessors::Shared => 0,
        };
        left = left.checked_sub(number).ok_or_else(|| {
            let what = format!(
                "graph {}: with it graphs have more multiprocessors of their own than the {all} of the GPU: want fewer",
                graph.name
            );
            source.error(table.span().start, what)
        })?;
    }
    let shares = |(graph, _): &(&Graph, &Spanned<GraphTable>)| {
        graph.multiprocessors == Multiprocessors::Shared && graph.has_kernels()
    };
    if let Some((graph, table)) = graphs.iter().zip(&tables.graphs).find(shares).filter(|_| left == 0) {
        let what = format!(
            "graph {}: other graphs have all {all} multiprocessors of their own: want one or more left, or multiprocessors = NUMBER",
            graph.name
        );
        return Err(source.error(table.span().start, what));
    }
    Ok(Graphs { system, graphs, cores, copies })
}

fn policy(source: &Source<'_>, value: Option<&Spanned<String>>) -> Result<Policy, InputError> {
    let Some(value) = value else { return Ok(Policy::Any) };
    let all = [Policy::Any, Policy::FixedPriority];
    all.into_iter().find(|policy| policy.name() == value.get_ref()).ok_or_else(|| {
        let what = format!("policy = {:?}: want \"any\" or \"fixed-priority\"", value.get_ref());
        source.error(value.span().start, what)
    })
}

fn cores(source: &Source<'_>, table: Option<&CoresTable>) -> Result<Cores, InputError> {
    let count = table.and_then(|table| table.count.as_ref());
    let count = count.map(|count| source.plausible("count", count, MOST_CORES)).transpose()?.unwrap_or(1);
    Ok(Cores { count, policy: policy(source, table.and_then(|table| table.policy.as_ref()))? })
}

fn copies(source: &Source<'_>, table: Option<&CopiesTable>) -> Result<Copies, InputError> {
    let given = table.and_then(|table| table.engines.as_ref());
    if let Some(none) = given.filter(|engines| engines.get_ref().is_empty()) {
        let what = "engines = []: want the name of one or more, or no engines for one that is called copy";
        return Err(source.error(none.span().start, what));
    }
    let mut engines: Vec<String> = Vec::new();
    for name in given.into_iter().flat_map(Spanned::get_ref) {
        if name.get_ref().trim().is_empty() {
            return Err(
                source.error(name.span().start, "engines: a name without letters: want one such as \"copy\"")
            );
        }
        if engines.contains(name.get_ref()) {
            let what = format!("engines: {:?} is there twice", name.get_ref());
            return Err(source.error(name.span().start, what));
        }
        if engines.len() == MOST_ENGINES {
            let what = format!("engines: more than {MOST_ENGINES}: want fewer");
            return Err(source.error(name.span().start, what));
        }
        engines.push(name.get_ref().clone());
    }
    if engines.is_empty() {
        engines.push("copy".to_owned());
    }
    Ok(Copies { engines, policy: policy(source, table.and_then(|table| table.policy.as_ref()))? })
}

struct Reader<'a> {
    source: &'a Source<'a>,
    unit: TimeUnit,
    kernels: &'a HashMap<String, usize>,
    engines: &'a [String],
}

impl Reader<'_> {
    fn time(&self, key: &str, value: &Spanned<toml::Value>, least: u64) -> Result<Duration, InputError> {
        time_of_key(self.source, self.unit, key, value, least)
    }

    fn graph(&self, number: usize, spanned: &Spanned<GraphTable>) -> Result<Graph, InputError> {
        let (table, at) = (spanned.get_ref(), spanned.span().start);
        let name = table.name.clone().unwrap_or_else(|| format!("G{number}"));
        let time = |key, value: &Option<Spanned<toml::Value>>, least| {
            value.as_ref().map(|value| self.time(key, value, least)).transpose()
        };
        let period = time("period", &table.period, 1)?;
        if table.node.is_empty() {
            let what = format!("graph {name}: it has no nodes: want [[graph.node]] tables");
            return Err(self.source.error(at, what));
        }
        if let Some(node) = table.node.get(MOST_NODES) {
            let what = format!("graph {name}: more than {MOST_NODES} nodes: want fewer");
            return Err(self.source.error(node.span().start, what));
        }
        let mut names: HashMap<String, usize> = HashMap::new();
        let mut nodes = Vec::new();
        for (index, node) in table.node.iter().enumerate() {
            let work = self.work(&name, node)?;
            let of_kernel = node.get_ref().kernel.as_ref().map(|kernel| kernel.get_ref().clone());
            let name = node.get_ref().name.clone().or(of_kernel).unwrap_or_else(|| format!("N{}", index + 1));
            if names.insert(name.clone(), index).is_some() {
                let what =
                    format!("node {name}: another node of the graph has this name: want name = \"...\"");
                return Err(self.source.error(node.span().start, what));
            }
            nodes.push(Node { name, work, after: Vec::new() });
        }
        for (index, node) in table.node.iter().enumerate() {
            let mut after = Vec::new();
            for before in &node.get_ref().after {
                let found = names.get(before.get_ref()).copied().ok_or_else(|| {
                    let what = format!("after = {:?}: the graph has no node of this name", before.get_ref());
                    self.source.error(before.span().start, what)
                })?;
                after.push(found);
            }
            nodes[index].after = after;
        }
        let after: Vec<Vec<usize>> = nodes.iter().map(|node| node.after.clone()).collect();
        let dag = Dag::new(&after).map_err(|node| {
            let what = format!(
                "node {}: it, or a node that it comes after, comes after itself: want edges without a circle",
                nodes[node].name
            );
            self.source.error(table.node[node].span().start, what)
        })?;
        let graph = Graph {
            name,
            period,
            jitter: time("jitter", &table.jitter, 0)?.unwrap_or_default(),
            deadline: time("deadline", &table.deadline, 1)?.or(period),
            priority: table.priority,
            multiprocessors: self.multiprocessors(table.multiprocessors.as_ref())?,
            nodes,
            dag,
        };
        if let Some(value) = table.multiprocessors.as_ref().filter(|_| !graph.has_kernels()) {
            let what = format!("multiprocessors = {}: the graph launches no kernel", value.get_ref());
            return Err(self.source.error(value.span().start, what));
        }
        Ok(graph)
    }

    fn multiprocessors(&self, value: Option<&Spanned<toml::Value>>) -> Result<Multiprocessors, InputError> {
        let Some(value) = value else { return Ok(Multiprocessors::Shared) };
        match value.get_ref() {
            toml::Value::String(word) if word == "search" => Ok(Multiprocessors::Search),
            toml::Value::Integer(number) if *number > 0 => Ok(Multiprocessors::Own(number.unsigned_abs())),
            other => {
                let what = format!("multiprocessors = {other}: want 1 or more, or \"search\"");
                Err(self.source.error(value.span().start, what))
            }
        }
    }

    fn work(&self, graph: &str, spanned: &Spanned<NodeTable>) -> Result<Work, InputError> {
        let table = spanned.get_ref();
        let given = [
            ("kernel", table.kernel.as_ref().map(Spanned::span)),
            ("copy", table.copy.as_ref().map(Spanned::span)),
            ("host", table.host.as_ref().map(Spanned::span)),
        ];
        let given: Vec<_> = given.into_iter().filter_map(|(key, span)| Some((key, span?.start))).collect();
        if let [(one, _), (other, at), ..] = given[..] {
            let what = format!("a node of graph {graph} has both {one} and {other}: want one of them");
            return Err(self.source.error(at, what));
        }
        if let Some(engine) = table.engine.as_ref().filter(|_| table.copy.is_none()) {
            let what = format!("engine = {:?}: the node copies nothing: want copy = TIME", engine.get_ref());
            return Err(self.source.error(engine.span().start, what));
        }
        if let Some(kernel) = &table.kernel {
            let found = self.kernels.get(kernel.get_ref()).copied();
            return found.map(Work::Kernel).ok_or_else(|| {
                let what = format!("kernel = {:?}: no [[kernel]] has this name", kernel.get_ref());
                self.source.error(kernel.span().start, what)
            });
        }
        if let Some(time) = &table.host {
            return self.time("host", time, 1).map(Work::Host);
        }
        let Some(copy) = &table.copy else { return Ok(Work::Nothing) };
        let time = self.time("copy", copy, 1)?;
        let engine = match (&table.engine, self.engines) {
            (None, [_]) => 0,
            (None, _) => {
                let what = format!("copy: there are several engines: want engine = {:?}", self.engines[0]);
                return Err(self.source.error(copy.span().start, what));
            }
            (Some(name), engines) => {
                engines.iter().position(|engine| engine == name.get_ref()).ok_or_else(|| {
                    let what = format!("engine = {:?}: want one of {}", name.get_ref(), engines.join(", "));
                    self.source.error(name.span().start, what)
                })?
            }
        };
        Ok(Work::Copy(engine, time))
    }
}
