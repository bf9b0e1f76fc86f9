//! Whether threads of a warp wait for each other where the program has the ways of a branch meet.

use std::collections::HashSet;

use crate::listing::flow::defer::MOST_GROUPS;
use crate::listing::flow::structure::{Frame, Structure};
use crate::listing::flow::view::{View, Way};
use crate::listing::flow::{Obstacle, StructureError};
use crate::listing::routine::Flow;
use crate::model::program::{Divergence, Piece};

impl Frame<'_, '_> {
    /// Where threads go on together: behind a `BSYNC`, which each group of threads issues on its way.
    pub(super) fn behind(&self, view: &View, merge: Option<usize>) -> Option<usize> {
        let node = merge?;
        let way = |way: &Way| if let Way::To(to) = way { Some(*to) } else { None };
        if self.waits(view, node) { view.ways[node].iter().find_map(way) } else { merge }
    }

    /// Whether a node is a `BSYNC`.
    fn waits(&self, view: &View, node: usize) -> bool {
        let start = self.graph.blocks[view.nodes[node]].instructions.start;
        self.routine.instructions[start].name() == "BSYNC"
    }
}

impl Structure<'_, '_> {
    /// The letters of the `BSYNC` that a node is.
    pub(super) fn waits(
        &mut self,
        frame: &Frame<'_, '_>,
        view: &View,
        node: Option<usize>,
    ) -> Result<Option<Piece>, StructureError> {
        match node.filter(|&node| frame.waits(view, node)) {
            Some(node) => self.letters(&frame.routine.instructions[frame.last(view, node)]),
            None => Ok(None),
        }
    }

    /// A loop that groups of threads leave one by one: each issues the `BSYNC` behind it in its own time, between the letters
    /// of the passes of those that go on. That of the last group comes behind.
    pub(super) fn leave_one_by_one(
        &mut self,
        mut whole: Vec<Piece>,
        wait: Piece,
        groups: u64,
        line: u32,
        out: &mut Vec<Piece>,
    ) -> Result<(), StructureError> {
        let more = groups.min(MOST_GROUPS) - 1;
        let waits = match wait {
            Piece::Letters { unit, count, line } => {
                Piece::Letters { unit, count: count.saturating_mul(more), line }
            }
            other => Piece::Loop { body: Box::new(other), least: more, most: more, line },
        };
        self.count(4, line)?;
        let whole = if whole.len() == 1 { whole.remove(0) } else { Piece::Sequence(whole) };
        let arms = vec![whole, waits];
        out.push(Piece::Branch { arms, divergence: self.divergence(false), line });
        Ok(())
    }

    /// What the threads of a warp may do at a branch. Up to 6.x one way is gone after the other, where threads wait at no other place
    /// before they meet: there those of one way may wait in the middle of it for those of another.
    pub(super) fn divergence_at(&self, frame: &Frame<'_, '_>, view: &View, node: usize) -> Divergence {
        let all = self.divergence(frame.uniform(self, view, node));
        if all != Divergence::Divergent || self.is_ptx() {
            return all;
        }
        let start = |node: usize| frame.graph.blocks[view.nodes[node]].instructions.start;
        let mut around = frame.routine.points.around(frame.last(view, node)).into_iter().flatten();
        let innermost = around.next().map(|(_, point)| point.place);
        match meeting(view, node) {
            Some(merge) if innermost == Some(start(merge)) => all,
            _ => Divergence::Interleaved,
        }
    }

    /// Whether threads of SASS wait for each other in a part of the code.
    pub(super) fn waits_inside(&self, frame: &Frame<'_, '_>, view: &View) -> bool {
        let blocks = view.nodes.iter().map(|&block| frame.graph.blocks[block].instructions.clone());
        let places: HashSet<usize> = frame.routine.points.stacks.iter().map(|point| point.place).collect();
        blocks.flatten().any(|at| places.contains(&at))
    }

    /// Whether the ways of each branch of a view meet where its threads wait for each other. If they meet before, its
    /// threads go apart for longer than the program says.
    pub(super) fn meets(&self, frame: &Frame<'_, '_>, view: &View) -> Result<(), StructureError> {
        let mut error = StructureError::default();
        for node in 0..view.nodes.len() {
            let others = view.ways[node].iter().filter(|&&way| way != Way::Exit).count();
            let block = &frame.graph.blocks[view.nodes[node]];
            let returns = if self.is_ptx() { usize::from(block.meets_at_end) } else { block.returns };
            let returns = if frame.called { returns } else { 0 };
            if others + returns < 2 || frame.uniform(self, view, node) {
                continue;
            }
            let found = match meeting(view, node).filter(|_| others > 1) {
                Some(merge) if self.is_ptx() => meets_in_ptx(frame, view, node, merge),
                Some(merge) => meets_in_sass(frame, view, node, merge),
                None if !self.is_ptx() && self.interleaves() && frame.called && !view.is_loop => {
                    Err(Obstacle::ReturnApart)
                }
                None => Ok(()),
            };
            error.obstacles.extend(found.err().map(|what| (frame.last_line(view, node), what)));
        }
        error.unless_empty()
    }
}

/// Where the ways of a branch meet: at the merge, or at the header of a loop if they all come back to it.
fn meeting(view: &View, node: usize) -> Option<usize> {
    let back = view.is_loop && !view.ways[node].iter().any(|&way| view.leaves(way));
    view.merge[node].or(back.then_some(0))
}

/// That threads meet at the nearest place that all ways pass is the assumption for PTX. Where only an end that some take in passing makes a
/// place of the pass of a loop one that all pass, it is not one of the routine.
fn meets_in_ptx(frame: &Frame<'_, '_>, view: &View, node: usize, merge: usize) -> Result<(), Obstacle> {
    let (block, merge) = (view.nodes[node], view.nodes[merge]);
    if frame.merge(block) == Some(merge) {
        return Ok(());
    }
    Err(Obstacle::MeetsInPass)
}

/// In SASS the listing says where threads wait: at the place of a reconvergence point around the branch, if all come there by
/// taking it off.
fn meets_in_sass(frame: &Frame<'_, '_>, view: &View, node: usize, merge: usize) -> Result<(), Obstacle> {
    let (routine, last) = (frame.routine, frame.last(view, node));
    let start = frame.graph.blocks[view.nodes[merge]].instructions.start;
    let place = start + usize::from(routine.instructions[start].name() == "BSYNC");
    let Some(around) = routine.points.around(last) else {
        return Err(Obstacle::UnknownPoint);
    };
    let around: Vec<_> = around.collect();
    let Some(&(_, innermost)) = around.first() else {
        return Err(Obstacle::NoPoint);
    };
    let line = routine.line_of(start);
    let Some((number, point)) = around.iter().find(|(_, point)| point.place == place) else {
        // Whether the point lies behind the merge; an end is behind all blocks.
        let block = |node: usize| frame.graph.blocks[view.nodes[node]].instructions.clone();
        let end = routine.instructions.get(innermost.place).is_some_and(|end| end.flow == Flow::End);
        let ahead =
            view.reached(merge, Some(node)).into_iter().any(|at| block(at).contains(&innermost.place));
        let wait = routine.line_of(innermost.place.saturating_sub(innermost.register.is_some().into()));
        let before = end || ahead;
        return Err(if before { Obstacle::MeetsBefore(wait) } else { Obstacle::MeetsWithoutWait(line) });
    };
    let waited = routine.points.at.get(place).copied().flatten() == Some(point.below);
    // On all ways to there it is still to be taken off, and what takes it off is a wait: a BREAK may stand there as well.
    let has = |at: usize| routine.points.around(at).is_some_and(|mut all| all.any(|(one, _)| one == *number));
    let comes = |way: &Way| *way == Way::To(merge) || (*way == Way::Back && merge == 0);
    let waits = |at: usize| {
        let straight = point.register.is_some() && start == place && view.ways[at].iter().any(comes);
        !straight || routine.instructions[frame.last(view, at)].name() == "BSYNC"
    };
    let block = |at: usize| frame.graph.blocks[view.nodes[at]].instructions.clone();
    let kept = |at: usize| waits(at) && (at == node || block(at).all(has));
    if !waited || point.lost || !view.reached(node, Some(merge)).into_iter().all(kept) {
        return Err(Obstacle::MayPassWait(line));
    }
    Ok(())
}
