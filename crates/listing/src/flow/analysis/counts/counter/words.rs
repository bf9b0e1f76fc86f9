//! Counters of two words, as SASS has them: a sum of lower words that carries into one of upper words.
//!
//! The two are followed together as one number of 64 bits. A sum of lower words x and y, as numbers without a sign, is its result and
//! 2^32 if it carries, and the sum of the upper words adds the carry. So both results together are the sum of both
//! numbers modulo 2^64. A word that is subtracted is added as 2^32 less it, which its upper word makes up for: that is added
//! with all of its bits changed, and so as -1 less it.

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::counter::held::LONGEST_CHAIN;
use crate::flow::analysis::counts::counter::origins::Origin;
use crate::flow::analysis::counts::effect::{CARRY, Condition, Operation, Source, Term};
use crate::flow::analysis::counts::ranges::{State, decides};
use crate::flow::analysis::counts::recurrence::{Counter, Step, Tests};
use crate::flow::graph::{Edge, Node};
use crate::interval::{IntegerType, Interval, Value, WORD};
use warpspan_lift::Relation;

/// The lower and the upper word of a number, each with the instruction that reads it.
type Words<'a> = [(Term<'a>, usize); 2];

/// A number of two words that a pass changes, as it was at the header, and an integer of an interval.
#[derive(Debug, Clone, Copy)]
struct Moved<'a> {
    of: [&'a str; 2],
    plus: Interval,
}

/// A comparison of numbers of two words.
struct WideTest<'a> {
    relation: Relation,
    kind: IntegerType,
    sides: [Words<'a>; 2],
}

impl<'a> CountedLoop<'a, '_> {
    /// The least number of passes that a comparison of numbers of two words allows.
    pub(crate) fn of_words(&self, numbers: &Numbers<'a>, before: &State<'a>) -> Option<Tests> {
        let nodes = self.pass.subgraph.nodes().filter(|&node| self.pass.dominance.once_a_pass(node));
        let tests = nodes.flat_map(|node| self.wide_tests(numbers, node));
        let sides = tests.flat_map(|WideTest { relation, kind, sides: [left, right] }| {
            [(relation, kind, [left, right]), (relation.mirrored(), kind, [right, left])]
        });
        sides
            .filter_map(|(relation, kind, sides)| {
                self.passes_of_words(numbers, before, relation, kind, sides)
            })
            .min()
    }

    /// The comparisons of two words that hold where the loop goes on behind a node.
    fn wide_tests(&self, numbers: &Numbers<'a>, node: Node) -> Vec<WideTest<'a>> {
        let last = self.pass.subgraph.block(node).last();
        let conditions = decides(self.place(), last, |block| self.goes_on(block));
        conditions.into_iter().filter_map(|one| self.wide_test(numbers, one, last, LONGEST_CHAIN)).collect()
    }

    fn wide_test(
        &self,
        numbers: &Numbers<'a>,
        condition: Condition<'a>,
        at: usize,
        depth: u32,
    ) -> Option<WideTest<'a>> {
        let (at, result) = self.written(numbers, condition.register, at)?;
        match result {
            Operation::All(None, given) if given.len() == 1 => {
                let given = Condition { negated: given[0].negated != condition.negated, ..given[0] };
                self.wide_test(numbers, given, at, depth.checked_sub(1)?)
            }
            Operation::IfEqual { upper, whole: (relation, kind), lower, given } => {
                // The lower words are compared by the same relation, here or before.
                let (lower, lower_at) = match (lower, &given[..]) {
                    (Some(lower), []) => (*lower, at),
                    (None, &[one]) => {
                        let (at, result) = self.written(numbers, one.register, at)?;
                        let Operation::All(Some(lower), given) = result else { return None };
                        let lower = if one.negated { lower.denied() } else { *lower };
                        (given.is_empty().then_some(lower)?, at)
                    }
                    _ => return None,
                };
                if lower.relation != *relation || lower.kind != WORD {
                    return None;
                }
                let relation = if condition.negated { relation.denied() } else { *relation };
                let side = |lower: Term<'a>, upper: Term<'a>| [(lower, lower_at), (upper, at)];
                let sides = [side(lower.left, upper[0]), side(lower.right, upper[1])];
                Some(WideTest { relation, kind: *kind, sides })
            }
            _ => None,
        }
    }

    /// The one instruction of the pass that a register is from, and what it writes there.
    fn written<'n>(
        &self,
        numbers: &'n Numbers<'a>,
        name: &str,
        at: usize,
    ) -> Option<(usize, &'n Operation<'a>)> {
        if numbers.untracked.contains(name) || numbers.of_groups.contains(name) {
            return None;
        }
        let Origin::Write(at) = self.origin(numbers, name, at)? else { return None };
        let write = numbers.ranges.effects[at].writes.iter().find(|write| write.register == name)?;
        Some((at, &write.result))
    }

    fn passes_of_words(
        &self,
        numbers: &Numbers<'a>,
        before: &State<'a>,
        relation: Relation,
        kind: IntegerType,
        [left, right]: [Words<'a>; 2],
    ) -> Option<Tests> {
        let tested = self.moved(numbers, left, LONGEST_CHAIN)?;
        let limit = self.whole(numbers, right)?;
        let step = self.next_of_words(numbers, tested.of)?;
        let [lower, upper] = tested.of.map(|name| Term::of(Source::Register(name)));
        let start = join([before.seen(lower, WORD), before.value(upper, WORD.bits).map(Value::modular)])?;
        let first = Value::new(kind.bits, start.plus(tested.plus)?)?;
        let step = Value::new(kind.bits, step)?.modular();
        let slack = tested.plus.high.checked_sub(tested.plus.low)?;
        // Whether bits are equal does not depend on the sign of the type.
        let kinds = [kind, IntegerType { signed: !kind.signed, ..kind }];
        let same = matches!(relation, Relation::Equal | Relation::NotEqual);
        let kinds = if same { &kinds[..] } else { &kinds[..1] };
        let tests = |&kind: &IntegerType| {
            let limit = Value::new(kind.bits, limit)?.seen_as(kind)?;
            let counter = Counter { first: first.seen_as(kind)?, step: Step::Add(step), slack };
            let tests = counter.tests(relation, limit, kind)?;
            Some(Tests::at_most(tests.most))
        };
        kinds.iter().filter_map(tests).min()
    }

    /// What a pass adds to a number of two words.
    fn next_of_words(&self, numbers: &Numbers<'a>, of: [&'a str; 2]) -> Option<Interval> {
        let subgraph = &self.pass.subgraph;
        let back = |name: &'a str| {
            let ends = subgraph.nodes().filter(|&node| subgraph.edges(node).contains(&Edge::Back));
            let mut origins = ends
                .map(|node| self.origin_at_end(numbers, name, node, subgraph.block(node).instructions.end));
            let Origin::Write(first) = origins.next()?? else { return None };
            origins.all(|one| one == Some(Origin::Write(first))).then_some(first)
        };
        let written = [(of[0], back(of[0])?), (of[1], back(of[1])?)];
        let moved = self.moved_by(numbers, written, LONGEST_CHAIN)?;
        (moved.of == of).then_some(moved.plus)
    }

    /// A number of two words in terms of one that the pass changes.
    fn moved(&self, numbers: &Numbers<'a>, words: Words<'a>, depth: u32) -> Option<Moved<'a>> {
        let [lower, upper] = words.map(|(term, at)| {
            let shared = |name: &str| numbers.untracked.contains(name) || numbers.of_groups.contains(name);
            let name = term.register().filter(|name| !shared(name))?;
            Some((name, self.origin(numbers, name, at)?))
        });
        match (lower?, upper?) {
            ((lower, Origin::Header), (upper, Origin::Header)) => {
                Some(Moved { of: [lower, upper], plus: Interval::point(0) })
            }
            ((lower, Origin::Write(one)), (upper, Origin::Write(other))) => {
                self.moved_by(numbers, [(lower, one), (upper, other)], depth.checked_sub(1)?)
            }
            _ => None,
        }
    }

    /// The same of registers that two instructions write.
    fn moved_by(
        &self,
        numbers: &Numbers<'a>,
        [lower, upper]: [(&'a str, usize); 2],
        depth: u32,
    ) -> Option<Moved<'a>> {
        let result = |(name, at): (&'a str, usize)| {
            let write = numbers.ranges.effects[at].writes.iter().find(|write| write.register == name)?;
            (write.bits == WORD.bits).then_some(&write.result)
        };
        let [low_at, at] = [lower.1, upper.1];
        match (result(lower)?, result(upper)?) {
            (Operation::Sum(low), Operation::Sum(high)) if low.len() == 1 && high.len() == 1 => {
                self.moved(numbers, [(low[0], low_at), (high[0], at)], depth)
            }
            (Operation::Sum(low), Operation::SumWithCarry(high, carry)) => {
                // The carry must be that of the very sum of the lower words.
                let (carries_at, carries) = self.written(numbers, carry.register, at)?;
                let same = match carries {
                    Operation::Carry(carried) => carried == low,
                    // The condition code is that of what the same instruction writes.
                    Operation::All(Some(_), _) => carry.register == CARRY,
                    _ => false,
                };
                if carry.negated || carries_at != low_at || !same {
                    return None;
                }
                // A sum of three words may have two carries.
                let counts =
                    |term: &&Term<'a>| term.negative || term.source != Source::Known(Interval::point(0));
                let low: Vec<_> = low.iter().filter(counts).copied().collect();
                let less = low.iter().filter(|term| term.negative).count();
                if low.len() > 2 || less > 1 {
                    return None;
                }
                let (own, low) = self.apart(numbers, &low)?;
                let (own_upper, high) = self.apart(numbers, high)?;
                let low: Option<Interval> = low.into_iter().try_fold(Interval::point(0), |sum, term| {
                    let plain = Term { negative: false, ..term };
                    let word = self.state(numbers, low_at)?.seen(plain, WORD).unwrap_or(Interval::all(WORD));
                    let word = Interval { low_open: false, high_open: false, ..word };
                    sum.plus(if term.negative { word.negative()? } else { word })
                });
                let carried = Interval::point(i128::try_from(less).ok()?);
                let high = high.into_iter().try_fold(carried, |sum, term| {
                    sum.plus(self.state(numbers, at)?.value(term, WORD.bits)?.modular())
                });
                let plus = join([low, high])?;
                let moved = self.moved(numbers, [(own, low_at), (own_upper, at)], depth)?;
                Some(Moved { plus: moved.plus.plus(plus)?, ..moved })
            }
            // One instruction adds both words, and perhaps a product.
            (low, Operation::Upper(product, pairs)) if low_at == at => {
                let state = self.state(numbers, at)?;
                let product = match (low, product) {
                    (Operation::Sum(_), None) => Interval::point(0),
                    (Operation::Product(..), &Some((kind, a, b))) => {
                        state.seen(a, kind)?.times(state.seen(b, kind)?)?
                    }
                    _ => return None,
                };
                let changes = |pair: &[Term<'a>; 2]| pair.iter().any(|&term| self.changes(numbers, term));
                let (own, others): (Vec<[Term<'a>; 2]>, Vec<_>) = pairs.iter().copied().partition(changes);
                let &[[own, own_upper]] = &own[..] else { return None };
                let others = others.into_iter().try_fold(product, |sum, [lower, upper]| {
                    sum.plus(join([
                        state.seen(lower, WORD),
                        state.value(upper, WORD.bits).map(Value::modular),
                    ])?)
                })?;
                let moved = self.moved(numbers, [(own, at), (own_upper, at)], depth)?;
                Some(Moved { plus: moved.plus.plus(others)?, ..moved })
            }
            _ => None,
        }
    }

    /// The only term that a pass changes, which must be added, and the others.
    fn apart(&self, numbers: &Numbers<'a>, terms: &[Term<'a>]) -> Option<(Term<'a>, Vec<Term<'a>>)> {
        let (own, others): (Vec<_>, Vec<_>) =
            terms.iter().copied().partition(|&term| self.changes(numbers, term));
        match own[..] {
            [own] if !own.negative => Some((own, others)),
            _ => None,
        }
    }

    /// Whether a pass may change an operand.
    fn changes(&self, numbers: &Numbers<'a>, term: Term<'a>) -> bool {
        let Source::Register(name) = term.source else { return false };
        self.inside().any(|at| numbers.ranges.effects[at].may_write(name))
    }

    /// The interval of a number of two words.
    fn whole(&self, numbers: &Numbers<'a>, [(lower, low_at), (upper, at)]: Words<'a>) -> Option<Interval> {
        let lower = self.state(numbers, low_at)?.seen(lower, WORD);
        join([lower, self.state(numbers, at)?.value(upper, WORD.bits).map(Value::modular)])
    }
}

/// A number of two words, of which the lower one is without a sign.
fn join([lower, upper]: [Option<Interval>; 2]) -> Option<Interval> {
    let [lower, upper] = [lower?, upper?].map(|word| word.with_ends([None; 2]));
    upper.times(Interval::point(1 << WORD.bits))?.plus(lower)
}
