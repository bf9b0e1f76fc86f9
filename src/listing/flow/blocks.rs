//! The control flow graph of a routine, or of the part of it that starts at an instruction.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::listing::routine::{Flow, Language, Routine};

/// Instructions that are executed one after the other.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) instructions: Range<usize>,
    /// The blocks that may follow, each once.
    pub(super) next: Vec<usize>,
    /// Whether the routine may end after it.
    pub(super) ends: bool,
    /// Whether that end is a place where its ways may meet: a return, or an end that PTX branches to. Threads that end at an
    /// `exit` under a predicate only leave the others alone.
    pub(super) meets_at_end: bool,
    /// How many of its ways are a return of the function.
    pub(super) returns: usize,
}

/// Basic blocks; the first is the entry. Only what can be reached is there.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    pub(super) blocks: Vec<Block>,
    /// The instructions at which the routine may end.
    pub(super) ends: Vec<usize>,
    of: HashMap<usize, usize>,
}

/// The instructions that may follow one, and whether the routine may end there. Past the end is an end.
fn follow(routine: &Routine<'_>, at: usize) -> (Vec<usize>, bool) {
    let instruction = &routine.instructions[at];
    let mut next = match &instruction.flow {
        Flow::Next | Flow::Call(_) | Flow::CallInside(_) => vec![at + 1],
        Flow::Branch(to) => vec![*to],
        Flow::Switch(list) => list.clone(),
        Flow::Unknown | Flow::End => vec![],
    };
    let falls = instruction.conditional && !next.contains(&(at + 1));
    if falls {
        next.push(at + 1);
    }
    let mut ends = matches!(instruction.flow, Flow::End | Flow::Unknown);
    next.retain(|&to| {
        ends |= to >= routine.instructions.len();
        to < routine.instructions.len()
    });
    next.sort_unstable();
    next.dedup();
    (next, ends)
}

/// Whether nothing but the end of the routine stands there.
fn only_ends(routine: &Routine<'_>, lettered: &HashSet<usize>, at: usize) -> bool {
    let instruction = &routine.instructions[at];
    instruction.flow == Flow::End && !instruction.conditional && !lettered.contains(&at)
}

impl Blocks {
    /// The graph from an instruction on. `lettered`: ends that have letters, of the user's; `called`: whether returns come back.
    pub(super) fn new(
        routine: &Routine<'_>,
        language: Language,
        start: usize,
        lettered: &HashSet<usize>,
        called: bool,
    ) -> Self {
        let length = routine.instructions.len();
        let mut reached = vec![false; length];
        let mut leads = vec![false; length + 1];
        let mut open = vec![start];
        leads[start.min(length)] = true;
        while let Some(at) = open.pop() {
            if at >= length || std::mem::replace(&mut reached[at], true) {
                continue;
            }
            let (next, ends) = follow(routine, at);
            let straight = !ends && matches!(next[..], [to] if to == at + 1);
            // Each group of threads issues a BSYNC: it stands alone.
            let alone = routine.instructions[at].name() == "BSYNC";
            leads[at] |= alone;
            for &to in &next {
                leads[to] |= !straight || alone;
                open.push(to);
            }
        }
        let mut blocks: Vec<Block> = Vec::new();
        let mut of = HashMap::new();
        // The entry first, then in the order of the listing.
        let order = std::iter::once(start).chain((0..length).filter(|&at| at != start));
        for lead in order.filter(|&at| at < length && reached[at] && leads[at]) {
            let mut end = lead;
            loop {
                let (next, ends) = follow(routine, end);
                end += 1;
                if ends || next != [end] || leads[end] {
                    break;
                }
            }
            of.insert(lead, blocks.len());
            blocks.push(Block {
                instructions: lead..end,
                next: vec![],
                ends: false,
                meets_at_end: false,
                returns: 0,
            });
        }
        for block in &mut blocks {
            let last = block.instructions.end - 1;
            let (next, ends) = follow(routine, last);
            let mut beside = next.iter().copied().filter(|&to| only_ends(routine, lettered, to)).peekable();
            block.ends = ends || beside.peek().is_some();
            let returns = |at: usize| called && matches!(routine.instructions[at].name(), "ret" | "RET");
            let return_of = |&&to: &&usize| only_ends(routine, lettered, to) && returns(to);
            block.returns = usize::from(ends && returns(last)) + next.iter().filter(return_of).count();
            block.meets_at_end =
                ends && returns(last) || beside.any(|to| language == Language::Ptx || returns(to));
            block.next =
                next.iter().filter(|&&to| !only_ends(routine, lettered, to)).map(|to| of[to]).collect();
        }
        let ends =
            (0..length).filter(|&at| reached[at] && routine.instructions[at].flow == Flow::End).collect();
        Self { blocks, ends, of }
    }

    /// The block that begins at an instruction.
    pub(super) fn at(&self, instruction: usize) -> Option<usize> {
        self.of.get(&instruction).copied()
    }
}
