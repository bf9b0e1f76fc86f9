//! Numbers that comparisons name, to which states are widened.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::flow::analysis::counts::effect::Comparison;
use crate::flow::analysis::counts::ranges::state::State;
use crate::interval::{Interval, Value};

/// Numbers of comparisons to which states are widened.
const MOST_THRESHOLDS: usize = 200;

/// Numbers that comparisons name, at which a counter that grows is likely to stop.
#[derive(Debug, Default)]
pub(super) struct Thresholds(RefCell<BTreeSet<i128>>);

impl Thresholds {
    pub(super) fn add(&self, state: &State<'_>, comparison: &Comparison<'_>) {
        let mut known = self.0.borrow_mut();
        for term in [comparison.left, comparison.right] {
            let seen = if known.len() < MOST_THRESHOLDS { state.seen(term, comparison.kind) } else { None };
            if let Some(seen) = seen.filter(|seen| seen.only().is_some()) {
                known.extend([seen.low - 1, seen.low, seen.high + 1]);
            }
        }
    }

    /// The range of what is an expression in parameters.
    pub(super) fn add_ends(&self, interval: Interval) {
        let mut known = self.0.borrow_mut();
        if interval.ends[0].is_some() && interval.exact().is_some() && known.len() < MOST_THRESHOLDS {
            known.extend([interval.low, interval.high]);
        }
    }

    /// A value that holds both, with ends at numbers that are named; none if there is no such number.
    pub(super) fn widen(&self, old: Value, new: Value) -> Option<Value> {
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
