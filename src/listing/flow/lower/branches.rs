//! Branches: an arm for each path.

use crate::listing::flow::analysis::Function;
use crate::listing::flow::lower::barriers::{barriers_of_each_path, check_arms};
use crate::listing::flow::lower::{Alphabet, Lowering, size};
use crate::listing::flow::region::Branch;
use crate::listing::flow::{Obstacle, StructureError};
use crate::model::program::{Divergence, Piece};

impl<A: Alphabet> Lowering<'_, '_, '_, A> {
    pub(super) fn branch(
        &mut self,
        function: &Function<'_, '_>,
        region: &Branch,
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let (line, divergence) = (function.routine.line_of(region.branch), region.divergence);
        let mut arms = Vec::new();
        for regions in &region.arms {
            let mut arm = Vec::new();
            self.sequence(function, regions, depth + 1, &mut arm)?;
            arms.push(Piece::Sequence(arm));
        }
        self.budget.spend(arms.len() + 1, line)?;
        // There may be barriers in one arm only.
        let quiet = arms.iter().position(|arm| barriers_of_each_path(arm) == Some(0));
        let differ = arms.len() == 2 && barriers_of_each_path(&arms[0]) != barriers_of_each_path(&arms[1]);
        let uniform = divergence == Divergence::Uniform;
        let Some(quiet) = quiet.filter(|_| differ && (uniform || region.ends_threads)) else {
            check_arms(&arms, divergence, line, &function.branch_name(region.branch))?;
            out.push(Piece::Branch { arms, divergence, line });
            return Ok(());
        };
        if divergence == Divergence::Interleaved {
            let obstacle = Obstacle::BarrierBesideEnd(function.branch_name(region.branch));
            return Err(StructureError::at(line, obstacle));
        }
        let (quiet, rest) = (arms.swap_remove(quiet), arms.swap_remove(0));
        let arms = vec![quiet, Piece::Sequence(vec![])];
        let maybe = Piece::Branch { arms, divergence: Divergence::Uniform, line };
        self.budget.spend(size(std::slice::from_ref(&maybe)) + 1, line)?;
        out.push(maybe.clone());
        if region.ends_threads {
            // Warps that end are waited for no longer, so that the barriers of the others may be theirs too.
            // The threads that end may issue their arm before or after the others come to these barriers.
            out.push(rest);
            out.extend((!uniform).then_some(maybe));
        } else {
            // All warps of a block take the arm with the barriers, or none does, as CUDA demands: a loop of
            // one pass or none, which says so.
            out.push(Piece::Loop { body: Box::new(rest), least: 0, most: 1, line });
        }
        Ok(())
    }
}
