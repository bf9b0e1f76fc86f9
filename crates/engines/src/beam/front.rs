//! The states after a cycle and the step to those after the next cycle.

use std::cmp::Reverse;
use std::ops::Range;

use crate::beam::Breadth;
use crate::beam::back::Step;
use crate::beam::options::{Tables, hash};
use crate::phase::{Remaining, Sums};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::{Instance, Unit};

/// The number of candidates that a thread may find before it checks the limits again.
const CANDIDATES_A_LOOK: usize = 1 << 18;
/// The number of candidates that are held before the least promising are left out.
const MOST_CANDIDATES: usize = 1 << 21;

/// The data that all fronts share.
pub(super) struct Search<'a> {
    remaining: &'a Remaining,
    tables: Tables<'a>,
    /// The number of places, which is how many numbers a state takes.
    places: usize,
    breadth: Breadth,
    longer_than: u64,
    limits: &'a Limits,
}

/// States after the same number of cycles.
#[derive(Default)]
pub(super) struct Front {
    /// The number of warps at each place, state by state.
    warps: Vec<u16>,
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    all: Sums,
    hash: u64,
    /// The upper bound on the remaining time, in parts of a cycle.
    parts: i64,
}

/// A state that a choice leads to. The most promising come first, and of equally promising ones those with
/// the most letters left. The rest of the order is arbitrary but fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    parts: Reverse<i64>,
    left: Reverse<i64>,
    hash: u64,
    parent: u32,
    choice: [u16; 2],
}

/// The result of one step.
pub(super) struct Next {
    pub(super) front: Front,
    pub(super) step: Step,
    /// A state in which all warps have finished, if there is one.
    pub(super) finished: Option<u32>,
    pub(super) left_out: LeftOut,
}

/// The longest that a schedule through a state that was left out can be. It is 0 if none was left out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LeftOut {
    /// The bound for states that exceeded the width.
    pub(super) by_width: u64,
    /// The bound for choices that exceeded the number of ways of a unit.
    pub(super) by_ways: u64,
}

impl Front {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.warps.capacity() * size_of::<u16>() + self.nodes.capacity() * size_of::<Node>()) as u64
    }
}

impl<'a> Search<'a> {
    /// A search and its first front, in which no warp has issued. It is `None` where the numbers do not fit.
    pub(super) fn new(
        instance: &Instance,
        remaining: &'a Remaining,
        breadth: Breadth,
        longer_than: u64,
        limits: &'a Limits,
    ) -> Option<(Self, Front)> {
        u16::try_from(instance.total_warps()).ok()?;
        let breadth =
            Breadth { width: breadth.width.max(1), ways: breadth.ways.clamp(1, Breadth::MOST_WAYS) };
        let places = instance.groups().iter().map(|group| group.kernel.len() + 1).sum::<usize>();
        u16::try_from(places).ok()?;
        let mut warps = vec![0; places];
        let mut node = Node { all: Sums::default(), hash: 0, parts: 0 };
        for (group, members) in instance.groups().iter().enumerate() {
            let first = remaining.first(group);
            warps[first] = u16::try_from(members.warps).ok()?;
            for _ in 0..members.warps {
                node.all += remaining.own(first);
                node.hash = node.hash.wrapping_add(hash(u16::try_from(first).ok()?));
            }
        }
        let parts = |(group, _)| remaining.parts(&node.all, remaining.first(group));
        node.parts = instance.groups().iter().enumerate().map(parts).max()?;
        let tables = Tables::new(instance, remaining, breadth.ways);
        Some((
            Self { remaining, tables, places, breadth, longer_than, limits },
            Front { warps, nodes: vec![node] },
        ))
    }

    fn state<'f>(&self, front: &'f Front, at: usize) -> &'f [u16] {
        &front.warps[at * self.places..][..self.places]
    }

    /// The largest bound on the remaining cycles of a state.
    pub(super) fn longest(&self, front: &Front) -> u64 {
        front.nodes.iter().map(|node| self.remaining.cycles(node.parts)).max().unwrap_or(0)
    }

    /// The front after a cycle. It holds states that may be on schedules longer than the longest known.
    pub(super) fn next(&self, front: &Front, cycle: u64) -> Result<Next, Stop> {
        let mut candidates = Vec::new();
        let mut left_out = LeftOut::default();
        let look = (CANDIDATES_A_LOOK / (self.breadth.ways * self.breadth.ways)).max(1);
        let chunks = (0..front.len()).step_by(look);
        let chunks: Vec<_> = chunks.map(|at| at..front.len().min(at + look)).collect();
        for chunks in chunks.chunks(self.limits.threads) {
            if let Some(stop) = self.limits.stopped() {
                return Err(stop);
            }
            let expand = |range| self.expand(front, range, cycle);
            for (found, out) in self.limits.side_by_side(chunks.to_vec(), expand) {
                candidates.extend(found);
                left_out.by_ways = left_out.by_ways.max(out);
            }
            if candidates.len() > MOST_CANDIDATES.max(self.breadth.width.saturating_mul(4)) {
                left_out.by_width = left_out.by_width.max(self.cut(&mut candidates, cycle));
            }
        }
        left_out.by_width = left_out.by_width.max(self.cut(&mut candidates, cycle));
        let (front, step) = self.build(front, &mut candidates);
        let finished = front.nodes.iter().position(|node| node.parts == 0);
        let finished = finished.map(|at| u32::try_from(at).expect("states are counted in 32 bits"));
        Ok(Next { front, step, finished, left_out })
    }

    /// The successors of the states in a range, and a bound on schedules through choices that were not tried.
    fn expand(&self, front: &Front, range: Range<usize>, cycle: u64) -> (Vec<Candidate>, u64) {
        let (mut found, mut left_out) = (Vec::new(), 0);
        for at in range {
            let node = &front.nodes[at];
            if node.parts == 0 {
                continue; // all warps have finished
            }
            let (choices, some_left_out) = self.tables.choices(self.state(front, at));
            if some_left_out {
                left_out = left_out.max(cycle - 1 + self.remaining.cycles(node.parts));
            }
            for (l, on_l) in (0..).zip(&choices[Unit::LoadStore]) {
                for (c, on_c) in (0..).zip(&choices[Unit::CudaCore]) {
                    let all = node.all + on_l.change + on_c.change;
                    let places = on_l.after.iter().chain(&on_c.after);
                    let parts =
                        places.map(|&place| self.remaining.parts(&all, place.into())).max().unwrap_or(0);
                    if cycle + self.remaining.cycles(parts) > self.longer_than {
                        found.push(Candidate {
                            parts: Reverse(parts),
                            left: Reverse(all.left[Unit::LoadStore] + all.left[Unit::CudaCore]),
                            hash: node.hash.wrapping_add(on_l.hash).wrapping_add(on_c.hash),
                            parent: u32::try_from(at).expect("states are counted in 32 bits"),
                            choice: [l, c],
                        });
                    }
                }
            }
        }
        (found, left_out)
    }

    /// Keeps the most promising candidates and returns a bound on schedules through the others.
    fn cut(&self, candidates: &mut Vec<Candidate>, cycle: u64) -> u64 {
        candidates.sort_unstable();
        let mut kept = 0;
        let mut last = None;
        let end = candidates.iter().position(|candidate| {
            // The same state is reached from several states. States that share a hash are distinguished when
            // they are built.
            kept += usize::from(last != Some((candidate.parts, candidate.hash)));
            last = Some((candidate.parts, candidate.hash));
            kept > self.breadth.width
        });
        let Some(end) = end else { return 0 };
        let left_out = cycle + self.remaining.cycles(candidates[end].parts.0);
        candidates.truncate(end);
        left_out
    }

    /// The states that the candidates stand for, each once.
    fn build(&self, front: &Front, candidates: &mut [Candidate]) -> (Front, Step) {
        candidates.sort_unstable_by_key(|candidate| (candidate.parent, *candidate));
        let (mut next, mut step) = (Front::default(), Step::default());
        let mut built: rustc_hash::FxHashMap<u64, u32> = rustc_hash::FxHashMap::default();
        for siblings in candidates.chunk_by(|a, b| a.parent == b.parent) {
            let parent = siblings[0].parent as usize;
            let (choices, _) = self.tables.choices(self.state(front, parent));
            for candidate in siblings {
                let first = next.warps.len();
                next.warps.extend_from_slice(self.state(front, parent));
                let mut all = front.nodes[parent].all;
                let at = next.nodes.len();
                let choices =
                    Unit::ALL.map(|unit| &choices[unit][usize::from(candidate.choice[unit as usize])]);
                for choice in choices {
                    all += choice.change;
                    for &(place, count) in &choice.issuing {
                        next.warps[first + usize::from(place)] -= count;
                        next.warps[first + usize::from(place) + 1] += count;
                    }
                }
                if let Some(&known) = built.get(&candidate.hash)
                    && self.state(&next, known as usize) == self.state(&next, at)
                {
                    next.warps.truncate(first);
                    continue;
                }
                built.insert(candidate.hash, u32::try_from(at).expect("states are counted in 32 bits"));
                step.push(candidate.parent, choices.into_iter().flat_map(|choice| &choice.issuing).copied());
                next.nodes.push(Node { all, hash: candidate.hash, parts: candidate.parts.0 });
            }
        }
        (next, step)
    }
}
