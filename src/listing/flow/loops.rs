//! A loop: its header, how often it is passed, and its piece.

use std::collections::HashSet;

use crate::listing::flow::barriers::parting;
use crate::listing::flow::blocks::Blocks;
use crate::listing::flow::counter::{Place, passes};
use crate::listing::flow::defer::{Deferred, deferred};
use crate::listing::flow::structure::{Frame, Structure, Walk};
use crate::listing::flow::view::View;
use crate::listing::flow::{Obstacle, StructureError};
use crate::model::program::Piece;

/// How often a warp passes the header of a loop at most, each time it comes to the loop from outside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoopBound {
    /// The label of the header, or its line.
    pub label: String,
    /// The line of the header.
    pub line: u32,
    /// The bound; none if there is none.
    pub most: Option<u64>,
    /// Whether it was found in the code, not given.
    pub evident: bool,
}

impl Structure<'_, '_> {
    /// The loop that a node of the view lies in, and where control goes on.
    pub(super) fn a_loop(
        &mut self,
        frame: &Frame<'_, '_>,
        view: &View,
        node: usize,
        cycle: usize,
        walk: Walk<'_>,
        out: &mut Vec<Piece>,
    ) -> Result<Option<usize>, StructureError> {
        let name = |node: usize| frame.place(view, node);
        let head = match view.headers.get(&cycle).map(Vec::as_slice) {
            Some([one, two, ..]) => {
                let what = Obstacle::TwoEntries(name(*one), name(*two));
                return Err(StructureError::at(frame.line(view, *one), what));
            }
            _ => node,
        };
        if view.endless.contains(&head) {
            return Err(StructureError::at(frame.line(view, head), Obstacle::Endless(name(head))));
        }
        let mut after = view.merge[head];
        while let Some(next) = after
            && view.cycle[next] == Some(cycle)
        {
            after = view.merge[next];
        }
        let mut ends: HashSet<usize> = walk.ends.clone();
        if view.is_loop {
            ends.insert(view.nodes[0]);
        }
        ends.extend(after.map(|after| view.nodes[after]));
        let body = View::new(frame.graph, view.nodes[head], true, &ends);
        self.meets(frame, &body)?;
        let uniform = |node: usize| frame.uniform(self, &body, node);
        let (Deferred { rests, splits }, at) = deferred(&body, uniform).map_err(|node| {
            let what = Obstacle::LeavesTwoLoops(frame.place(&body, node));
            StructureError::at(frame.last_line(&body, node), what)
        })?;
        if rests > 0 && (self.interleaves() || self.waits_inside(frame, &body)) {
            let node = at.unwrap_or(0);
            let what = if self.interleaves() { Obstacle::LeavesApart } else { Obstacle::LeavesBesideWaits };
            return Err(StructureError::at(frame.last_line(&body, node), what));
        }
        let bound = self.bound(frame, view, head, &body, splits);
        let mut leaving = leaving(&body, cycle, view, frame.graph);
        let mut pieces = Vec::new();
        let mut cut = None;
        let inner = Walk { ends: &ends, depth: walk.depth + 1 };
        let only = (leaving == 1 && rests == 0).then_some(&mut cut);
        self.walk(frame, &body, Some(0), None, inner, only, &mut pieces)?;
        // A thread that ends in what is called leaves the loop there.
        let mut all = body.nodes.iter().flat_map(|&block| frame.graph.blocks[block].instructions.clone());
        if let Some(call) = all.find(|&at| self.may_end_in(frame, at)) {
            leaving += 1;
            if pieces.iter().any(Piece::has_barrier) {
                return Err(StructureError::at(frame.routine.line_of(call), Obstacle::EndsInCall));
            }
        }
        if pieces.iter().any(Piece::has_barrier)
            && let Some(node) = parting(frame, self, &body)
        {
            let what = Obstacle::BarrierInLoop(frame.branch(&body, node));
            return Err(StructureError::at(frame.last_line(&body, node), what));
        }
        let parts = |node: usize| {
            let ways = &body.ways[node];
            ways.len() > 1 && ways.iter().any(|&way| body.leaves(way)) && !frame.uniform(self, &body, node)
        };
        let parts = (0..body.nodes.len()).any(parts);
        let (line, most) = (frame.line(view, head), bound.most.unwrap_or(1));
        let mut whole = Vec::new();
        self.emit(line, bound, rests, leaving, cut, pieces, &mut whole)?;
        // One a pass and way out, or more from a loop in this one.
        let nested = body.cycle.iter().any(Option::is_some);
        let ways = if nested { u64::MAX } else { u64::try_from(leaving).unwrap_or(u64::MAX) };
        let groups = most.saturating_mul(ways);
        match self.waits(frame, view, after)?.filter(|_| parts && groups > 1) {
            Some(wait) => self.leave_one_by_one(whole, wait, groups, line, out)?,
            None => out.extend(whole),
        }
        Ok(after)
    }

    fn bound(
        &mut self,
        frame: &Frame<'_, '_>,
        view: &View,
        head: usize,
        body: &View,
        splits: bool,
    ) -> LoopBound {
        let (label, line) = (frame.place(view, head), frame.line(view, head));
        let given = self.given_bound(&label, line);
        let place = Place {
            routine: frame.routine,
            graph: frame.graph,
            writers: frame.writers,
            whole: frame.whole,
            outer: view,
            header: head,
            body,
        };
        let evident = given.is_none() && !splits;
        let found = if evident && self.is_ptx() { passes(&place) } else { None };
        let bound = LoopBound { label, line, most: given.or(found), evident: found.is_some() };
        if self.seen.insert(bound.clone()) {
            self.loops.push(bound.clone());
        }
        bound
    }

    /// The piece of a loop. With one way out, at a place that each pass comes to, the last pass ends there.
    #[allow(clippy::too_many_arguments, reason = "one caller; the parts of a loop")]
    fn emit(
        &mut self,
        line: u32,
        bound: LoopBound,
        rests: u64,
        leaving: usize,
        cut: Option<usize>,
        mut pieces: Vec<Piece>,
        out: &mut Vec<Piece>,
    ) -> Result<(), StructureError> {
        // An unbounded loop is an error in the end; one pass stands for it meanwhile.
        let most = bound.most.unwrap_or(1);
        let exact = bound.evident && leaving == 1 && rests == 0;
        match cut.filter(|&cut| leaving == 1 && rests == 0 && cut < pieces.len()) {
            Some(cut) => {
                let first: Vec<Piece> = pieces[..cut].to_vec();
                self.count(first.len(), line)?;
                let again = most - 1;
                if again > 0 {
                    let least = if exact { again } else { 0 };
                    out.push(Piece::Loop {
                        body: Box::new(Piece::Sequence(pieces)),
                        least,
                        most: again,
                        line,
                    });
                }
                out.extend(first);
            }
            None => {
                let most =
                    rests.checked_add(1).and_then(|times| times.checked_mul(most)).ok_or_else(|| {
                        StructureError::at(line, Obstacle::BoundTooLarge { most, label: bound.label.clone() })
                    })?;
                let body = if pieces.len() == 1 { pieces.remove(0) } else { Piece::Sequence(pieces) };
                out.push(Piece::Loop {
                    body: Box::new(body),
                    least: if exact { most } else { 1 },
                    most,
                    line,
                });
            }
        }
        self.count(2, line)
    }
}

/// How many edges lead from the loop itself to what is not in it, ends of the routine included.
fn leaving(body: &View, cycle: usize, view: &View, graph: &Blocks) -> usize {
    let inside = |block: usize| view.node(block).is_some_and(|node| view.cycle[node] == Some(cycle));
    let own = body.nodes.iter().filter(|&&block| inside(block)).map(|&block| &graph.blocks[block]);
    own.map(|block| block.next.iter().filter(|&&to| !inside(to)).count() + usize::from(block.ends)).sum()
}
