//! How the record of graphs is filled.

use crate::assumption::{listed, of_bounds};
use crate::number::{lower, number};
use crate::rta_graphs::{Added, Copies, Cores, Explanation, Graph, Node, RtaGraphs, Search, Work};
use warpspan_check::bound::statement;
use warpspan_kernel::input::key;
use warpspan_model::time::Duration;
use warpspan_rta::graph::{self, Analysis, GraphResult, Graphs};
use warpspan_rta::{self as rta, Execution};

impl RtaGraphs {
    /// The record of an analysis; `explain` adds where bounds come from.
    pub fn new(
        graphs: &Graphs,
        executions: &[Execution],
        analysis: &Analysis,
        notes: Vec<String>,
        explain: bool,
    ) -> Self {
        let system = graphs.system();
        let time = |time: Duration| number(&system.unit().write(time));
        let name = |graph: usize| graphs.graphs()[graph].name.clone();
        let node = |of: &graph::Graph, node: &graph::Node| {
            let (work, on, took) = match node.work {
                graph::Work::Kernel(kernel) => {
                    let of = &system.tasks()[kernel];
                    (Work::Kernel, Some(of.name.clone()), Some(executions[kernel].time))
                }
                graph::Work::Copy(engine, took) => {
                    (Work::Copy, Some(graphs.copies().engines[engine].clone()), Some(took))
                }
                graph::Work::Host(took) => (Work::Host, None, Some(took)),
                graph::Work::Nothing => (Work::Nothing, None, None),
            };
            let after = node.after.iter().map(|&before| of.nodes[before].name.clone()).collect();
            Node { name: node.name.clone(), work, on, time: took.map(time), after }
        };
        let explained = |of: &graph::Graph, found: &graph::Explanation| {
            let added = |one: &graph::Added| Added {
                graph: name(one.graph),
                resource: graphs.name_of(one.resource).to_owned(),
                launches: one.launches,
                time: time(one.time),
            };
            Explanation {
                path: found.path.iter().map(|&node| of.nodes[node].name.clone()).collect(),
                launches: found.launches,
                own: time(found.own),
                others: found.others.iter().map(added).collect(),
                blocking: time(found.blocking),
                memory: time(found.memory),
                jitter: time(found.jitter),
            }
        };
        let graph = |(at, (of, result)): (usize, (&graph::Graph, &GraphResult))| Graph {
            name: of.name.clone(),
            period: of.period.map(time),
            jitter: time(of.jitter),
            deadline: of.deadline.map(time),
            priority: of.priority,
            multiprocessors: result.multiprocessors,
            shares: result.shares,
            makespan: result.makespan.as_ref().ok().copied().map(time),
            worst_case_at_least: result.worst_at_least.map(|time| lower(&system.unit().write(time))),
            response_bound: result.bound.as_ref().ok().copied().map(time),
            meets: result.meets,
            reason: graphs.reason(analysis, at),
            nodes: of.nodes.iter().map(|one| node(of, one)).collect(),
            explanation: result.explanation.as_ref().filter(|_| explain).map(|found| explained(of, found)),
        };
        Self {
            verdict: analysis.verdict,
            by: analysis.by,
            assumptions: match analysis.verdict {
                rta::Verdict::Refuted => listed(graphs.rests_on_least(), key),
                rta::Verdict::Proved | rta::Verdict::Undecided => listed(graphs.rests_on(), key),
            },
            bounds_rest_on: of_bounds(
                (
                    analysis.verdict,
                    analysis.graphs.iter().any(|graph| graph.bound.is_ok() || graph.makespan.is_ok()),
                ),
                || graphs.rests_on(),
            ),
            checked: (&statement::GRAPH).into(),
            without_limit: system.memory_without_limit(),
            mends: graphs.system().mends().to_vec(),
            schedulable: analysis.verdict == rta::Verdict::Proved,
            unit: system.unit(),
            gpu: system.into(),
            cores: Cores { count: graphs.cores().count, policy: graphs.cores().policy },
            copies: Copies { engines: graphs.copies().engines.clone(), policy: graphs.copies().policy },
            search: analysis.search.map(|search| Search {
                allocations: search.allocations,
                found: search.found,
                complete: search.complete,
            }),
            graphs: graphs.graphs().iter().zip(&analysis.graphs).enumerate().map(graph).collect(),
            notes,
        }
    }
}
