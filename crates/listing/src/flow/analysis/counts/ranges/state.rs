//! What is known of registers and predicates at a location.

use std::collections::BTreeMap;

use crate::flow::analysis::counts::effect::{Comparison, Condition, Half, Source, Term};
use crate::flow::analysis::counts::ranges::made::Made;
use crate::interval::{IntegerType, Interval, Value, WORD};
use warpspan_lift::Relation;

/// What is known at a location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct State<'a> {
    pub(super) registers: BTreeMap<&'a str, Value>,
    pub(super) predicates: BTreeMap<&'a str, Follows<'a>>,
    /// Registers that hold what is left of another one and a number, divided by a power of two: that register, the number and
    /// the power.
    pub(super) remainders: Made<'a, [i128; 2]>,
    /// Registers that hold parts of products: the part, and what the whole product comes to, as far as it is known.
    pub(super) halves: BTreeMap<&'a str, (Half<'a>, Option<Value>)>,
    /// Registers that hold another one and a number of an interval, modulo 2^32.
    pub(super) sums: Made<'a, Interval>,
    /// The same for the register that the sum was made of, which may itself be a sum.
    pub(super) parts: Made<'a, Interval>,
}

/// What follows from the truth of a predicate, and from its falsity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Follows<'a> {
    pub(super) truth: Vec<Comparison<'a>>,
    pub(super) falsity: Vec<Comparison<'a>>,
}

impl Follows<'_> {
    /// That a predicate is false.
    pub(super) fn never() -> Self {
        let (kind, zero) = (WORD, Term::number(0));
        let never = Comparison { relation: Relation::NotEqual, kind, left: zero, right: zero };
        Self { truth: vec![never], falsity: vec![never.denied()] }
    }

    /// That a predicate is true.
    pub(super) fn always() -> Self {
        let Self { truth, falsity } = Self::never();
        Self { truth: falsity, falsity: truth }
    }
}

impl<'a> State<'a> {
    /// The same without expressions in parameters.
    pub(crate) fn without_ends(mut self) -> Self {
        self.registers.values_mut().for_each(|value| *value = value.without_ends());
        self
    }

    /// What is known of a register.
    pub(crate) fn register(&self, name: &str) -> Option<Value> {
        self.registers.get(name).copied()
    }

    /// Says what is known of a register, in place of what was.
    pub(crate) fn give(&mut self, name: &'a str, value: Option<Value>) {
        match value {
            Some(value) => _ = self.registers.insert(name, value),
            None => _ = self.registers.remove(name),
        }
    }

    /// What is known of an operand as a number of some bits.
    pub(crate) fn value(&self, term: Term<'a>, bits: u32) -> Option<Value> {
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
    pub(crate) fn seen(&self, term: Term<'a>, kind: IntegerType) -> Option<Interval> {
        self.value(term, kind.bits)?.seen_as(kind)
    }

    pub(crate) fn forget(&mut self, name: &'a str) {
        self.registers.remove(name);
        self.predicates.remove(name);
        self.forget_relations(name);
        self.halves.retain(|&own, (part, _)| {
            let Some(factors) = part.factors() else { return false };
            own != name && factors.iter().all(|term| term.source != Source::Register(name))
        });
    }

    /// Forgets how a register differs from others, but not what it holds.
    pub(crate) fn forget_relations(&mut self, name: &'a str) {
        self.remainders.forget(name);
        self.sums.forget(name);
        self.parts.forget(name);
        self.forget_facts(name);
    }

    /// Forgets what predicates say of a register.
    fn forget_facts(&mut self, name: &str) {
        let names = |one: &Comparison<'_>| {
            [one.left, one.right].iter().any(|term| term.source == Source::Register(name))
        };
        for follows in self.predicates.values_mut() {
            follows.truth.retain(|one| !names(one));
            follows.falsity.retain(|one| !names(one));
        }
    }

    /// Narrows the register on the left of a comparison that holds; none if it cannot hold.
    pub(crate) fn narrow(&mut self, comparison: Comparison<'a>) -> Option<()> {
        let Comparison { relation, kind, left, right } = comparison;
        let other = self.seen(right, kind).unwrap_or(Interval::all(kind));
        let known = self.value(left, kind.bits);
        let before = match known {
            Some(known) => known.seen_as(kind).unwrap_or(Interval::all(kind)),
            None => Interval::all(kind),
        };
        let narrowed = before.narrow(relation, other)?;
        // Signed and unsigned numbers are different intervals of bits: a narrower one is kept.
        if let Some(name) = left.register()
            && self.registers.get(name).is_none_or(|known| known.bits == kind.bits)
            && narrowed != before
            && let Some(value) = Value::new(kind.bits, narrowed)
        {
            self.registers.insert(name, value);
            self.narrow_origin(name, value)?;
        }
        Some(())
    }

    /// Narrows the register of which another one holds the sum with a number, once more is known of the sum; none if no number of it
    /// has such a sum.
    fn narrow_origin(&mut self, sum: &str, value: Value) -> Option<()> {
        let Some((of, plus)) = self.parts.get(sum).filter(|_| value.bits == WORD.bits) else {
            return Some(());
        };
        let origin = || Value::new(WORD.bits, value.modular().plus(plus.negative()?)?);
        let (Some(origin), Some(known)) = (origin(), self.registers.get(of)) else { return Some(()) };
        // Both are intervals of numbers of one type, so that what both hold is one too.
        for signed in [true, false] {
            let kind = IntegerType { signed, ..WORD };
            let (Some(origin), Some(known)) = (origin.seen_as(kind), known.seen_as(kind)) else { continue };
            let both = known.from(origin.low, origin.low_open)?.up_to(origin.high, origin.high_open)?;
            let Some(both) = Value::new(WORD.bits, both) else { break };
            self.registers.insert(of, both);
            return self.narrow_origin(of, both);
        }
        Some(())
    }

    /// The state where a condition holds; none if it cannot hold.
    pub(crate) fn where_it_holds(&self, condition: Condition<'a>) -> Option<Self> {
        self.where_all_hold(&self.implied(condition))
    }

    /// The state where comparisons hold; none if they cannot.
    pub(crate) fn where_all_hold(&self, comparisons: &[Comparison<'a>]) -> Option<Self> {
        let mut state = self.clone();
        for &comparison in comparisons {
            state.narrow(comparison)?;
            state.narrow(comparison.mirrored())?;
        }
        Some(state)
    }
}
