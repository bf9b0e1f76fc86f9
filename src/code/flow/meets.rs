//! Whether threads of SASS wait for each other where the program has the ways of a branch meet.

use std::collections::HashSet;

use crate::code::flow::StructureError;
use crate::code::flow::structure::{Frame, Structure};
use crate::code::flow::view::View;
use crate::code::listing::Flow;

impl Structure<'_, '_> {
    /// Whether the reconvergence points of the listing are where branches meet. If a branch meets before one at which no other
    /// branch does, its threads go apart for longer than the program says.
    pub(super) fn meets(&self, frame: &Frame<'_, '_>, view: &View) -> Result<(), StructureError> {
        let block = |node: usize| frame.graph.blocks[view.nodes[node]].instructions.clone();
        let (mut met, mut late) = (HashSet::new(), Vec::new());
        for node in 0..view.nodes.len() {
            let last = frame.last(view, node);
            let Some(place) = frame.routine.instructions[last].meets else { continue };
            if view.ways[node].len() < 2 || frame.uniform(self, view, node) {
                continue;
            }
            let mut behind = std::iter::successors(view.merge[node], |&next| view.merge[next]).map(block);
            let Some(merge) = behind.next() else { continue };
            let waits = frame.routine.instructions[merge.start].name() == "BSYNC" && merge.start + 1 == place;
            // the point, or the `BSYNC` before it; an end is behind all blocks
            if merge.start == place || waits {
                met.insert(place);
            } else if merge.contains(&place)
                || behind.any(|block| block.contains(&place))
                || frame.routine.instructions.get(place).is_some_and(|end| end.flow == Flow::End)
            {
                late.push((place, frame.last_line(view, node)));
            }
        }
        let Some((place, line)) = late.into_iter().find(|(place, _)| !met.contains(place)) else {
            return Ok(());
        };
        let what = format!(
            "the ways of this branch meet before line {}, where the listing has its threads wait for each other: declare it with --uniform {line}, if it does not part them",
            frame.routine.line_of(place)
        );
        Err(StructureError::at(line, what))
    }
}
