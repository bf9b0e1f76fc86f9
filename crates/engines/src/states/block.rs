//! Computing one block of the table, slice by slice.
//!
//! The states of a block are visited as a tree. A node fixes the counts of the slowest positions, and its
//! states are one slice of the block. A choice is a pair of choices, one on each unit. As soon as both are
//! complete, it is possible in every state of the node, or in those with enough ready warps at one more
//! position, which are a slice too. It leads to a slice of equal length further down, and state by state the
//! larger of the two numbers is kept. Most states are therefore never visited one by one.

use crate::states::Extreme;
use crate::states::layout::{Layout, Place, Step};
use crate::states::row::Buffers;
use crate::states::table::{Count, Table, index};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::{Instance, PerUnit, Unit};

/// The choices on a unit at the positions decided so far, which are those where the number of ready warps is
/// known.
#[derive(Debug, Clone, Default)]
pub(super) struct Side {
    /// The choices that fill the unit.
    pub(super) full: Vec<Step>,
    /// The choices that leave room, each with the number of warps that still fit.
    pub(super) open: Vec<(u64, Step)>,
    /// The number of ready warps, as far as it makes a difference. `all` is the choice of them all. It is
    /// complete if no position is left and they are too few to fill the unit.
    pub(super) ready: u64,
    pub(super) all: Step,
}

pub(super) struct Block<'a, T> {
    pub(super) layout: &'a Layout,
    pub(super) table: &'a Table<T>,
    pub(super) at: (u64, u64),
    pub(super) cycle: T,
    pub(super) sigma: PerUnit<u64>,
    pub(super) state: Vec<u64>,
    pub(super) own: &'a mut [T],
    pub(super) sides: PerUnit<Side>,
    pub(super) rows: Buffers,
}

/// A slice of the block: its first rank and its length.
type Slice = (u64, u64);

impl<'a, T: Count> Block<'a, T> {
    pub(super) fn new(
        instance: &Instance,
        layout: &'a Layout,
        table: &'a Table<T>,
        extreme: Extreme,
        at: (u64, u64),
        own: &'a mut [T],
    ) -> Self {
        let (origin, cycle) = extreme.origin_and_cycle();
        if at == (0, 0) {
            own[0] = origin;
        }
        let sigma = PerUnit::from_fn(|unit| instance.sigma(unit));
        let side = |unit| Side { open: vec![(sigma[unit], Step::NONE)], ..Side::default() };
        let sides = PerUnit::from_fn(side);
        let state = vec![0; layout.positions.len()];
        Self { layout, table, at, cycle, sigma, state, own, sides, rows: Default::default() }
    }

    pub(super) fn compute(mut self, limits: &Limits) -> Result<(), Stop> {
        self.node(0, 0, limits)
    }

    /// Visits the states in which the counts of the first `depth` positions of the order are fixed. The first
    /// of them is at `base`.
    fn node(&mut self, depth: usize, mut base: u64, limits: &Limits) -> Result<(), Stop> {
        let layout = self.layout;
        let Some(&next) = layout.order.get(depth) else { return Ok(()) };
        let position = &layout.positions[next];
        let limit = layout.limit(&self.state, next);
        let (counts, stride) = match position.place {
            Place::Outer => (self.at.0..=self.at.0, None),
            Place::Second => (self.at.1..=self.at.1, None),
            Place::Inner(stride) => (0..=limit, Some(stride)),
        };
        match (layout.order.len() - depth, stride) {
            (1, Some(_)) => return self.row(next, base, limit, limits),
            (2, Some(_)) if position.instruction == 1 => return self.triangle(depth, base, limit, limits),
            _ => {}
        }
        // the number of states from the first up to a count of `next`
        let up_to = |count: u64| layout.simplex(position.instruction + 1, count) * stride.unwrap_or(1);
        let whole = layout.block_size(self.at.1);
        if let Some(above) = position.above {
            self.decide(depth - 1, above, |ready, exactly| match stride {
                None => {
                    (if exactly { limit - counts.start() == ready } else { limit - counts.start() >= ready })
                        .then_some((0, whole))
                }
                Some(_) => prefix(limit, ready, exactly, up_to).map(|(skip, length)| (base + skip, length)),
            });
        }
        let mut known = None;
        for count in counts {
            self.state[next] = count;
            if let Some(above) = position.above {
                let ready = self.enough(above, limit - count);
                match known {
                    Some((known, _)) if known == ready => {}
                    before => {
                        if let Some((_, mark)) = before {
                            self.undo(above, mark);
                        }
                        known = Some((ready, self.take(above, ready)));
                    }
                }
            }
            let below = stride.map_or(whole, |stride| layout.simplex(position.instruction, count) * stride);
            if position.instruction == 0 {
                self.decide(depth, next, |ready, exactly| {
                    (if exactly { count == ready } else { count >= ready }).then_some((base, below))
                });
                let mark = self.take(next, self.enough(next, count));
                self.node(depth + 1, base, limits)?;
                self.undo(next, mark);
            } else {
                self.node(depth + 1, base, limits)?;
            }
            base += below;
        }
        if let (Some(above), Some((_, mark))) = (position.above, known) {
            self.undo(above, mark);
        }
        Ok(())
    }

    /// The number of ready warps, as far as it makes a difference.
    pub(super) fn enough(&self, position: usize, ready: u64) -> u64 {
        ready.min(self.sigma[self.layout.positions[position].unit])
    }

    /// Applies the choices that are complete once a position, the `place`-th of the order, is decided.
    /// `states` gives the slice in which at least, or exactly, this many warps are ready there.
    pub(super) fn decide(
        &mut self,
        place: usize,
        position: usize,
        states: impl Fn(u64, bool) -> Option<Slice>,
    ) {
        let unit = self.layout.positions[position].unit;
        let side = std::mem::take(&mut self.sides[unit]);
        for &(left, step) in &side.open {
            if let Some(slice) = states(left, false) {
                self.with_other(unit, place, slice, step.and(self.layout.step(&self.state, position, left)));
            }
        }
        if place + 1 >= self.layout.end[unit] {
            for ready in 0..self.sigma[unit].saturating_sub(side.ready) {
                let Some(slice) = states(ready, true) else { continue };
                self.with_other(
                    unit,
                    place,
                    slice,
                    side.all.and(self.layout.step(&self.state, position, ready)),
                );
            }
        }
        self.sides[unit] = side;
    }

    /// Combines a complete choice of a unit with each complete choice of the other, and applies them.
    fn with_other(&mut self, unit: Unit, place: usize, (start, length): Slice, step: Step) {
        let other = unit.other();
        for at in 0..self.sides[other].full.len() {
            self.apply(start, length, step.and(self.sides[other].full[at]));
        }
        if let Some(all) = self.short(other, place) {
            self.apply(start, length, step.and(all));
        }
    }

    /// The choice of all ready warps of a unit, if they are known and too few to fill it.
    pub(super) fn short(&self, unit: Unit, decided: usize) -> Option<Step> {
        let side = &self.sides[unit];
        (decided >= self.layout.end[unit] && side.ready < self.sigma[unit]).then_some(side.all)
    }

    /// Enters the choices at a position where `ready` warps are ready. Returns what [`Self::undo`] needs.
    pub(super) fn take(&mut self, position: usize, ready: u64) -> Mark {
        let unit = self.layout.positions[position].unit;
        let side = &mut self.sides[unit];
        let mark = Mark { full: side.full.len(), open: side.open.len(), ready: side.ready, all: side.all };
        for count in 1..=ready {
            let issue = self.layout.step(&self.state, position, count);
            for at in 0..mark.open {
                let (left, step) = side.open[at];
                if left == count {
                    side.full.push(step.and(issue));
                } else if left > count {
                    side.open.push((left - count, step.and(issue)));
                }
            }
            if count == ready {
                side.all = side.all.and(issue);
            }
        }
        side.ready += ready;
        mark
    }

    pub(super) fn undo(&mut self, position: usize, mark: Mark) {
        let side = &mut self.sides[self.layout.positions[position].unit];
        side.full.truncate(mark.full);
        side.open.truncate(mark.open);
        (side.ready, side.all) = (mark.ready, mark.all);
    }

    /// Keeps, for each state of a slice, the larger of its number and that of the state a step away.
    fn apply(&mut self, start: u64, length: u64, step: Step) {
        if step == Step::NONE {
            return; // this is the final state
        }
        let (start, length) = (index(start), index(length));
        let source = start - index(step.rank);
        let (below, here) = self.own.split_at_mut(start);
        let source = match (step.outer, step.second) {
            (0, 0) => &below[source..source + length],
            _ => {
                &self.table.block((self.at.0 - step.outer, self.at.1 - step.second))[source..source + length]
            }
        };
        larger(&mut here[..length], source, self.cycle);
    }
}

/// The choices of a side before a position was entered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    full: usize,
    open: usize,
    ready: u64,
    all: Step,
}

/// In a node whose next count goes up to `limit`, the states whose count leaves at least or exactly `ready`
/// warps ready at the position above: how many states to skip, and how many there are.
pub(super) fn prefix(limit: u64, ready: u64, exactly: bool, up_to: impl Fn(u64) -> u64) -> Option<Slice> {
    let count = limit.checked_sub(ready)?;
    let skip = if exactly && count > 0 { up_to(count - 1) } else { 0 };
    Some((skip, up_to(count) - skip))
}

/// Replaces each number by one cycle more than that of `after`, where that is larger.
#[inline]
pub(super) fn larger<T: Count>(here: &mut [T], after: &[T], cycle: T) {
    for (value, &after) in here.iter_mut().zip(after) {
        *value = (*value).max(after.plus(cycle));
    }
}
