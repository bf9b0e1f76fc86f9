//! What is known of registers and predicates at a location.

use std::collections::BTreeMap;

use crate::flow::analysis::counts::effect::{Comparison, Condition, Half, Source, Term};
use crate::flow::analysis::counts::ranges::form::Forms;
use crate::interval::{IntegerType, Interval, Value, WORD};
use warpspan_lift::Relation;

/// What is known at a location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct State<'a> {
    pub(super) registers: BTreeMap<&'a str, Value>,
    pub(super) predicates: BTreeMap<&'a str, Follows<'a>>,
    /// Registers that hold sums of what others held.
    pub(super) sums: Forms<'a>,
    /// Registers whose lowest bits are those of such sums.
    pub(super) remainders: Forms<'a>,
    /// Registers that hold parts of products: the part, and what the whole product comes to, as far as it is known.
    pub(super) halves: BTreeMap<&'a str, (Half<'a>, Option<Value>)>,
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

    /// Forgets what is known of a register where a thread has reached an instruction that writes it.
    pub(super) fn overwrite(&mut self, name: &'a str, at: usize) {
        self.registers.remove(name);
        self.predicates.remove(name);
        self.sums.overwrite(name, at);
        self.remainders.overwrite(name, at);
        self.forget_facts(name);
        self.halves.retain(|&own, (part, _)| {
            let Some(factors) = part.factors() else { return false };
            own != name && factors.iter().all(|term| term.source != Source::Register(name))
        });
    }

    /// Forgets how a register differs from others, but not what it holds.
    pub(crate) fn forget_relations(&mut self, name: &'a str) {
        self.sums.forget_all(name);
        self.remainders.forget_all(name);
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
            self.narrow_related(name, value)?;
        }
        Some(())
    }

    /// Narrows the registers that differ from one by a number, once more is known of that one; none if no number of one of them does.
    fn narrow_related(&mut self, name: &'a str, value: Value) -> Option<()> {
        for (other, plus) in self.alike(name, value.bits) {
            let Some(moved) = value.modular().plus(plus).and_then(|all| Value::new(value.bits, all)) else {
                continue;
            };
            let both = match self.registers.get(other) {
                Some(known) => known.narrowed(moved)?,
                None => moved,
            };
            self.registers.insert(other, both);
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
