//! The intervals in which the registers of a thread lie, everywhere in a routine.
//!
//! An abstract interpretation over the control-flow graph: a state says of some registers in which interval
//! their bits lie, and of some predicates which comparisons follow from their truth or falsity. Where paths
//! join, a state keeps what holds on all of them; on the path out of a branch the comparisons that decide it
//! narrow the registers that they compare. A state that a loop keeps changing is widened to the next number
//! that some comparison names, and then to nothing, so that an end is reached. A block that no state
//! reaches is one that no thread comes to.

mod carries;
mod execution;
mod form;
mod forms;
mod joins;
mod live;
mod masks;
mod predicates;
mod products;
mod results;
mod state;
mod thresholds;

pub(crate) use live::Live;
pub(crate) use state::State;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use crate::flow::analysis::counts::effect::{Condition, Effect};
use crate::flow::analysis::counts::ranges::thresholds::Thresholds;
use crate::flow::fixed_point::forward;
use crate::flow::graph::{BlockId, ControlFlowGraph};
use crate::interval::Value;
use crate::routine::Routine;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::row::Transfer;

/// How often a block is looked at before its state is widened, and before what still changes is given up.
const EXACT_VISITS: u32 = 4;
const MOST_VISITS: u32 = 60;
/// Steps of the whole analysis, each an instruction with what is known there; a routine that needs more has no
/// counts.
const MOST_STEPS: usize = 20_000_000;

/// How many states within blocks are kept.
const MOST_ASKED: usize = 64;

/// A state before an instruction of a block.
type Within<'a> = ((BlockId, usize), Rc<State<'a>>);

/// The states before all blocks.
#[derive(Debug)]
pub(crate) struct Ranges<'a> {
    /// What each instruction writes, by its number in the routine.
    pub(super) effects: Vec<Effect<'a>>,
    /// The state before each block to which a thread comes.
    pub(super) before: HashMap<BlockId, State<'a>>,
    /// How many edges lead to each block.
    edges_to: Vec<u32>,
    /// What may be asked for from each block on; none where that may be any register.
    pub(super) live: Option<Rc<Live<'a>>>,
    /// Whether the analysis came to its end.
    pub(super) complete: bool,
    /// The registers that groups of threads may have written one after the other.
    of_groups: HashSet<&'a str>,
    /// Those within blocks that were asked for last, the latest first.
    asked: RefCell<VecDeque<Within<'a>>>,
}

impl<'a> Ranges<'a> {
    /// Runs the analysis. `effects` are those of all instructions; nothing is known of the registers that `untracked`
    /// names, and those of `of_groups` may be written by other groups of threads. `live` says what may be asked for where. `limited` gives
    /// what is left of the state on an edge, where something else says more of it than its instructions do; its last argument is what is
    /// known already where the edge leads to.
    pub(super) fn new(
        (routine, graph): (&Routine<'a>, &ControlFlowGraph),
        (effects, live): (Vec<Effect<'a>>, Option<Rc<Live<'a>>>),
        [untracked, of_groups]: [&HashSet<&'a str>; 2],
        limited: impl Fn([BlockId; 2], State<'a>, Option<&State<'a>>) -> State<'a>,
    ) -> Self {
        let of_groups = of_groups.clone();
        let asked = RefCell::default();
        let mut edges_to = vec![0_u32; graph.len()];
        graph.blocks().flat_map(|(_, block)| &block.successors).for_each(|to| edges_to[to.index()] += 1);
        let before = HashMap::new();
        let mut all = Self { effects, before, edges_to, live, complete: true, of_groups, asked };
        let mut steps = MOST_STEPS;
        let entry = (BlockId::ENTRY, State::default());
        let before = all.follow((routine, graph), entry, untracked, &mut steps, |edge, state, known| {
            state.map(|state| limited(edge, state, known))
        });
        all.complete = steps > 0;
        all.before = before;
        all
    }

    /// The states before all blocks that are reached from one with its state. `along` says what state comes to a successor of a block,
    /// if the analysis goes on there. It takes no more than `steps`, of which none are left if they were not enough.
    pub(super) fn follow(
        &self,
        (routine, graph): (&Routine<'a>, &ControlFlowGraph),
        entry: (BlockId, State<'a>),
        untracked: &HashSet<&'a str>,
        steps: &mut usize,
        mut along: impl FnMut([BlockId; 2], Option<State<'a>>, Option<&State<'a>>) -> Option<State<'a>>,
    ) -> HashMap<BlockId, State<'a>> {
        let mut visits = HashMap::<BlockId, u32>::new();
        let thresholds = Thresholds::default();
        let transfer = |block: BlockId, mut state: State<'a>| {
            for at in graph[block].instructions.clone() {
                *steps = steps.saturating_sub(1 + state.registers.len() / 8);
                self.execute(routine, at, &mut state, untracked, &thresholds);
            }
            (*steps > 0).then_some(state)
        };
        let along = |[from, to]: [BlockId; 2], state: &State<'a>, known: Option<&State<'a>>| {
            let mut state = along([from, to], leaving((routine, graph), (from, Some(to)), state), known)?;
            self.live.iter().for_each(|live| live.keep(to, &mut state));
            let Some(known) = known else { return Some(state) };
            let visit = visits.entry(to).or_default();
            *visit += 1;
            let exact = EXACT_VISITS.saturating_add(self.edges_to[to.index()]);
            let joined = self.joined(known, &state, |old, new| {
                if *visit <= exact {
                    Some(new)
                } else if *visit <= MOST_VISITS.saturating_add(exact) {
                    thresholds.widen(old, new)
                } else {
                    None
                }
            });
            (joined != *known).then_some(joined)
        };
        forward(graph, entry, transfer, along)
    }

    /// What is known where paths join. What a predicate says of a register that another group may have written is about what this
    /// one wrote, so that it does not hold behind.
    pub(super) fn joined(
        &self,
        one: &State<'a>,
        other: &State<'a>,
        widen: impl Fn(Value, Value) -> Option<Value>,
    ) -> State<'a> {
        let mut joined = one.join(other, widen);
        self.of_groups.iter().for_each(|name| joined.forget_relations(name));
        joined
    }

    /// The state before an instruction of a block; none where no thread comes. Questions often go through a block in order, so the
    /// state is computed from the nearest earlier one of the same block that was asked for recently, not from the block's beginning.
    pub(super) fn at(
        &self,
        (routine, graph): (&Routine<'a>, &ControlFlowGraph),
        block: BlockId,
        instruction: usize,
        untracked: &HashSet<&'a str>,
    ) -> Option<Rc<State<'a>>> {
        let all = &graph[block].instructions;
        let instruction = instruction.clamp(all.start, all.end);
        let mut asked = self.asked.borrow_mut();
        let before = asked.iter().filter(|(place, _)| place.0 == block && place.1 <= instruction);
        let (from, state) = match before.max_by_key(|(place, _)| place.1) {
            Some((place, state)) if place.1 == instruction => return Some(Rc::clone(state)),
            Some((place, state)) => (place.1, &**state),
            None => (all.start, self.before.get(&block)?),
        };
        let mut state = state.clone();
        let thresholds = Thresholds::default();
        for at in from..instruction {
            self.execute(routine, at, &mut state, untracked, &thresholds);
        }
        let state = Rc::new(state);
        asked.truncate(MOST_ASKED - 1);
        asked.push_front(((block, instruction), Rc::clone(&state)));
        Some(state)
    }

    /// The state on the path from a block to a successor, or to the end; none if no thread goes there.
    pub(super) fn between(
        &self,
        place: (&Routine<'a>, &ControlFlowGraph),
        edge: (BlockId, Option<BlockId>),
        untracked: &HashSet<&'a str>,
    ) -> Option<State<'a>> {
        let state = self.at(place, edge.0, usize::MAX, untracked)?;
        leaving(place, edge, &state)
    }
}

/// The state on an edge out of a block, or to the end, where the end of the block has a state; none if no thread takes the edge.
fn leaving<'a>(
    (routine, graph): (&Routine<'a>, &ControlFlowGraph),
    (from, to): (BlockId, Option<BlockId>),
    state: &State<'a>,
) -> Option<State<'a>> {
    let last = graph[from].last();
    let mut state = state.clone();
    // An instruction that only ends is no successor.
    let inside = |block: &BlockId| graph[from].successors.contains(block);
    for condition in decides((routine, graph), last, |block| block.filter(inside) == to) {
        state = state.where_it_holds(condition)?;
    }
    Some(state)
}

/// The conditions that all hold where control goes from a branch to such a block; none if it may go there
/// otherwise.
pub(super) fn decides<'a>(
    (routine, graph): (&Routine<'a>, &ControlFlowGraph),
    last: usize,
    such: impl Fn(Option<BlockId>) -> bool,
) -> Vec<Condition<'a>> {
    let instruction = &routine.instructions[last];
    let conditions = conditions(instruction);
    let taken = match instruction.flow {
        Flow::Branch(to) => such(graph.starting_at(to)),
        Flow::End => such(None),
        _ => return vec![],
    };
    let next = such(graph.starting_at(last + 1));
    match (taken, next, &conditions[..]) {
        (true, false, _) => conditions,
        // A question whether the warp is together is one more condition.
        (false, true, &[only]) if !instruction.asks_for_warp() => vec![only.denied()],
        _ => vec![],
    }
}

/// The conditions under which an instruction is executed. A jump may have further ones before its target, and an end as operands;
/// it is taken where all hold.
fn conditions<'a>(instruction: &Instruction<'a>) -> Vec<Condition<'a>> {
    let guard = instruction.guard.map(|guard| Condition { register: guard.register, negated: guard.negated });
    let jumps = instruction.transfer() == Transfer::Jump;
    let operands = instruction.operands();
    let before_target = operands.len().saturating_sub(1);
    let own =
        operands.iter().enumerate().filter(|&(at, one)| jumps && at < before_target || one.is_condition());
    let own = own.map(|(_, one)| Condition { register: one.unsigned(), negated: one.sign.is_some() });
    let all = guard.into_iter().chain(own);
    all.filter(|one| instruction.conditional && (one.register != "PT" || one.negated)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::analysis::testing::{sass, with_function};

    #[test]
    fn behind_a_jump_its_only_condition_is_false() {
        for (jump, known) in [
            ("@P0 EXIT", 1),
            ("@P0 BRA 0x10", 1),
            ("@P0 EXIT !P3", 0),
            ("@P0 BRA P1, 0x10", 0),
            ("@P0 BRA.DIV 0x10", 0),
        ] {
            with_function(&sass("75", &[jump, "FADD R1, R1, R1", "EXIT"]), "7.5", |function, _| {
                let next = function.graph.starting_at(1);
                let found = decides((function.routine, function.graph), 0, |block| block == next);
                assert_eq!(found.len(), known, "{jump}");
            });
        }
    }
}
