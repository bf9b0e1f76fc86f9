//! The fastest two positions of a block, where slices would be too short to be worthwhile.
//!
//! The states that differ only in the fastest count are a *row*, and a choice is possible for a part of a
//! row. One choice is applied to many rows at once, since only its offsets change from one row to the next.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use crate::states::block::{Block, larger, prefix};
use crate::states::layout::{Place, Step};
use crate::states::row::{Row, fall_of_second};
use crate::states::table::{Count, index};
use warpspan_model::Unit;
use warpspan_model::limits::{Limits, Stop};

/// The number of triangles or single rows after which a block checks the limits again.
const LEAVES_A_LOOK: u64 = 1 << 12;

impl<T: Count> Block<'_, T> {
    /// Computes the node whose states differ in the last two counts, row by row, by the larger of the two.
    pub(super) fn triangle(
        &mut self,
        depth: usize,
        base: u64,
        limit: u64,
        limits: &Limits,
    ) -> Result<(), Stop> {
        self.look(limits)?;
        let next = self.layout.order[depth];
        let fastest = self.layout.order[depth + 1];
        let up_to = |count: u64| (count + 1) * (count + 2) / 2;
        if let Some(pending) = self.layout.positions[next].above {
            self.decide(depth - 1, pending, |ready, exactly| {
                prefix(limit, ready, exactly, up_to).map(|(skip, length)| (base + skip, length))
            });
            // rows with the same choices further up are done together
            let most = self.enough(pending, limit);
            for ready in 0..=most {
                let mark = self.take(pending, ready);
                let last = limit - ready;
                let first = if ready == most { 0 } else { last };
                self.rows(fastest, base + up_to(first) - (first + 1), first..=last);
                self.undo(pending, mark);
            }
        } else {
            self.rows(fastest, base, 0..=limit);
        }
        self.within(base, 0..=limit);
        Ok(())
    }

    /// Checks the limits now and then.
    fn look(&mut self, limits: &Limits) -> Result<(), Stop> {
        self.rows.leaves += 1;
        let due = self.rows.leaves.is_multiple_of(LEAVES_A_LOOK);
        if due { limits.stopped().map_or(Ok(()), Err) } else { Ok(()) }
    }

    /// Computes a single row.
    pub(super) fn row(&mut self, next: usize, base: u64, limit: u64, limits: &Limits) -> Result<(), Stop> {
        self.look(limits)?;
        self.rows(next, base, limit..=limit);
        self.within(base, limit..=limit);
        Ok(())
    }

    /// Computes rows, the first of them at `base`, whose limits are the counts of the position above the
    /// fastest. Both positions are decided here. Steps that stay within these rows are kept for
    /// [`Self::within`].
    fn rows(&mut self, fastest: usize, base: u64, limits: RangeInclusive<u64>) {
        let mut choices = std::mem::take(&mut self.rows.choices);
        for (unit, choices) in Unit::ALL.into_iter().zip(&mut choices) {
            self.choices(unit, fastest, choices);
        }
        let above = self.layout.positions[fastest].above;
        let inner = above.is_some_and(|above| matches!(self.layout.positions[above].place, Place::Inner(_)));
        let [first, second] = &choices;
        for a in first {
            for b in second.iter().filter(|b| a.new || b.new) {
                let row = Row {
                    step: a.step.and(b.step),
                    issues: (a.issues.0 + b.issues.0, a.issues.1 + b.issues.1),
                    exactly: (a.exactly.0 || b.exactly.0, a.exactly.1 || b.exactly.1),
                    new: true,
                };
                if row.step == Step::NONE && (row.issues.0 == 0 || inner) {
                    self.rows.within.push((row, limits.clone()));
                } else {
                    self.across(row, above, base, limits.clone());
                }
            }
        }
        self.rows.choices = choices;
    }

    /// Collects the complete choices of a unit: those that are complete without the fastest position and the
    /// one above it, and those that need them.
    fn choices(&self, unit: Unit, fastest: usize, choices: &mut Vec<Row>) {
        let positions = &self.layout.positions;
        let on = |position: usize| positions[position].unit == unit;
        let (upper, own) = (positions[fastest].above.is_some_and(on), on(fastest));
        let side = &self.sides[unit];
        choices.clear();
        choices.extend(side.full.iter().map(|&step| Row { step, ..Row::OLD }));
        if !upper && !own {
            let all = self.short(unit, self.layout.end[unit]);
            choices.extend(all.map(|step| Row { step, ..Row::OLD }));
            return;
        }
        for &(left, step) in &side.open {
            let new = |issues| Row { step, issues, new: true, ..Row::OLD };
            match (upper, own) {
                (true, true) => choices.extend((0..=left).map(|count| new((left - count, count)))),
                (true, false) => choices.push(new((left, 0))),
                _ => choices.push(new((0, left))),
            }
        }
        // the ready warps are too few to fill the unit, so all of them issue
        let room = self.sigma[unit].saturating_sub(side.ready);
        for all in 0..room {
            let mut new = |issues| {
                choices.push(Row { step: side.all, issues, exactly: (upper, own), new: true });
            };
            match (upper, own) {
                (true, true) => (0..=all).for_each(|count| new((all - count, count))),
                (true, false) => new((all, 0)),
                _ => new((0, all)),
            }
        }
    }

    /// Applies a choice to rows, the first of them at `base`.
    fn across(&mut self, row: Row, above: Option<usize>, mut base: u64, limits: RangeInclusive<u64>) {
        if above.is_some() && row.issues.0 > *limits.end() {
            return;
        }
        let mut step = row.step;
        let mut moves = 0;
        match above.map(|above| self.layout.positions[above].place) {
            Some(Place::Outer) => step.outer += row.issues.0,
            Some(Place::Second) => step.second += row.issues.0,
            Some(Place::Inner(_)) => moves = row.issues.0,
            None => {}
        }
        let block = ((step.outer, step.second) != (0, 0))
            .then(|| self.table.block((self.at.0 - step.outer, self.at.1 - step.second)));
        for limit in limits {
            if let Some((first, last)) = row.range(limit, above.is_some()) {
                let (start, length) = (index(base + first), index(last - first) + 1);
                let (below, here) = self.own.split_at_mut(start);
                let source = start - index(step.rank + row.issues.1 + fall_of_second(limit, moves));
                larger(&mut here[..length], &block.unwrap_or(below)[source..source + length], self.cycle);
            }
            base += limit + 1;
        }
    }

    /// Applies the choices kept by [`Self::rows`], row after row and each row from its beginning, since they
    /// lead to states of the same rows.
    fn within(&mut self, mut base: u64, limits: RangeInclusive<u64>) {
        if self.rows.within.is_empty() {
            return;
        }
        let mut rows = std::mem::take(&mut self.rows.within);
        rows.sort_unstable_by_key(|(row, _)| (Reverse(row.issues.0), row.issues.1));
        let fastest = self.layout.order.last();
        let above = fastest.is_some_and(|&fastest| self.layout.positions[fastest].above.is_some());
        for limit in limits {
            for (row, _) in rows.iter().filter(|(_, limits)| limits.contains(&limit)) {
                let Some((first, last)) = row.range(limit, above) else { continue };
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
        self.rows.within = rows;
    }
}
