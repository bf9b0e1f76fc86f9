//! Loops: the pieces of one pass, and how often they are repeated.

use crate::flow::analysis::Function;
use crate::flow::analysis::split_passes::MOST_GROUPS;
use crate::flow::lower::{Alphabet, Lowering};
use crate::flow::region::Loop;
use crate::flow::{Findings, LoopBound, Obstacle, StructureError};
use warpspan_model::program::Piece;

/// The pieces of one pass of a loop.
struct Pass<L> {
    pieces: Vec<Piece<L>>,
    /// How many of them come before the only exit of the loop, if each pass comes there.
    before_exit: Option<usize>,
}

impl Findings {
    fn add_loop(&mut self, region: &Loop) {
        self.used.extend(region.given_as.iter().cloned());
        if self.known.insert(region.bound.clone()) {
            self.loops.push(region.bound.clone());
        }
    }
}

impl<A: Alphabet> Lowering<'_, '_, '_, A> {
    pub(super) fn natural_loop(
        &mut self,
        function: &Function<'_, '_>,
        region: &Loop,
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        self.findings.add_loop(region);
        let (before, behind) = region.body.split_at(region.exit.unwrap_or(0));
        let mut pieces = Vec::new();
        self.sequence(function, before, depth + 1, &mut pieces)?;
        let before_exit = region.exit.map(|_| pieces.len());
        self.sequence(function, behind, depth + 1, &mut pieces)?;
        // A thread that ends in what is called leaves the loop there.
        let ends = region.calls.iter().find(|&&call| self.ends_in_call(function, call));
        let exits = region.exit_edges + usize::from(ends.is_some());
        let mut way_out = Vec::new();
        if let Some(branch) = &region.way_out {
            self.branch(function, branch, depth + 1, &mut way_out)?;
        }
        self.check_barriers(function, region, ends.copied(), [&pieces, &way_out])?;
        if region.bound.total.is_some() {
            let apart = self.threads || region.later_parts > 0;
            let obstacle = match (apart, pieces.iter().all(has_plain_barriers)) {
                (true, _) => Some(Obstacle::TotalApart),
                (_, false) => Some(Obstacle::TotalBarriers),
                _ => None,
            };
            if let Some(obstacle) = obstacle {
                return Err(StructureError::at(function.line(region.header), obstacle));
            }
        }
        self.check_declared(function, region, exits);
        let line = function.line(region.header);
        let mut repeated = Vec::new();
        let pass = Pass { pieces, before_exit: before_exit.filter(|_| ends.is_none()) };
        self.repeat(line, region, exits, pass, &mut repeated)?;
        repeated.extend(way_out);
        let groups = region.groups(usize::from(ends.is_some()));
        let wait =
            region.wait.map(|wait| self.alphabet.pieces(&function.routine.instructions[wait])).transpose()?;
        match wait.filter(|wait| !wait.is_empty() && region.leaves_apart && groups > 1) {
            Some(wait) => self.leave_one_by_one(function, repeated, wait, groups, line, out),
            None => {
                out.extend(repeated);
                Ok(())
            }
        }
    }

    /// Compares what the user says of the passes of a loop with how often it is passed at least. Where no warp may come to it, any
    /// number is true.
    fn check_declared(&mut self, function: &Function<'_, '_>, region: &Loop, exits: usize) {
        let bound = &region.bound;
        let Some(said) = bound.said() else { return };
        // With another way out a warp may leave in its first pass.
        let of_warp = if exits == 1 && region.later_parts == 0 { bound.least } else { 1 };
        let warps = if bound.total.is_some() { function.program.options.launch.fewest_warps() } else { 1 };
        let least = of_warp.saturating_mul(warps);
        if said < least && function.every_thread_reaches(region.header) {
            let line = function.line(region.header);
            self.findings.too_small.push((line, bound.declared_too_small(said, least)));
        } else if said < of_warp {
            let never = bound.unreached(said, of_warp);
            if !self.findings.unreached.contains(&never) {
                self.findings.unreached.push(never);
            }
        }
    }

    /// Checks that all threads of a warp come to the barriers of a pass and of the ways out. `ends` is a call in
    /// which threads may end.
    fn check_barriers(
        &self,
        function: &Function<'_, '_>,
        region: &Loop,
        ends: Option<usize>,
        pieces: [&[Piece<A::Letter>]; 2],
    ) -> Result<(), StructureError> {
        let obstacle = match (ends, region.parting) {
            (Some(call), _) => (call, Obstacle::EndsInCall),
            (None, Some(branch)) => (branch, Obstacle::BarrierInLoop(function.branch_name(branch))),
            (None, None) => return Ok(()),
        };
        if pieces.into_iter().flatten().any(Piece::has_barrier) {
            return Err(StructureError::at(function.routine.line_of(obstacle.0), obstacle.1));
        }
        Ok(())
    }

    /// The piece of a loop. If there is one exit, at a place that each pass comes to, the last pass ends
    /// there.
    fn repeat(
        &mut self,
        line: u32,
        region: &Loop,
        exits: usize,
        pass: Pass<A::Letter>,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let LoopBound { ref label, total, .. } = region.bound;
        // A loop without a bound is an error in the end. One pass stands for it meanwhile.
        let most = region.bound.in_program().unwrap_or(1);
        let exactly = region.bound.exactly().filter(|_| exits == 1 && region.later_parts == 0);
        let exact = exactly == Some(most) && total.is_none();
        let Pass { mut pieces, before_exit } = pass;
        if let Some(before_exit) = before_exit.filter(|&before| before < pieces.len()) {
            let last: Vec<_> = pieces[..before_exit].to_vec();
            self.budget.spend(last.len(), line)?;
            let most = most - 1;
            if most > 0 {
                let body = Box::new(Piece::Sequence(pieces.into()));
                out.push(Piece::Loop { body, least: if exact { most } else { 0 }, most, line });
            }
            out.extend(last);
        } else {
            let times = region.later_parts.checked_add(1).and_then(|times| times.checked_mul(most));
            let too_large = || Obstacle::BoundTooLarge { most, label: label.clone() };
            let most = times.ok_or_else(|| StructureError::at(line, too_large()))?;
            let body = if pieces.len() == 1 { pieces.remove(0) } else { Piece::Sequence(pieces.into()) };
            out.push(Piece::Loop { body: Box::new(body), least: if exact { most } else { 1 }, most, line });
        }
        self.budget.spend(2, line)
    }

    /// A loop that groups of threads leave one by one. Each issues the `BSYNC` behind it in its own time,
    /// between the letters of the passes of those that go on; that of the last group comes behind the loop.
    fn leave_one_by_one(
        &mut self,
        function: &Function<'_, '_>,
        mut repeated: Vec<Piece<A::Letter>>,
        mut wait: Vec<Piece<A::Letter>>,
        groups: u64,
        line: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let more = groups.min(MOST_GROUPS) - 1;
        let wait = if wait.len() == 1 { wait.remove(0) } else { Piece::Sequence(wait.into()) };
        let waits = match wait {
            Piece::Letters { letter: unit, count, line } => {
                Piece::Letters { letter: unit, count: count.saturating_mul(more), line }
            }
            other => Piece::Loop { body: Box::new(other), least: more, most: more, line },
        };
        self.budget.spend(4, line)?;
        let repeated =
            if repeated.len() == 1 { repeated.remove(0) } else { Piece::Sequence(repeated.into()) };
        let arms = vec![repeated, waits];
        out.push(Piece::Branch { arms: arms.into(), divergence: function.divergence(false), line });
        Ok(())
    }
}

/// Whether each barrier of a piece is passed in every pass, whatever way that takes.
fn has_plain_barriers<L: Clone + PartialEq>(piece: &Piece<L>) -> bool {
    match piece {
        Piece::Sequence(pieces) => pieces.iter().all(has_plain_barriers),
        Piece::Barrier { .. } | Piece::Letters { .. } => true,
        Piece::Branch { .. } | Piece::Loop { .. } => !piece.has_barrier(),
    }
}
