//! A second opinion on what the warps of a listing issue: the text is read, run and counted by routes that have nothing in
//! common with the ones of the library.
//!
//! # What is run
//!
//! A warp of 1 to 32 threads. Each instruction that a group of threads issues is a step; a predicated one is issued
//! whatever its predicate. Which threads take a branch is drawn at random.
//!
//! * SASS up to 6.x ([`stack`]): one stack a warp. `SSY`, `PBK`, `PCNT` and calls push a place and the threads; threads that part
//!   push the way not gone first, either of them; `SYNC`, `.S`, `BRK`, `CONT`, `RET` have threads wait for the top of the stack.
//! * SASS from 7.0 on ([`groups`]): `BSSY` notes who is together; a group that comes to `BSYNC` issues it once and waits until all of
//!   these that have not ended stand at one; `BREAK` takes threads out; groups run in any order, instruction by instruction.
//!   Calls keep a place to go back to for each thread, so a return gathers nobody.
//! * PTX ([`meets`]): threads that part meet at the immediate postdominator at the latest; those that return wait behind the
//!   call; up to 6.x one way is gone after the other, from 7.0 on they alternate.
//!
//! # What is not run
//!
//! `BRX` of SASS, `BMOV`, `WARPSYNC` and branches on it, `YIELD` and `NANOSLEEP` as more than a letter, `PEXIT`, `LONGJMP`,
//! recursion, barriers of a part of a block, and whatever changes the order of instructions within a group. A listing that comes to
//! a state that these rules do not know (a `SYNC` where something else than `SSY` was the last to push) is none that
//! the library may give a program for. A `BSYNC` of a register that no `BSSY` has set is taken to wait for nobody. A run in which
//! threads wait for ever says nothing.

mod arbitrary;
pub(crate) mod counters;
pub(crate) mod counts;
pub(crate) mod embed;
pub(crate) mod generate;
pub(crate) mod graph;
pub(crate) mod groups;
pub(crate) mod judge;
mod known;
mod ladders;
mod legal;
pub(crate) mod meets;
pub(crate) mod passes;
mod places;
pub(crate) mod random;
pub(crate) mod read;
pub(crate) mod shrink;
pub(crate) mod stack;
pub(crate) mod structures;
pub(crate) mod values;

use random::Random;

/// Which rules a listing runs by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Ptx,
    Stack,
    Groups,
}

/// A kind of place on the stack, each with its own instruction that takes it off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Ssy,
    Pbk,
    Pcnt,
    Pret,
    Call,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Op {
    Plain,
    Bar,
    Bra(usize),
    Switch(Vec<usize>),
    Exit,
    Ret,
    Call(usize),
    Push(Kind, usize),
    Pop(Kind),
    Bssy(usize, usize),
    Bsync(usize),
    Break(usize),
}

#[derive(Debug, Clone)]
pub(crate) struct Inst {
    pub(crate) line: u32,
    pub(crate) op: Op,
    pub(crate) guarded: bool,
    /// The predicate of the guard, and whether it is negated.
    pub(crate) guard: Option<(String, bool)>,
    /// All threads of a group decide alike.
    pub(crate) uniform: bool,
    /// `.S`: a `SYNC` after it.
    pub(crate) pops: bool,
    /// For the load/store units.
    pub(crate) memory: bool,
}

/// The routines of a listing one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    pub(crate) dialect: Dialect,
    /// Capability 7.0 or later.
    pub(crate) volta: bool,
    pub(crate) insts: Vec<Inst>,
    /// The routine of each instruction.
    pub(crate) routine: Vec<usize>,
    /// Where each routine starts, and whether it is the kernel.
    pub(crate) starts: Vec<(usize, bool)>,
    pub(crate) labels: Vec<(String, usize)>,
}

impl Code {
    pub(crate) fn start(&self) -> usize {
        self.starts.iter().find(|start| start.1).unwrap().0
    }

    /// Whether an instruction takes cycles of a unit.
    pub(crate) fn letter(&self, inst: usize) -> bool {
        !matches!(self.insts[inst].op, Op::Exit | Op::Ret)
    }
}

/// A group of threads issues an instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) inst: usize,
    pub(crate) threads: u32,
    pub(crate) ended: u32,
    pub(crate) called: u32,
    pub(crate) returned: u32,
}

impl Step {
    pub(crate) fn new(inst: usize, threads: u32) -> Self {
        Self { inst, threads, ended: 0, called: 0, returned: 0 }
    }
}

/// Why there is no trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    TooLong,
    Deadlock,
    Unknown(String),
}

/// Which threads take a conditional instruction.
pub(crate) struct Chooser<'a> {
    pub(crate) random: &'a mut Random,
    styles: Vec<u32>,
    issued: usize,
    limit: usize,
    /// The registers, where branches go by them.
    values: Option<values::Values>,
}

impl<'a> Chooser<'a> {
    pub(crate) fn new(random: &'a mut Random, insts: usize, limit: usize) -> Self {
        let same = random.one_in(3).then(|| random.below(7));
        let styles = (0..insts).map(|_| same.unwrap_or_else(|| random.below(7))).collect();
        Self { random, styles, issued: 0, limit, values: None }
    }

    /// Counts an instruction.
    pub(crate) fn issue(&mut self) -> Result<(), Stop> {
        self.issued += 1;
        if self.issued > self.limit { Err(Stop::TooLong) } else { Ok(()) }
    }

    /// The threads of a group for which the predicate holds. What the instruction writes is written.
    pub(crate) fn takers(&mut self, code: &Code, inst: usize, mask: u32) -> u32 {
        if let Some(values) = &mut self.values {
            let takers = values.takers(inst, mask, self.random);
            values.execute(code, inst, takers, self.random);
            return takers;
        }
        // A branch to the next instruction parts nobody.
        if !code.insts[inst].guarded || code.insts[inst].op == Op::Bra(inst + 1) {
            return mask;
        }
        let random = &mut *self.random;
        let all = if random.one_in(2) { mask } else { 0 };
        if code.insts[inst].uniform {
            return all;
        }
        let style = if random.one_in(8) { random.below(7) } else { self.styles[inst] };
        let bits = random.next();
        let low = u32::try_from(bits & 0xffff_ffff).unwrap();
        let high = u32::try_from(bits >> 32).unwrap();
        let one = 1 << mask.trailing_zeros();
        let taken = match style {
            0 => low,
            1 => low & high,
            2 => low | high,
            3 => one,
            4 => !one,
            5 => all,
            _ if random.one_in(2) => one,
            _ => low,
        };
        // A loop that goes on for long is left in one way or the other.
        (if self.issued > self.limit / 2 { low } else { taken }) & mask
    }
}

/// What a warp of so many threads issues, in an order of its own.
pub(crate) fn run(code: &Code, threads: u32, random: &mut Random, limit: usize) -> Result<Vec<Step>, Stop> {
    let all = u32::MAX >> (32 - threads);
    let mut chooser = Chooser::new(random, code.insts.len(), limit);
    match code.dialect {
        Dialect::Stack => stack::run(code, all, &mut chooser),
        Dialect::Groups => groups::run(code, all, &mut chooser),
        Dialect::Ptx => meets::run(code, all, &mut chooser),
    }
}

/// The same of PTX whose branches go by the values of registers; what was issued up to the limit, and
/// whether the warp came to its end.
pub(crate) fn run_values(
    code: &Code,
    text: &str,
    threads: u32,
    random: &mut Random,
    limit: usize,
) -> (Vec<Step>, bool) {
    let all = u32::MAX >> (32 - threads);
    let mut chooser = Chooser::new(random, code.insts.len(), limit);
    chooser.values = Some(values::Values::new(text, code));
    let mut steps = Vec::new();
    let ended = meets::follow(code, all, &mut chooser, &mut steps).is_ok();
    (steps, ended)
}
