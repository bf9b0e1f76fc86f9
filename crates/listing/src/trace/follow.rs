//! A warp, followed through its instructions: whether each can follow the one before it, how often loops are passed, and at which branches
//! lanes diverge.
//!
//! Lanes that are apart come one group after the other. Whether a lane that a predicate keeps from an instruction was there, a trace does not
//! say, so that passes of a loop are counted from the time when no lane of the warp is in it until that is so again: whatever a group passes in
//! between counts, which is never too little.

use crate::trace::code::{Code, Next};
use crate::trace::instruction::{Executed, LANES};

/// What all warps showed of the routine.
#[derive(Debug, Clone, Default)]
pub(super) struct Shown {
    /// How often each instruction was executed.
    pub(super) times: Vec<u64>,
    /// The most and the least passes of each loop from coming to it on, and how often a warp came.
    pub(super) passes: Vec<Passes>,
    /// How often some but not all lanes of a group took each branch, or it is not known whether they did.
    pub(super) diverged: Vec<u64>,
}

/// How often warps passed the header of a loop, each time that they came to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Passes {
    /// At most.
    pub most: u64,
    /// At least.
    pub least: u64,
    /// How often a warp came.
    pub visits: u64,
}

/// A loop that a warp is in.
#[derive(Debug, Clone, Copy, Default)]
struct Visit {
    /// Whether some lane may be in it.
    open: bool,
    passes: u64,
    /// The lanes that were seen in it last.
    inside: u32,
    /// The lanes that may be in it although predicates hide them.
    hidden: u32,
}

/// A lane.
#[derive(Debug, Clone, Copy, Default)]
struct Lane {
    /// The instruction that it executed last.
    last: Option<usize>,
    /// The last one that all lanes execute which are there, and who that was.
    together: Option<(usize, u32)>,
}

/// A warp.
pub(super) struct Warp {
    lanes: [Lane; LANES],
    /// The lanes that it has, and those of them that have not ended.
    all: u32,
    alive: u32,
    visits: Vec<Visit>,
}

impl Warp {
    pub(super) fn new(all: u32, loops: usize) -> Self {
        Self { lanes: [Lane::default(); LANES], all, alive: all, visits: vec![Visit::default(); loops] }
    }

    /// Goes on with an instruction, by its number in the routine.
    pub(super) fn step(
        &mut self,
        code: &Code<'_, '_>,
        at: usize,
        one: &Executed,
        shown: &mut Shown,
    ) -> Result<(), String> {
        let mask = one.mask;
        if mask & !self.all != 0 {
            return Err(format!("mask {mask:08x} has lanes that the warp does not have ({:08x})", self.all));
        }
        if mask & !self.alive != 0 {
            return Err(format!(
                "mask {mask:08x} has lanes that have ended ({:08x})",
                self.all & !self.alive
            ));
        }
        if mask == 0 && !code.is_guarded(at) {
            return Err("no lane executes an instruction that no predicate guards".to_owned());
        }
        for lane in lanes_of(mask) {
            self.can_follow(code, self.lanes[lane].last, at)?;
        }
        if code.next(at) == &Next::Called && mask != 0 {
            return Err(
                "a function is called, and PCs do not say of which function they are: want a kernel whose calls are inlined".to_owned(),
            );
        }
        shown.times[at] += 1;
        let instruction = &code.routine.instructions[at];
        let is_branch = instruction.conditional;
        if is_branch && !self.go_one_way(code, at, mask) {
            shown.diverged[at] += 1;
        }
        for lane in lanes_of(mask) {
            self.lanes[lane].last = Some(at);
            if !code.is_guarded(at) {
                self.lanes[lane].together = Some((at, mask));
            }
        }
        self.count(code, at, mask, shown);
        if code.next(at) == &Next::End {
            self.alive &= !mask;
            self.visits.iter_mut().for_each(|visit| {
                visit.inside &= !mask;
                visit.hidden &= !mask;
            });
        }
        Ok(())
    }

    /// Whether a lane can come to an instruction next, behind the one that it executed last.
    fn can_follow(&self, code: &Code<'_, '_>, last: Option<usize>, at: usize) -> Result<(), String> {
        let all = &code.routine.instructions;
        let Some(last) = last else {
            return match code.comes_to(0, at) {
                true => Ok(()),
                false => {
                    Err("the warp does not begin with the first instruction: were some not traced?"
                        .to_owned())
                }
            };
        };
        let can = match code.next(last) {
            Next::To(list) => list.iter().any(|&to| code.comes_to(to, at)),
            Next::Anywhere => true,
            Next::End | Next::Called => false,
        };
        if can {
            return Ok(());
        }
        let address = |at: usize| all[at].address.unwrap_or_default();
        Err(format!(
            "PC {:04x} cannot follow PC {:04x}: some instructions were not traced, or the listing is of another binary",
            address(at),
            address(last)
        ))
    }

    /// Whether all lanes of a group go one way at a branch, as far as that is known. The mask has those that take it; without a guard, those
    /// that are there, whose ways the trace does not tell here.
    fn go_one_way(&self, code: &Code<'_, '_>, at: usize, mask: u32) -> bool {
        if !code.is_guarded(at) || code.parts(at) && mask != 0 {
            return false;
        }
        let Some(lane) = lanes_of(mask).next() else { return true };
        let there = self.lanes[lane].together.filter(|(last, _)| Some(*last) == code.all_before(at));
        there.is_some_and(|(_, there)| there == mask)
    }

    fn count(&mut self, code: &Code<'_, '_>, at: usize, mask: u32, shown: &mut Shown) {
        let guarded = code.is_guarded(at);
        for (number, one) in code.loops.iter().flatten().enumerate() {
            let visit = &mut self.visits[number];
            if code.is_in(at, number) {
                visit.open = true;
                visit.inside |= mask;
                if at == one.header {
                    visit.passes += 1;
                    // Lanes that are at its header and do not execute it are in it, whoever they are.
                    visit.hidden |= if guarded { self.alive } else { 0 };
                }
                visit.hidden &= !mask;
            } else if visit.open && mask != 0 {
                // These lanes are elsewhere.
                visit.inside &= !mask;
                visit.hidden &= !mask;
                if visit.inside == 0 && visit.hidden == 0 {
                    shown.passes[number].add(visit.passes);
                    *visit = Visit::default();
                }
            }
        }
    }

    /// Ends the warp; all its lanes must have ended.
    pub(super) fn end(self, shown: &mut Shown) -> Result<(), String> {
        if self.alive != 0 {
            return Err(format!("lanes {:08x} of the warp do not end: was the tracer stopped?", self.alive));
        }
        let open = self.visits.iter().enumerate().filter(|(_, visit)| visit.open);
        open.for_each(|(number, visit)| shown.passes[number].add(visit.passes));
        Ok(())
    }
}

impl Passes {
    fn add(&mut self, passes: u64) {
        self.most = self.most.max(passes);
        self.least = if self.visits == 0 { passes } else { self.least.min(passes) };
        self.visits += 1;
    }
}

/// The lanes of a mask.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}
