//! Whether threads of SASS wait for each other where the program has the ways of a branch meet.

use crate::code::flow::StructureError;
use crate::code::flow::structure::{Frame, Structure};
use crate::code::flow::view::{View, Way};
use crate::code::listing::Flow;
use crate::program::Piece;

/// Groups of threads of a warp.
const MOST_GROUPS: u64 = 32;

impl Structure<'_, '_> {
    /// Each group of threads that comes to a `BSYNC` issues it: so many more times than the program has it, at a merge.
    pub(super) fn waits_again(
        &mut self,
        frame: &Frame<'_, '_>,
        view: &View,
        merge: Option<usize>,
        more: u64,
        out: &mut Vec<Piece>,
    ) -> Result<(), StructureError> {
        let Some(merge) = merge else { return Ok(()) };
        let first = &frame.routine.instructions[frame.graph.blocks[view.nodes[merge]].instructions.start];
        if first.name() == "BSYNC"
            && more > 0
            && let Some(Piece::Letters { unit, count, line }) = self.letters(first)?
        {
            self.count(1, line)?;
            out.push(Piece::Letters { unit, count: count.saturating_mul(more.min(MOST_GROUPS - 1)), line });
        }
        Ok(())
    }

    /// Whether the reconvergence points of the listing are where branches meet. If a branch meets before the one around it, its
    /// threads go apart for longer than the program says.
    pub(super) fn meets(&self, frame: &Frame<'_, '_>, view: &View) -> Result<(), StructureError> {
        if self.is_ptx() {
            return Ok(());
        }
        let block = |node: usize| frame.graph.blocks[view.nodes[node]].instructions.clone();
        for node in 0..view.nodes.len() {
            let last = frame.last(view, node);
            let Some(merge) = view.merge[node] else { continue };
            let ways = view.ways[node].iter().filter(|&&way| way != Way::Exit).count();
            if ways < 2 || frame.uniform(self, view, node) {
                continue;
            }
            let line = frame.last_line(view, node);
            let Some(place) = frame.routine.instructions[last].meets else {
                let what = format!(
                    "a branch that may part the threads of a warp, and no SSY, BSSY or PBK before it says where they wait for each other: declare it with --uniform {line}, if it does not part them"
                );
                return Err(StructureError::at(line, what));
            };
            let start = block(merge).start;
            let waits = frame.routine.instructions[start].name() == "BSYNC" && start + 1 == place;
            if start == place || waits {
                continue;
            }
            // Whether the point lies behind the merge; an end is behind all blocks.
            let end = frame.routine.instructions.get(place).is_some_and(|end| end.flow == Flow::End);
            let behind =
                end || view.reached(merge, Some(node)).into_iter().any(|at| block(at).contains(&place));
            if behind {
                let what = format!(
                    "the ways of this branch meet before line {}, where the listing has its threads wait for each other: declare it with --uniform {line}, if it does not part them",
                    frame.routine.line_of(place)
                );
                return Err(StructureError::at(line, what));
            }
        }
        Ok(())
    }
}
