//! What is known where paths join.

use std::collections::BTreeMap;

use crate::flow::analysis::counts::effect::{Comparison, Condition, Source, Term};
use crate::flow::analysis::counts::ranges::state::{Follows, State};
use crate::interval::{IntegerType, Value};
use warpspan_lift::Relation;

/// Comparisons that are kept of a predicate where paths join.
const MOST_FACTS: usize = 40;

impl<'a> State<'a> {
    /// What holds in both states. `widen` says what becomes of a value that changes.
    pub(crate) fn join(&self, other: &Self, widen: impl Fn(Value, Value) -> Option<Value>) -> Self {
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
        Self {
            registers,
            predicates,
            remainders: self.remainders.in_both(&other.remainders),
            sums: self.sums.in_both(&other.sums),
            // The parts of a product stand one behind the other.
            halves: BTreeMap::new(),
        }
    }

    /// What follows from a condition in both of two states that are joined to these registers. Where the condition cannot
    /// hold in one of them it tells which of the two a thread comes from, and so what the other one knows of registers.
    pub(crate) fn follows_in_both(
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
    pub(crate) fn known_there(
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
}
