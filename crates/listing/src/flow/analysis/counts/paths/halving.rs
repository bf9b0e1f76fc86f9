//! Two registers whose distance each pass halves, as a binary search does.
//!
//! Let a pass go on only if L < R, or L <= R, and let each path leave (M + 1, R) or (L, M) of (L, R), where M is half of L + R,
//! rounded down; where L = R goes on, (L, M) must be (L, M - 1). With D = R - L that leaves no more than half of D, rounded
//! down, and less than D where the test held. So a distance of n bits is gone after n tests that hold, and one more where L = R goes
//! on.
//!
//! Let both lie in [A, B] before the loop. As integers, M lies in [A, B] too, and what is tested in [A - 1, B + 1]. If the type
//! has all of these, the comparison is one of integers; if it holds, L <= R, so that both are in [A, B] again. What a
//! shift was made of is an integer too if the shifted type has 2 A and 2 B, or all differences. A shift without a sign
//! of a difference, and one that rounds towards zero, is right only if the difference is not below zero, which a test shows that
//! comes first in the pass.

use crate::flow::analysis::counts::counter::comparisons::Made;
use crate::flow::analysis::counts::effect::{Source, Term};
use crate::flow::analysis::counts::paths::form::{Form, Halved, Need};
use crate::flow::analysis::counts::paths::{Path, Paths, Side, apart};
use crate::flow::analysis::counts::ranges::State;
use crate::flow::analysis::counts::recurrence::Tests;
use crate::interval::IntegerType;

impl<'a> Paths<'a> {
    /// The least number of tests that some comparison allows.
    pub(super) fn halving(&self, before: &State<'a>, tests: &[Made<'a>]) -> Option<Tests> {
        if self.needs.is_empty() {
            return None;
        }
        tests.iter().filter_map(|&test| self.halved(before, test)).min()
    }

    fn halved(&self, before: &State<'a>, (comparison, at): Made<'a>) -> Option<Tests> {
        let [lefts, rights] = [comparison.left, comparison.right].map(|term| self.sides(at, term));
        let kind = comparison.kind;
        let apart = apart(comparison);
        let pairs = lefts.iter().flat_map(|left| rights.iter().map(move |right| (left, right)));
        let of = |(left, right): (&Side<'a>, &Side<'a>)| {
            if left.plus != 0 || right.plus != 0 || left.later != right.later {
                return None;
            }
            let names = [left.name, right.name];
            // Whether some path leaves the middle less one on the right.
            let below = self
                .ends
                .iter()
                .map(|path| self.closer(path, names, apart))
                .collect::<Option<Vec<bool>>>()?
                .contains(&true);
            let [low, high] = names.map(|name| before.value(Term::of(Source::Register(name)), self.bits));
            let (low, high) = (low?.seen_as(kind)?, high?.seen_as(kind)?);
            let (least, most) = (low.low.min(high.low), low.high.max(high.high));
            let fits = kind.contains(least - i128::from(below)) && kind.contains(most + 1);
            let right = self.needs.iter().all(|need| holds(need, names, [least, most], left.later));
            if !fits || !right {
                return None;
            }
            let mut distance = high.high - low.low;
            let halved = |distance: i128| {
                if apart == 1 { distance.div_euclid(2) } else { (distance + 1).div_euclid(2) - 1 }
            };
            if left.later {
                distance = halved(distance);
            }
            let mut tests = 1;
            while distance >= apart {
                distance = halved(distance);
                tests += 1;
            }
            Some(Tests::at_most(tests))
        };
        pairs.filter_map(of).min()
    }

    /// Whether a path leaves the middle less one on the right; no answer if it does not bring the two closer.
    fn closer(&self, path: &Path<'a>, names: [&'a str; 2], apart: i128) -> Option<bool> {
        let [left, right] = names.map(|name| Self::next(path, name));
        let (left, right) = (left?, right?);
        if right == Form::header(names[1]) {
            return (left.beside_middle(names, self.bits)? == 1).then_some(false);
        }
        match right.beside_middle(names, self.bits)? {
            _ if left != Form::header(names[0]) => None,
            0 if apart == 1 => Some(false),
            -1 => Some(true),
            _ => None,
        }
    }
}

/// Whether a shift is of the number that it is taken to be, where both registers lie between two ends.
fn holds(need: &Need<'_>, names: [&str; 2], [least, most]: [i128; 2], later: bool) -> bool {
    let same = need.of == names || need.of == [names[1], names[0]];
    // A number is not below zero if its first bit is not set, whatever the type is.
    let signed = IntegerType { signed: true, ..need.kind };
    let kind = match need.what {
        Halved::SumFromZero | Halved::DifferenceFromZero => signed,
        _ => need.kind,
    };
    let sums = kind.contains(2 * least) && kind.contains(2 * most);
    let differences = kind.contains(least - most) && kind.contains(most - least);
    // The right one less the left one, as the test compares them.
    let ordered = need.of == names && !later && kind.contains(most - least);
    same && match need.what {
        Halved::Sum => sums,
        Halved::Difference => differences || ordered,
        Halved::SumFromZero => sums && least >= 0,
        Halved::DifferenceFromZero => ordered,
    }
}
