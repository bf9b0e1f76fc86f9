//! Passes of a loop one after the other, where no counter of it is understood.
//!
//! From what is known where control comes to the loop, the analysis of [`Ranges`](super::ranges::Ranges) is run for the first pass
//! alone, without what later passes come with; from what it knows on the edges back to the header, for the second pass, and so
//! on. As soon as no thread can come back to the header, there are no more passes.

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::ranges::State;
use crate::flow::analysis::counts::recurrence::Tests;

use crate::flow::graph::{BlockId, Edge, Node};

/// In how many steps passes are followed, each an instruction with what is known there.
const MOST_STEPS: usize = 1_500;
/// The most steps of a loop, times the instructions of its routine: long routines have many loops, each of which may need all of its steps.
const MOST_IN_ALL: usize = 6_000_000;

impl<'a> CountedLoop<'a, '_> {
    /// How often the header is passed at most, from the state in which control comes to the loop: the number of the first pass
    /// from which no thread comes back.
    pub(super) fn successive(&self, numbers: &Numbers<'a>, before: &State<'a>) -> Option<Tests> {
        let mut steps = MOST_STEPS.min(MOST_IN_ALL / self.routine.instructions.len().max(1));
        // Expressions would grow from pass to pass.
        let mut state = before.clone().without_ends();
        for most in 1.. {
            let Some(next) = self.one_pass(numbers, state.clone(), &mut steps)? else {
                return Some(Tests::at_most(most));
            };
            let next = next.without_ends();
            // With the same state the next pass is the same.
            if next == state {
                return None;
            }
            state = next;
        }
        None
    }

    /// What is known where control comes back to the header after one pass; none if no thread does.
    fn one_pass(
        &self,
        numbers: &Numbers<'a>,
        state: State<'a>,
        steps: &mut usize,
    ) -> Option<Option<State<'a>>> {
        let subgraph = &self.pass.subgraph;
        let header = subgraph.block_id(Node::ENTRY);
        let mut back = Vec::<(BlockId, Option<State<'a>>)>::new();
        numbers.ranges.follow(
            self.place(),
            (header, state),
            &numbers.untracked,
            steps,
            |[from, to], state, _| {
                if to == header {
                    // A block that is looked at again comes back with all that it came back with before.
                    match back.iter_mut().find(|(known, _)| *known == from) {
                        Some((_, known)) => *known = state,
                        None => back.push((from, state)),
                    }
                    return None;
                }
                let inside =
                    subgraph.node_of(to).is_some_and(|node| self.pass.exits.comes_back(Edge::To(node)));
                state.filter(|_| inside)
            },
        );
        let back = back.into_iter().filter_map(|(_, state)| state);
        let next = back.reduce(|one, other| numbers.ranges.joined(&one, &other, |_, new| Some(new)));
        (*steps > 0).then_some(next)
    }
}
