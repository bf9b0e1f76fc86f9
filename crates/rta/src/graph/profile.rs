//! What one launch of a graph may take by itself, and what it adds to the waits of others.
//!
//! A path of a launch is found backwards: the node that completes last, of its predecessors the one that completes
//! last, and so on to the beginning. At each moment one node of the path runs or waits. A node that waits, waits for a
//! *resource*: the multiprocessors, the cores, or a copy engine. The launch adds nothing to waits for resources that
//! its path does not use. So for each set of resources the worst path is found that uses just these.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::exact::{Time, grains, less, parts, sum};
use crate::graph::{Graph, Unbounded, Work};

/// A set of resources: a bit for each.
pub(super) type Resources = u16;
/// The multiprocessors.
pub(super) const GPU: usize = 0;
/// The cores.
pub(super) const CORES: usize = 1;

/// The resource of a copy engine.
pub(super) const fn engine(engine: usize) -> usize {
    2 + engine
}

/// What a launch of a kernel adds to a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct KernelCost {
    /// If it is on the path.
    pub(super) followed: Time,
    /// If it is not.
    pub(super) present: Time,
}

/// What one launch of a graph adds.
#[derive(Debug, Clone)]
pub(super) struct Profile {
    /// For each set of resources that a path may use, the most that the launch takes on such a path, if nothing else runs.
    pub(super) paths: BTreeMap<Resources, Time>,
    /// What the launch adds to waits for each resource.
    pub(super) work: Vec<Time>,
    /// The most copies of each engine that are on one path.
    pub(super) copies: Vec<u64>,
    stretches: Vec<Stretch>,
}

/// A set of resources of all stretches up to one, with the longest sum for it.
type Joined = BTreeMap<Resources, (Time, Resources, Resources)>;

/// For each set of resources up to a node, the longest sum, and the node and the set that it comes from.
type Ways = BTreeMap<Resources, (Time, Option<(usize, Resources)>)>;

/// What is known up to the end of a stretch.
#[derive(Debug, Clone)]
struct Stretch {
    /// The worst path through the stretch for each set of resources.
    within: BTreeMap<Resources, (Time, Vec<usize>)>,
    /// The same for all stretches up to it, with the set up to the one before and that within.
    up_to: Joined,
    /// What the nodes of the stretch add to each resource.
    work: Vec<Time>,
}

/// What a node adds.
struct NodeCost {
    resource: Option<usize>,
    /// Beyond its work, if it is on the path.
    own: Time,
    work: Time,
}

/// The profile of a graph on so many cores with so many copy engines, with what each kernel node costs.
pub(super) fn profile(
    graph: &Graph,
    cores: u64,
    engines: usize,
    kernel: impl Fn(usize) -> Option<KernelCost>,
) -> Result<Profile, Unbounded> {
    let zero = grains(0);
    let cost = |number: usize| -> Result<NodeCost, Unbounded> {
        Ok(match graph.nodes[number].work {
            Work::Kernel(_) => {
                let KernelCost { followed, present } = kernel(number).ok_or(Unbounded::TooLarge)?;
                NodeCost { resource: Some(GPU), own: less(followed, present)?, work: present }
            }
            Work::Copy(on, time) => NodeCost { resource: Some(engine(on)), own: zero, work: grains(time.0) },
            Work::Host(time) => {
                let work = parts(grains(time.0), cores)?;
                NodeCost { resource: Some(CORES), own: less(grains(time.0), work)?, work }
            }
            Work::Nothing => NodeCost { resource: None, own: zero, work: zero },
        })
    };
    let costs: Vec<NodeCost> = (0..graph.nodes.len()).map(cost).collect::<Result<_, _>>()?;
    let mut stretches: Vec<Stretch> = Vec::new();
    for nodes in &graph.dag.stretches {
        let mut work = vec![zero; engine(engines)];
        for &node in nodes {
            if let Some(resource) = costs[node].resource {
                work[resource] = sum(work[resource], costs[node].work)?;
            }
        }
        let within = within(graph, nodes, &costs, &work)?;
        let start = BTreeMap::from([(0, (zero, 0, 0))]);
        let up_to = joined(stretches.last().map_or(&start, |last| &last.up_to), &within)?;
        stretches.push(Stretch { within, up_to, work });
    }
    let mut work = vec![zero; engine(engines)];
    for stretch in &stretches {
        for (all, of) in work.iter_mut().zip(&stretch.work) {
            *all = sum(*all, *of)?;
        }
    }
    let last = stretches.last().map(|last| &last.up_to);
    let paths = last.into_iter().flatten().map(|(&set, &(time, ..))| (set, time)).collect();
    let copies = (0..engines).map(|on| most_copies(graph, on)).collect();
    Ok(Profile { paths, work, copies, stretches })
}

/// The worst path through a stretch for each set of resources, with what all its nodes add to these.
fn within(
    graph: &Graph,
    nodes: &[usize],
    costs: &[NodeCost],
    work: &[Time],
) -> Result<BTreeMap<Resources, (Time, Vec<usize>)>, Unbounded> {
    let inside: BTreeSet<usize> = nodes.iter().copied().collect();
    let mut ends = inside.clone();
    // For each node and set of resources up to it, the longest sum and what it comes from.
    let mut best: BTreeMap<usize, Ways> = BTreeMap::new();
    for &node in graph.dag.order.iter().filter(|node| inside.contains(node)) {
        let cost = &costs[node];
        let bit = cost.resource.map_or(0, |resource| 1 << resource);
        let mut of: Ways = BTreeMap::new();
        let before: Vec<usize> =
            graph.dag.before[node].iter().copied().filter(|one| inside.contains(one)).collect();
        if before.is_empty() {
            of.insert(bit, (cost.own, None));
        }
        for one in before {
            ends.remove(&one);
            for (&set, &(time, _)) in best.get(&one).into_iter().flatten() {
                let time = sum(time, cost.own)?;
                let entry = of.entry(set | bit).or_insert((time, Some((one, set))));
                if time > entry.0 {
                    *entry = (time, Some((one, set)));
                }
            }
        }
        best.insert(node, of);
    }
    let mut worst: BTreeMap<Resources, (Time, (usize, Resources))> = BTreeMap::new();
    for end in ends {
        for (&set, &(time, _)) in best.get(&end).into_iter().flatten() {
            let entry = worst.entry(set).or_insert((time, (end, set)));
            if time > entry.0 {
                *entry = (time, (end, set));
            }
        }
    }
    let path = |(set, (time, end)): (Resources, (Time, (usize, Resources)))| {
        let mut nodes = Vec::new();
        let mut at = Some(end);
        while let Some((node, set)) = at {
            nodes.push(node);
            at = best.get(&node).and_then(|of| of.get(&set)).and_then(|(_, from)| *from);
        }
        nodes.reverse();
        Ok((set, (sum(time, waits(work, set)?)?, nodes)))
    };
    worst.into_iter().map(path).collect()
}

/// What is added to waits for these resources.
fn waits(work: &[Time], set: Resources) -> Result<Time, Unbounded> {
    let of = work.iter().enumerate().filter(|(resource, _)| set >> resource & 1 == 1);
    of.map(|(_, work)| *work).try_fold(grains(0), sum)
}

/// Both stretches one after the other.
fn joined(up_to: &Joined, within: &BTreeMap<Resources, (Time, Vec<usize>)>) -> Result<Joined, Unbounded> {
    let mut all = Joined::new();
    for (&before, &(time, ..)) in up_to {
        for (&set, &(more, _)) in within {
            let time = sum(time, more)?;
            let entry = all.entry(before | set).or_insert((time, before, set));
            if time > entry.0 {
                *entry = (time, before, set);
            }
        }
    }
    Ok(all)
}

/// The most copies of an engine on one path.
fn most_copies(graph: &Graph, engine: usize) -> u64 {
    let mut most = vec![0; graph.nodes.len()];
    for &node in &graph.dag.order {
        let is = matches!(graph.nodes[node].work, Work::Copy(on, _) if on == engine);
        let before = graph.dag.before[node].iter().map(|&one| most[one]).max().unwrap_or(0);
        most[node] = before + u64::from(is);
    }
    most.into_iter().max().unwrap_or(0)
}

impl Profile {
    /// The worst path that uses just these resources.
    pub(super) fn path(&self, mut set: Resources) -> Vec<usize> {
        let mut stretches = Vec::new();
        for stretch in self.stretches.iter().rev() {
            let Some(&(_, before, within)) = stretch.up_to.get(&set) else { break };
            stretches.push(stretch.within.get(&within).map(|(_, nodes)| nodes.clone()).unwrap_or_default());
            set = before;
        }
        stretches.into_iter().rev().flatten().collect()
    }

    /// All resources that a path may use.
    pub(super) fn all(&self) -> Resources {
        self.paths.keys().fold(0, |all, set| all | set)
    }
}
