//! Whether threads of a warp wait for each other where the program has the ways of a branch meet.

use crate::code::flow::StructureError;
use crate::code::flow::defer::MOST_GROUPS;
use crate::code::flow::structure::{Frame, Structure};
use crate::code::flow::view::{View, Way};
use crate::code::listing::Flow;
use crate::program::Piece;

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
        whole: Vec<Piece>,
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
        let arms = vec![Piece::Sequence(whole), waits];
        out.push(Piece::Branch { arms, divergence: self.divergence(false), line });
        Ok(())
    }

    /// Whether the ways of each branch of a view meet where its threads wait for each other. If they meet before, its
    /// threads go apart for longer than the program says.
    pub(super) fn meets(&self, frame: &Frame<'_, '_>, view: &View) -> Result<(), StructureError> {
        for node in 0..view.nodes.len() {
            let others = view.ways[node].iter().filter(|&&way| way != Way::Exit).count();
            let returns = frame.called && frame.graph.blocks[view.nodes[node]].meets_at_end;
            if others + usize::from(returns) < 2 || frame.uniform(self, view, node) {
                continue;
            }
            // The header of a loop is where ways meet that all come back to it.
            let back = view.is_loop && others > 1 && !view.ways[node].iter().any(|&way| view.leaves(way));
            let found = match view.merge[node].or(back.then_some(0)) {
                Some(merge) if self.is_ptx() => meets_in_ptx(frame, view, node, merge),
                Some(merge) => meets_in_sass(frame, view, node, merge),
                None if !self.is_ptx() && self.interleaves() && frame.called && !view.is_loop => Err(
                    "the threads that this branch parts may return one group after the other, and go on apart".into(),
                ),
                None => Ok(()),
            };
            let line = frame.last_line(view, node);
            let declare = |what: String| {
                let what = format!("{what}: declare it with --uniform {line}, if it does not part them");
                StructureError::at(line, what)
            };
            found.map_err(declare)?;
        }
        Ok(())
    }
}

/// That threads meet at the nearest place that all ways pass is the assumption for PTX. Where only an end that some take in passing makes a
/// place of the pass of a loop one that all pass, it is not one of the routine.
fn meets_in_ptx(frame: &Frame<'_, '_>, view: &View, node: usize, merge: usize) -> Result<(), String> {
    let (block, merge) = (view.nodes[node], view.nodes[merge]);
    if frame.merge(block) == Some(merge) {
        return Ok(());
    }
    Err("the ways of this branch meet in a pass of a loop that only ends of the threads leave, and may part the threads of a warp".into())
}

/// In SASS the listing says where threads wait: at the place of a reconvergence point around the branch, if all come there by
/// taking it off.
fn meets_in_sass(frame: &Frame<'_, '_>, view: &View, node: usize, merge: usize) -> Result<(), String> {
    let (routine, last) = (frame.routine, frame.last(view, node));
    let start = frame.graph.blocks[view.nodes[merge]].instructions.start;
    let place = start + usize::from(routine.instructions[start].name() == "BSYNC");
    let Some(around) = routine.points.around(last) else {
        return Err(
            "a branch that may part the threads of a warp, and which BSSY are before it depends on the path"
                .into(),
        );
    };
    let around: Vec<_> = around.collect();
    let Some(innermost) = around.first() else {
        return Err("a branch that may part the threads of a warp, and no SSY, BSSY or PBK before it says where they wait for each other".into());
    };
    let line = routine.line_of(start);
    let Some(point) = around.iter().find(|point| point.place == place) else {
        // Whether the point lies behind the merge; an end is behind all blocks.
        let block = |node: usize| frame.graph.blocks[view.nodes[node]].instructions.clone();
        let end = routine.instructions.get(innermost.place).is_some_and(|end| end.flow == Flow::End);
        let ahead =
            view.reached(merge, Some(node)).into_iter().any(|at| block(at).contains(&innermost.place));
        let wait = routine.line_of(innermost.place);
        return Err(match end || ahead {
            true => format!(
                "the ways of this branch meet before line {wait}, where the listing has its threads wait for each other"
            ),
            false => format!(
                "the ways of this branch meet in line {line}, where its threads do not wait for each other"
            ),
        });
    };
    let waited = routine.points.at.get(place).copied().flatten() == Some(point.below);
    let left = |at: usize| {
        let one = &routine.instructions[at];
        one.name() == "BREAK" && one.operands.split(',').any(|operand| Some(operand.trim()) == point.register)
    };
    let mut between = view.reached(node, Some(merge)).into_iter();
    let leaves = between.any(|node| frame.graph.blocks[view.nodes[node]].instructions.clone().any(left));
    if !waited || point.lost || leaves && point.register.is_some() {
        return Err(format!(
            "the threads that this branch parts may come to line {line} without waiting for each other there"
        ));
    }
    Ok(())
}
