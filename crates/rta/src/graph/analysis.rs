//! Bounds on the launches of graphs, and the verdict that follows.

use crate::graph::bound::{Memory, Setting, Sum};
use crate::graph::exact::{Time, up};
use crate::graph::profile::{CORES, GPU};
use crate::graph::search::search;
use crate::graph::{Graphs, Unbounded, Work};
use crate::{Basis, DeadlineMet, Execution, Measured, Source, Verdict, least_response};
use warpspan_model::limits::Limits;
use warpspan_model::time::Duration;

/// The analysis of graphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// Whether all launches of all graphs meet their deadlines.
    pub verdict: Verdict,
    /// What the verdict rests on; `None` where it is undecided.
    pub by: Option<Basis>,
    /// What is known of each graph.
    pub graphs: Vec<GraphResult>,
    /// What was searched, if a graph wants multiprocessors of its own without a number.
    pub search: Option<Searched>,
}

/// How a search for multiprocessors ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Searched {
    /// How many allocations were examined.
    pub allocations: usize,
    /// Whether one was found with which the bounds prove all deadlines.
    pub found: bool,
    /// Whether, if none was found, the bounds prove none.
    pub complete: bool,
}

/// What is known of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphResult {
    /// The multiprocessors on which its blocks run; 0 if it launches no kernel.
    pub multiprocessors: u64,
    /// Whether other graphs run there too.
    pub shares: bool,
    /// A launch takes at most so long from its release if nothing else runs, or the reason why that is not known.
    pub makespan: Result<Duration, Unbounded>,
    /// The worst case is at least so long: a launch that is alone, all of whose nodes take as long as they may. `None` if it is
    /// too large.
    pub worst_at_least: Option<Duration>,
    /// A launch takes at most so long from its arrival, or the reason why that is not known.
    pub bound: Result<Duration, Unbounded>,
    /// Where the bound comes from, if there is one.
    pub explanation: Option<Explanation>,
    /// Whether all launches meet the deadline.
    pub meets: DeadlineMet,
}

/// Where a bound comes from. All times are rounded up, so they may add up to a little more than the bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The nodes of the path that is worst.
    pub path: Vec<usize>,
    /// The launches of the graph itself: those before one that it may have to wait for, and that one.
    pub launches: u64,
    /// What they take, with all their nodes that are not on their paths.
    pub own: Duration,
    /// What others add.
    pub others: Vec<Added>,
    /// For how long copies of less urgent graphs that have begun delay this one.
    pub blocking: Duration,
    /// For how long the memory keeps results waiting.
    pub memory: Duration,
    /// The jitter.
    pub jitter: Duration,
}

/// What launches of one graph add to the bound of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// The graph.
    pub graph: usize,
    /// What nodes of both wait for.
    pub resource: Resource,
    /// How many of its launches may be there.
    pub launches: u64,
    /// What they add. It may be less than what so many launches do, where one is there only in part.
    pub time: Duration,
}

/// What nodes wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Room for a block on a multiprocessor.
    Multiprocessors,
    /// A core of the host.
    Cores,
    /// A copy engine.
    Engine(usize),
}

/// Bounds the response times of all graphs. `executions` are those of the kernels of the system.
pub fn analyse(graphs: &Graphs, executions: &[Execution], limits: &Limits) -> Analysis {
    let memory = Memory::new(graphs, executions);
    let memory_of = memory.as_ref().ok().and_then(Option::as_ref);
    let allocation = search(graphs, executions, memory_of, limits);
    let none = vec![0; graphs.graphs.len()];
    let own = allocation.as_ref().map_or(&none, |allocation| &allocation.of);
    let setting = Setting::new(graphs, executions, own, memory_of);
    let found = match &memory {
        Ok(_) => setting.settle(limits, |_, _| true),
        Err(why) => vec![Err(why.clone()); graphs.graphs.len()],
    };
    // A search may have ended with too few multiprocessors for a graph that has enough in another allocation.
    let chosen = allocation.as_ref().is_none_or(|allocation| allocation.is_proved);
    let result = |number: usize| {
        let graph = &graphs.graphs[number];
        let bound = found[number].clone();
        let bound =
            bound.and_then(|time| time.checked_add(graph.jitter.0).map(Duration).ok_or(Unbounded::TooLarge));
        let sum = found[number].as_ref().ok().and_then(|_| setting.sum(number, &found).ok());
        let explanation = sum.and_then(|sum| explained(&setting, number, &sum).ok());
        let multiprocessors =
            if graph.has_kernels() { graphs.own(number, own).unwrap_or_else(|| graphs.left(own)) } else { 0 };
        let worst_at_least = graphs.worst_at_least(number, executions, multiprocessors);
        let late = worst_at_least.zip(graph.deadline).is_some_and(|(worst, deadline)| worst > deadline);
        let late = late && chosen;
        let in_time = |bound: Duration| graph.deadline.is_none_or(|deadline| bound <= deadline);
        let meets = match &bound {
            _ if late => DeadlineMet::No,
            Ok(bound) if in_time(*bound) && !graphs.system.memory_without_limit() => DeadlineMet::Yes,
            _ => DeadlineMet::Unknown,
        };
        let makespan = makespan(graphs, executions, number, multiprocessors, memory_of, limits);
        let shares = setting.mixed[number];
        GraphResult { multiprocessors, shares, makespan, worst_at_least, bound, explanation, meets }
    };
    let results: Vec<GraphResult> = (0..graphs.graphs.len()).map(result).collect();
    let all = |meets: DeadlineMet| results.iter().all(|result| result.meets == meets);
    let (verdict, by) = if all(DeadlineMet::Yes) {
        (Verdict::Proved, Some(Basis::Bound))
    } else if results.iter().any(|result| result.meets == DeadlineMet::No) {
        (Verdict::Refuted, Some(Basis::LeastResponse))
    } else {
        (Verdict::Undecided, None)
    };
    let search = allocation.map(|allocation| Searched {
        allocations: allocation.tried,
        found: allocation.is_proved,
        complete: allocation.is_complete,
    });
    Analysis { verdict, by, graphs: results, search }
}

/// A bound on a launch of a graph that runs alone: on these multiprocessors, with all cores and copy engines for itself.
fn makespan(
    graphs: &Graphs,
    executions: &[Execution],
    graph: usize,
    multiprocessors: u64,
    memory: Option<&Memory>,
    limits: &Limits,
) -> Result<Duration, Unbounded> {
    let alone = graphs.only(graph, multiprocessors);
    // What others ask of the memory they do not ask where they do not run.
    let of_memory = if memory.is_some() { Memory::new(&alone, executions)? } else { None };
    let setting = Setting::new(&alone, executions, &[0], of_memory.as_ref());
    let mut found = setting.settle(limits, |_, _| true);
    found.pop().unwrap_or(Err(Unbounded::TooLarge)).map(Duration)
}

impl Graphs {
    /// One graph, launched once, on so many multiprocessors.
    fn only(&self, graph: usize, multiprocessors: u64) -> Self {
        let system = self.system.of_nodes(
            multiprocessors.max(1),
            self.system.streams().to_vec(),
            self.system.tasks().to_vec(),
        );
        let mut only = self.graphs[graph].clone();
        only.period = None;
        only.multiprocessors = crate::graph::Multiprocessors::Shared;
        Self { system, graphs: vec![only], ..self.clone() }
    }

    /// What the worst case of a graph is at least: the longest path, on which each kernel takes as many rounds of C as an
    /// empty GPU needs for its blocks.
    fn worst_at_least(
        &self,
        graph: usize,
        executions: &[Execution],
        multiprocessors: u64,
    ) -> Option<Duration> {
        let graph = &self.graphs[graph];
        let gpu =
            warpspan_model::device::Gpu { multiprocessors: multiprocessors.max(1), ..*self.system.gpu() };
        let mut ends: Vec<u64> = vec![0; graph.nodes.len()];
        for &node in &graph.dag.order {
            let of = &graph.nodes[node];
            let time = match of.work {
                Work::Kernel(kernel) => {
                    let task = self.kernel(of)?;
                    // No block has to take as long as a bound, or as one that was measured under other contention.
                    let given = matches!(task.execution, Source::Given(_));
                    let least = match task.measured {
                        Measured::AtMost | Measured::Alone if given => Duration::ZERO,
                        _ => executions[kernel].least(),
                    };
                    least_response(&gpu, task, least)?.0
                }
                Work::Copy(_, time) | Work::Host(time) => time.0,
                Work::Nothing => 0,
            };
            let before = graph.dag.before[node].iter().map(|&one| ends[one]).max().unwrap_or(0);
            ends[node] = before.checked_add(time)?;
        }
        let worst = ends.into_iter().max().unwrap_or(0).checked_add(graph.jitter.0)?;
        Some(Duration(worst))
    }
}

fn explained(setting: &Setting<'_>, graph: usize, sum: &Sum) -> Result<Explanation, Unbounded> {
    let time = |time: Time| up(time).map(Duration);
    let profiles = setting.profiles[graph].as_ref().map_err(Clone::clone)?;
    let longest = |set| profiles[sum.theta].paths.get(&set).copied();
    // Of several launches, the path of the longest one stands for all.
    let longest_set = profiles[sum.theta].paths.keys().copied().max_by_key(|&set| longest(set));
    let set = if sum.launches > 1 { longest_set.unwrap_or(sum.set) } else { sum.set };
    let mut others = Vec::new();
    for (&resource, added) in &sum.others {
        let resource = match resource {
            GPU => Resource::Multiprocessors,
            CORES => Resource::Cores,
            engine => Resource::Engine(engine - 2),
        };
        for one in added {
            others.push(Added { graph: one.graph, resource, launches: one.launches, time: time(one.time)? });
        }
    }
    Ok(Explanation {
        path: profiles[sum.theta].path(set),
        launches: sum.launches,
        own: time(sum.own)?,
        others,
        blocking: time(sum.blocking)?,
        memory: time(sum.memory)?,
        jitter: setting.graphs.graphs[graph].jitter,
    })
}
