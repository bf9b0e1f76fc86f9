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

use crate::flow::analysis::counts::effect::{Comparison, Condition, Effect, Operation, Source, Term, Write};
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
}

/// What is known at a location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct State<'a> {
    registers: BTreeMap<&'a str, Value>,
    predicates: BTreeMap<&'a str, Follows<'a>>,
    /// Registers that hold what is left of another one divided by a power of two: that register, and the power.
    remainders: BTreeMap<&'a str, (&'a str, i128)>,
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
    /// names.
    pub(super) fn new(
        routine: &Routine<'a>,
        graph: &ControlFlowGraph,
        effects: Vec<Effect<'a>>,
        untracked: &HashSet<&'a str>,
    ) -> Self {
        let mut all = Self { effects, before: vec![], complete: true };
        let mut visits = vec![0_u32; graph.len()];
        let mut paths = vec![0_u32; graph.len()];
        graph.blocks().flat_map(|(_, block)| &block.successors).for_each(|to| paths[to.index()] += 1);
        let thresholds = Thresholds::default();
        let mut steps = 0;
        let transfer = |block: BlockId, mut state: State<'a>| {
            for at in graph[block].instructions.clone() {
                steps += 1 + state.registers.len() / 8;
                all.execute(routine, at, &mut state, untracked, &thresholds);
            }
            (steps <= MOST_STEPS).then_some(state)
        };
        let along = |[from, to]: [BlockId; 2], state: &State<'a>, known: Option<&State<'a>>| {
            let state = leaving(routine, graph, from, to, state)?;
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
        let before = forward(graph, State::default(), transfer, along);
        all.complete = steps <= MOST_STEPS;
        all.before = before;
        all
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
        let guarded = routine.instructions[at].conditional || routine.instructions[at].guard.is_some();
        let results: Vec<_> = effect
            .writes
            .iter()
            .map(|write| {
                let follows = match &write.result {
                    Operation::All(comparison, given) => state.all(*comparison, given),
                    Operation::Any(comparison, given) => state.any(*comparison, given),
                    Operation::IfEqual(upper, comparison, given) if state.are_equal(*upper) => {
                        state.all(*comparison, given)
                    }
                    Operation::Carry(terms) if state.has_no_carry(terms) => Follows::never(),
                    _ => Follows::default(),
                };
                if let Operation::All(Some(one), _)
                | Operation::Any(Some(one), _)
                | Operation::IfEqual(_, Some(one), _) = &write.result
                {
                    thresholds.add(state, one);
                }
                (state.result(&write.result, write.bits), follows, state.remainder(write))
            })
            .collect();
        for (write, (value, mut follows, remainder)) in effect.writes.iter().zip(results) {
            let name = write.register;
            let value = if guarded {
                // Where it is not executed the register stays as it is.
                state.registers.get(name).copied().zip(value).and_then(|(old, new)| old.hull(new))
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
            let names = |one: &Comparison<'_>| {
                [one.left, one.right].iter().any(|term| term.source == Source::Register(name))
            };
            follows.truth.retain(|one| !names(one));
            follows.falsity.retain(|one| !names(one));
            if !guarded && follows != Follows::default() {
                state.predicates.insert(name, follows);
            }
            let remainder = remainder.filter(|(of, _)| !guarded && !untracked.contains(of));
            state.remainders.extend(remainder.map(|remainder| (name, remainder)));
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
        for comparison in state.implied(condition) {
            state.narrow(comparison)?;
            state.narrow(comparison.mirrored())?;
        }
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
                let carry = if self.impossible(*carry) { Interval::point(0) } else { Interval::new(0, 1) };
                terms.iter().try_fold(carry, |sum, term| sum.plus(modular(*term)?))?
            }
            Operation::Upper(product, pairs) => {
                self.is_of_one_word(*product, pairs).then(|| Interval::point(0))?
            }
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
                self.seen(*a, *kind)?.quotients(1 << by)
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
                let (a, b) = (self.seen(*a, *kind)?, self.seen(*b, *kind)?);
                Interval { low: a.low.min(b.low), high: a.high.min(b.high), ..a.hull(b) }
            }
            Operation::Most(kind, a, b) => {
                let (a, b) = (self.seen(*a, *kind)?, self.seen(*b, *kind)?);
                Interval { low: a.low.max(b.low), high: a.high.max(b.high), ..a.hull(b) }
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
            Operation::Either(a, b) => {
                let (a, b) = (self.value(*a, bits)?, self.value(*b, bits)?);
                a.hull(b)?.modular()
            }
            Operation::Converted(from, a) => match self.value(*a, from.bits)?.seen_as(*from) {
                Some(seen) => seen,
                None if bits <= from.bits => modular(*a)?,
                None => return None,
            },
        };
        Value::new(bits, interval)
    }

    /// Whether the upper word of a sum of 64 bits is zero.
    fn is_of_one_word(
        &self,
        product: Option<(IntegerType, Term<'a>, Term<'a>)>,
        pairs: &[[Term<'a>; 2]],
    ) -> bool {
        let product = match product {
            Some((kind, a, b)) => self.seen(a, kind).zip(self.seen(b, kind)).and_then(|(a, b)| a.times(b)),
            None => Some(Interval::point(0)),
        };
        let sum = pairs.iter().try_fold(product, |sum, &[lower, upper]| {
            let upper = self.seen(upper, WORD)?.only()?;
            Some(sum?.plus(self.seen(lower, WORD).filter(|_| upper == 0)?))
        });
        sum.flatten().is_some_and(|sum| sum.low >= 0 && sum.high <= WORD.most())
    }

    /// Whether the sum of numbers without a sign needs no more than 32 bits.
    fn has_no_carry(&self, terms: &[Term<'a>]) -> bool {
        let sum = |sum: i128, term: &Term<'a>| {
            let own = self.seen(*term, WORD).filter(|_| !term.negative)?;
            Some(sum + own.high)
        };
        terms.iter().try_fold(0, sum).is_some_and(|sum| sum <= WORD.most())
    }

    /// Whether two words are the same number.
    pub(super) fn are_equal(&self, [one, other]: [Term<'a>; 2]) -> bool {
        let only = |term| self.seen(term, WORD).and_then(Interval::only);
        only(one).zip(only(other)).is_some_and(|(one, other)| one == other)
    }

    /// The register of which a result is the remainder by a power of two, which a mask of the lowest bits leaves.
    fn remainder(&self, write: &Write<'a>) -> Option<(&'a str, i128)> {
        let Operation::And(a, b) = write.result else { return None };
        let kind = IntegerType { signed: false, bits: write.bits };
        let of = |number: Term<'a>, mask: Term<'a>| {
            let size = self.seen(mask, kind)?.only()? + 1;
            let name = number.register().filter(|&name| name != write.register)?;
            (size & (size - 1) == 0 && size <= kind.most()).then_some((name, size))
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// The multiples of a power of two, where a sum is a number without its remainder.
    fn multiples(&self, terms: &[Term<'a>], bits: u32) -> Option<Interval> {
        let zero = Source::Known(Interval::point(0));
        let mut real = terms.iter().filter(|term| term.source != zero);
        let (one, other, None) = (real.next()?, real.next()?, real.next()) else { return None };
        let (whole, rest) = if one.negative { (other, one) } else { (one, other) };
        let Source::Register(rest) = rest.source else { return None };
        let &(of, size) = self.remainders.get(rest)?;
        let number = self.seen(*whole, IntegerType { signed: false, bits })?;
        let is_it = whole.register() == Some(of)
            && terms.iter().any(|term| term.negative && term.source == Source::Register(rest));
        is_it.then(|| number.quotients(size).times(Interval::point(size)))?
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
        let by = self.value(by, 32.min(bits))?.modular().only()?;
        u32::try_from(by).ok().filter(|&by| by < bits)
    }

    fn forget(&mut self, name: &str) {
        self.registers.remove(name);
        self.predicates.remove(name);
        self.remainders.retain(|&rest, &mut (of, _)| rest != name && of != name);
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
        let there = |(name, remainder): &(&&'a str, &(&'a str, i128))| {
            other.remainders.get(*name) == Some(*remainder)
        };
        let remainders =
            self.remainders.iter().filter(there).map(|(&name, &remainder)| (name, remainder)).collect();
        Self { registers, predicates, remainders }
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
