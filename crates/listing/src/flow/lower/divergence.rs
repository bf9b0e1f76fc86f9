//! Divergent groups: each group issues separately, and is charged for all its instructions.

use crate::flow::analysis::Function;
use crate::flow::analysis::split_passes::MOST_GROUPS;
use crate::flow::lower::{Alphabet, Lowering, size};
use crate::flow::region::{Divergent, Region, Steps, Threads};
use crate::flow::{Obstacle, StructureError};
use warpspan_model::program::{Divergence, Piece};

impl<A: Alphabet> Lowering<'_, '_, '_, A> {
    /// Where threads diverge, and next to it what the groups issue that come out of it before the last one.
    pub(super) fn apart(
        &mut self,
        function: &Function<'_, '_>,
        region: &Divergent,
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let line = function.routine.line_of(region.branch);
        let in_all = |region: &Region| matches!(region, Region::Loop(one) if one.bound.total.is_some());
        if region.first.iter().any(in_all) {
            return Err(StructureError::at(line, Obstacle::TotalApart));
        }
        let (mut first, mut rest, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        self.sequence(function, &region.first, depth + 1, &mut first)?;
        for regions in &region.paths {
            let mut path = Vec::new();
            self.sequence(function, regions, depth + 1, &mut path)?;
            paths.push(Piece::Sequence(path.into()));
        }
        self.sequence(function, &region.rest, depth + 1, &mut rest)?;
        let path = match paths.len() {
            1 => paths.swap_remove(0),
            _ => Piece::Branch { arms: paths.into(), divergence: Divergence::Uniform, line },
        };
        let mut other = vec![path];
        other.extend(rest.iter().cloned());
        first.extend(rest);
        if !other.iter().any(issues) {
            out.extend(first);
            return Ok(());
        }
        let arms = std::iter::once(Piece::Sequence(first.into()));
        let others = usize::try_from(region.groups.saturating_sub(1)).unwrap_or(usize::MAX);
        let others = std::iter::repeat_n(Piece::Sequence(other.into()), others);
        self.interleaved(arms.chain(others), line, Obstacle::BarrierUnder(line.to_string()), out)
    }

    /// The threads of a warp, each by itself.
    pub(super) fn threads(
        &mut self,
        function: &Function<'_, '_>,
        region: &Threads,
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let line = function.routine.line_of(region.branch);
        let mut thread = Vec::new();
        let before = std::mem::replace(&mut self.threads, true);
        let result = self.sequence(function, &region.body, depth + 1, &mut thread);
        self.threads = before;
        result?;
        let threads = usize::try_from(MOST_GROUPS).unwrap_or(usize::MAX);
        let threads = std::iter::repeat_n(Piece::Sequence(thread.into()), threads);
        self.interleaved(threads, line, region.obstacle.clone(), out)
    }

    /// Locations that a path passes in this order, each or not.
    ///
    /// # Errors
    /// If there is a barrier in one of them, or there are too many pieces.
    pub(super) fn steps(
        &mut self,
        function: &Function<'_, '_>,
        region: &Steps,
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let line = function.routine.line_of(region.branch);
        for regions in &region.steps {
            let mut step = Vec::new();
            self.sequence(function, regions, depth + 1, &mut step)?;
            let arms = vec![Piece::Sequence(step.into()), Piece::Sequence(vec![].into())];
            if arms[0].has_barrier() {
                return Err(StructureError::at(line, Obstacle::SharedCode));
            }
            self.budget.spend(3, line)?;
            out.push(Piece::Branch { arms: arms.into(), divergence: Divergence::Uniform, line });
        }
        Ok(())
    }

    /// Groups that issue their instructions in any order.
    ///
    /// # Errors
    /// The obstacle, if there is a barrier in what they issue; or if there are too many pieces.
    fn interleaved(
        &mut self,
        arms: impl Iterator<Item = Piece<A::Letter>>,
        line: u32,
        obstacle: Obstacle,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let mut all = Vec::new();
        for arm in arms {
            if arm.has_barrier() {
                return Err(StructureError::at(line, obstacle));
            }
            self.budget.spend(size(std::slice::from_ref(&arm)) + 1, line)?;
            all.push(arm);
        }
        out.push(Piece::Branch { arms: all.into(), divergence: Divergence::Interleaved, line });
        Ok(())
    }
}

/// Whether a piece issues anything on any path.
fn issues<L>(piece: &Piece<L>) -> bool {
    piece.pieces().any(|piece| matches!(piece, Piece::Letters { .. } | Piece::Barrier { .. }))
}
