//! Counters of a loop, and the tests that leave it.

use std::collections::BTreeMap;

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::effect::{Comparison, Condition, Half, Operation, Source, Term};
use crate::flow::analysis::counts::interval::{IntegerType, Interval, Value};
use crate::flow::analysis::counts::ranges::{State, decides};
use crate::flow::analysis::counts::recurrence::{Counter, Relation, Step, Tests};
use crate::flow::analysis::{Function, Scope};
use crate::flow::fixed_point::closure;
use crate::flow::graph::{BlockId, Edge, Node};

/// Copies and sums that are followed from a use to its origin.
const LONGEST_CHAIN: u32 = 12;

/// A count from here on is right, but no code means it: a counter goes once around, or a number is not what
/// the user thinks. To ask for a bound is of more use.
const MOST_PASSES: u64 = 1 << 30;

/// A loop whose passes are to be counted.
pub(crate) struct CountedLoop<'a, 's> {
    pub(crate) function: &'s Function<'a, 's>,
    /// What the loop lies in, and its header there.
    pub(crate) around: &'s Scope<'s>,
    pub(crate) header: Node,
    /// One pass of the loop.
    pub(crate) pass: &'s Scope<'s>,
}

/// A comparison, and where it is made.
pub(super) type Made<'a> = (Comparison<'a>, usize);

/// What a register holds in a pass, in terms of what a register had at the header in this pass.
#[derive(Debug, Clone, Copy)]
enum Held<'a> {
    /// `factor` times the register, plus an integer of the interval.
    Linear { of: &'a str, factor: i128, plus: Interval, bits: u32 },
    /// The register shifted right by so many bits, as a number of the type.
    Shifted { of: &'a str, by: u32, kind: IntegerType },
}

impl<'a> CountedLoop<'a, '_> {
    /// How often the header is passed at most: the least count of all tests that have one, or else what following the passes one
    /// after the other shows.
    pub(crate) fn trip_count(&self) -> Option<Tests> {
        let numbers = self.function.numbers();
        if !numbers.ranges.complete {
            return None;
        }
        self.tests(numbers).or_else(|| self.successive(numbers, &self.before_the_loop(numbers)?))
    }

    /// The least count of all tests that have one. It is exact if it is that of the only test that leaves the loop.
    pub(super) fn tests(&self, numbers: &Numbers<'a>) -> Option<Tests> {
        let Some(before) = self.before_the_loop(numbers) else {
            return Some(Tests { most: 1, exact: false, formula: None }); // no thread comes to it
        };
        let of_test = |node: Node| self.passes_of_test(numbers, &before, node);
        let least = self.pass.subgraph.nodes().filter_map(of_test).min();
        least.filter(|tests| tests.most < MOST_PASSES || tests.formula.is_some())
    }

    /// The registers to which each pass adds a number, with their bits and the interval of the number.
    pub(super) fn steps(&self, numbers: &Numbers<'a>) -> Vec<(&'a str, u32, Interval)> {
        let writes = self.inside().flat_map(|at| &numbers.ranges.effects[at].writes);
        let names: BTreeMap<&'a str, u32> = writes.map(|write| (write.register, write.bits)).collect();
        let step = |(name, bits): (&'a str, u32)| {
            if numbers.untracked.contains(name) {
                return None;
            }
            match self.next(numbers, name, bits)? {
                Held::Linear { factor: 1, plus, .. } => {
                    // The number that is added is known modulo 2 to the number of bits: as one with a sign.
                    Some((name, bits, Value::new(bits, plus)?.modular()))
                }
                _ => None,
            }
        };
        names.into_iter().filter_map(step).collect()
    }

    /// What is known where control comes to the loop from outside; none if no thread comes.
    fn before_the_loop(&self, numbers: &Numbers<'a>) -> Option<State<'a>> {
        let (function, header) = (self.function, self.around.subgraph.block_id(self.header));
        let mut known: Option<State<'a>> = (header == BlockId::ENTRY).then(State::default);
        for (from, block) in function.graph.blocks() {
            if !block.successors.contains(&header) || self.is_inside(from) {
                continue;
            }
            let state =
                numbers.ranges.between(function.routine, function.graph, [from, header], &numbers.untracked);
            known = match (known, state) {
                (Some(known), Some(state)) => Some(known.join(&state, |_, new| Some(new))),
                (known, state) => known.or(state),
            };
        }
        known
    }

    /// Whether a block is one from which a pass may come back to the header.
    fn is_inside(&self, block: BlockId) -> bool {
        self.pass.subgraph.node_of(block).is_some_and(|node| self.pass.exits.comes_back(Edge::To(node)))
    }

    /// The state before an instruction of a pass.
    pub(super) fn state(&self, numbers: &Numbers<'a>, at: usize) -> Option<State<'a>> {
        let function = self.function;
        let block = self.pass.subgraph.block_id(self.pass.subgraph.node_holding(at)?);
        numbers.ranges.at(function.routine, function.graph, block, at, &numbers.untracked)
    }

    /// Whether the loop goes on if control goes to a block.
    fn goes_on(&self, block: Option<BlockId>) -> bool {
        let subgraph = &self.pass.subgraph;
        let edge = match block {
            Some(block) if block == subgraph.block_id(Node::ENTRY) => Edge::Back,
            Some(block) => subgraph.node_of(block).map_or(Edge::Out, Edge::To),
            None => Edge::End,
        };
        self.pass.exits.comes_back(edge)
    }

    /// The passes that the test at the end of a node allows.
    fn passes_of_test(&self, numbers: &Numbers<'a>, before: &State<'a>, node: Node) -> Option<Tests> {
        if !self.pass.dominance.once_a_pass(node) {
            return None;
        }
        let function = self.function;
        let last = self.pass.subgraph.block(node).last();
        let conditions = decides(function.routine, function.graph, last, |block| self.goes_on(block));
        let implied = |condition| self.implied(numbers, condition, last, LONGEST_CHAIN);
        let going_on: Vec<_> = conditions.iter().flat_map(|&condition| implied(condition)).collect();
        // That the loop goes on is the same as the comparison only if nothing else is asked.
        let alone = match conditions[..] {
            [only] => going_on.len() == 1 && implied(only.denied()).len() == 1,
            _ => false,
        };
        let passes = |&(comparison, at): &Made<'a>| {
            let mirrored = comparison.mirrored();
            let both = [comparison, mirrored].into_iter();
            both.filter_map(|one| self.passes_of_comparison(numbers, before, one, at)).min()
        };
        let least = going_on.iter().filter_map(passes).min()?;
        Some(Tests { exact: least.exact && alone, ..least })
    }

    /// The comparisons that hold where a condition does, each with where it is made in the same pass.
    fn implied(
        &self,
        numbers: &Numbers<'a>,
        condition: Condition<'a>,
        at: usize,
        depth: u32,
    ) -> Vec<Made<'a>> {
        if numbers.untracked.contains(condition.register) {
            return vec![];
        }
        let origin = self.origin(numbers, condition.register, at);
        let (Some(Origin::Write(at)), Some(depth)) = (origin, depth.checked_sub(1)) else { return vec![] };
        let writes = &numbers.ranges.effects[at].writes;
        let Some(write) = writes.iter().find(|write| write.register == condition.register) else {
            return vec![];
        };
        if let Operation::IfEqual(upper, one, given) = &write.result {
            let all = Operation::All(*one, given.clone());
            return match self.state(numbers, at) {
                Some(state) if state.are_equal(*upper) => {
                    self.asked(numbers, &all, condition.negated, (at, depth))
                }
                _ => vec![],
            };
        }
        self.asked(numbers, &write.result, condition.negated, (at, depth))
    }

    /// The comparisons that hold where the result of an operation, made at some instruction, is true, or where it is false.
    fn asked(
        &self,
        numbers: &Numbers<'a>,
        result: &Operation<'a>,
        negated: bool,
        (at, depth): (usize, u32),
    ) -> Vec<Made<'a>> {
        let of = |given: &Condition<'a>, negated: bool| {
            let given = Condition { negated: given.negated != negated, ..*given };
            self.implied(numbers, given, at, depth)
        };
        match (result, negated) {
            (Operation::All(one, given), false) => {
                let own = one.map(|one| (one, at));
                own.into_iter().chain(given.iter().flat_map(|given| of(given, false))).collect()
            }
            (Operation::Any(one, given), true) => {
                let own = one.map(|one| (one.denied(), at));
                own.into_iter().chain(given.iter().flat_map(|given| of(given, true))).collect()
            }
            (Operation::All(Some(one), given), true) if given.is_empty() => vec![(one.denied(), at)],
            (Operation::All(None, given), true) if given.len() == 1 => of(&given[0], true),
            (Operation::Any(Some(one), given), false) if given.is_empty() => vec![(*one, at)],
            _ => vec![],
        }
    }

    /// The passes that a comparison of a counter with a limit allows.
    fn passes_of_comparison(
        &self,
        numbers: &Numbers<'a>,
        before: &State<'a>,
        comparison: Comparison<'a>,
        at: usize,
    ) -> Option<Tests> {
        let state = self.state(numbers, at)?;
        let limit = state.seen(comparison.right, comparison.kind);
        let narrowed = limit.and_then(|limit| self.narrowed(numbers, comparison, at, limit));
        let made = [Some((comparison, at)), narrowed].into_iter().flatten();
        made.filter_map(|made| self.passes_of(numbers, before, made, &state)).min()
    }

    /// The same for one way to see the comparison, of which this is the state where it is made.
    fn passes_of(
        &self,
        numbers: &Numbers<'a>,
        before: &State<'a>,
        (comparison, at): Made<'a>,
        state: &State<'a>,
    ) -> Option<Tests> {
        let Comparison { relation, kind, left, right } = comparison;
        let tested = self.held_by(numbers, left, at, kind.bits, LONGEST_CHAIN)?;
        // Whether bits are equal does not depend on the sign of the type.
        let kinds = [kind, IntegerType { signed: !kind.signed, ..kind }];
        let same = matches!(relation, Relation::Equal | Relation::NotEqual);
        let kinds = if same { &kinds[..] } else { &kinds[..1] };
        let count = |&kind: &IntegerType| {
            let limit = state.seen(right, kind)?;
            self.counter(numbers, before, tested, kind)?.tests(relation, limit, kind)
        };
        kinds.iter().filter_map(count).min()
    }

    /// The counter that a test sees, from what the register of the header holds before the loop and what a
    /// pass makes of it.
    fn counter(
        &self,
        numbers: &Numbers<'a>,
        before: &State<'a>,
        tested: Held<'a>,
        kind: IntegerType,
    ) -> Option<Counter> {
        let (Held::Linear { of, .. } | Held::Shifted { of, .. }) = tested;
        let next = self.next(numbers, of, kind.bits)?;
        let start = before.value(Term::of(Source::Register(of)), kind.bits)?;
        let point = |interval: Interval| interval.only() == Some(0);
        match (next, tested) {
            (Held::Linear { factor: 1, plus: step, .. }, Held::Linear { factor, plus, .. }) => {
                let factor = Interval::point(factor);
                let first = start.modular().times(factor)?.plus(plus)?;
                // A step is a signed number, whatever the type of the comparison.
                let step = Value::new(kind.bits, step)?.modular().times(factor)?;
                // What the parameters give is the same at every test.
                let slack = if plus.exact().is_some() { 0 } else { plus.high.checked_sub(plus.low)? };
                Some(Counter {
                    first: Value::new(kind.bits, first)?.seen_as(kind)?,
                    step: Step::Add(step),
                    slack,
                })
            }
            (Held::Linear { factor: by, plus: step, .. }, Held::Linear { factor, plus, .. })
                if point(step) && point(plus) =>
            {
                let first = start.modular().times(Interval::point(factor))?;
                let first = Value::new(kind.bits, first)?.seen_as(kind)?;
                Some(Counter { first, step: Step::Multiply(by), slack: 0 })
            }
            (Held::Shifted { by, kind: of_shift, .. }, tested) => {
                if of_shift.bits != kind.bits {
                    return None;
                }
                // Numbers without a sign are the same in both types, and so are their shifts.
                let start = start.seen_as(of_shift)?;
                let first = match tested {
                    Held::Linear { factor: 1, plus, .. } if point(plus) => start,
                    Held::Shifted { by, .. } => start.map(|value| value >> by),
                    Held::Linear { .. } => return None,
                };
                let fits = start.low >= 0 && kind.contains(start.high);
                fits.then_some(Counter { first, step: Step::Halve(by), slack: 0 })
            }
            _ => None,
        }
    }

    /// What a register of the header holds when control comes back to the header, in terms of itself.
    fn next(&self, numbers: &Numbers<'a>, name: &'a str, bits: u32) -> Option<Held<'a>> {
        let mut back = None;
        for node in self.pass.subgraph.nodes() {
            if !self.pass.subgraph.edges(node).contains(&Edge::Back) {
                continue;
            }
            let end = self.pass.subgraph.block(node).instructions.end;
            let Origin::Write(at) = self.origin_at_end(numbers, name, node, end)? else { return None };
            if back.is_some_and(|known| known != at) {
                return None;
            }
            back = Some(at);
        }
        let at = back?;
        let write = numbers.ranges.effects[at].writes.iter().find(|write| write.register == name)?;
        let held = self.held_after(numbers, &write.result, write.bits, at, bits, LONGEST_CHAIN)?;
        match held {
            Held::Linear { of, .. } | Held::Shifted { of, .. } if of == name => Some(held),
            _ => None,
        }
    }

    /// What an operand holds at an instruction of a pass, if it depends on a register of the header that a
    /// pass changes.
    fn held_by(
        &self,
        numbers: &Numbers<'a>,
        term: Term<'a>,
        at: usize,
        bits: u32,
        depth: u32,
    ) -> Option<Held<'a>> {
        let Source::Register(name) = term.source else { return None };
        if numbers.untracked.contains(name) {
            return None;
        }
        let depth = depth.checked_sub(1)?;
        let held = match self.origin(numbers, name, at)? {
            Origin::Header => {
                let changes = self.inside().any(|at| numbers.ranges.effects[at].may_write(name));
                changes.then_some(Held::Linear { of: name, factor: 1, plus: Interval::point(0), bits })?
            }
            Origin::Write(at) => {
                let write = numbers.ranges.effects[at].writes.iter().find(|write| write.register == name)?;
                self.held_after(numbers, &write.result, write.bits, at, bits, depth)?
            }
        };
        match held {
            Held::Linear { of, factor, plus, bits } if term.negative => {
                Some(Held::Linear { of, factor: factor.checked_neg()?, plus: plus.negative()?, bits })
            }
            Held::Shifted { .. } if term.negative => None,
            held => Some(held),
        }
    }

    /// What the result of an operation holds. It must have at least so many bits, since sums are those of
    /// numbers of this length.
    fn held_after(
        &self,
        numbers: &Numbers<'a>,
        operation: &Operation<'a>,
        has: u32,
        at: usize,
        bits: u32,
        depth: u32,
    ) -> Option<Held<'a>> {
        if has < bits {
            return None;
        }
        if let Some(term) = operation.copies() {
            return self.held_by(numbers, term, at, bits, depth);
        }
        let state = self.state(numbers, at)?;
        let known = |term: Term<'a>| state.value(term, bits).map(Value::modular);
        // An amount has 32 bits, whatever is shifted.
        let amount = |term: Term<'a>| {
            state.value(term, 32).map(Value::modular)?.only().and_then(|by| u32::try_from(by).ok())
        };
        let held = |term: Term<'a>| self.held_by(numbers, term, at, bits, depth);
        match operation {
            Operation::Sum(terms) => {
                let mut sum: Option<Held<'a>> = None;
                let mut more = Interval::point(0);
                for &term in terms {
                    match held(term) {
                        Some(one) => sum = Some(add(sum, one)?),
                        None => more = more.plus(known(term)?)?,
                    }
                }
                plus(sum?, more)
            }
            Operation::Product(a, b, more) => {
                let product = match (held(*a), held(*b)) {
                    (Some(one), None) => times(one, known(*b)?.only()?)?,
                    (None, Some(one)) => times(one, known(*a)?.only()?)?,
                    (None, None) => {
                        // Compilers write a move as a product with zero.
                        let product = known(*a)?.times(known(*b)?)?;
                        return plus(held((*more)?)?, product);
                    }
                    (Some(_), Some(_)) => return None,
                };
                match more {
                    None => Some(product),
                    Some(more) => match held(*more) {
                        Some(one) => add(Some(product), one),
                        None => plus(product, known(*more)?),
                    },
                }
            }
            Operation::Half(part) => self.held_by_halves(numbers, *part, at, bits, depth),
            Operation::ShiftLeft(a, by) => {
                let by = amount(*by).filter(|&by| by < bits && has == bits)?;
                times(held(*a)?, 1 << by)
            }
            Operation::ShiftRight(kind, a, by) if kind.bits == bits => {
                let by = amount(*by).filter(|by| (1..bits).contains(by))?;
                match held(*a)? {
                    Held::Linear { of, factor: 1, plus, .. } if plus.only() == Some(0) => {
                        Some(Held::Shifted { of, by, kind: *kind })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a product holds that is made half by half: the parts must be those of the same factors, of which each comes from one
    /// place wherever a part is made.
    fn held_by_halves(
        &self,
        numbers: &Numbers<'a>,
        part: Half<'a>,
        at: usize,
        bits: u32,
        depth: u32,
    ) -> Option<Held<'a>> {
        let made = |name: &'a str| {
            let Origin::Write(made) = self.origin(numbers, name, at)? else { return None };
            let write = numbers.ranges.effects[made].writes.iter().find(|write| write.register == name)?;
            let Operation::Half(part) = write.result else { return None };
            Some((made, part))
        };
        let (a, b, c, made_at) = match part {
            Half::Whole(a, crossed, lower) => {
                let ((first, Half::Crossed(of, by)), (second, Half::Lower(x, y, c))) =
                    (made(crossed)?, made(lower)?)
                else {
                    return None;
                };
                let same = [a, x].into_iter().all(|one| one == of) && by == y;
                let same = same
                    && self.is_same(numbers, of, [first, at])
                    && self.is_same(numbers, by, [first, second]);
                same.then_some((of, by, c, second))?
            }
            Half::Short(a, b, lower) => {
                let (second, Half::Lower(x, y, c)) = made(lower)? else { return None };
                let Source::Known(known) = b.source else { return None };
                let short = known.low >= 0 && known.high <= 0xffff;
                (short && a == x && b == y).then_some((x, y, c, second))?
            }
            _ => return None,
        };
        if !self.is_same(numbers, a, [made_at, at]) {
            return None;
        }
        let product = Operation::Product(a, b, Some(c));
        self.held_after(numbers, &product, 32, made_at, bits, depth.checked_sub(1)?)
    }

    /// Whether an operand has the same value at two instructions of a pass.
    fn is_same(&self, numbers: &Numbers<'a>, term: Term<'a>, [one, other]: [usize; 2]) -> bool {
        let Source::Register(name) = term.source else { return true };
        let origin = |at: usize| self.origin(numbers, name, at);
        !numbers.untracked.contains(name) && origin(one).is_some() && origin(one) == origin(other)
    }

    /// The instructions of all blocks from which a pass may come back.
    fn inside(&self) -> impl Iterator<Item = usize> {
        let nodes = self.pass.subgraph.nodes();
        let inside = nodes.filter(|&node| self.pass.exits.comes_back(Edge::To(node)));
        self.pass.subgraph.instructions(inside)
    }

    /// Where what a register holds at an instruction of a pass comes from.
    pub(super) fn origin(&self, numbers: &Numbers<'a>, name: &str, at: usize) -> Option<Origin> {
        self.origin_at_end(numbers, name, self.pass.subgraph.node_holding(at)?, at)
    }

    /// The same before an instruction of a node, or at its end. There is no answer if it may come from
    /// several locations, or from an instruction that is not always executed or may write other registers too.
    fn origin_at_end(&self, numbers: &Numbers<'a>, name: &str, node: Node, end: usize) -> Option<Origin> {
        let (subgraph, routine) = (&self.pass.subgraph, self.function.routine);
        let mut found = None;
        closure([(node, end)], |(node, end), open| {
            if !self.pass.exits.comes_back(Edge::To(node)) {
                return None;
            }
            let first = subgraph.block(node).first();
            let write = (first..end).rev().find(|&at| numbers.ranges.effects[at].may_write(name));
            let origin = match write {
                Some(at) => {
                    let certain = routine.instructions[at].guard.is_none()
                        && !routine.instructions[at].conditional
                        && !numbers.ranges.effects[at].everything;
                    certain.then_some(Origin::Write(at))?
                }
                None if node == Node::ENTRY => Origin::Header,
                None => {
                    let before =
                        subgraph.nodes().filter(|&from| subgraph.edges(from).contains(&Edge::To(node)));
                    open.extend(before.map(|from| (from, subgraph.block(from).instructions.end)));
                    return Some(());
                }
            };
            if found.is_some_and(|known| known != origin) {
                return None;
            }
            found = Some(origin);
            Some(())
        })?;
        found
    }
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// From before this pass.
    Header,
    /// From an instruction of this pass.
    Write(usize),
}

fn add<'a>(one: Option<Held<'a>>, other: Held<'a>) -> Option<Held<'a>> {
    match (one, other) {
        (None, other) => Some(other),
        (
            Some(Held::Linear { of, factor, plus, bits }),
            Held::Linear { of: same, factor: more, plus: also, .. },
        ) if of == same => {
            Some(Held::Linear { of, factor: factor.checked_add(more)?, plus: plus.plus(also)?, bits })
        }
        _ => None,
    }
}

fn plus(held: Held<'_>, more: Interval) -> Option<Held<'_>> {
    match held {
        Held::Linear { of, factor, plus, bits } => {
            Some(Held::Linear { of, factor, plus: plus.plus(more)?, bits })
        }
        Held::Shifted { .. } if more.only() == Some(0) => Some(held),
        Held::Shifted { .. } => None,
    }
}

fn times(held: Held<'_>, by: i128) -> Option<Held<'_>> {
    match held {
        Held::Linear { of, factor, plus, bits } => Some(Held::Linear {
            of,
            factor: factor.checked_mul(by)?,
            plus: plus.times(Interval::point(by))?,
            bits,
        }),
        Held::Shifted { .. } if by == 1 => Some(held),
        Held::Shifted { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::flow::analysis::groups::Returns;
    use crate::flow::analysis::testing::{kernel, sass, with_function};
    use crate::flow::region::{Most, Region, build};

    /// The trip count of the only loop of a text.
    fn trips_of(text: &str, capability: &str) -> Option<u64> {
        with_function(text, capability, |function, _| {
            let regions = build(function, &Returns::new(), Most { pieces: 1000, copies: 1000 }, false);
            let found = |region: &Region| match region {
                Region::Loop(one) => Some(one.bound.clone()),
                _ => None,
            };
            let bound = regions.iter().find_map(found).unwrap();
            assert_eq!(bound.inferred, bound.most.is_some());
            bound.most
        })
    }

    fn trips(body: &str) -> Option<u64> {
        trips_of(&kernel(body), "6.1")
    }

    #[test]
    fn a_counter_in_place_and_one_that_is_copied_back() {
        let test = "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra L;\nexit;";
        assert_eq!(trips(&format!("mov.s32 %r1, 0;\nL:\nadd.s32 %r1, %r1, 3;\n{test}")), Some(4));
        let test = "setp.ne.s32 %p1, %r2, 10;\nmov.u32 %r1, %r2;\n@%p1 bra L;\nexit;";
        assert_eq!(trips(&format!("mov.s32 %r1, 0;\nL:\nadd.s32 %r2, %r1, 1;\n{test}")), Some(10));
    }

    #[test]
    fn what_is_no_constant_or_not_in_every_pass() {
        let test = "setp.lt.s32 %p1, %r1, %r3;\n@%p1 bra L;\nexit;";
        let with = |start: &str, update: &str| trips(&format!("{start}\nL:\n{update}\n{test}"));
        let step = "add.s32 %r1, %r1, 1;";
        assert_eq!(with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", step), Some(7));
        assert_eq!(with("ld.param.s32 %r3, [n];\nmov.s32 %r1, 0;", step), None);
        assert_eq!(with("mov.s32 %r3, 7;\nld.param.s32 %r1, [n];", step), None);
        assert_eq!(with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", "@%p2 add.s32 %r1, %r1, 1;"), None);
        let twice = "add.s32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 1;";
        assert_eq!(with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", twice), Some(4));
    }

    /// What is left of a number that is not known, as compilers make it of the rest of a loop that they
    /// unrolled four times.
    #[test]
    fn the_rest_of_an_unrolled_loop() {
        let body = |skip: &str| {
            format!(
                "ld.param.s32 %r3, [n];\nand.b32 %r1, %r3, 3;\nsetp.eq.s32 %p2, %r1, 0;\n{skip}\nL:\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\nM:\nexit;"
            )
        };
        assert_eq!(trips(&body("@%p2 bra M;")), Some(3));
        // Without the branch around it, the loop would begin at 0 and go around.
        assert_eq!(trips(&body("")), None);
    }

    #[test]
    fn threads_begin_at_their_index() {
        let step = |by: &str| {
            format!(
                "mov.u32 %r1, %tid.x;\nL:\nadd.s32 %r1, %r1, {by};\nsetp.lt.s32 %p1, %r1, 5000;\n@%p1 bra L;\nexit;"
            )
        };
        // Thread 0 is 64 at its first test, and 4992 at the 78th.
        assert_eq!(trips(&step("64")), Some(79));
        // A step of at least one.
        assert_eq!(trips(&step("%ntid.x")), Some(5000));
        assert_eq!(trips(&step("%laneid")), None);
    }

    #[test]
    fn sass_with_pairs_and_uniform_registers() {
        let count = |lines: &[&str]| trips_of(&sass("75", lines), "7.5");
        let mut lines = vec![
            "MOV R4, RZ",
            "IADD3 R4, R4, 0x2, RZ",
            "ISETP.LT.AND P0, PT, R4, 0x9, PT",
            "@P0 BRA 0x8",
            "EXIT",
        ];
        assert_eq!(count(&lines), Some(5));
        // A load of 64 bits into R3 writes the counter too, and what is not known may write anything.
        for other in ["LDG.E.64 R3, [R6.64]", "WHATEVER R8, R9"] {
            lines.insert(1, other);
            lines[4] = "@P0 BRA 0x8";
            assert_eq!(count(&lines), None, "{other}");
            lines.remove(1);
        }
        let uniform = [
            "UMOV UR4, URZ",
            "UIADD3 UR4, UR4, 0x1, URZ",
            "UISETP.GE.AND UP0, UPT, UR4, 0x9, UPT",
            "@!UP0 BRA 0x8",
            "EXIT",
        ];
        assert_eq!(count(&uniform), Some(9));
        // Threads that diverge at the branch write the register one after the other.
        let parted = [
            "UMOV UR4, URZ",
            "UIADD3 UR4, UR4, 0x1, URZ",
            "ISETP.GE.AND P0, PT, R9, UR4, PT",
            "@!P0 BRA 0x8",
            "EXIT",
        ];
        assert_eq!(count(&parted), None);
    }
}
