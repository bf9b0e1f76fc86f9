//! Lowering: from the region trees of the functions to the program.
//!
//! The program of a function that is called stands in that of the caller. A function is analysed when the
//! lowering first comes to a call of it, and lowered once.

// Layers: a module uses only those of the groups above its own.
mod barriers;
mod divergence;
mod letters;
mod loops;

mod blocks;
mod branches;

use std::collections::HashMap;

pub(crate) use letters::barrier;

use crate::Fault;
use crate::classes::Classes;
use crate::flow::analysis::ListingWith;
use crate::flow::analysis::groups::{Returns, returns};
use crate::flow::analysis::{Entries, Function, FunctionId, Program, control_flow_graph, convergence};
use crate::flow::graph::BlockId;
use crate::flow::region::{DEEPEST, Most, Region, build};
use crate::flow::{Findings, FlowOptions, Obstacle, StructureError};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::opcode::Opcode;
use warpspan_model::program::Piece;

/// Pieces of a program beyond the instructions of the listing: code that arms share is copied into each, so
/// that a program may be exponentially larger than its listing.
const MOST_COPIES: usize = 200_000;
/// The parts of them that a single branch may have, where the program is too large without such a limit: the next part is
/// tried as long as it still is, and none at last.
const FEWER_COPIES: [usize; 3] = [1, 16, 256];
/// Larger graphs are refused.
const MOST_BLOCKS: usize = 10_000;

/// What the instructions of a listing are in a program: the pieces over letters of some kind.
pub(crate) trait Alphabet {
    /// The letters.
    type Letter: Clone + PartialEq;

    /// The classes of the opcodes, which say what is a barrier.
    fn classes(&mut self) -> &mut Classes;

    /// Whether an instruction that ends threads or a function has letters.
    fn end_has_letters(&mut self, opcode: &Opcode<'_>) -> bool;

    /// The pieces of one instruction, without what it calls. An instruction issues whatever its predicate is,
    /// so it always counts once.
    ///
    /// # Errors
    /// If nobody says what letters it has, or the model does not cover what it does.
    fn pieces(&mut self, instruction: &Instruction<'_>) -> Result<Vec<Piece<Self::Letter>>, StructureError>;
}

/// The structured program of a routine of a listing, by its number, or what stands in its way.
pub(crate) fn program<A: Alphabet>(
    (listing, functions): ListingWith<'_, '_>,
    routine: usize,
    alphabet: &mut A,
    options: FlowOptions<'_>,
) -> (Result<Piece<A::Letter>, StructureError>, Findings) {
    let most = listing.routines[routine].instructions.len().saturating_add(MOST_COPIES);
    let id = FunctionId { routine, entry: 0 };
    let entries = Entries::new((listing, functions), options, id, alphabet.classes());
    let program = Program { listing, known: functions, options, entries: &entries };
    let returns = returns(program, id, alphabet.classes());
    let mut attempt = |most_copies| {
        let mut lowering = Lowering {
            program,
            alphabet: &mut *alphabet,
            lowered: HashMap::new(),
            pieces: HashMap::new(),
            returns: returns.clone(),
            threads: false,
            open: Vec::new(),
            budget: Budget { pieces: 0, most },
            most_copies,
            findings: Findings::default(),
        };
        let result = lowering.function(id, 0, false);
        (result, lowering.findings)
    };
    let first = attempt(usize::MAX);
    // What is too large in every way is told as it was found at first.
    let (result, findings) = if is_too_large(&first.0) {
        let parts = FEWER_COPIES.into_iter().map(|part| most / part).chain([0]);
        parts.map(attempt).find(|(result, _)| !is_too_large(result)).unwrap_or(first)
    } else {
        first
    };
    let result = match result {
        Ok(pieces) => {
            let unbounded = StructureError::default().and_unbounded(&findings.loops);
            unbounded.unless_empty().map(|()| Piece::Sequence(pieces.into()))
        }
        Err(error) => Err(error.and_unbounded(&findings.loops)),
    };
    (result, findings)
}

/// Whether there is no program because of the code that its branches share.
fn is_too_large<T>(result: &Result<T, StructureError>) -> bool {
    let shared = |(_, obstacle): &(u32, Obstacle)| *obstacle == Obstacle::SharedCode;
    matches!(result, Err(error) if error.obstacles.iter().any(shared))
}

/// How many pieces the program may have.
#[derive(Debug)]
struct Budget {
    pieces: usize,
    most: usize,
}

impl Budget {
    fn spend(&mut self, pieces: usize, line: u32) -> Result<(), StructureError> {
        self.pieces = self.pieces.saturating_add(pieces);
        if self.pieces > self.most {
            return Err(StructureError::at(line, Obstacle::SharedCode));
        }
        Ok(())
    }
}

/// The program of a function that is called.
#[derive(Debug)]
struct Lowered<L> {
    pieces: Vec<Piece<L>>,
    /// Whether threads may end in it.
    ends_threads: bool,
}

/// Lowers the functions that an entry calls, and the entry itself.
struct Lowering<'a, 'l, 'c, A: Alphabet> {
    program: Program<'a, 'l>,
    alphabet: &'c mut A,
    /// The functions that are called, as a warp runs them and as a single thread does.
    lowered: HashMap<(FunctionId, bool), Lowered<A::Letter>>,
    /// The pieces of instructions, by routine and number: code that arms share is there several times.
    pieces: HashMap<(usize, usize), Vec<Piece<A::Letter>>>,
    /// How many groups come back from calls.
    returns: Returns,
    /// Whether the code of a single thread is being lowered.
    threads: bool,
    /// The functions that are being lowered, each called by the one before.
    open: Vec<FunctionId>,
    budget: Budget,
    /// How many copies of code that its arms share a branch may have.
    most_copies: usize,
    findings: Findings,
}

impl<A: Alphabet> Lowering<'_, '_, '_, A> {
    /// The pieces of a function.
    fn function(
        &mut self,
        id: FunctionId,
        depth: u32,
        called: bool,
    ) -> Result<Vec<Piece<A::Letter>>, StructureError> {
        if let Some(lowered) = self.lowered.get(&(id, self.threads)) {
            return Ok(lowered.pieces.clone());
        }
        let routine = &self.program.listing.routines[id.routine];
        if let Some((line, what)) = routine.fault.as_ref().map(Fault::line_and_what) {
            return Err(StructureError::at(line, Obstacle::Fault(what)));
        }
        let line = routine.line_of(id.entry);
        if self.open.contains(&id) {
            return Err(StructureError::at(line, Obstacle::Recursion(routine.name.to_owned())));
        }
        if id.entry >= routine.instructions.len() {
            return Ok(vec![]);
        }
        self.open.push(id);
        let ends = |opcode: &Opcode<'_>| self.alphabet.end_has_letters(opcode);
        let graph = control_flow_graph(self.program.listing, id, ends, called);
        if graph.len() > MOST_BLOCKS {
            return Err(StructureError::at(line, Obstacle::Blocks(MOST_BLOCKS)));
        }
        let function = Function::new(self.program, id, &graph, self.alphabet.classes(), called);
        if !self.threads {
            convergence::check(&function, &function.whole)?;
        }
        self.findings.used.extend(function.declared_branches());
        self.findings.shuffles.extend(function.lines_of_shuffles());
        let most = Most { pieces: self.budget.most, copies: self.most_copies };
        let regions = build(&function, &self.returns, most, self.threads, &mut self.findings.work);
        let mut pieces = Vec::new();
        self.sequence(&function, &regions, depth, &mut pieces)?;
        let ends_threads = called && self.ends_of_callee(&function, &mut pieces)?;
        self.open.pop();
        self.lowered.insert((id, self.threads), Lowered { pieces: pieces.clone(), ends_threads });
        Ok(pieces)
    }

    /// The pieces of regions that come one after the other.
    fn sequence(
        &mut self,
        function: &Function<'_, '_>,
        regions: &[Region],
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let check_depth = |block: BlockId| {
            let error = || StructureError::at(function.line(block), Obstacle::Depth(DEEPEST));
            if depth > DEEPEST { Err(error()) } else { Ok(()) }
        };
        for region in regions {
            match region {
                Region::Block(block, instructions) => {
                    check_depth(*block)?;
                    self.block(function, instructions.clone(), depth, out)?;
                }
                Region::EarlyEnd { branch } => {
                    let line = function.routine.line_of(*branch);
                    self.budget.spend(3, line)?;
                    out.push(Piece::nowhere(line));
                }
                Region::RestOfPass { branch, body } => {
                    let mut pieces = Vec::new();
                    self.sequence(function, body, depth + 1, &mut pieces)?;
                    self.rest_of_pass(function, *branch, pieces, out)?;
                }
                Region::Branch(branch) => self.branch(function, branch, depth, out)?,
                Region::Divergent(apart) => self.apart(function, apart, depth, out)?,
                Region::Steps(steps) => self.steps(function, steps, depth, out)?,
                Region::Threads(threads) => self.threads(function, threads, depth, out)?,
                Region::Loop(one) => {
                    check_depth(one.header)?;
                    self.natural_loop(function, one, depth, out)?;
                }
                Region::Refused(block, error) => {
                    check_depth(*block)?;
                    return Err(error.clone());
                }
            }
        }
        Ok(())
    }

    /// Whether threads may end in what an instruction calls.
    fn ends_in_call(&self, function: &Function<'_, '_>, instruction: usize) -> bool {
        let callee = function.callee(instruction).and_then(|id| self.lowered.get(&(id, self.threads)));
        callee.is_some_and(|lowered| lowered.ends_threads)
    }
}

/// How many pieces there are, with those inside of others.
fn size<L>(pieces: &[Piece<L>]) -> usize {
    sum_of_sizes(&mut HashMap::new(), pieces)
}

/// The same, where pieces that several others share are looked at once. They are known by their address.
fn sum_of_sizes<L>(known: &mut HashMap<*const Piece<L>, usize>, pieces: &[Piece<L>]) -> usize {
    let mut sum = pieces.len();
    for piece in pieces {
        let at = piece.inside().as_ptr();
        let size = match known.get(&at).filter(|_| piece.is_shared()) {
            Some(&size) => size,
            None => sum_of_sizes(known, piece.inside()),
        };
        sum = sum.saturating_add(size);
        known.extend(piece.is_shared().then_some((at, size)));
    }
    sum
}
