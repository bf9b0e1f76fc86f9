//! The comparisons that hold where a loop goes on.

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::counter::held::LONGEST_CHAIN;
use crate::flow::analysis::counts::counter::origins::Origin;
use crate::flow::analysis::counts::effect::{Comparison, Condition, Operation, Source, Term};
use crate::flow::analysis::counts::ranges::{State, decides};
use crate::flow::analysis::counts::recurrence::Tests;
use crate::flow::graph::Node;
use crate::interval::WORD;
use warpspan_lift::Relation;

/// A comparison, and where it is made.
pub(crate) type Made<'a> = (Comparison<'a>, usize);

impl<'a> CountedLoop<'a, '_> {
    /// The passes that the test at the end of a node allows.
    pub(crate) fn passes_of_test(
        &self,
        numbers: &Numbers<'a>,
        before: &State<'a>,
        node: Node,
    ) -> Option<Tests> {
        if !self.pass.dominance.once_a_pass(node) {
            return None;
        }
        let last = self.pass.subgraph.block(node).last();
        let conditions = decides(self.place(), last, |block| self.goes_on(block));
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
        Some(if alone { least } else { Tests { least: 1, ..least } })
    }

    /// The comparisons that hold where a condition does, each with where it is made in the same pass.
    pub(crate) fn implied(
        &self,
        numbers: &Numbers<'a>,
        condition: Condition<'a>,
        at: usize,
        depth: u32,
    ) -> Vec<Made<'a>> {
        if numbers.untracked.contains(condition.register) || !self.may_search() {
            return vec![];
        }
        let origin = self.origin(numbers, condition.register, at);
        let (Some(Origin::Write(at)), Some(depth)) = (origin, depth.checked_sub(1)) else { return vec![] };
        let writes = &numbers.ranges.effects[at].writes;
        let Some(write) = writes.iter().find(|write| write.register == condition.register) else {
            return vec![];
        };
        if let Operation::IfEqual { upper, lower, given, .. } = &write.result {
            let all = Operation::All(*lower, given.clone());
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
    pub(crate) fn asked(
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
            // What the same instruction writes, as it is behind it.
            (&Operation::NotZero(register), _) => {
                let node = |at: usize| self.pass.subgraph.node_holding(at);
                let relation = if negated { Relation::Equal } else { Relation::NotEqual };
                let (left, right) = (Term::of(Source::Register(register)), Term::number(0));
                let not_zero = (Comparison { relation, kind: WORD, left, right }, at + 1);
                Some(not_zero).filter(|_| node(at) == node(at + 1)).into_iter().collect()
            }
            (Operation::All(None, given), true) if given.len() == 1 => of(&given[0], true),
            (Operation::Any(Some(one), given), false) if given.is_empty() => vec![(*one, at)],
            _ => vec![],
        }
    }
}
