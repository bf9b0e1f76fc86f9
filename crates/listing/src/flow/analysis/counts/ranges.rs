//! The intervals in which the registers of a thread lie, everywhere in a routine.
//!
//! An abstract interpretation over the control-flow graph: a state says of some registers in which interval
//! their bits lie, and of some predicates which comparisons follow from their truth or falsity. Where paths
//! join, a state keeps what holds on all of them; on the path out of a branch the comparisons that decide it
//! narrow the registers that they compare. A state that a loop keeps changing is widened to the next number
//! that some comparison names, and then to nothing, so that an end is reached. A block that no state
//! reaches is one that no thread comes to.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::flow::analysis::counts::counted_registers::Counted;
use crate::flow::analysis::counts::effect::{
    Comparison, Condition, Effect, Half, Operation, Source, Term, Write,
};
use crate::flow::analysis::counts::float;
use crate::flow::analysis::counts::formula::End;
use crate::flow::analysis::counts::interval::{IntegerType, Interval, Value};
use crate::flow::analysis::counts::recurrence::Relation;
use crate::flow::fixed_point::forward;
use crate::flow::graph::{BlockId, ControlFlowGraph};
use crate::isa::row::Transfer;
use crate::isa::sass::row;
use crate::routine::{Flow, Instruction, Routine};

/// How often a block is looked at before its state is widened, and before what still changes is given up.
const EXACT_VISITS: u32 = 4;
const MOST_VISITS: u32 = 60;
/// Steps of the whole analysis, each an instruction with what is known there; a routine that needs more has no
/// counts.
const MOST_STEPS: usize = 20_000_000;
/// Numbers of comparisons to which states are widened.
const MOST_THRESHOLDS: usize = 200;
/// The largest number that a mask may leave of an unknown one for it to count as known.
const LONGEST_MASK: i128 = 0xffff;
/// A word of a register pair.
const WORD: IntegerType = IntegerType { signed: false, bits: 32 };
/// Comparisons that are kept of a predicate, and those that are where paths join.
const MOST_COMPARISONS: usize = 4;
const MOST_FACTS: usize = 40;

/// What follows from the truth of a predicate, and from its falsity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Follows<'a> {
    truth: Vec<Comparison<'a>>,
    falsity: Vec<Comparison<'a>>,
}

impl Follows<'_> {
    /// That a predicate is false.
    fn never() -> Self {
        let (kind, zero) = (WORD, Term::number(0));
        let never = Comparison { relation: Relation::NotEqual, kind, left: zero, right: zero };
        Self { truth: vec![never], falsity: vec![never.denied()] }
    }

    /// That a predicate is true.
    fn always() -> Self {
        let Self { truth, falsity } = Self::never();
        Self { truth: falsity, falsity: truth }
    }
}

/// What is known at a location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct State<'a> {
    registers: BTreeMap<&'a str, Value>,
    predicates: BTreeMap<&'a str, Follows<'a>>,
    /// Registers that hold what is left of another one and a number, divided by a power of two: that register, the number and
    /// the power.
    remainders: BTreeMap<&'a str, (&'a str, i128, i128)>,
    /// Registers that hold parts of products: the part, and what the whole product comes to, as far as it is known.
    halves: BTreeMap<&'a str, (Half<'a>, Option<Value>)>,
    /// Registers that hold another one and a number, modulo 2^32.
    sums: BTreeMap<&'a str, (&'a str, i128)>,
}

/// The states before all blocks.
#[derive(Debug)]
pub(crate) struct Ranges<'a> {
    /// What each instruction writes, by its number in the routine.
    pub(super) effects: Vec<Effect<'a>>,
    /// The state before each block; none where no thread comes.
    before: Vec<Option<State<'a>>>,
    /// Whether the analysis came to its end.
    pub(super) complete: bool,
}

impl<'a> Ranges<'a> {
    /// Runs the analysis. `effects` are those of all instructions; nothing is known of the registers that `untracked`
    /// names. `counted` are loops of which the passes are counted.
    pub(super) fn new(
        (routine, graph): (&Routine<'a>, &ControlFlowGraph),
        effects: Vec<Effect<'a>>,
        untracked: &HashSet<&'a str>,
        counted: &[Counted<'a>],
    ) -> Self {
        let mut all = Self { effects, before: vec![], complete: true };
        let mut steps = MOST_STEPS;
        let entry = (BlockId::ENTRY, State::default());
        let before = all.follow((routine, graph), entry, untracked, &mut steps, |edge, state, known| {
            let limited = |state, one: &Counted<'a>| one.limited(state, edge, known);
            state.map(|state| counted.iter().fold(state, limited))
        });
        all.complete = steps > 0;
        all.before = before;
        all
    }

    /// The states before all blocks, from a state before one of them on. `along` says what state comes to a successor of a block,
    /// if the analysis goes on there. It takes no more than `steps`, of which none are left if they were not enough.
    pub(super) fn follow(
        &self,
        (routine, graph): (&Routine<'a>, &ControlFlowGraph),
        entry: (BlockId, State<'a>),
        untracked: &HashSet<&'a str>,
        steps: &mut usize,
        mut along: impl FnMut([BlockId; 2], Option<State<'a>>, Option<&State<'a>>) -> Option<State<'a>>,
    ) -> Vec<Option<State<'a>>> {
        let mut visits = vec![0_u32; graph.len()];
        let mut paths = vec![0_u32; graph.len()];
        graph.blocks().flat_map(|(_, block)| &block.successors).for_each(|to| paths[to.index()] += 1);
        let thresholds = Thresholds::default();
        let transfer = |block: BlockId, mut state: State<'a>| {
            for at in graph[block].instructions.clone() {
                *steps = steps.saturating_sub(1 + state.registers.len() / 8);
                self.execute(routine, at, &mut state, untracked, &thresholds);
            }
            (*steps > 0).then_some(state)
        };
        let along = |[from, to]: [BlockId; 2], state: &State<'a>, known: Option<&State<'a>>| {
            let state = along([from, to], leaving(routine, graph, from, to, state), known)?;
            let Some(known) = known else { return Some(state) };
            let visit = &mut visits[to.index()];
            *visit += 1;
            let exact = EXACT_VISITS.saturating_add(paths[to.index()]);
            let joined = known.join(&state, |old, new| {
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

    /// The state before an instruction of a block; none where no thread comes.
    pub(super) fn at(
        &self,
        routine: &Routine<'a>,
        graph: &ControlFlowGraph,
        block: BlockId,
        instruction: usize,
        untracked: &HashSet<&'a str>,
    ) -> Option<State<'a>> {
        let mut state = self.before.get(block.index())?.clone()?;
        let thresholds = Thresholds::default();
        for at in graph[block].instructions.clone().take_while(|&at| at < instruction) {
            self.execute(routine, at, &mut state, untracked, &thresholds);
        }
        Some(state)
    }

    /// The state on the path from a block to a successor; none if no thread goes there.
    pub(super) fn between(
        &self,
        routine: &Routine<'a>,
        graph: &ControlFlowGraph,
        [from, to]: [BlockId; 2],
        untracked: &HashSet<&'a str>,
    ) -> Option<State<'a>> {
        let state = self.at(routine, graph, from, usize::MAX, untracked)?;
        leaving(routine, graph, from, to, &state)
    }

    /// What an instruction does to a state.
    fn execute(
        &self,
        routine: &Routine<'a>,
        at: usize,
        state: &mut State<'a>,
        untracked: &HashSet<&'a str>,
        thresholds: &Thresholds,
    ) {
        let effect = &self.effects[at];
        if effect.everything {
            *state = State::default();
            return;
        }
        let guard = routine.instructions[at].guard;
        let guard = guard.map(|guard| Condition { register: guard.register, negated: guard.negated });
        let guard = guard.filter(|guard| !untracked.contains(guard.register));
        // Where the guard is true, and where it is not; one of them may be nowhere.
        let (there, kept) = match guard {
            None => (None, None),
            Some(guard) => {
                let Some(there) = state.where_it_holds(guard) else { return };
                (Some(there), state.where_it_holds(guard.denied()))
            }
        };
        let always = guard.is_some() && kept.is_none();
        let guarded =
            !always && (routine.instructions[at].conditional || routine.instructions[at].guard.is_some());
        let there = there.as_ref().unwrap_or(state);
        let results: Vec<_> = effect
            .writes
            .iter()
            .map(|write| {
                let follows = match &write.result {
                    Operation::All(comparison, given) => there.all(*comparison, given),
                    Operation::Any(comparison, given) => there.any(*comparison, given),
                    Operation::IfEqual(upper, comparison, given) if there.are_equal(*upper) => {
                        there.all(*comparison, given)
                    }
                    Operation::Carry(terms) => match there.carry(terms) {
                        Some(true) => Follows::always(),
                        Some(false) => Follows::never(),
                        None => Follows::default(),
                    },
                    _ => Follows::default(),
                };
                // What the numbers decide stays decided as the registers that are compared get other values.
                let follows = there.decided(follows);
                if let Operation::All(Some(one), _)
                | Operation::Any(Some(one), _)
                | Operation::IfEqual(_, Some(one), _) = &write.result
                {
                    thresholds.add(there, one);
                }
                (
                    there.result(&write.result, write.bits),
                    follows,
                    there.remainder(write),
                    there.sum(write),
                    there.part(write),
                )
            })
            .collect();
        // What is found of the operands is about what they held before, which is no longer so of a register that is written.
        let written = |name: &str| effect.writes.iter().any(|write| write.register == name);
        let names = |one: &Comparison<'_>| {
            [one.left, one.right]
                .iter()
                .any(|term| matches!(term.source, Source::Register(name) if written(name)))
        };
        for (write, (value, mut follows, remainder, sum, part)) in effect.writes.iter().zip(results) {
            let name = write.register;
            let value = if guarded {
                // Where it is not executed the register stays as it is.
                let kept = kept.as_ref().unwrap_or(state);
                kept.registers.get(name).copied().zip(value).and_then(|(old, new)| old.hull(new))
            } else {
                value
            };
            state.forget(name);
            if untracked.contains(name) {
                continue;
            }
            if let Some(value) = value {
                thresholds.add_ends(value.modular());
                state.registers.insert(name, value);
            }
            follows.truth.retain(|one| !names(one));
            follows.falsity.retain(|one| !names(one));
            if !guarded && follows != Follows::default() {
                state.predicates.insert(name, follows);
            }
            let remainder = remainder.filter(|(of, ..)| !guarded && !written(of) && !untracked.contains(of));
            state.remainders.extend(remainder.map(|remainder| (name, remainder)));
            let sum = sum.filter(|(of, _)| !guarded && !written(of) && !untracked.contains(of));
            state.sums.extend(sum.map(|sum| (name, sum)));
            let followed = |part: &Half<'a>| {
                let (Half::Crossed(a, b) | Half::Lower(a, b, _)) = part else { return false };
                let known = |name: &str| !untracked.contains(name) && !written(name);
                [a, b].iter().all(|term| term.register().is_none_or(known))
            };
            let part = part.filter(|(part, _)| !guarded && followed(part));
            state.halves.extend(part.map(|part| (name, part)));
        }
        for write in effect.writes.iter().filter(|_| !guarded) {
            let Operation::NotZero(register) = write.result else { continue };
            if untracked.contains(write.register) || untracked.contains(register) {
                continue;
            }
            let (left, right) = (Term::of(Source::Register(register)), Term::number(0));
            let kind = IntegerType { signed: false, bits: 32 };
            let truth = Comparison { relation: Relation::NotEqual, kind, left, right };
            let follows = Follows { truth: vec![truth], falsity: vec![truth.denied()] };
            state.predicates.insert(write.register, follows);
        }
    }
}

/// The state on an edge out of a block whose end has a state; none if no thread takes the edge.
fn leaving<'a>(
    routine: &Routine<'a>,
    graph: &ControlFlowGraph,
    from: BlockId,
    to: BlockId,
    state: &State<'a>,
) -> Option<State<'a>> {
    let last = graph[from].last();
    let mut state = state.clone();
    for condition in decides(routine, graph, last, |block| block == Some(to)) {
        state = state.where_it_holds(condition)?;
    }
    Some(state)
}

/// The conditions that all hold where control goes from a branch to such a block; none if it may go there
/// otherwise.
pub(super) fn decides<'a>(
    routine: &Routine<'a>,
    graph: &ControlFlowGraph,
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
        (false, true, &[only]) if !instruction.has_any(&["DIV", "CONV"]) => vec![only.denied()],
        _ => vec![],
    }
}

/// The conditions under which an instruction is executed. A jump may have further ones before its target, and an end as operands;
/// it is taken where all hold.
fn conditions<'a>(instruction: &Instruction<'a>) -> Vec<Condition<'a>> {
    let guard = instruction.guard.map(|guard| Condition { register: guard.register, negated: guard.negated });
    let jumps = row(instruction.name()).is_some_and(|row| row.transfer == Transfer::Jump);
    let operands = instruction.operands();
    let before_target = operands.len().saturating_sub(1);
    let own =
        operands.iter().enumerate().filter(|&(at, one)| jumps && at < before_target || one.is_condition());
    let own = own.map(|(_, one)| Condition { register: one.unsigned(), negated: one.sign.is_some() });
    let all = guard.into_iter().chain(own);
    all.filter(|one| instruction.conditional && (one.register != "PT" || one.negated)).collect()
}

impl<'a> State<'a> {
    /// The same without expressions in parameters.
    pub(super) fn without_ends(mut self) -> Self {
        self.registers.values_mut().for_each(|value| *value = value.without_ends());
        self
    }

    /// What is known of a register.
    pub(super) fn register(&self, name: &str) -> Option<Value> {
        self.registers.get(name).copied()
    }

    /// Says what is known of a register, in place of what was.
    pub(super) fn give(&mut self, name: &'a str, value: Option<Value>) {
        match value {
            Some(value) => _ = self.registers.insert(name, value),
            None => _ = self.registers.remove(name),
        }
    }

    /// What is known of an operand as a number of some bits.
    pub(super) fn value(&self, term: Term<'a>, bits: u32) -> Option<Value> {
        let value = match term.source {
            Source::Register(name) => {
                let known = self.registers.get(name)?;
                (known.bits >= bits).then(|| Value::new(bits, known.modular()))??
            }
            Source::Known(interval) => Value::new(bits, interval)?,
            Source::Unknown => return None,
        };
        if term.negative { Value::new(bits, value.modular().negative()?) } else { Some(value) }
    }

    /// The numbers of a type that an operand may be.
    pub(super) fn seen(&self, term: Term<'a>, kind: IntegerType) -> Option<Interval> {
        self.value(term, kind.bits)?.seen_as(kind)
    }

    /// The result of an operation in so many bits.
    pub(super) fn result(&self, operation: &Operation<'a>, bits: u32) -> Option<Value> {
        let modular = |term: Term<'a>| self.value(term, bits).map(Value::modular);
        let interval = match operation {
            Operation::Unknown
            | Operation::All(..)
            | Operation::Any(..)
            | Operation::NotZero(_)
            | Operation::Carry(_)
            | Operation::IfEqual(..) => return None,
            Operation::Sum(terms) => {
                if let Some(multiples) = self.multiples(terms, bits) {
                    return Value::new(bits, multiples);
                }
                let sum = |sum: Interval, term: &Term<'a>| sum.plus(modular(*term)?);
                terms.iter().try_fold(Interval::point(0), sum)?
            }
            Operation::SumWithCarry(terms, carry) => {
                let carry = match () {
                    () if self.impossible(*carry) => Interval::point(0),
                    () if self.impossible(carry.denied()) => Interval::point(1),
                    () => Interval::new(0, 1),
                };
                terms.iter().try_fold(carry, |sum, term| sum.plus(modular(*term)?))?
            }
            Operation::Upper(product, pairs) => self.upper(*product, pairs)?,
            Operation::Product(a, b, more) => {
                // A product with zero is known whatever the other factor is.
                let zero = |term: Term<'a>| modular(term).and_then(Interval::only) == Some(0);
                let product = if zero(*a) || zero(*b) {
                    Interval::point(0)
                } else {
                    modular(*a)?.times(modular(*b)?)?
                };
                product.plus(more.map_or(Some(Interval::point(0)), modular)?)?
            }
            Operation::WideProduct(kind, a, b, more) => {
                let product = self.seen(*a, *kind)?.times(self.seen(*b, *kind)?)?;
                product.plus(more.map_or(Some(Interval::point(0)), modular)?)?
            }
            Operation::ShiftLeft(a, by) => {
                modular(*a)?.times(Interval::point(1 << self.shift(*by, bits)?))?
            }
            Operation::ShiftRight(kind, a, by) => {
                let by = self.shift(*by, bits)?;
                match self.seen(*a, *kind) {
                    Some(seen) => seen.quotients(1 << by),
                    // Of any number of the type.
                    None if kind.bits == bits => Interval::all(*kind).quotients(1 << by),
                    None => return None,
                }
            }
            Operation::ShiftedSum(a, by, more) => {
                let (by, kind) = (self.shift(*by, bits)?, IntegerType { signed: false, bits });
                // The sign of a number, all of its bits the same, may be either.
                let shifted = match self.seen(*a, kind) {
                    Some(seen) => seen.map(|value| value >> by),
                    None => Interval::new(0, kind.most() >> by),
                };
                shifted.plus(modular(*more)?)?
            }
            Operation::And(a, b) => return self.and(*a, *b, bits),
            Operation::Least(kind, a, b) => {
                let (a, b) = self.compared(*kind, [*a, *b])?;
                a.negative()?.greater(b.negative()?).negative()?
            }
            Operation::Most(kind, a, b) => {
                let (a, b) = self.compared(*kind, [*a, *b])?;
                a.greater(b)
            }
            Operation::Quotient(kind, a, b) => {
                let by = self.seen(*b, *kind)?.only().filter(|&by| by > 0)?;
                let a = self.seen(*a, *kind)?;
                if a.low >= 0 { a.quotients(by) } else { a.map(|value| value / by) }
            }
            Operation::Remainder(kind, a, b) => {
                let by = self.seen(*b, *kind)?.only().filter(|&by| by > 0)?;
                match self.seen(*a, *kind) {
                    Some(a) if a.only().is_some() => a.map(|value| value % by),
                    Some(a) if a.low >= 0 => Interval::new(0, by - 1),
                    None if !kind.signed => Interval::new(0, by - 1),
                    _ => Interval::new(1 - by, by - 1),
                }
            }
            Operation::Either(a, b, which) => self.either([*a, *b], *which, bits)?,
            Operation::Half(part) => return self.half(*part),
            Operation::Float(kind, a) => float::of_integers(self.seen(*a, *kind)?)?,
            Operation::Reciprocal(a) => float::reciprocals(self.seen(*a, WORD)?)?,
            Operation::Truncated(a) => float::truncated(self.seen(*a, WORD)?)?,
            Operation::Converted(from, a) => match self.value(*a, from.bits)?.seen_as(*from) {
                Some(seen) => seen,
                None if bits <= from.bits => modular(*a)?,
                None => return None,
            },
        };
        Value::new(bits, interval)
    }

    /// Two numbers of a type, of which one may be any.
    fn compared(&self, kind: IntegerType, terms: [Term<'a>; 2]) -> Option<(Interval, Interval)> {
        let [a, b] = terms.map(|term| self.seen(term, kind));
        let any = Interval::all(kind);
        (a.is_some() || b.is_some()).then(|| (a.unwrap_or(any), b.unwrap_or(any)))
    }

    /// The first where a condition holds, and else the second.
    fn either(&self, [a, b]: [Term<'a>; 2], which: Option<Condition<'a>>, bits: u32) -> Option<Interval> {
        let (first, second) = match which {
            Some(which) => (self.where_it_holds(which), self.where_it_holds(which.denied())),
            None => (Some(self.clone()), Some(self.clone())),
        };
        let of = |state: Option<Self>, term: Term<'a>| state.map(|state| state.value(term, bits));
        let both = match (of(first, a), of(second, b)) {
            (Some(a), Some(b)) => a?.hull(b?)?,
            (Some(one), None) | (None, Some(one)) => one?,
            (None, None) => return None,
        };
        Some(both.modular())
    }

    /// The state where a condition holds; none if it cannot hold.
    fn where_it_holds(&self, condition: Condition<'a>) -> Option<Self> {
        let mut state = self.clone();
        for comparison in self.implied(condition) {
            state.narrow(comparison)?;
            state.narrow(comparison.mirrored())?;
        }
        Some(state)
    }

    /// The upper word of a sum of 64 bits. The sum of the integers, divided by 2^32 and rounded down, is what the upper word is
    /// modulo 2^32, whether or not the sum fits into 64 bits. Factors and lower words have to be the integers themselves, which lie
    /// in their types if nothing else is known; an upper word may be any that has its bits.
    fn upper(
        &self,
        product: Option<(IntegerType, Term<'a>, Term<'a>)>,
        pairs: &[[Term<'a>; 2]],
    ) -> Option<Interval> {
        let any = |term: Term<'a>, kind: IntegerType| self.seen(term, kind).unwrap_or(Interval::all(kind));
        let product = match product {
            Some((kind, a, b)) => any(a, kind).times(any(b, kind))?,
            None => Interval::point(0),
        };
        let words = 1 << WORD.bits;
        let sum = pairs.iter().try_fold(product, |sum, &[lower, upper]| {
            let upper = self.value(upper, WORD.bits)?.modular().times(Interval::point(words))?;
            sum.plus(any(lower, WORD))?.plus(upper)
        })?;
        // Its ends are closed: they are as near as those of what it is made of.
        let upper = sum.quotients(words);
        Some(Interval { low_open: false, high_open: false, ..upper })
    }

    /// Whether the sum of words, as numbers without a sign, has a carry into the next word, if that is known. A word that is
    /// subtracted is added as 2^32 less it.
    fn carry(&self, terms: &[Term<'a>]) -> Option<bool> {
        let size = WORD.most() + 1;
        let sum = |sum: Interval, term: &Term<'a>| {
            let plain = Term { negative: false, ..*term };
            let word = self.seen(plain, WORD).unwrap_or(Interval::all(WORD));
            if term.negative {
                sum.plus(word.negative()?)?.plus(Interval::point(size))
            } else {
                sum.plus(word)
            }
        };
        let total = terms.iter().try_fold(Interval::point(0), sum)?;
        // A sum of three words may have two carries, of which one says nothing by itself.
        let zero = |term: &&Term<'a>| !term.negative && term.source == Source::Known(Interval::point(0));
        let two = terms.len() - terms.iter().filter(zero).count() <= 2;
        let two = two && terms.iter().filter(|term| term.negative).count() <= 1;
        match () {
            () if total.high < size => Some(false),
            () if two && total.low >= size && total.high < 2 * size => Some(true),
            () => None,
        }
    }

    /// What follows from a predicate, or which of the two it is, if no numbers of this state agree with one of them.
    fn decided(&self, follows: Follows<'a>) -> Follows<'a> {
        let holds = |facts: &[Comparison<'a>]| {
            let mut there = self.clone();
            facts.iter().all(|&fact| there.narrow(fact).is_some() && there.narrow(fact.mirrored()).is_some())
        };
        match (holds(&follows.truth), holds(&follows.falsity)) {
            (true, false) => Follows::always(),
            (false, true) => Follows::never(),
            _ => follows,
        }
    }

    /// Whether two words are the same number.
    pub(super) fn are_equal(&self, [one, other]: [Term<'a>; 2]) -> bool {
        let only = |term| self.seen(term, WORD).and_then(Interval::only);
        only(one).zip(only(other)).is_some_and(|(one, other)| one == other)
    }

    /// The register of which a result is the remainder by a power of two, which a mask of the lowest bits leaves, after a
    /// number was added to it.
    fn remainder(&self, write: &Write<'a>) -> Option<(&'a str, i128, i128)> {
        let Operation::And(a, b) = write.result else { return None };
        let kind = IntegerType { signed: false, bits: write.bits };
        let of = |number: Term<'a>, mask: Term<'a>| {
            let size = self.seen(mask, kind)?.only()? + 1;
            let name = number.register()?;
            let (of, plus) = match self.sums.get(name) {
                Some(&sum) if write.bits == WORD.bits => sum,
                _ => (name, 0),
            };
            (size & (size - 1) == 0 && size <= kind.most()).then_some((of, plus, size))
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// The value of a part of a product. The whole has been computed with the part that is the product of the lower halves, and no
    /// factor was written since, so that the three parts are of the same numbers.
    fn half(&self, part: Half<'a>) -> Option<Value> {
        let halves = |term: Term<'a>| self.seen(term, WORD);
        let short = |term: Term<'a>| halves(term).filter(|seen| (0..=0xffff).contains(&seen.high));
        match part {
            Half::Crossed(..) => None,
            Half::Lower(a, b, c) => {
                let product = short(a)?.times(short(b)?)?;
                Value::new(WORD.bits, product.plus(self.value(c, WORD.bits)?.modular())?)
            }
            Half::Whole(a, crossed, lower) => match (self.halves.get(crossed)?, self.halves.get(lower)?) {
                ((Half::Crossed(first, second), _), (Half::Lower(of, by, _), whole))
                    if a == *first && a == *of && second == by =>
                {
                    *whole
                }
                _ => None,
            },
            Half::Short(a, b, lower) => match self.halves.get(lower)? {
                (Half::Lower(of, by, _), whole) if a == *of && b == *by && short(b).is_some() => *whole,
                _ => None,
            },
        }
    }

    /// What is kept of a part of a product: the part, with the whole if it is the one that c is added to.
    fn part(&self, write: &Write<'a>) -> Option<(Half<'a>, Option<Value>)> {
        let Operation::Half(part @ (Half::Crossed(a, b) | Half::Lower(a, b, _))) = write.result else {
            return None;
        };
        let own = Source::Register(write.register);
        let whole = match part {
            Half::Lower(.., c) => self.result(&Operation::Product(a, b, Some(c)), WORD.bits),
            _ => None,
        };
        (a.source != own && b.source != own).then_some((part, whole))
    }

    /// The register and the number of which a result of 32 bits is the sum.
    fn sum(&self, write: &Write<'a>) -> Option<(&'a str, i128)> {
        let Operation::Sum(terms) = &write.result else { return None };
        if write.bits != WORD.bits {
            return None;
        }
        let mut registers = terms.iter().filter_map(|term| term.register());
        let (of, None) = (registers.next()?, registers.next()) else { return None };
        let others = terms.iter().filter(|term| term.register().is_none());
        let plus = others.map(|&term| self.value(term, WORD.bits)?.modular().only()).sum::<Option<i128>>()?;
        Some(self.sums.get(of).map_or((of, plus), |&(first, more)| (first, more + plus)))
    }

    /// A number without its remainder, where a sum is one: x - ((x + c) mod m) is x + c rounded down to a multiple of m, less c. All
    /// are numbers without a sign, and x + c must be one, since m divides 2 to the number of bits, but not what is left of it.
    fn multiples(&self, terms: &[Term<'a>], bits: u32) -> Option<Interval> {
        let zero = Source::Known(Interval::point(0));
        let mut real = terms.iter().filter(|term| term.source != zero);
        let (one, other, None) = (real.next()?, real.next()?, real.next()) else { return None };
        let (whole, rest) = if one.negative { (other, one) } else { (one, other) };
        let Source::Register(rest) = rest.source else { return None };
        let &(of, plus, size) = self.remainders.get(rest)?;
        let is_rest = terms.iter().any(|term| term.negative && term.source == Source::Register(rest));
        // The whole may itself be the register and a number.
        let name = whole.register()?;
        let more = match self.sums.get(name) {
            _ if name == of => 0,
            Some(&(first, more)) if first == of && bits == WORD.bits => more,
            _ => return None,
        };
        let kind = IntegerType { signed: false, bits };
        let number = self.seen(Term::of(Source::Register(of)), kind)?.plus(Interval::point(plus))?;
        let fits = is_rest && kind.contains(number.low) && kind.contains(number.high);
        let multiples = number.quotients(size).times(Interval::point(size)).filter(|_| fits)?;
        multiples.plus(Interval::point(more - plus))
    }

    /// A mask that is not negative bounds what it leaves, whatever the other operand is.
    fn and(&self, a: Term<'a>, b: Term<'a>, bits: u32) -> Option<Value> {
        let kind = IntegerType { signed: false, bits };
        let (a, b) = (self.seen(a, kind), self.seen(b, kind));
        let points = a.and_then(Interval::only).zip(b.and_then(Interval::only));
        if let Some((a, b)) = points {
            return Value::new(bits, Interval::point(a & b));
        }
        let closed = |one: Option<Interval>| one.filter(|one| !one.high_open).map(|one| one.high);
        let high = [closed(a), closed(b)].into_iter().flatten().min()?;
        // A mask without its lowest bits leaves multiples.
        let zeros = [a, b].map(|one| one.and_then(Interval::only).map_or(0, |mask| mask.trailing_zeros()));
        let stride = 1 << zeros[0].max(zeros[1]).min(bits - 1);
        // What a long mask leaves of an unknown number is no better known than the number.
        let known = [a, b].iter().all(|one| one.is_some_and(|one| !one.high_open));
        let multiples = Interval { stride, high: high - high % stride, ..Interval::new(0, high) };
        let multiples = if multiples.high == 0 { Interval::point(0) } else { multiples };
        let ends = self.masked([a, b]);
        Value::new(bits, Interval { high_open: !known && high > LONGEST_MASK, ..multiples.with_ends(ends) })
    }

    /// What a mask leaves of a number without a sign, as expressions: the remainder by a power of two, or the multiple of
    /// one that is no larger.
    fn masked(&self, [a, b]: [Option<Interval>; 2]) -> [Option<End>; 2] {
        let (number, mask) = match (a, b) {
            (Some(mask), Some(number)) if mask.only().is_some() => (number, mask.low),
            (Some(number), Some(mask)) if mask.only().is_some() => (number, mask.low),
            _ => return [None; 2],
        };
        let multiple = |size: i128| number.quotients(size).times(Interval::point(size));
        if mask > 0 && (mask + 1) & mask == 0 {
            let rest = multiple(mask + 1).and_then(Interval::negative).and_then(|less| number.plus(less));
            return match (number.exact(), rest) {
                (Some(_), Some(rest)) => rest.ends,
                _ => [None; 2],
            };
        }
        // All bits of the number but the lowest ones.
        let size = 1 << mask.trailing_zeros().min(64);
        let all = |bits: u32| mask == (1 << bits) - size;
        let whole = (all(16) || all(32) || all(64)) && number.high < mask + size;
        multiple(size).filter(|_| whole && mask > 0).map_or([None; 2], |multiple| multiple.ends)
    }

    /// The amount of a shift that leaves some bits.
    fn shift(&self, by: Term<'a>, bits: u32) -> Option<u32> {
        // An amount has 32 bits, whatever is shifted.
        let by = self.value(by, 32)?.modular().only()?;
        u32::try_from(by).ok().filter(|&by| by < bits)
    }

    fn forget(&mut self, name: &str) {
        self.registers.remove(name);
        self.predicates.remove(name);
        self.remainders.retain(|&rest, &mut (of, ..)| rest != name && of != name);
        self.sums.retain(|&sum, &mut (of, _)| sum != name && of != name);
        self.halves.retain(|&own, (part, _)| {
            let (Half::Crossed(a, b) | Half::Lower(a, b, _)) = part else { return false };
            own != name && [a, b].iter().all(|term| term.source != Source::Register(name))
        });
        let names = |one: &Comparison<'_>| {
            [one.left, one.right].iter().any(|term| term.source == Source::Register(name))
        };
        for follows in self.predicates.values_mut() {
            follows.truth.retain(|one| !names(one));
            follows.falsity.retain(|one| !names(one));
        }
    }

    /// The comparisons that hold where a condition does.
    fn implied(&self, condition: Condition<'_>) -> Vec<Comparison<'a>> {
        let follows = self.predicates.get(condition.register);
        let side = |follows: &Follows<'a>| {
            if condition.negated { follows.falsity.clone() } else { follows.truth.clone() }
        };
        follows.map(side).unwrap_or_default()
    }

    fn all(&self, comparison: Option<Comparison<'a>>, given: &[Condition<'a>]) -> Follows<'a> {
        let mut truth: Vec<_> = comparison.into_iter().collect();
        truth.extend(given.iter().flat_map(|&one| self.implied(one)));
        truth.truncate(MOST_COMPARISONS);
        let real: Vec<Condition<'a>> =
            given.iter().copied().filter(|one| !self.impossible(one.denied())).collect();
        let falsity = match (comparison, &real[..]) {
            (Some(one), []) => vec![one.denied()],
            (None, &[one]) => self.implied(one.denied()),
            _ => vec![],
        };
        Follows { truth, falsity }
    }

    fn any(&self, comparison: Option<Comparison<'a>>, given: &[Condition<'a>]) -> Follows<'a> {
        let mut falsity: Vec<_> = comparison.map(Comparison::denied).into_iter().collect();
        falsity.extend(given.iter().flat_map(|&one| self.implied(one.denied())));
        falsity.truncate(MOST_COMPARISONS);
        let in_all = |fact: &Comparison<'a>| given.iter().all(|&one| self.entails(one, *fact));
        Follows { truth: comparison.into_iter().filter(in_all).collect(), falsity }
    }

    /// Whether a condition cannot hold, as comparisons of numbers show.
    fn impossible(&self, condition: Condition<'_>) -> bool {
        self.implied(condition).iter().any(|one| match (one.left.source, one.right.source) {
            (Source::Known(left), Source::Known(right)) => one.relation.narrow(left, right).is_none(),
            _ => false,
        })
    }

    /// Narrows the register on the left of a comparison that holds; none if it cannot hold.
    fn narrow(&mut self, comparison: Comparison<'a>) -> Option<()> {
        let Comparison { relation, kind, left, right } = comparison;
        let other = self.seen(right, kind).unwrap_or(Interval::all(kind));
        let known = self.value(left, kind.bits);
        let before = match known {
            Some(known) => known.seen_as(kind).unwrap_or(Interval::all(kind)),
            None => Interval::all(kind),
        };
        let narrowed = relation.narrow(before, other)?;
        // Signed and unsigned numbers are different intervals of bits: a narrower one is kept.
        if let Some(name) = left.register()
            && self.registers.get(name).is_none_or(|known| known.bits == kind.bits)
            && narrowed != before
            && let Some(value) = Value::new(kind.bits, narrowed)
        {
            self.registers.insert(name, value);
        }
        Some(())
    }

    /// What holds in both states. `widen` says what becomes of a value that changes.
    pub(super) fn join(&self, other: &Self, widen: impl Fn(Value, Value) -> Option<Value>) -> Self {
        let mut registers = BTreeMap::new();
        for (&name, &old) in &self.registers {
            let new = other.registers.get(name).and_then(|&new| old.hull(new));
            let kept = match new {
                Some(new) if new == old => Some(old),
                Some(new) => widen(old, new),
                None => None,
            };
            registers.extend(kept.map(|kept| (name, kept)));
        }
        let mut predicates = BTreeMap::new();
        for (&name, follows) in &self.predicates {
            let Some(others) = other.predicates.get(name) else { continue };
            let joined = if follows == others {
                follows.clone()
            } else {
                let side = |negated: bool| {
                    self.follows_in_both(other, &registers, Condition { register: name, negated })
                };
                Follows { truth: side(false), falsity: side(true) }
            };
            if joined != Follows::default() {
                predicates.insert(name, joined);
            }
        }
        let there = |name: &&'a str| other.remainders.get(name) == self.remainders.get(name);
        let remainders =
            self.remainders.iter().filter(|(name, _)| there(name)).map(|(&name, &one)| (name, one));
        let there = |name: &&'a str| other.sums.get(name) == self.sums.get(name);
        let sums = self.sums.iter().filter(|(name, _)| there(name)).map(|(&name, &one)| (name, one));
        let (remainders, sums) = (remainders.collect(), sums.collect());
        // The parts of a product stand one behind the other.
        Self { registers, predicates, remainders, sums, halves: BTreeMap::new() }
    }

    /// What follows from a condition in both of two states that are joined to these registers. Where the condition cannot
    /// hold in one of them it tells which of the two a thread comes from, and so what the other one knows of registers.
    fn follows_in_both(
        &self,
        other: &Self,
        joined: &BTreeMap<&'a str, Value>,
        condition: Condition<'a>,
    ) -> Vec<Comparison<'a>> {
        let (one, two) = (self.implied(condition), other.implied(condition));
        match (self.impossible(condition), other.impossible(condition)) {
            (true, false) => other.known_there(two, joined),
            (false, true) => self.known_there(one, joined),
            _ => one.into_iter().filter(|fact| two.contains(fact)).collect(),
        }
    }

    /// Comparisons that hold in this state, with those that say in which interval a register lies of which less is known
    /// where it is joined with another.
    fn known_there(
        &self,
        mut facts: Vec<Comparison<'a>>,
        joined: &BTreeMap<&'a str, Value>,
    ) -> Vec<Comparison<'a>> {
        let named = |facts: &[Comparison<'a>], name: &str| {
            facts.iter().any(|fact| fact.left.source == Source::Register(name))
        };
        for (&name, &value) in self.registers.iter().filter(|(name, value)| joined.get(*name) != Some(*value))
        {
            let kind = IntegerType { signed: true, bits: value.bits };
            let Some(seen) = value.seen_as(kind).filter(|_| !named(&facts, name)) else { continue };
            if facts.len() + 2 > MOST_FACTS {
                break;
            }
            let left = Term::of(Source::Register(name));
            let fact = |relation, end| Comparison { relation, kind, left, right: Term::number(end) };
            facts.extend([fact(Relation::GreaterEqual, seen.low), fact(Relation::LessEqual, seen.high)]);
        }
        facts
    }

    /// Whether a comparison holds wherever a condition does.
    fn entails(&self, condition: Condition<'a>, comparison: Comparison<'a>) -> bool {
        let mut there = self.clone();
        let facts = self.implied(condition);
        facts.into_iter().any(|fact| there.narrow(fact).is_none())
            || there.narrow(comparison.denied()).is_none()
    }
}

/// Numbers that comparisons name, at which a counter that grows is likely to stop.
#[derive(Debug, Default)]
struct Thresholds(RefCell<BTreeSet<i128>>);

impl Thresholds {
    fn add(&self, state: &State<'_>, comparison: &Comparison<'_>) {
        let mut known = self.0.borrow_mut();
        for term in [comparison.left, comparison.right] {
            let seen = if known.len() < MOST_THRESHOLDS { state.seen(term, comparison.kind) } else { None };
            if let Some(seen) = seen.filter(|seen| seen.only().is_some()) {
                known.extend([seen.low - 1, seen.low, seen.high + 1]);
            }
        }
    }

    /// The range of what is an expression in parameters.
    fn add_ends(&self, interval: Interval) {
        let mut known = self.0.borrow_mut();
        if interval.ends[0].is_some() && interval.exact().is_some() && known.len() < MOST_THRESHOLDS {
            known.extend([interval.low, interval.high]);
        }
    }

    /// A value that holds both, with ends at numbers that are named; none if there is no such number.
    fn widen(&self, old: Value, new: Value) -> Option<Value> {
        let known = self.0.borrow();
        let (was, is) = (old.modular(), new.modular());
        let low = if is.low < was.low { known.range(..=is.low).next_back().copied() } else { Some(is.low) };
        let high = if is.high > was.high { known.range(is.high..).next().copied() } else { Some(is.high) };
        // The ends stay members of the set.
        let stride = is.stride.max(1);
        let low = low.map(|low| is.low - (is.low - low) / stride * stride);
        let high = high.map(|high| is.high + (high - is.high) / stride * stride);
        Value::new(new.bits, Interval { low: low?, high: high?, ..is })
    }
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
                let found = decides(function.routine, function.graph, 0, |block| block == next);
                assert_eq!(found.len(), known, "{jump}");
            });
        }
    }
}
