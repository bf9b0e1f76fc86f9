//! What the kernels of graphs cost on their multiprocessors.

use crate::graph::exact::{Time, grains, less, parts, sum};
use crate::graph::profile::{KernelCost, Profile, profile};
use crate::graph::{Graph, Graphs, Multiprocessors, Unbounded, Work};
use crate::{Execution, NoBound, Stream, System, Task, path_costs};
use warpspan_model::time::Duration;

/// The profiles of a graph, one for each theta.
pub(super) type Profiles = Result<Vec<Profile>, Unbounded>;

/// Nodes of graphs, with what each costs at each theta.
type NodeCosts = Vec<((usize, usize), Vec<KernelCost>)>;

/// The kernel nodes of some graphs as a system, where each has a stream that it shares only with nodes that never
/// co-run with it.
pub(super) struct Nodes {
    pub(super) system: System,
    pub(super) executions: Vec<Execution>,
    /// The graph and the node of each of its kernels.
    of: Vec<(usize, usize)>,
}

impl Graphs {
    /// These nodes on so many multiprocessors.
    pub(super) fn nodes(
        &self,
        executions: &[Execution],
        of: Vec<(usize, usize)>,
        multiprocessors: u64,
    ) -> Nodes {
        let (mut streams, mut tasks, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        // The last node of each stream. Nodes come in an order in which each is after those before it.
        let mut last: Vec<(usize, usize)> = Vec::new();
        for &(graph, node) in &of {
            let Graph { name, nodes, dag, .. } = &self.graphs[graph];
            let Work::Kernel(kernel) = nodes[node].work else { continue };
            let follows = |&(other, before): &(usize, usize)| other == graph && dag.is_before(before, node);
            let stream = last.iter().position(follows).unwrap_or(last.len());
            if stream == last.len() {
                last.push((graph, node));
                streams.push(Stream { name: String::new(), priority: 0 });
            }
            last[stream] = (graph, node);
            let kernel_name = format!("{name}/{}", nodes[node].name);
            tasks.push(Task { name: kernel_name, stream, ..self.system.tasks()[kernel].clone() });
            taken.push(executions[kernel].clone());
        }
        Nodes { system: self.system.of_nodes(multiprocessors, streams, tasks), executions: taken, of }
    }

    /// The kernel nodes of a graph, each after those before it.
    pub(super) fn ordered(&self, graph: usize) -> impl Iterator<Item = (usize, usize)> {
        let Graph { nodes, dag, .. } = &self.graphs[graph];
        let kernels = dag.order.iter().filter(|&&node| matches!(nodes[node].work, Work::Kernel(_)));
        kernels.map(move |&node| (graph, node))
    }

    /// The profile of a graph that has these multiprocessors for itself.
    pub(super) fn alone(&self, executions: &[Execution], graph: usize, multiprocessors: u64) -> Profiles {
        let all: Vec<(usize, usize)> = self.ordered(graph).collect();
        let measured = all.iter().all(|&(_, node)| {
            let Work::Kernel(kernel) = self.graphs[graph].nodes[node].work else { return true };
            executions[kernel].solved.is_none()
        });
        let stretches = &self.graphs[graph].dag.stretches;
        // Blocks of other stretches are gone. Those of code may still hold units, so all count as one there.
        let groups: Vec<Vec<(usize, usize)>> = if measured {
            let within = |nodes: &Vec<usize>| {
                all.iter().copied().filter(|(_, node)| nodes.contains(node)).collect::<Vec<_>>()
            };
            stretches.iter().map(within).collect()
        } else {
            vec![all]
        };
        let mut costs = vec![Vec::new(); self.graphs[graph].nodes.len()];
        for group in groups.into_iter().filter(|group| !group.is_empty()) {
            let found = self.costs(executions, group, multiprocessors)?.0;
            let all_fit = measured && self.all_fit(executions, &found)?;
            for ((_, node), cost) in found {
                costs[node] = cost;
                if let Some(execution) = self.execution(executions, graph, node).filter(|_| all_fit) {
                    let followed = grains(execution.time.0);
                    costs[node].fill(KernelCost { followed, present: grains(0) });
                }
            }
        }
        self.profiles(graph, &costs)
    }

    /// Whether no block of these measured nodes ever waits, if nothing else is there. A block that waits for room, or stands
    /// behind one that does, finds weights of other blocks that add up to 1 or more on each multiprocessor; without that
    /// block itself, all of them have less.
    fn all_fit(&self, executions: &[Execution], found: &NodeCosts) -> Result<bool, Unbounded> {
        let (mut all, mut least): (Time, Option<Time>) = (grains(0), None);
        for ((graph, node), costs) in found {
            let (Some(execution), [cost]) = (self.execution(executions, *graph, *node), &costs[..]) else {
                return Ok(false);
            };
            let Some(task) = self.kernel(&self.graphs[*graph].nodes[*node]) else { return Ok(false) };
            // What all its blocks weigh, as a share of all multiprocessors.
            let weight = parts(cost.present, execution.time.0)?;
            all = sum(all, weight)?;
            let of_block = parts(weight, task.blocks)?;
            least = Some(least.map_or(of_block, |least| least.min(of_block)));
        }
        Ok(less(all, least.unwrap_or_default())? < grains(1))
    }

    fn execution<'a>(&self, executions: &'a [Execution], graph: usize, node: usize) -> Option<&'a Execution> {
        let Work::Kernel(kernel) = self.graphs[graph].nodes[node].work else { return None };
        executions.get(kernel)
    }

    /// The profiles of graphs that share these multiprocessors, and whether every C is given.
    pub(super) fn shared(
        &self,
        executions: &[Execution],
        graphs: &[usize],
        multiprocessors: u64,
    ) -> Result<(Vec<Profiles>, bool), Unbounded> {
        let all: Vec<(usize, usize)> = graphs.iter().flat_map(|&graph| self.ordered(graph)).collect();
        let (found, all_measured) = self.costs(executions, all, multiprocessors)?;
        let of = |&graph: &usize| {
            let mut costs = vec![Vec::new(); self.graphs[graph].nodes.len()];
            for ((of, node), cost) in &found {
                if *of == graph {
                    costs[*node].clone_from(cost);
                }
            }
            self.profiles(graph, &costs)
        };
        Ok((graphs.iter().map(of).collect(), all_measured))
    }

    /// What each of these nodes costs at each theta.
    fn costs(
        &self,
        executions: &[Execution],
        of: Vec<(usize, usize)>,
        multiprocessors: u64,
    ) -> Result<(NodeCosts, bool), Unbounded> {
        let nodes = self.nodes(executions, of, multiprocessors);
        let costs = path_costs(&nodes.system, &nodes.executions).map_err(|why| nodes.unbounded(why))?;
        let all = nodes.of.into_iter().zip(costs.followed.into_iter().zip(costs.present));
        let cost = |(node, (followed, present)): (_, (Vec<Time>, Vec<Time>))| {
            let pairs = followed.into_iter().zip(present);
            (node, pairs.map(|(followed, present)| KernelCost { followed, present }).collect())
        };
        Ok((all.map(cost).collect(), costs.all_measured))
    }

    /// A profile of a graph for each theta of its nodes' costs.
    fn profiles(&self, graph: usize, costs: &[Vec<KernelCost>]) -> Profiles {
        let thetas = costs.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let (cores, engines) = (self.cores.count, self.copies.engines.len());
        let at = |theta: usize| {
            profile(&self.graphs[graph], cores, engines, |node| costs[node].get(theta).copied())
        };
        (0..thetas).map(at).collect()
    }

    /// The multiprocessors that graphs share, where those that search have so many.
    pub(super) fn left(&self, found: &[u64]) -> u64 {
        let all = self.system.gpu().multiprocessors;
        (0..self.graphs.len()).filter_map(|graph| self.own(graph, found)).fold(all, u64::saturating_sub)
    }

    /// The multiprocessors that a graph has of its own.
    pub(super) fn own(&self, graph: usize, found: &[u64]) -> Option<u64> {
        match self.graphs[graph].multiprocessors {
            Multiprocessors::Shared => None,
            Multiprocessors::Own(number) => Some(number),
            Multiprocessors::Search => Some(found[graph]),
        }
    }

    /// All kernel nodes, for what the memory is asked. Copies ask as the first kernel of their graph.
    pub(super) fn for_memory(&self, executions: &[Execution]) -> Result<(Nodes, Vec<usize>), Unbounded> {
        let all: Vec<(usize, usize)> = (0..self.graphs.len()).flat_map(|graph| self.ordered(graph)).collect();
        let graphs: Vec<usize> = all.iter().map(|(graph, _)| *graph).collect();
        let nodes = self.nodes(executions, all, self.system.gpu().multiprocessors);
        let Nodes { system, executions, of } = nodes;
        let mut tasks = system.tasks().to_vec();
        for (number, graph) in self.graphs.iter().enumerate() {
            let copied = graph.nodes.iter().filter_map(|node| match node.work {
                Work::Copy(_, time) => Some(time.0),
                Work::Kernel(_) | Work::Host(_) | Work::Nothing => None,
            });
            let copied = copied.map(u128::from).sum::<u128>();
            let copied = u64::try_from(copied).map_err(|_| Unbounded::TooLarge)?;
            match graphs.iter().position(|&of| of == number) {
                Some(first) => tasks[first].copy_in = Duration(copied),
                None if copied > 0 && system.asks_memory() => {
                    return Err(Unbounded::CopiesAlone(number));
                }
                None => {}
            }
        }
        let system = system.of_nodes(system.gpu().multiprocessors, system.streams().to_vec(), tasks);
        Ok((Nodes { system, executions, of }, graphs))
    }
}

impl Nodes {
    /// Why there is no bound, in a sentence that names nodes.
    pub(super) fn unbounded(&self, why: NoBound) -> Unbounded {
        let name = |kernel: usize| self.system.tasks()[kernel].name.as_str();
        Unbounded::Kernels(match why {
            NoBound::NotAlone { kernel, beside } if kernel == beside => format!(
                "C of {} was measured alone, but two of its blocks fit on a multiprocessor: want C measured with co-running blocks",
                name(kernel)
            ),
            NoBound::NotAlone { kernel, beside } => format!(
                "C of {} was measured alone, but a block of {} fits on a multiprocessor with its blocks: want C measured with co-running blocks",
                name(kernel),
                name(beside)
            ),
            NoBound::TooManyStreams(streams, most) => {
                format!("the GPU runs {most} kernels at once, and {streams} kernels may be ready at once")
            }
            NoBound::TooLarge => return Unbounded::TooLarge,
            _ => "there are too many kernels".to_owned(),
        })
    }
}
