//! Barriers: which warps and threads of a block come to them.

use crate::listing::flow::structure::{Frame, Structure};
use crate::listing::flow::view::View;
use crate::listing::flow::{Obstacle, StructureError};
use crate::listing::routine::Instruction;
use crate::model::program::{Divergence, Piece};

impl Structure<'_, '_> {
    /// Whether there may be a barrier from a node of a pass on.
    pub(super) fn may_have_barrier(&mut self, frame: &Frame<'_, '_>, view: &View, from: usize) -> bool {
        let nodes = view.reached(from, None);
        let blocks = nodes.into_iter().map(|node| frame.graph.blocks[view.nodes[node]].instructions.clone());
        blocks.flatten().any(|at| {
            self.called(frame, at).is_some() || self.is_barrier(frame.routine.instructions[at].opcode)
        })
    }

    /// Adds what is left of a pass behind a branch that may end it. Where that holds barriers, all warps of a block come there or none.
    pub(super) fn rest_of_pass(
        &mut self,
        frame: &Frame<'_, '_>,
        view: &View,
        node: usize,
        pieces: Vec<Piece>,
        out: &mut Vec<Piece>,
    ) -> Result<(), StructureError> {
        if !pieces.iter().any(Piece::has_barrier) {
            out.extend(pieces);
            return Ok(());
        }
        let (line, name) = (frame.last_line(view, node), frame.branch(view, node));
        if !frame.uniform(self, view, node) {
            return Err(StructureError::at(line, Obstacle::BarrierBehind(name)));
        }
        self.count(1, line)?;
        out.push(Piece::Loop { body: Box::new(Piece::Sequence(pieces)), least: 0, most: 1, line });
        Ok(())
    }

    /// What becomes of the ends of a routine that is called: whether threads may end in it.
    pub(super) fn returns(
        &mut self,
        frame: &Frame<'_, '_>,
        pieces: &mut Vec<Piece>,
    ) -> Result<bool, StructureError> {
        let (routine, graph) = (frame.routine, frame.graph);
        let early = graph.blocks.iter().find(|block| block.ends && !block.next.is_empty());
        if let Some(early) = early.filter(|_| pieces.iter().any(Piece::has_barrier)) {
            let what = Obstacle::EarlyReturn(routine.name.to_owned());
            return Err(StructureError::at(routine.line_of(early.instructions.end - 1), what));
        }
        let ends = |one: &&Instruction<'_>| !matches!(one.name(), "ret" | "RET");
        if let Some(end) = graph.ends.iter().map(|&at| &routine.instructions[at]).find(ends) {
            // Threads may end here: covered by those that go on, but the program is no straight line.
            self.count(3, end.line)?;
            pieces.push(Piece::nowhere(end.line));
            return Ok(true);
        }
        let mut calls = graph.blocks.iter().flat_map(|block| block.instructions.clone());
        Ok(calls.any(|at| self.may_end_in(frame, at)))
    }

    /// Barriers in the arms of a branch: equally many, and none where threads of a warp part.
    pub(super) fn barriers(
        &self,
        arms: &[Piece],
        divergence: Divergence,
        line: u32,
        name: &str,
    ) -> Result<(), StructureError> {
        let counts: Vec<Option<u64>> = arms.iter().map(barriers).collect();
        if counts.iter().all(|&count| count == Some(0)) {
            return Ok(());
        }
        let what = if divergence != Divergence::Uniform {
            Obstacle::BarrierUnder(name.to_owned())
        } else if counts.iter().any(|&count| count.is_none() || count != counts[0]) {
            Obstacle::DifferentBarriers(name.to_owned())
        } else {
            return Ok(());
        };
        Err(StructureError::at(line, what))
    }
}

/// How many barriers each path through a piece has; none if that differs.
pub(super) fn barriers(piece: &Piece) -> Option<u64> {
    match piece {
        Piece::Letters { .. } => Some(0),
        Piece::Barrier { .. } => Some(1),
        Piece::Sequence(pieces) => {
            pieces.iter().try_fold(0_u64, |sum, piece| sum.checked_add(barriers(piece)?))
        }
        Piece::Branch { arms, .. } => {
            let mut arms = arms.iter().map(barriers);
            let first = arms.next().unwrap_or(Some(0))?;
            arms.all(|count| count == Some(first)).then_some(first)
        }
        Piece::Loop { body, least, most, .. } => match barriers(body)? {
            0 => Some(0),
            each if least == most => each.checked_mul(*most),
            _ => None,
        },
    }
}

/// A branch at which some threads of a warp may leave the loop, or go on to an end, while others come to its header again.
pub(super) fn parting(frame: &Frame<'_, '_>, all: &Structure<'_, '_>, body: &View) -> Option<usize> {
    (0..body.nodes.len()).find(|&node| {
        let ways = &body.ways[node];
        let parts = ways.iter().any(|&way| body.leaves(way)) && ways.iter().any(|&way| body.comes_back(way));
        parts && body.merge[node].is_none() && !frame.uniform(all, body, node)
    })
}
