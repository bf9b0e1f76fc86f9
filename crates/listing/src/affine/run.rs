//! The code, gone through once: each block after those before it.

use std::collections::{BTreeMap, BTreeSet};

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::heads::{Heads, Loop};
use crate::affine::shape::Shape;
use crate::affine::state::{State, Which};
use crate::affine::value::{Kind, Value};
use crate::flow::{BlockId, ControlFlowGraph};
use crate::routine::Routine;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::row::Space;

/// What an instruction writes: registers by their numbers.
pub(super) type Writes = Vec<(usize, Value)>;

/// What is known of the instructions of a language.
pub(super) trait Instructions {
    /// How many registers there are.
    fn registers(&self) -> usize;

    /// What an instruction writes in any case. What it accesses is noted.
    fn step(
        &self,
        context: &mut Context,
        state: &State,
        one: &Instruction<'_>,
        accesses: &mut Vec<Access>,
    ) -> Writes;

    /// The register of the guard of an instruction, and whether it is executed where that is false.
    fn guard(&self, one: &Instruction<'_>) -> Option<(usize, bool)>;

    /// Under which condition an instruction is executed, or control goes where it says.
    fn condition(&self, context: &Context, state: &State, one: &Instruction<'_>) -> Value;
}

/// An access of memory by an instruction.
#[derive(Debug, Clone)]
pub(super) struct Access {
    /// The instruction.
    pub(super) at: usize,
    /// The memory.
    pub(super) space: Space,
    /// Whether lanes of one address come one after the other.
    pub(super) atomic: bool,
    /// The bytes of a lane.
    pub(super) bytes: u32,
    /// The address, if it is understood.
    pub(super) address: Option<Form>,
    /// The lanes that may do it.
    pub(super) mask: u32,
    /// Whether all of them certainly do it at some time, together.
    pub(super) certain: bool,
}

impl Access {
    /// One of the instruction that is executed, by the lanes that execute it.
    pub(super) fn new(
        context: &Context,
        space: Space,
        (atomic, bytes): (bool, u32),
        address: Option<Form>,
    ) -> Self {
        Self { at: context.at, space, atomic, bytes, address, mask: context.mask, certain: false }
    }
}

/// A routine as the analysis goes through it.
pub(super) struct Code<'c, 'r> {
    /// The routine.
    pub(super) routine: &'c Routine<'r>,
    /// Its graph.
    pub(super) graph: &'c ControlFlowGraph,
    /// The shape of the graph.
    pub(super) shape: Shape,
    /// Its instructions.
    pub(super) instructions: &'c dyn Instructions,
    /// The loops in which lanes of different passes may meet, if branches part lanes in them: those in which lanes of the warp wait for
    /// one another.
    pub(super) syncs: u64,
    /// The instructions that are no branches and at which lanes may diverge.
    pub(super) diverging: &'c BTreeSet<usize>,
}

/// What is assumed while the code is gone through.
#[derive(Debug, Clone, Default)]
pub(super) struct Taken {
    /// What registers do from pass to pass.
    pub(super) heads: Heads,
    /// The registers that hold upper halves where loops are entered, by the header, each with that of the lower half.
    pub(super) halves: BTreeMap<(usize, usize), usize>,
    /// The blocks at whose end lanes may part.
    pub(super) parting: BTreeSet<usize>,
    /// The most passes of loops by their headers, counted from 0.
    pub(super) last: BTreeMap<usize, i128>,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What the registers hold at the end of each block that is reached, and the condition of its last instruction.
    pub(super) ends: BTreeMap<usize, (State, Value)>,
    /// What the registers hold where loops are entered, and where their passes begin.
    pub(super) heads: BTreeMap<usize, (State, State)>,
    /// The accesses.
    pub(super) accesses: Vec<Access>,
    /// The instructions whose guards hold for no lane.
    pub(super) skipped: BTreeSet<usize>,
}

impl Code<'_, '_> {
    /// Goes through the code.
    pub(super) fn run(&self, context: &mut Context, taken: &Taken, all: u32) -> Found {
        let shape = &self.shape;
        let (mut apart, left) = (shape.apart(&taken.parting), shape.left_apart(&taken.parting));
        self.diverging_within().for_each(|block| apart.extend(shape.reached(block, |_, _| true)));
        let mixed = self.mixed(&taken.parting);
        let mut found = Found::default();
        let mut certain = true;
        context.divisions.clear();
        for &block in &shape.order {
            let paths = self.paths(context, &found, block, left, false);
            let bit = shape.loops.get(&block).map(|(number, _)| 1_u64 << number);
            context.around = shape.around[block] & !bit.unwrap_or(0);
            let together = !apart.contains(&block) && shape.around[block] & mixed == 0;
            context.together = together;
            context.mixed = shape.around[block] & mixed != 0;
            let state = if block == 0 && paths.is_empty() {
                Some(State { registers: vec![Value::Unknown; self.instructions.registers()], mask: all })
            } else {
                context.meet(block, paths, shape.meets_apart(block, &taken.parting, false))
            };
            let Some(mut state) = state else { continue };
            context.around = shape.around[block];
            context.mask = state.mask;
            if let Some(of) = self.loop_of(block, taken, mixed) {
                for (&(_, upper), &lower) in taken.halves.range((block, 0)..(block + 1, 0)) {
                    context.make_upper(&mut state, lower, upper);
                }
                let begun = context.head(of, &taken.heads, &state);
                found.heads.insert(block, (state, begun.clone()));
                state = begun;
            }
            let condition = self.block(context, block, &mut state, &mut found, block == 0 && certain);
            certain = false;
            found.ends.insert(block, (state, condition));
        }
        found
    }

    /// The loop that a block is the header of.
    pub(super) fn loop_of(&self, block: usize, taken: &Taken, mixed: u64) -> Option<Loop> {
        let (number, _) = self.shape.loops.get(&block)?;
        let bit = 1 << number;
        let last = taken.last.get(&block).copied();
        Some(Loop { header: block, bit, mixed: mixed & bit != 0, last })
    }

    /// The blocks in which lanes may diverge before the end.
    fn diverging_within(&self) -> impl Iterator<Item = usize> {
        self.diverging.iter().filter_map(|&at| {
            let block = self.graph.holding(at)?;
            self.graph[block].instructions.contains(&at).then_some(block.index())
        })
    }

    /// The loops in which lanes of different passes may meet.
    pub(super) fn mixed(&self, parting: &BTreeSet<usize>) -> u64 {
        let parting = parting.iter().copied().chain(self.diverging_within());
        self.syncs & parting.fold(0, |all, block| all | self.shape.around[block])
    }

    /// What the registers hold on the paths that lead to a block; `back` says whether on those that end passes of its loop.
    pub(super) fn paths(
        &self,
        context: &mut Context,
        found: &Found,
        block: usize,
        left: u64,
        back: bool,
    ) -> Vec<(usize, State)> {
        let mut paths = Vec::new();
        for (edge, &from) in self.shape.before[block].iter().enumerate() {
            if self.shape.is_back(from, block) != back {
                continue;
            }
            let Some((state, condition)) = found.ends.get(&from) else { continue };
            let mask = state.mask & self.taken_by(from, block, condition);
            if mask != 0 {
                let mut state = State { mask, ..state.clone() };
                context.leave(&mut state, self.shape.around[from] & !self.shape.around[block] & left);
                paths.push((edge, state));
            }
        }
        paths
    }

    /// The lanes that may go from a block to another at the end, as far as the condition is known.
    fn taken_by(&self, from: usize, to: usize, condition: &Value) -> u32 {
        let Kind::Known(mask) = condition.kind() else { return u32::MAX };
        if let Some(taken) = self.is_taken(from, to) {
            return if taken { mask } else { !mask };
        }
        let last = self.graph.blocks().nth(from).map(|(_, block)| &self.routine.instructions[block.last()]);
        let leaves = last.is_some_and(|last| last.conditional && last.flow == Flow::End);
        if leaves { !mask } else { u32::MAX }
    }

    /// Whether control goes from a block to another one where the condition at its end holds; none if that does not decide it.
    pub(super) fn is_taken(&self, from: usize, to: usize) -> Option<bool> {
        let block = self.graph.blocks().nth(from)?.1;
        let last = &self.routine.instructions[block.last()];
        let start = |at: usize| self.graph.starting_at(at).map(BlockId::index) == Some(to);
        let (Flow::Branch(target), true) = (&last.flow, last.conditional) else { return None };
        let (there, behind) = (start(*target), start(block.last() + 1));
        (there != behind).then_some(there)
    }

    fn block(
        &self,
        context: &mut Context,
        block: usize,
        state: &mut State,
        found: &mut Found,
        mut certain: bool,
    ) -> Value {
        let range = self.graph.ids().nth(block).map_or(0..0, |id| self.graph[id].instructions.clone());
        let mut under = Under::default();
        for at in range.clone() {
            let one = &self.routine.instructions[at];
            (context.at, context.made, context.mask) = (at, 0, state.mask);
            let is_last = at + 1 == range.end;
            if is_last && !matches!(one.flow, Flow::Next | Flow::Call(_) | Flow::CallInside(_)) {
                let condition = if one.conditional {
                    self.instructions.condition(context, state, one)
                } else {
                    Value::truth(Kind::Known(u32::MAX))
                };
                return if matches!(one.flow, Flow::Switch(_)) { Value::truth(Kind::Any) } else { condition };
            }
            self.instruction(context, (state, &mut under), one, (&mut *found, certain));
            // Lanes may end in what they call, or diverge there.
            certain &= !one.flow.is_call();
        }
        Value::truth(Kind::Known(u32::MAX))
    }

    fn instruction(
        &self,
        context: &mut Context,
        (state, under): (&mut State, &mut Under),
        one: &Instruction<'_>,
        (found, certain): (&mut Found, bool),
    ) {
        let first = found.accesses.len();
        let condition = if one.conditional {
            self.instructions.condition(context, state, one)
        } else {
            Value::truth(Kind::Known(u32::MAX))
        };
        let kind = condition.kind();
        let decided = kind.decided(state.mask);
        if decided == Some(false) {
            found.skipped.insert(context.at);
            return;
        }
        if decided == Some(true) {
            let writes = self.instructions.step(context, state, one, &mut found.accesses);
            for (register, value) in writes {
                under.retain(|own, (guard, ..)| *own != register && *guard != register);
                state.registers[register] = value;
            }
            found.accesses[first..]
                .iter_mut()
                .for_each(|access| access.certain = certain && !one.conditional);
            return;
        }
        if let Kind::Known(mask) = &kind {
            context.mask = state.mask & mask;
        }
        // The lanes that execute it have what was written under the same condition.
        let guard = self.instructions.guard(one);
        let holds = |known: &&(usize, bool, Value)| guard == Some((known.0, known.1));
        let own = if under.values().any(|known| holds(&known)) {
            let mut own = state.clone();
            for (&register, known) in under.iter().filter(|(_, known)| holds(known)) {
                own.registers[register] = known.2.clone();
            }
            Some(own)
        } else {
            None
        };
        let writes = self.instructions.step(context, own.as_ref().unwrap_or(state), one, &mut found.accesses);
        context.mask = state.mask;
        let which: Which = context.which(&condition);
        let guard = guard.filter(|guard| writes.iter().all(|(register, _)| *register != guard.0));
        for (register, value) in writes {
            let joined = context.join(&value, &state.registers[register], &which);
            state.registers[register] = joined;
            under.retain(|own, (guard, ..)| *own != register && *guard != register);
            if let Some((guard, negated)) = guard {
                under.insert(register, (guard, negated, value));
            }
        }
    }
}

/// What registers hold for the lanes for which a predicate holds, or does not, where that was written under it: the register
/// of the predicate, whether it does not hold, and the value.
type Under = BTreeMap<usize, (usize, bool, Value)>;
