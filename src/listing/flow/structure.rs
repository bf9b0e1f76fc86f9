//! The structured program of a routine.

use std::collections::{HashMap, HashSet};

use crate::listing::classes::{Classes, Letters};
use crate::listing::flow::barriers::barriers;
use crate::listing::flow::blocks::Blocks;
use crate::listing::flow::letters::piece;
use crate::listing::flow::loops::LoopBound;
use crate::listing::flow::operands::{doubtful, writers};
use crate::listing::flow::uniform::uniform;
use crate::listing::flow::view::{View, Way};
use crate::listing::flow::{Obstacle, StructureError};
use crate::listing::routine::{Flow, Instruction, Language, Listing, Routine};
use crate::model::program::{Divergence, Piece};

/// Pieces beyond those of the listing itself: tail duplication may grow programs exponentially.
const MOST_COPIES: usize = 200_000;
/// Larger graphs are refused.
const MOST_BLOCKS: usize = 10_000;
/// Deeper ones too: a level is up to three pieces of a program, and whoever walks them needs a stack.
const DEEPEST: u32 = 60;

/// What the user says about branches and loops.
#[derive(Debug, Clone, Copy)]
pub(in crate::listing) struct Asked<'b> {
    /// Bounds by label or line.
    pub(in crate::listing) bounds: &'b HashMap<String, u64>,
    /// Labels or lines of branches that are uniform.
    pub(in crate::listing) uniform: &'b HashSet<String>,
    /// Whether the ways of a branch may alternate (capability 7.0 and later).
    pub(in crate::listing) interleaved: bool,
}

/// The structured programs of routines, as they call each other.
#[derive(Debug)]
pub(in crate::listing) struct Structure<'a, 'b> {
    listing: &'b Listing<'a>,
    classes: &'b mut Classes,
    asked: Asked<'b>,
    done: HashMap<(usize, usize), Vec<Piece>>,
    /// Parts that are called and in which threads may end.
    ending: HashSet<(usize, usize)>,
    open: Vec<(usize, usize)>,
    pieces: usize,
    most: usize,
    pub(super) seen: HashSet<LoopBound>,
    /// Loops seen.
    pub(in crate::listing) loops: Vec<LoopBound>,
    /// Labels and lines of the user that were of use.
    pub(in crate::listing) used: HashSet<String>,
}

/// A routine, or a part of it that is called, while it is looked at.
pub(super) struct Frame<'a, 'b> {
    number: usize,
    pub(super) routine: &'b Routine<'a>,
    pub(super) graph: &'b Blocks,
    pub(super) writers: &'b HashMap<&'a str, Vec<usize>>,
    uniform: Vec<bool>,
    /// Whether it is called: its ends do not end the threads.
    pub(super) called: bool,
    pub(super) whole: &'b View,
}

/// Where a walk may go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk<'w> {
    /// Blocks at which passes of the loops around end.
    pub(super) ends: &'w HashSet<usize>,
    pub(super) depth: u32,
}

/// The structured program of a routine.
pub(in crate::listing) fn structure<'a, 'b>(
    listing: &'b Listing<'a>,
    routine: usize,
    classes: &'b mut Classes,
    asked: Asked<'b>,
) -> (Result<Piece, StructureError>, Structure<'a, 'b>) {
    let (done, open, loops, used) = (HashMap::new(), Vec::new(), Vec::new(), HashSet::new());
    let most = listing.routines[routine].instructions.len().saturating_add(MOST_COPIES);
    let seen = HashSet::new();
    let ending = HashSet::new();
    let mut all =
        Structure { listing, classes, asked, done, ending, open, pieces: 0, most, seen, loops, used };
    let result = match all.part(routine, 0, 0, false) {
        Ok(pieces) => {
            let unbounded = StructureError::default().and_unbounded(&all.loops);
            unbounded.unless_empty().map(|()| Piece::Sequence(pieces))
        }
        Err(error) => Err(error.and_unbounded(&all.loops)),
    };
    (result, all)
}

impl Frame<'_, '_> {
    /// What to call a node: its label or line.
    pub(super) fn place(&self, view: &View, node: usize) -> String {
        self.routine.place(self.graph.blocks[view.nodes[node]].instructions.start)
    }

    pub(super) fn line(&self, view: &View, node: usize) -> u32 {
        self.routine.line_of(self.graph.blocks[view.nodes[node]].instructions.start)
    }

    pub(super) fn last(&self, view: &View, node: usize) -> usize {
        self.graph.blocks[view.nodes[node]].instructions.end - 1
    }

    pub(super) fn last_line(&self, view: &View, node: usize) -> u32 {
        self.routine.line_of(self.last(view, node))
    }

    /// Whether all threads of a warp leave a node the same way.
    pub(super) fn uniform(&self, all: &Structure<'_, '_>, view: &View, node: usize) -> bool {
        self.uniform_at(all, self.last(view, node))
    }

    /// Whether all threads of a warp do the same at an instruction.
    fn uniform_at(&self, all: &Structure<'_, '_>, at: usize) -> bool {
        self.uniform[at] || self.names(at).iter().any(|name| all.asked.uniform.contains(name))
    }

    /// Where the ways of a block meet in the whole routine.
    pub(super) fn merge(&self, block: usize) -> Option<usize> {
        self.whole.merge[self.whole.node(block)?].map(|node| self.whole.nodes[node])
    }

    /// What to call the branch at the end of a node.
    pub(super) fn branch(&self, view: &View, node: usize) -> String {
        self.names(self.last(view, node)).swap_remove(0)
    }

    /// What the user may call a branch: its line, or its target.
    fn names(&self, branch: usize) -> Vec<String> {
        let instruction = &self.routine.instructions[branch];
        let target =
            if let Flow::Branch(to) = instruction.flow { Some(self.routine.place(to)) } else { None };
        target.into_iter().chain([instruction.line.to_string()]).collect()
    }
}

impl Structure<'_, '_> {
    pub(super) fn interleaves(&self) -> bool {
        self.asked.interleaved
    }

    pub(super) fn is_ptx(&self) -> bool {
        self.listing.language == Language::Ptx
    }

    pub(super) fn given_bound(&mut self, label: &str, line: u32) -> Option<u64> {
        let line = line.to_string();
        let (key, most) =
            self.asked.bounds.get_key_value(label).or_else(|| self.asked.bounds.get_key_value(&line))?;
        self.used.insert(key.clone());
        Some(*most)
    }

    pub(super) fn count(&mut self, pieces: usize, line: u32) -> Result<(), StructureError> {
        self.pieces = self.pieces.saturating_add(pieces);
        if self.pieces > self.most { Err(StructureError::at(line, Obstacle::SharedCode)) } else { Ok(()) }
    }

    /// The pieces of a routine from an instruction on.
    fn part(
        &mut self,
        number: usize,
        start: usize,
        depth: u32,
        called: bool,
    ) -> Result<Vec<Piece>, StructureError> {
        if let Some(pieces) = self.done.get(&(number, start)) {
            return Ok(pieces.clone());
        }
        let routine = &self.listing.routines[number];
        let line = routine.line_of(start);
        if self.open.contains(&(number, start)) {
            return Err(StructureError::at(line, Obstacle::Recursion(routine.name.to_owned())));
        }
        if start >= routine.instructions.len() {
            return Ok(vec![]);
        }
        self.open.push((number, start));
        let ends = |at: &usize| routine.instructions[*at].flow == Flow::End;
        let lettered: HashSet<usize> = (0..routine.instructions.len())
            .filter(ends)
            .filter(|&at| self.has_letters(routine.instructions[at].opcode))
            .collect();
        let graph = Blocks::new(routine, self.listing.language, start, &lettered, called);
        if graph.blocks.len() > MOST_BLOCKS {
            return Err(StructureError::at(line, Obstacle::Blocks(MOST_BLOCKS)));
        }
        let ends = HashSet::new();
        let view = View::new(&graph, 0, false, &ends);
        let doubtful = doubtful(routine);
        let uniform = uniform(routine, self.listing.language, &graph, &view, &doubtful);
        let mut writers = writers(routine);
        writers.retain(|name, _| !doubtful.contains(name) && !routine.parameters.contains(name));
        let frame =
            Frame { number, routine, graph: &graph, writers: &writers, uniform, called, whole: &view };
        self.meets(&frame, &view)?;
        for list in self.asked.uniform {
            if routine
                .instructions
                .iter()
                .enumerate()
                .any(|(at, one)| one.conditional && frame.names(at).contains(list))
            {
                self.used.insert(list.clone());
            }
        }
        let mut pieces = Vec::new();
        self.walk(&frame, &view, Some(0), None, Walk { ends: &ends, depth }, None, &mut pieces)?;
        if called && self.returns(&frame, &mut pieces)? {
            self.ending.insert((number, start));
        }
        self.open.pop();
        self.done.insert((number, start), pieces.clone());
        Ok(pieces)
    }

    pub(super) fn letters(&mut self, instruction: &Instruction<'_>) -> Result<Option<Piece>, StructureError> {
        piece(instruction, self.classes)
    }

    pub(super) fn is_barrier(&mut self, opcode: &str) -> bool {
        self.classes.class(opcode).is_some_and(|class| class.letters == Letters::Barrier)
    }

    /// The routine, or the part of this one, that an instruction calls.
    pub(super) fn called(&self, frame: &Frame<'_, '_>, instruction: usize) -> Option<(usize, usize)> {
        match &frame.routine.instructions[instruction].flow {
            Flow::CallInside(to) => Some((frame.number, *to)),
            Flow::Call(name) => self.listing.callee(frame.routine, name).map(|number| (number, 0)),
            _ => None,
        }
    }

    /// Whether threads may end in what an instruction calls.
    pub(super) fn may_end_in(&self, frame: &Frame<'_, '_>, instruction: usize) -> bool {
        self.called(frame, instruction).is_some_and(|part| self.ending.contains(&part))
    }

    fn has_letters(&mut self, opcode: &str) -> bool {
        self.classes.class(opcode).is_some_and(|class| class.letters.unit().is_some())
    }

    /// The pieces from a node to another, or to the end of the view. `cut` takes the place where the loop is left.
    #[allow(clippy::too_many_arguments, reason = "where it is, how far to go, what it finds")]
    pub(super) fn walk(
        &mut self,
        frame: &Frame<'_, '_>,
        view: &View,
        from: Option<usize>,
        to: Option<usize>,
        walk: Walk<'_>,
        mut cut: Option<&mut Option<usize>>,
        out: &mut Vec<Piece>,
    ) -> Result<(), StructureError> {
        let mut at = from;
        while let Some(node) = at.filter(|_| at != to) {
            if walk.depth > DEEPEST {
                return Err(StructureError::at(frame.line(view, node), Obstacle::Depth(DEEPEST)));
            }
            if let Some(cycle) = view.cycle[node] {
                at = self.a_loop(frame, view, node, cycle, walk, out)?;
                continue;
            }
            self.block(frame, view.nodes[node], walk.depth, out)?;
            let line = frame.last_line(view, node);
            let ways = &view.ways[node];
            if let Some(cut) = &mut cut
                && (ways.contains(&Way::Out) || ways.contains(&Way::Exit))
            {
                **cut = Some(out.len());
            }
            if ways.contains(&Way::Exit) && ways.len() > 1 && !view.is_loop {
                // A warp that ends here is covered by one that goes on; but the program is no straight line.
                self.count(3, line)?;
                out.push(Piece::nowhere(line));
            }
            let node_of = |way: &Way| if let Way::To(node) = way { Some(*node) } else { None };
            let mut targets: Vec<Option<usize>> =
                ways.iter().filter(|&&way| way != Way::Exit).map(node_of).collect();
            targets.sort_unstable();
            targets.dedup();
            at = match targets[..] {
                [] => None,
                [only] => only,
                // A pass that ends early is covered by one that goes on; but the pass is no straight line.
                [None, Some(rest)] if view.is_loop && view.merge[node].is_none() => {
                    if ways.contains(&Way::Back) {
                        self.count(3, line)?;
                        out.push(Piece::nowhere(line));
                    }
                    let only_way_out = cut.is_some() && !ways.contains(&Way::Back);
                    if !only_way_out && self.may_have_barrier(frame, view, rest) {
                        let inner = Walk { depth: walk.depth + 1, ..walk };
                        let mut pieces = Vec::new();
                        self.walk(frame, view, Some(rest), to, inner, None, &mut pieces)?;
                        self.rest_of_pass(frame, view, node, pieces, out)?;
                        return Ok(());
                    }
                    Some(rest)
                }
                _ => {
                    let merge = frame.behind(view, view.merge[node]);
                    self.branch(frame, view, node, &targets, merge, walk, out)?;
                    merge
                }
            };
        }
        Ok(())
    }

    /// The letters of a block, and the routines that it calls.
    fn block(
        &mut self,
        frame: &Frame<'_, '_>,
        block: usize,
        depth: u32,
        out: &mut Vec<Piece>,
    ) -> Result<(), StructureError> {
        for at in frame.graph.blocks[block].instructions.clone() {
            let instruction = &frame.routine.instructions[at];
            self.count(1, instruction.line)?;
            out.extend(piece(instruction, self.classes)?);
            let (line, opcode) = (instruction.line, instruction.opcode);
            // Threads that part here stand at the same place, and apart.
            let idle = instruction.conditional && instruction.flow == Flow::Branch(at + 1);
            if idle && !self.is_ptx() && !frame.uniform_at(self, at) {
                return Err(StructureError::at(line, Obstacle::BranchToNext));
            }
            let (number, start) = match &instruction.flow {
                Flow::Unknown if instruction.name() == "BSYNC" => {
                    let (opcode, register) = (opcode.to_owned(), instruction.operands.to_owned());
                    return Err(StructureError::at(line, Obstacle::UnknownWait { opcode, register }));
                }
                Flow::Unknown => {
                    let what = Obstacle::UnknownTarget(format!("{opcode} {}", instruction.operands));
                    return Err(StructureError::at(line, what));
                }
                Flow::CallInside(to) => (frame.number, *to),
                Flow::Call(name) => match self.listing.callee(frame.routine, name) {
                    Some(number) => (number, 0),
                    None => {
                        return Err(StructureError::at(line, Obstacle::NoBody((*name).to_owned())));
                    }
                },
                _ => continue,
            };
            let called = self.part(number, start, depth + 1, true)?;
            self.count(size(&called), line)?;
            if instruction.conditional {
                let uniform = frame.uniform_at(self, at);
                if !uniform && !self.is_ptx() {
                    return Err(StructureError::at(line, Obstacle::ConditionalCall(opcode.to_owned())));
                }
                let divergence = self.divergence(uniform);
                let arms = vec![Piece::Sequence(called), Piece::Sequence(vec![])];
                self.barriers(&arms, divergence, line, opcode)?;
                out.push(Piece::Branch { arms, divergence, line });
            } else {
                out.extend(called);
            }
        }
        Ok(())
    }

    pub(super) fn divergence(&self, uniform: bool) -> Divergence {
        match (uniform, self.asked.interleaved) {
            (true, _) => Divergence::Uniform,
            (false, false) => Divergence::Divergent,
            (false, true) => Divergence::Interleaved,
        }
    }

    /// A branch whose ways meet again.
    #[allow(clippy::too_many_arguments, reason = "where it is, how far to go, what it finds")]
    fn branch(
        &mut self,
        frame: &Frame<'_, '_>,
        view: &View,
        node: usize,
        targets: &[Option<usize>],
        merge: Option<usize>,
        walk: Walk<'_>,
        out: &mut Vec<Piece>,
    ) -> Result<(), StructureError> {
        let line = frame.last_line(view, node);
        let inner = Walk { depth: walk.depth + 1, ..walk };
        let mut arms = Vec::new();
        for &target in targets {
            let mut arm = Vec::new();
            self.walk(frame, view, target, merge, inner, None, &mut arm)?;
            arms.push(Piece::Sequence(arm));
        }
        let last = frame.last(view, node);
        let divergence = self.divergence_at(frame, view, node);
        self.count(arms.len() + 1, line)?;
        // A barrier on one way only.
        let quiet = arms.iter().position(|arm| barriers(arm) == Some(0));
        let uniform = divergence == Divergence::Uniform;
        let ending = view.merge[node].is_none() && !view.is_loop && !frame.called;
        if let Some(quiet) = quiet.filter(|_| arms.len() == 2 && barriers(&arms[0]) != barriers(&arms[1]))
            && (uniform || ending)
        {
            if divergence == Divergence::Interleaved {
                let what = Obstacle::BarrierBesideEnd(frame.names(last).swap_remove(0));
                return Err(StructureError::at(line, what));
            }
            let (quiet, rest) = (arms.swap_remove(quiet), arms.swap_remove(0));
            let arms = vec![quiet, Piece::Sequence(vec![])];
            let maybe = Piece::Branch { arms, divergence: Divergence::Uniform, line };
            self.count(size(std::slice::from_ref(&maybe)) + 1, line)?;
            out.push(maybe.clone());
            if ending {
                // Warps that end are waited for no longer, so the others' barriers may be theirs; and the threads that end may do it
                // before or after the others come to them.
                out.push(rest);
                out.extend((!uniform).then_some(maybe));
            } else {
                // All warps of a block or none, as CUDA demands: a loop of one pass or none, which says so.
                out.push(Piece::Loop { body: Box::new(rest), least: 0, most: 1, line });
            }
            return Ok(());
        }
        self.barriers(&arms, divergence, line, &frame.names(last)[0])?;
        out.push(Piece::Branch { arms, divergence, line });
        Ok(())
    }
}

/// How many pieces there are.
fn size(pieces: &[Piece]) -> usize {
    pieces.iter().fold(0, |sum, piece| {
        let inside = match piece {
            Piece::Sequence(list) | Piece::Branch { arms: list, .. } => size(list),
            Piece::Loop { body, .. } => size(std::slice::from_ref(body)),
            _ => 0,
        };
        sum + 1 + inside
    })
}
