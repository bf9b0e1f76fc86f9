//! Response times of co-running graphs: the smallest joint solution of the inequalities of [the module](super).

use std::collections::BTreeMap;

use crate::graph::costs::Profiles;
use crate::graph::exact::{Time, grains, less, sum, times, up};
use crate::graph::profile::{CORES, GPU, Profile, Resources, engine};
use crate::graph::{Graph, Graphs, Multiprocessors, Policy, Unbounded, Work};
use crate::{Execution, MOST_PENDING, PathMemory};
use warpspan_model::limits::Limits;
use warpspan_model::time::Duration;

/// The most rounds of the iteration.
const MOST_ROUNDS: usize = 100_000;

/// What all graphs cost where those that search have so many multiprocessors.
pub(super) struct Setting<'a> {
    pub(super) graphs: &'a Graphs,
    pub(super) profiles: Vec<Profiles>,
    /// Whether blocks of these graphs are on the same multiprocessors as those of others.
    pub(super) mixed: Vec<bool>,
    /// Whether a launch adds no more to waits for multiprocessors than the time for which it is there.
    measured: bool,
    memory: Option<&'a Memory>,
}

/// What launches of all graphs ask of the memory.
pub(super) struct Memory {
    memory: PathMemory,
    /// The graph of each kernel of it.
    graphs: Vec<usize>,
}

/// What one graph adds to the bound of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Added {
    pub(super) graph: usize,
    pub(super) launches: u64,
    pub(super) time: Time,
}

/// Where a bound comes from, in grains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) total: Time,
    /// The resources of the path.
    pub(super) set: Resources,
    /// Which profile of the graph.
    pub(super) theta: usize,
    /// The launches of the graph itself.
    pub(super) launches: u64,
    /// What they take by themselves.
    pub(super) own: Time,
    /// What each other graph adds to the waits for each resource.
    pub(super) others: BTreeMap<usize, Vec<Added>>,
    /// For how long one copy of a less urgent graph may delay each copy, over all engines.
    pub(super) blocking: Time,
    /// What the memory adds.
    pub(super) memory: Time,
}

/// The bounds, counted from the release.
pub(super) type Found = Vec<Result<u64, Unbounded>>;

impl Memory {
    pub(super) fn new(graphs: &Graphs, executions: &[Execution]) -> Result<Option<Self>, Unbounded> {
        if !graphs.system.asks_memory() {
            return Ok(None);
        }
        let (nodes, of) = graphs.for_memory(executions)?;
        let memory = PathMemory::new(&nodes.system).map_err(|why| nodes.unbounded(why))?;
        Ok(memory.map(|memory| Self { memory, graphs: of }))
    }
}

impl<'a> Setting<'a> {
    pub(super) fn new(
        graphs: &'a Graphs,
        executions: &[Execution],
        found: &[u64],
        memory: Option<&'a Memory>,
    ) -> Self {
        let all = 0..graphs.graphs.len();
        let left = graphs.left(found);
        let shares = |&graph: &usize| {
            graphs.graphs[graph].multiprocessors == Multiprocessors::Shared
                && graphs.graphs[graph].has_kernels()
        };
        let sharing: Vec<usize> = all.clone().filter(shares).collect();
        let (mut mixed, mut measured) = (vec![false; graphs.graphs.len()], true);
        let mut profiles: Vec<Option<Profiles>> = vec![None; graphs.graphs.len()];
        if sharing.len() > 1 {
            sharing.iter().for_each(|&graph| mixed[graph] = true);
            match graphs.shared(executions, &sharing, left) {
                Ok((of, all_measured)) => {
                    measured = all_measured;
                    for (&graph, of) in sharing.iter().zip(of) {
                        profiles[graph] = Some(of);
                    }
                }
                Err(why) => sharing.iter().for_each(|&graph| profiles[graph] = Some(Err(why.clone()))),
            }
        }
        let own = |graph: usize| graphs.own(graph, found).unwrap_or(left);
        let one = |(graph, profiles): (usize, Option<Profiles>)| {
            profiles.unwrap_or_else(|| graphs.alone(executions, graph, own(graph)))
        };
        let profiles = profiles.into_iter().enumerate().map(one).collect();
        Self { graphs, profiles, mixed, measured, memory }
    }

    fn graph(&self, graph: usize) -> &'a Graph {
        &self.graphs.graphs[graph]
    }

    /// Whether another graph may keep one waiting for a resource, beyond what cannot be interrupted.
    fn is_in_the_way(&self, of: usize, other: usize, resource: usize) -> bool {
        let policy = match resource {
            GPU => return self.mixed[of] && self.mixed[other],
            CORES => self.graphs.cores.policy,
            _ => self.graphs.copies.policy,
        };
        policy == Policy::Any || self.graph(other).priority >= self.graph(of).priority
    }

    /// The smallest joint solution; `go_on` is asked of a graph and what its bound has reached.
    pub(super) fn settle(
        &self,
        limits: &Limits,
        go_on: impl Fn(usize, &Result<u64, Unbounded>) -> bool,
    ) -> Found {
        let all = 0..self.profiles.len();
        let mut found: Found = all.clone().map(|_| Ok(0)).collect();
        for _ in 0..MOST_ROUNDS {
            let mut settled = true;
            for graph in all.clone() {
                if limits.stopped().is_some() {
                    return vec![Err(Unbounded::Stopped); found.len()];
                }
                let Ok(now) = found[graph] else { continue };
                let next = self.sum(graph, &found).and_then(|sum| self.within(graph, up(sum.total)?));
                // No sum falls where others grow, but to be sure a value that has been reached is kept.
                let next = next.map(|next| next.max(now));
                settled &= next == found[graph];
                if !go_on(graph, &next) {
                    return vec![Err(Unbounded::Stopped); found.len()];
                }
                found[graph] = next;
            }
            if settled {
                return found;
            }
        }
        vec![Err(Unbounded::Stopped); found.len()]
    }

    /// What the bound of a graph has reached, if that is not too much.
    fn within(&self, graph: usize, time: u64) -> Result<u64, Unbounded> {
        let period = self.graph(graph).period;
        let limit = period.map_or(u64::MAX, |period| period.0.saturating_mul(MOST_PENDING));
        if time > Duration::MAX.0 {
            return Err(Unbounded::TooLarge);
        }
        if time > limit { Err(Unbounded::Grows(Duration(time))) } else { Ok(time) }
    }

    /// The right-hand side of a graph's inequality.
    pub(super) fn sum(&self, graph: usize, found: &Found) -> Result<Sum, Unbounded> {
        let profiles = self.profiles[graph].as_ref().map_err(Clone::clone)?;
        let mut least: Option<Sum> = None;
        for (theta, profile) in profiles.iter().enumerate() {
            let sum = self.sum_at(graph, theta, profile, found)?;
            if least.as_ref().is_none_or(|least| sum.total < least.total) {
                least = Some(sum);
            }
        }
        least.ok_or(Unbounded::TooLarge)
    }

    fn sum_at(&self, graph: usize, theta: usize, profile: &Profile, found: &Found) -> Result<Sum, Unbounded> {
        let of = self.graph(graph);
        let now = found[graph].clone()?;
        // A launch of the graph waits for those before it that are not complete.
        let launches = in_window(of, now)?.max(1);
        let all = profile.all();
        let mut waits: BTreeMap<usize, Result<Vec<Added>, Unbounded>> = BTreeMap::new();
        for resource in (0..profile.work.len()).filter(|resource| all >> resource & 1 == 1) {
            waits.insert(resource, self.waits(graph, resource, theta, found));
        }
        let mut worst: Option<Sum> = None;
        let longest = profile.paths.values().max().copied();
        // Several launches may take different paths.
        let choices: Vec<(Resources, Time)> = match (launches, longest) {
            (1, _) => profile.paths.iter().map(|(&set, &time)| (set, time)).collect(),
            (_, Some(time)) => vec![(all, times(time, launches)?)],
            (_, None) => Vec::new(),
        };
        for (set, own) in choices {
            let mut others = BTreeMap::new();
            let mut total = own;
            for (&resource, added) in waits.iter().filter(|(resource, _)| set >> **resource & 1 == 1) {
                let added = added.clone()?;
                total = added.iter().try_fold(total, |total, added| sum(total, added.time))?;
                others.insert(resource, added);
            }
            let blocking = self.blocking(graph, profile, set, launches)?;
            total = sum(total, blocking)?;
            if worst.as_ref().is_none_or(|worst| total > worst.total) {
                let memory = grains(0);
                worst = Some(Sum { total, set, theta, launches, own, others, blocking, memory });
            }
        }
        let mut worst = worst.unwrap_or(Sum {
            total: grains(0),
            set: 0,
            theta,
            launches,
            own: grains(0),
            others: BTreeMap::new(),
            blocking: grains(0),
            memory: grains(0),
        });
        if of.has_kernels() {
            worst.memory = self.late(graph, launches, found)?;
            worst.total = sum(worst.total, worst.memory)?;
        }
        Ok(worst)
    }

    /// What other graphs add to the waits of one for a resource.
    fn waits(
        &self,
        graph: usize,
        resource: usize,
        theta: usize,
        found: &Found,
    ) -> Result<Vec<Added>, Unbounded> {
        let window = found[graph].clone()?;
        let mut all = Vec::new();
        for other in (0..self.profiles.len()).filter(|&other| other != graph) {
            if !self.is_in_the_way(graph, other, resource) {
                continue;
            }
            let profiles = self.profiles[other].as_ref().map_err(|_| Unbounded::Beside(other))?;
            let theta = if resource == GPU { theta } else { 0 };
            let Some(work) = profiles.get(theta).and_then(|profile| profile.work.get(resource)) else {
                return Err(Unbounded::TooLarge);
            };
            if *work == grains(0) {
                continue;
            }
            let response = found[other].clone().map_err(|_| Unbounded::Beside(other))?;
            let launches = self.launches(other, response, window)?;
            let mut time = times(*work, launches)?;
            if resource != GPU || self.measured {
                time = time.min(carried(self.graph(other), *work, response, window)?);
            }
            all.push(Added { graph: other, launches, time });
        }
        Ok(all)
    }

    /// How many launches of another graph may be incomplete at some moment of a window.
    fn launches(&self, other: usize, response: u64, window: u64) -> Result<u64, Unbounded> {
        let both = response.checked_add(window).ok_or(Unbounded::TooLarge)?;
        in_window(self.graph(other), both.saturating_sub(1))
    }

    /// A copy may wait for one of a less urgent graph that has begun.
    fn blocking(
        &self,
        graph: usize,
        profile: &Profile,
        set: Resources,
        launches: u64,
    ) -> Result<Time, Unbounded> {
        let mut all = grains(0);
        if self.graphs.copies.policy == Policy::Any {
            return Ok(all);
        }
        let priority = self.graph(graph).priority;
        for (on, &copies) in profile.copies.iter().enumerate() {
            if set >> engine(on) & 1 == 0 {
                continue;
            }
            let less_urgent = self.graphs.graphs.iter().filter(|other| other.priority < priority);
            let of = less_urgent.flat_map(|other| &other.nodes).filter_map(|node| match node.work {
                Work::Copy(of, time) if of == on => Some(time.0),
                Work::Copy(..) | Work::Kernel(_) | Work::Host(_) | Work::Nothing => None,
            });
            let longest = times(grains(of.max().unwrap_or(0)), launches)?;
            all = sum(all, times(longest, copies)?)?;
        }
        Ok(all)
    }

    /// For how long the memory keeps a launch waiting.
    fn late(&self, graph: usize, own: u64, found: &Found) -> Result<Time, Unbounded> {
        let Some(Memory { memory, graphs }) = self.memory else { return Ok(grains(0)) };
        let window = found[graph].clone()?;
        let mut launches = Vec::new();
        for (kernel, &of) in graphs.iter().enumerate() {
            let number = if of == graph {
                own
            } else {
                let response = found[of].clone().map_err(|_| Unbounded::Beside(of))?;
                self.launches(of, response, window)?
            };
            launches.push((kernel, number));
        }
        let late = memory.late(launches, window).map_err(|_| Unbounded::TooLarge)?;
        Ok(Time::from(i128::try_from(late).map_err(|_| Unbounded::TooLarge)?))
    }
}

/// Above all times.
const NO_LIMIT: Time = Time::new_raw(i128::MAX, 1);

/// The most releases of a graph in so many grains.
fn in_window(graph: &Graph, grains: u64) -> Result<u64, Unbounded> {
    let Some(period) = graph.period else { return Ok(1) };
    let grains = grains.checked_add(graph.jitter.0).ok_or(Unbounded::TooLarge)?;
    Ok(grains.div_ceil(period.0))
}

/// The most that launches of a graph add to waits in a window, if none adds more than the time for which it is in there.
///
/// A launch is there for up to R from its arrival, and arrivals are T apart. No sum is larger than with a first launch of
/// which just `work` is left (Bertogna and Cirinei, RTSS 2007): n work + min(work, r), where window + R - work = n T + r.
fn carried(graph: &Graph, work: Time, response: u64, window: u64) -> Result<Time, Unbounded> {
    let response = grains(response.checked_add(graph.jitter.0).ok_or(Unbounded::TooLarge)?);
    let work = work.min(response);
    let Some(period) = graph.period.map(|period| grains(period.0)) else {
        return Ok(work.min(grains(window)));
    };
    if work > period {
        // More than one launch may be there in part.
        return Ok(NO_LIMIT);
    }
    let room = less(sum(grains(window), response)?, work)?;
    let whole = (room / period).floor();
    let number = u64::try_from(whole.to_integer()).map_err(|_| Unbounded::TooLarge)?;
    let rest = less(room, times(period, number)?)?;
    sum(times(work, number)?, work.min(rest))
}
