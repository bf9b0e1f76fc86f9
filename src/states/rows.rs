//! The fastest two positions of a block: where its states are too few at a time to be a slice worth having.
//!
//! The states that differ in the fastest count only are a *row*; a choice is possible for a part of a row. The same choice
//! is done for many rows at once, since only its offsets change from one row to the next.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use crate::limits::{Limits, Stop};
use crate::model::Unit;
use crate::states::block::{Block, SLICE};
use crate::states::layout::{Place, Step};
use crate::states::sweep::{Count, index};

/// Triangles after which a block looks at the limits again.
const TRIANGLES_A_LOOK: u64 = 1 << 12;

impl<T: Count> Block<'_, T> {
    /// The node whose states differ in the last two counts: row by row, by the larger of the two.
    pub(super) fn triangle(
        &mut self,
        depth: usize,
        base: u64,
        limit: u64,
        limits: &Limits,
    ) -> Result<(), Stop> {
        self.triangles += 1;
        if self.triangles.is_multiple_of(TRIANGLES_A_LOOK)
            && let Some(stop) = limits.stopped()
        {
            return Err(stop);
        }
        let next = self.layout.order[depth];
        let slices = self.layout.simplex(2, limit) <= SLICE;
        let pending = self.layout.positions[next].above;
        // rows with the same partial choices are done together
        let most = pending.map_or(0, |above| self.enough(above, limit));
        for ready in 0..=most {
            self.extend(depth, (ready, 0), slices);
            let last = limit - if pending.is_some() { ready } else { 0 };
            let first = if ready == most { 0 } else { last };
            self.rows(depth + 1, base + self.layout.simplex(2, first) - (first + 1), first..=last);
        }
        self.within(Some(next), base, 0..=limit);
        Ok(())
    }

    /// The states that differ in the fastest count only, and the position above it has counts from `limits`: both are decided
    /// here. Steps that stay within these rows are kept for [`Self::within`].
    pub(super) fn rows(&mut self, depth: usize, base: u64, limits: RangeInclusive<u64>) {
        let next = self.layout.order[depth];
        let own = self.layout.positions[next].unit;
        let above = self.layout.positions[next].above;
        let upper = above.map(|above| self.layout.positions[above].unit);
        for at in 0..self.partials[depth].len() {
            let partial = self.partials[depth][at];
            let most = upper.map_or(0, |unit| partial.left[unit]);
            for upper_issues in 0..=most {
                let mut left = partial.left;
                if let Some(unit) = upper {
                    left[unit] -= upper_issues;
                }
                for own_issues in 0..=left[own] {
                    let mut left = left;
                    left[own] -= own_issues;
                    let short = |unit: Unit| left[unit] > 0;
                    if Unit::ALL.into_iter().any(|unit| short(unit) && !partial.all[unit]) {
                        continue;
                    }
                    let row = Row {
                        issues: (upper_issues, own_issues),
                        exactly: (upper.is_some_and(short), short(own)),
                        limits: limits.clone(),
                    };
                    let stays = above.is_none_or(|above| {
                        upper_issues == 0 || matches!(self.layout.positions[above].place, Place::Inner(_))
                    });
                    match partial.step == Step::NONE && stays {
                        true => self.rows.push(row),
                        false => self.across(&row, above, base, partial.step),
                    }
                }
            }
        }
    }

    /// Applies a choice to rows, the first of them at `base`.
    fn across(&mut self, row: &Row, above: Option<usize>, mut base: u64, step: Step) {
        if above.is_some() && row.issues.0 > *row.limits.end() {
            return;
        }
        let mut step = step;
        let mut moves = false;
        match above.map(|above| self.layout.positions[above].place) {
            Some(Place::Outer) => step.outer += row.issues.0,
            Some(Place::Second) => step.second += row.issues.0,
            Some(Place::Inner(_)) => moves = true,
            None => {}
        }
        let cycle = self.cycle;
        let block = ((step.outer, step.second) != (0, 0))
            .then(|| self.table.block((self.at.0 - step.outer, self.at.1 - step.second)));
        for limit in row.limits.clone() {
            if let Some((first, last)) = row.range(limit, above.is_some()) {
                let (start, length) = (index(base + first), index(last - first) + 1);
                let fall =
                    step.rank + row.issues.1 + if moves { fall_of_second(limit, row.issues.0) } else { 0 };
                let (below, here) = self.own.split_at_mut(start);
                let source = start - index(fall);
                let source = &block.unwrap_or(below)[source..source + length];
                for (value, &after) in here[..length].iter_mut().zip(source) {
                    *value = (*value).max(after.plus(cycle));
                }
            }
            base += limit + 1;
        }
    }

    /// The choices kept by [`Self::rows`], row after row and each row from its beginning, since they lead to states of the
    /// same rows.
    pub(super) fn within(&mut self, above: Option<usize>, mut base: u64, limits: RangeInclusive<u64>) {
        if self.rows.is_empty() {
            return;
        }
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_unstable_by_key(|row| (Reverse(row.issues.0), row.issues.1));
        for limit in limits {
            for row in rows.iter().filter(|row| row.limits.contains(&limit)) {
                let Some((first, last)) = row.range(limit, above.is_some()) else { continue };
                let fall = index(fall_of_second(limit, row.issues.0) + row.issues.1);
                if fall > 0 {
                    for at in index(base + first)..=index(base + last) {
                        self.own[at] = self.own[at].max(self.own[at - fall].plus(self.cycle));
                    }
                }
            }
            base += limit + 1;
        }
        rows.clear();
        self.rows = rows;
    }
}

/// A choice in rows of states: each row has the counts 0 to its limit at the fastest position, and its limit is the count
/// of the position above.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Issues at the position above and at the fastest.
    issues: (u64, u64),
    /// Whether these must be all the ready warps there.
    exactly: (bool, bool),
    /// Limits of the rows.
    limits: RangeInclusive<u64>,
}

impl Row {
    /// The counts for which the choice is possible.
    fn range(&self, limit: u64, above: bool) -> Option<(u64, u64)> {
        let (upper, own) = self.issues;
        let most = if above { limit.checked_sub(upper)? } else { limit };
        let first = if above && self.exactly.0 { own.max(most) } else { own };
        let last = if self.exactly.1 { most.min(own) } else { most };
        (first <= last).then_some((first, last))
    }
}

/// How much the rank falls when `count` of the `s` warps at the second position of the last group issue: [`Layout::fall`]
/// without its table.
fn fall_of_second(s: u64, count: u64) -> u64 {
    count * (2 * s + 1 - count) / 2
}
