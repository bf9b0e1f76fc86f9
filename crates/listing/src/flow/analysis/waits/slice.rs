//! What a path out of a loop depends on: a slice backwards through the passes of the loop.

use std::collections::{BTreeSet, HashMap, HashSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::closure::closure;
use crate::flow::analysis::{Function, Scope};
use crate::flow::graph::{Edge, Node};
use warpspan_isa::dataflow::{Access, Found, Place, access, predicate};
use warpspan_isa::instruction::{Guard, Instruction};

/// The most instructions that a slice may have. Of a larger one nothing is said.
const MOST: usize = 4_000;

/// What was found of a value.
#[derive(Debug, Default)]
pub(super) struct Slice {
    /// The accesses of memory that it depends on, and that other blocks may change.
    pub(super) sources: BTreeSet<usize>,
    /// Whether it also depends on a counter of the loop, or on what nobody knows.
    pub(super) own: bool,
}

/// What is needed to go backwards from a value.
pub(super) struct Slicer<'s, 'a> {
    pass: &'s Scope<'s>,
    is_ptx: bool,
    /// Whether the loop stores in global memory, where an ordinary load may find it.
    stores: bool,
    /// The instructions of the loop. What is executed only on the path out is none of it.
    instructions: HashMap<usize, (Node, &'s Instruction<'a>, Access<'a>)>,
    /// The instructions that may write something, in each node in their order.
    writers: HashMap<Place<'a>, HashMap<Node, Vec<usize>>>,
    /// Those that may write anything.
    wild: HashMap<Node, Vec<usize>>,
    /// The nodes before each node, also in the pass before.
    before: HashMap<Node, Vec<Node>>,
    /// The branches of the loop with the nodes at which they decide whether control comes there.
    decides: Vec<(usize, HashSet<Node>)>,
}

/// The writes that a read may see.
struct Seen {
    writes: BTreeSet<usize>,
    /// Whether it may see what was there before the loop, too.
    earlier: bool,
}

/// Which instruction has an operand from which, the numbers of instructions being its weights.
#[derive(Default)]
struct Data {
    graph: DiGraph<usize, ()>,
    nodes: HashMap<usize, NodeIndex>,
}

impl Data {
    fn add(&mut self, reader: usize, writer: usize) {
        let [reader, writer] =
            [reader, writer].map(|at| *self.nodes.entry(at).or_insert_with(|| self.graph.add_node(at)));
        self.graph.add_edge(reader, writer, ());
    }

    /// Whether an instruction of some kind gets what it gave itself, as counters do.
    fn goes_round(&self, such: impl Fn(usize) -> bool) -> bool {
        kosaraju_scc(&self.graph).iter().any(|component| {
            let cyclic = component.len() > 1 || component.iter().any(|&at| self.graph.contains_edge(at, at));
            cyclic && component.iter().any(|&at| such(self.graph[at]))
        })
    }
}

impl<'s, 'a> Slicer<'s, 'a> {
    /// Looks at one pass of a loop; none if nothing in it is from memory.
    pub(super) fn new(function: &'s Function<'a, 's>, pass: &'s Scope<'s>) -> Option<Self> {
        let inside = |node: &Node| pass.exits.comes_back(Edge::To(*node));
        let nodes: Vec<Node> = pass.subgraph.nodes().filter(inside).collect();
        let mut slicer = Self {
            pass,
            is_ptx: function.is_ptx(),
            stores: false,
            instructions: HashMap::new(),
            writers: HashMap::new(),
            wild: HashMap::new(),
            before: HashMap::new(),
            decides: Vec::new(),
        };
        let mut any = false;
        for &node in &nodes {
            for at in pass.subgraph.block(node).instructions.clone() {
                let instruction = &function.routine.instructions[at];
                let access = access(instruction);
                any |= access.found.is_some();
                slicer.stores |= access.stores;
                for &place in &access.writes {
                    slicer.writers.entry(place).or_default().entry(node).or_default().push(at);
                }
                if access.everything {
                    slicer.wild.entry(node).or_default().push(at);
                }
                slicer.instructions.insert(at, (node, instruction, access));
            }
            for &edge in pass.subgraph.edges(node) {
                match edge {
                    Edge::To(to) => slicer.before.entry(to).or_default().push(node),
                    Edge::Back => slicer.before.entry(Node::ENTRY).or_default().push(node),
                    Edge::Out | Edge::End => {}
                }
            }
        }
        if !any {
            return None;
        }
        // Where a branch leaves the loop on all paths but one, it decides nothing about those who stay.
        let stays = |edge: &&Edge| pass.exits.comes_back(**edge);
        let decides = |node: &&Node| pass.subgraph.edges(**node).iter().filter(stays).count() > 1;
        for &node in nodes.iter().filter(decides) {
            let join = pass.joins.join(node);
            let paths = pass.subgraph.edges(node).iter().filter_map(|edge| edge.node());
            let decided = paths.flat_map(|path| pass.subgraph.reached(path, join)).collect();
            slicer.decides.push((pass.subgraph.block(node).last(), decided));
        }
        Some(slicer)
    }

    /// What an access of memory finds.
    pub(super) fn found(&self, at: usize) -> Option<Found> {
        self.instructions.get(&at).and_then(|(_, _, access)| access.found)
    }

    /// What it depends on whether the loop is left at the end of a node; none if that is too much.
    pub(super) fn of_exit(&self, node: Node) -> Option<Slice> {
        let last = self.pass.subgraph.block(node).last();
        let mut open = vec![last];
        open.extend(self.deciding(node));
        self.slice(open, false)
    }

    /// Whether an instruction compares what it finds with what was read before, and each pass comes to it: then it goes
    /// on only if another thread has changed it meanwhile.
    pub(super) fn is_retry(&self, at: usize) -> bool {
        let Some((node, _, access)) = self.instructions.get(&at) else { return false };
        if access.found != Some(Found::Compared) || !self.pass.dominance.once_a_pass(*node) {
            return false;
        }
        let mut open = Vec::new();
        for &place in &access.compared {
            open.extend(self.seen(at, place).writes);
        }
        self.slice(open, false).is_some_and(|slice| slice.own || !slice.sources.is_empty())
    }

    /// The branches that decide whether control comes to a node in a pass.
    fn deciding(&self, node: Node) -> impl Iterator<Item = usize> {
        self.decides.iter().filter(move |(_, decided)| decided.contains(&node)).map(|(branch, _)| *branch)
    }

    /// What instructions depend on. In what an address depends on, any load is one of an unknown number.
    fn slice(&self, from: Vec<usize>, of_address: bool) -> Option<Slice> {
        let (mut slice, mut data, mut steps) = (Slice::default(), Data::default(), 0);
        closure(from, |at, open| {
            steps += 1;
            if steps > MOST {
                return None;
            }
            let Some((_, instruction, access)) = self.instructions.get(&at) else { return Some(()) };
            slice.own |= access.unknown;
            if let Some(guard) = instruction.guard.and_then(|guard| self.guard(guard)) {
                open.extend(self.origins(at, guard));
            }
            match access.found {
                Some(Found::Ordinary) if of_address || !self.is_fixed(at, access)? => slice.own = true,
                Some(_) => _ = slice.sources.insert(at),
                None => {
                    for &place in &access.reads {
                        let seen = self.seen(at, place);
                        // Shared memory that the loop does not write is written elsewhere.
                        slice.own |= place == Place::Shared && seen.writes.is_empty();
                        seen.writes.iter().for_each(|&write| data.add(at, write));
                        open.extend(self.origins(at, place));
                    }
                }
            }
            Some(())
        })?;
        let counts = |at: usize| self.instructions.get(&at).is_some_and(|(_, _, access)| access.counts);
        slice.own |= data.goes_round(counts);
        Some(slice)
    }

    /// Whether a load reads the same address in each pass, and nothing that the loop stores.
    fn is_fixed(&self, at: usize, access: &Access<'a>) -> Option<bool> {
        if self.stores {
            return Some(false);
        }
        let mut open = Vec::new();
        for &place in &access.reads {
            open.extend(self.origins(at, place));
        }
        let slice = self.slice(open, true)?;
        Some(slice.sources.is_empty() && !slice.own)
    }

    /// The writes that a read may see, and the branches that decide which of several it is.
    fn origins(&self, at: usize, place: Place<'a>) -> BTreeSet<usize> {
        let Seen { writes, earlier } = self.seen(at, place);
        let mut found = writes.clone();
        if writes.len() + usize::from(earlier) > 1 {
            let nodes =
                writes.iter().filter_map(|write| self.instructions.get(write)).map(|(node, ..)| *node);
            nodes.for_each(|node| found.extend(self.deciding(node)));
        }
        found
    }

    /// The writes in the loop that a read of an instruction may see, in this pass or from an earlier one.
    fn seen(&self, at: usize, place: Place<'a>) -> Seen {
        let mut seen = Seen { writes: BTreeSet::new(), earlier: false };
        let Some(&(node, ..)) = self.instructions.get(&at) else { return seen };
        let of_place = self.writers.get(&place);
        if of_place.is_none() && self.wild.is_empty() {
            return Seen { earlier: true, ..seen };
        }
        closure([(node, Some(at))], |(node, before), open| {
            let writers = of_place.and_then(|nodes| nodes.get(&node)).into_iter().flatten();
            let mut writers: Vec<usize> =
                writers.chain(self.wild.get(&node).into_iter().flatten()).copied().collect();
            writers.sort_unstable();
            let earlier =
                writers.into_iter().rev().filter(|&write| before.is_none_or(|before| write < before));
            let mut killed = false;
            for write in earlier {
                seen.writes.insert(write);
                let (_, instruction, access) = &self.instructions[&write];
                if instruction.guard.is_none() && access.kills.contains(&place) {
                    killed = true;
                    break;
                }
            }
            if !killed {
                seen.earlier |= node == Node::ENTRY;
                open.extend(self.before.get(&node).into_iter().flatten().map(|&node| (node, None)));
            }
            Some(())
        });
        seen
    }

    /// The register of a guard.
    fn guard(&self, guard: Guard<'a>) -> Option<Place<'a>> {
        if self.is_ptx { Some(Place::Name(guard.register)) } else { predicate(guard) }
    }
}
