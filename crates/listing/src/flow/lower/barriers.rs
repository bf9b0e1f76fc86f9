//! Barriers: which warps and threads of a block come to them.

use crate::flow::analysis::Function;
use crate::flow::lower::{Alphabet, Lowering};
use crate::flow::{Obstacle, StructureError};
use warpspan_model::program::{Divergence, Piece};

impl<A: Alphabet> Lowering<'_, '_, '_, A> {
    /// Adds what is left of a pass behind a branch that may end the pass. If that holds barriers, all warps
    /// of a block come there or none does.
    pub(super) fn rest_of_pass(
        &mut self,
        function: &Function<'_, '_>,
        branch: usize,
        pieces: Vec<Piece<A::Letter>>,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        if !pieces.iter().any(Piece::has_barrier) {
            out.extend(pieces);
            return Ok(());
        }
        let line = function.routine.line_of(branch);
        if !function.uniform_at(branch) {
            let obstacle = Obstacle::BarrierBehind(function.branch_name(branch));
            return Err(StructureError::at(line, obstacle));
        }
        self.budget.spend(1, line)?;
        out.push(Piece::Loop { body: Box::new(Piece::Sequence(pieces.into())), least: 0, most: 1, line });
        Ok(())
    }

    /// What becomes of the ends of a function that is called: whether threads may end in it.
    pub(super) fn ends_of_callee(
        &mut self,
        function: &Function<'_, '_>,
        pieces: &mut Vec<Piece<A::Letter>>,
    ) -> Result<bool, StructureError> {
        let (routine, graph) = (function.routine, function.graph);
        let mut blocks = graph.blocks().map(|(_, block)| block);
        let early = blocks.find(|block| block.ends && !block.successors.is_empty());
        if let Some(early) = early.filter(|_| pieces.iter().any(Piece::has_barrier)) {
            let obstacle = Obstacle::EarlyReturn(routine.name.to_owned());
            return Err(StructureError::at(routine.line_of(early.last()), obstacle));
        }
        let mut ends = graph.ends.iter().map(|&at| &routine.instructions[at]);
        if let Some(end) = ends.find(|one| !one.is_return()) {
            // A warp that ends here is covered by one that goes on, but the program is no straight line.
            self.budget.spend(3, end.line)?;
            pieces.push(Piece::nowhere(end.line));
            return Ok(true);
        }
        let mut instructions = graph.blocks().flat_map(|(_, block)| block.instructions.clone());
        Ok(instructions.any(|at| self.ends_in_call(function, at)))
    }
}

/// Checks the barriers in the arms of a branch: there are equally many in each, and none if threads of a warp
/// part.
pub(super) fn check_arms<L>(
    arms: &[Piece<L>],
    divergence: Divergence,
    line: u32,
    branch: &str,
) -> Result<(), StructureError> {
    let counts: Vec<Option<u64>> = arms.iter().map(barriers_of_each_path).collect();
    if counts.iter().all(|&count| count == Some(0)) {
        return Ok(());
    }
    let obstacle = if divergence != Divergence::Uniform {
        Obstacle::BarrierUnder(branch.to_owned())
    } else if counts.iter().any(|&count| count.is_none() || count != counts[0]) {
        Obstacle::DifferentBarriers(branch.to_owned())
    } else {
        return Ok(());
    };
    Err(StructureError::at(line, obstacle))
}

/// How many barriers each path through a piece has; none if that differs.
pub(super) fn barriers_of_each_path<L>(piece: &Piece<L>) -> Option<u64> {
    match piece {
        Piece::Letters { .. } => Some(0),
        Piece::Barrier { .. } => Some(1),
        Piece::Sequence(pieces) => {
            pieces.iter().try_fold(0_u64, |sum, piece| sum.checked_add(barriers_of_each_path(piece)?))
        }
        // What several places share is looked at once in this way.
        Piece::Branch { .. } | Piece::Loop { .. } if !piece.has_barrier() => Some(0),
        Piece::Branch { arms, .. } => {
            let mut arms = arms.iter().map(barriers_of_each_path);
            let first = arms.next().unwrap_or(Some(0))?;
            arms.all(|count| count == Some(first)).then_some(first)
        }
        Piece::Loop { body, least, most, .. } => match barriers_of_each_path(body)? {
            0 => Some(0),
            each if least == most => each.checked_mul(*most),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_equally_many_barriers() {
        let count = |text: &str| barriers_of_each_path(&text.parse::<Piece>().unwrap());
        assert_eq!(count("L|C|"), Some(2));
        assert_eq!(count("[L|/C|]"), Some(1));
        assert_eq!(count("[L|/C]"), None);
        assert_eq!(count("(L|)4"), Some(4));
        assert_eq!(count("(L|)0..4"), None);
        assert_eq!(count("(L)0..4"), Some(0));
    }
}
