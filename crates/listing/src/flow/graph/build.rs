//! From the instructions of a routine to basic blocks.

use std::collections::{BTreeMap, HashSet};

use crate::closure::closure;
use crate::flow::graph::{BasicBlock, BlockId, ControlFlowGraph};
use crate::routine::Routine;
use warpspan_isa::instruction::{Flow, Language};

/// What may follow an instruction.
struct Successors {
    /// The instructions that control may go to, in order.
    next: Vec<usize>,
    /// Whether the routine may end. To go past the last instruction is an end.
    ends: bool,
}

impl Successors {
    fn of(routine: &Routine<'_>, at: usize) -> Self {
        let instruction = &routine.instructions[at];
        let mut next = match &instruction.flow {
            Flow::Next | Flow::Call(_) | Flow::CallInside(_) => vec![at + 1],
            Flow::Branch(to) => vec![*to],
            Flow::Switch(list) => list.clone(),
            Flow::Unknown | Flow::End => vec![],
        };
        if instruction.conditional {
            next.push(at + 1);
        }
        let mut ends = matches!(instruction.flow, Flow::End | Flow::Unknown);
        next.retain(|&to| {
            ends |= to >= routine.instructions.len();
            to < routine.instructions.len()
        });
        next.sort_unstable();
        next.dedup();
        Self { next, ends }
    }

    /// Whether control always goes on at the next instruction.
    fn is_next_of(&self, at: usize) -> bool {
        !self.ends && self.next == [at + 1]
    }
}

/// The instructions that can be reached, and those at which a block begins.
struct Leaders {
    reached: Vec<bool>,
    leads: Vec<bool>,
}

impl Leaders {
    fn find(routine: &Routine<'_>, start: usize) -> Self {
        let length = routine.instructions.len();
        let (mut reached, mut leads) = (vec![false; length], vec![false; length + 1]);
        leads[start.min(length)] = true;
        // Groups that wait at a location reconverge there, so it begins a block, whoever comes to it.
        routine.points.stacks.iter().for_each(|point| leads[point.place.min(length)] = true);
        let found = closure([start], |at, open| {
            if at < length {
                let successors = Successors::of(routine, at);
                // Each group of threads issues a BSYNC, so it is a block of its own.
                let alone = routine.instructions[at].is_wait();
                leads[at] |= alone;
                for &to in &successors.next {
                    leads[to] |= !successors.is_next_of(at) || alone;
                    open.push(to);
                }
            }
            Some(())
        });
        found.into_iter().flatten().filter(|&at| at < length).for_each(|at| reached[at] = true);
        Self { reached, leads }
    }
}

impl ControlFlowGraph {
    /// The graph of a routine from an instruction on. `lettered_ends` are the ends of threads that the user
    /// gave letters; `called` says whether returns come back to a caller.
    pub(crate) fn new(
        routine: &Routine<'_>,
        language: Language,
        start: usize,
        lettered_ends: &HashSet<usize>,
        called: bool,
    ) -> Self {
        let length = routine.instructions.len();
        let Leaders { reached, leads } = Leaders::find(routine, start);
        let (mut blocks, mut starting_at) = (Vec::new(), BTreeMap::new());
        // The entry comes first; the others stand in the order of the listing.
        let order = std::iter::once(start).chain((0..length).filter(|&at| at != start));
        for leader in order.filter(|&at| at < length && reached[at] && leads[at]) {
            let mut end = leader + 1;
            while !leads[end] && Successors::of(routine, end - 1).is_next_of(end - 1) {
                end += 1;
            }
            starting_at.insert(leader, BlockId(blocks.len()));
            blocks.push(BasicBlock {
                instructions: leader..end,
                successors: vec![],
                ends: false,
                joins_at_end: false,
                returns: 0,
            });
        }
        // Where nothing but the end of the routine stands, control only ends: such an instruction is no
        // successor.
        let only_ends = |at: usize| {
            let instruction = &routine.instructions[at];
            instruction.flow == Flow::End && !instruction.conditional && !lettered_ends.contains(&at)
        };
        let returns = |at: usize| called && routine.instructions[at].is_return();
        for block in &mut blocks {
            let last = block.last();
            let Successors { next, ends } = Successors::of(routine, last);
            let (at_end, inside): (Vec<usize>, Vec<usize>) = next.into_iter().partition(|&to| only_ends(to));
            block.ends = ends || !at_end.is_empty();
            block.returns =
                usize::from(ends && returns(last)) + at_end.iter().filter(|&&to| returns(to)).count();
            block.joins_at_end = ends && returns(last)
                || at_end.into_iter().any(|to| language == Language::Ptx || returns(to));
            block.successors = inside.iter().map(|to| starting_at[to]).collect();
        }
        let ends =
            (0..length).filter(|&at| reached[at] && routine.instructions[at].flow == Flow::End).collect();
        Self::of(blocks, ends, starting_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    /// The blocks of the first routine as `lines -> successors`, with what they do at an end.
    fn blocks(text: &str, called: bool) -> Vec<String> {
        let text = Text::new("k", text.as_bytes().to_vec()).unwrap();
        let listing = text.listing().unwrap();
        let routine = &listing.routines[0];
        let graph = ControlFlowGraph::new(routine, listing.language, 0, &HashSet::new(), called);
        let show = |(_, block): (BlockId, &BasicBlock)| {
            let to: Vec<String> = block.successors.iter().map(|to| to.index().to_string()).collect();
            let ends = if block.ends { " ends" } else { "" };
            let joins = if block.joins_at_end { " joins" } else { "" };
            format!("{}..{} -> {}{ends}{joins}", block.first(), block.instructions.end, to.join(","))
        };
        graph.blocks().map(show).collect()
    }

    fn ptx(body: &str) -> String {
        format!(".version 7.0\n.target sm_61\n.visible .entry k()\n{{\n{body}\n}}\n")
    }

    #[test]
    fn a_diamond_and_what_nobody_reaches() {
        let text = ptx(
            "@%p1 bra A;\nadd.s32 %r1, %r1, 1;\nbra B;\nsub.s32 %r1, %r1, 1;\nA:\nadd.s32 %r2, %r2, 1;\nB:\nexit;",
        );
        // The `exit` at B is an end, so that no block has it as a successor; in PTX paths may join there.
        assert_eq!(
            blocks(&text, false),
            ["0..1 -> 1,2", "1..3 ->  ends joins", "4..5 ->  ends joins", "5..6 ->  ends"]
        );
    }

    #[test]
    fn an_exit_under_a_predicate_is_an_edge_to_the_end() {
        let text = ptx("@%p1 exit;\nadd.s32 %r1, %r1, 1;\nexit;");
        assert_eq!(blocks(&text, false), ["0..1 -> 1 ends", "1..3 ->  ends"]);
    }

    #[test]
    fn a_return_counts_only_where_it_comes_back() {
        let text = ptx("@%p1 ret;\nadd.s32 %r1, %r1, 1;\nret;");
        assert_eq!(blocks(&text, false), ["0..1 -> 1 ends", "1..3 ->  ends"]);
        assert_eq!(blocks(&text, true), ["0..1 -> 1 ends joins", "1..3 ->  ends joins"]);
    }
}
