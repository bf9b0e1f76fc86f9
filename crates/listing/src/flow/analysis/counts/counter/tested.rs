//! The passes that comparisons of counters with limits allow.

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::counter::comparisons::Made;
use crate::flow::analysis::counts::counter::held::{Held, LONGEST_CHAIN};
use crate::flow::analysis::counts::effect::{Comparison, Source, Term};
use crate::flow::analysis::counts::ranges::State;
use crate::flow::analysis::counts::recurrence::{Counter, Step, Tests};
use crate::interval::{IntegerType, Interval, Value};
use warpspan_lift::Relation;

impl<'a> CountedLoop<'a, '_> {
    /// The passes that a comparison of a counter with a limit allows.
    pub(crate) fn passes_of_comparison(
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
    pub(crate) fn passes_of(
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
        // Where the limit is a counter too, its interval is that of all passes together.
        let meets = || {
            let other = self.held_by(numbers, right, at, kind.bits, LONGEST_CHAIN)?;
            let [one, other] = [tested, other].map(|one| self.counter(numbers, before, one, kind));
            one?.meets(other?, relation, kind)
        };
        kinds.iter().filter_map(count).chain(meets()).min()
    }

    /// The counter that a test sees, from what the register of the header holds before the loop and what a
    /// pass makes of it.
    pub(crate) fn counter(
        &self,
        numbers: &Numbers<'a>,
        before: &State<'a>,
        tested: Held<'a>,
        kind: IntegerType,
    ) -> Option<Counter> {
        let (Held::Linear { of, .. } | Held::Shifted { of, .. } | Held::Cleared { of, .. }) = tested;
        let next = self.next(numbers, of, kind.bits)?;
        let start = before.value(Term::of(Source::Register(of)), kind.bits);
        // A number of a type without a sign, if nothing else is known of it.
        let any = IntegerType { signed: false, ..kind };
        let unsigned = start.and_then(|start| start.seen_as(any)).unwrap_or(Interval::all(any));
        let point = |interval: Interval| interval.only() == Some(0);
        match (next, tested) {
            (Held::Linear { factor: 1, plus: step, .. }, Held::Linear { factor, plus, .. }) => {
                let factor = Interval::point(factor);
                let first = start?.modular().times(factor)?.plus(plus)?;
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
                let first = start?.modular().times(Interval::point(factor))?;
                let first = Value::new(kind.bits, first)?.seen_as(kind)?;
                Some(Counter { first, step: Step::Multiply(by), slack: 0 })
            }
            (Held::Cleared { bits, .. }, tested) if bits == kind.bits => {
                // The test before the pass and the one behind it see the same numbers, but the latter one fewer of them.
                let tests = matches!(tested, Held::Linear { factor: 1, plus, .. } if point(plus))
                    || matches!(tested, Held::Cleared { .. });
                let fits = tests && kind.contains(unsigned.high);
                // Behind the pass the first one has lost a bit already.
                let before = matches!(tested, Held::Linear { .. });
                let first = if before { unsigned } else { Interval::new(0, unsigned.high) };
                fits.then_some(Counter { first, step: Step::ClearBit, slack: 0 })
            }
            (Held::Shifted { by, kind: of_shift, .. }, tested) => {
                if of_shift.bits != kind.bits {
                    return None;
                }
                // Numbers without a sign are the same in both types, and so are their shifts.
                let start = if of_shift.signed { start?.seen_as(of_shift)? } else { unsigned };
                let first = match tested {
                    Held::Linear { factor: 1, plus, .. } if point(plus) => start,
                    // Shifts with a sign and without one are the same where there is no sign.
                    Held::Shifted { by, kind: tested, .. }
                        if tested.bits == of_shift.bits
                            && (tested.signed == of_shift.signed
                                || start.high < 1 << (of_shift.bits - 1)) =>
                    {
                        start.map(|value| value >> by)
                    }
                    _ => return None,
                };
                let fits = start.low >= 0 && kind.contains(start.high);
                fits.then_some(Counter { first, step: Step::Halve(by), slack: 0 })
            }
            _ => None,
        }
    }
}
