//! What follows from predicates.

use std::collections::BTreeSet;

use crate::flow::analysis::counts::effect::{Comparison, Condition, Source, Term};
use crate::flow::analysis::counts::ranges::state::{Follows, State};
use crate::interval::{IntegerType, WORD};
use warpspan_lift::Relation;

/// Comparisons that are kept of a predicate.
const MOST_COMPARISONS: usize = 4;

/// Registers of which it is kept what a comparison of one that differs from them by a number tells.
const MOST_PARTS: usize = 8;

impl<'a> State<'a> {
    /// The comparisons that hold where a condition does.
    pub(crate) fn implied(&self, condition: Condition<'_>) -> Vec<Comparison<'a>> {
        let follows = self.predicates.get(condition.register);
        let side = |follows: &Follows<'a>| {
            if condition.negated { follows.falsity.clone() } else { follows.truth.clone() }
        };
        follows.map(side).unwrap_or_default()
    }

    pub(crate) fn all(&self, comparison: Option<Comparison<'a>>, given: &[Condition<'a>]) -> Follows<'a> {
        let mut truth: Vec<_> = comparison.into_iter().collect();
        truth.extend(given.iter().flat_map(|&one| self.implied(one)));
        truth.truncate(MOST_COMPARISONS);
        let real: Vec<Condition<'a>> =
            given.iter().copied().filter(|one| !self.impossible(one.denied())).collect();
        let falsity = match (comparison, &real[..]) {
            (Some(one), []) => vec![one.denied()],
            (None, &[one]) => self.implied(one.denied()),
            // Conditions that cannot be false: all of them hold.
            (None, []) => Follows::always().falsity,
            _ => vec![],
        };
        Follows { truth, falsity }
    }

    pub(crate) fn any(&self, comparison: Option<Comparison<'a>>, given: &[Condition<'a>]) -> Follows<'a> {
        let mut falsity: Vec<_> = comparison.map(Comparison::denied).into_iter().collect();
        falsity.extend(given.iter().flat_map(|&one| self.implied(one.denied())));
        falsity.truncate(MOST_COMPARISONS);
        // What follows from all of those that can hold.
        let own = comparison.map(|one| vec![one]);
        let all = own.into_iter().chain(given.iter().map(|&one| self.implied(one)));
        let mut all = all.filter_map(|facts| Some((self.where_all_hold(&facts)?, facts)));
        let Some((_, mut truth)) = all.next() else { return Follows::never() };
        for (there, _) in all {
            truth.retain(|fact| there.clone().narrow(fact.denied()).is_none());
        }
        truth.truncate(MOST_COMPARISONS);
        Follows { truth, falsity }
    }

    /// Whether a condition cannot hold, as comparisons of numbers show.
    pub(crate) fn impossible(&self, condition: Condition<'_>) -> bool {
        self.implied(condition).iter().any(|one| match (one.left.source, one.right.source) {
            (Source::Known(left), Source::Known(right)) => left.narrow(one.relation, right).is_none(),
            _ => false,
        })
    }

    /// What follows, with what comparisons of sums tell of their parts, which are kept when the sums are overwritten.
    pub(crate) fn told_of_parts(&self, follows: Follows<'a>) -> Follows<'a> {
        let more = |facts: Vec<Comparison<'a>>| {
            let names = facts.iter().flat_map(|fact| [fact.left, fact.right]).filter_map(Term::register);
            let parts: BTreeSet<&'a str> = names
                .flat_map(|name| self.alike(name, WORD.bits))
                .map(|(of, _)| of)
                .take(MOST_PARTS)
                .collect();
            if parts.is_empty() {
                return facts;
            }
            let Some(there) = self.where_all_hold(&facts) else { return facts };
            let mut facts = facts;
            for of in parts {
                let known = there.registers.get(of).filter(|known| self.registers.get(of) != Some(*known));
                let kind = IntegerType { signed: true, ..WORD };
                let Some(seen) = known.and_then(|known| known.seen_as(kind)) else { continue };
                let left = Term::of(Source::Register(of));
                let fact = |relation, end| Comparison { relation, kind, left, right: Term::number(end) };
                facts.extend([fact(Relation::GreaterEqual, seen.low), fact(Relation::LessEqual, seen.high)]);
            }
            facts
        };
        Follows { truth: more(follows.truth), falsity: more(follows.falsity) }
    }

    /// What follows from a predicate, or which of the two it is, if no numbers of this state agree with one of them.
    pub(crate) fn decided(&self, follows: Follows<'a>) -> Follows<'a> {
        // Of most instructions nothing follows, and a state is large.
        let holds = |facts: &[Comparison<'a>]| facts.is_empty() || self.where_all_hold(facts).is_some();
        match (holds(&follows.truth), holds(&follows.falsity)) {
            (true, false) => Follows::always(),
            (false, true) => Follows::never(),
            _ => follows,
        }
    }
}
