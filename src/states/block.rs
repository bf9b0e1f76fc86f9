//! One block of the table, by slices.
//!
//! The states of a block are visited as a tree: a node fixes the counts of the slowest positions, and its states are one
//! slice of the block. Of a choice, the part that concerns positions whose ready warps are known there is a [`Partial`].
//! As soon as a choice is whole, it is the same for every state of a node, or for those with enough ready warps at
//! one more position, which are a slice too; it leads to a slice as long further down, and the larger of the two, number by
//! number, is kept. So most states are never looked at one by one.

use crate::limits::{Limits, Stop};
use crate::model::{Instance, PerUnit, Unit};
use crate::states::Extreme;
use crate::states::layout::{Layout, Place, Step};
use crate::states::rows::Row;
use crate::states::sweep::{Count, Table, index};

/// Issues at the positions decided so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partial {
    /// Warps that a unit could still take.
    pub(super) left: PerUnit<u64>,
    /// Whether all the unit's ready warps issue so far.
    pub(super) all: PerUnit<bool>,
    pub(super) step: Step,
}

/// Nodes of at most so many states are done by slices: larger ones would not stay in the cache.
pub(super) const SLICE: u64 = 1 << 13;
pub(super) struct Block<'a, T> {
    pub(super) layout: &'a Layout,
    pub(super) table: &'a Table<T>,
    pub(super) at: (u64, u64),
    pub(super) cycle: T,
    pub(super) sigma: PerUnit<u64>,
    pub(super) state: Vec<u64>,
    pub(super) own: &'a mut [T],
    pub(super) partials: Vec<Vec<Partial>>, // by depth in the tree
    pub(super) rows: Vec<Row>,
    pub(super) triangles: u64,
}

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
        let state = vec![0; layout.positions.len()];
        let mut partials = vec![Vec::new(); layout.order.len() + 1];
        partials[0].push(Partial { left: sigma, all: PerUnit::from_fn(|_| true), step: Step::NONE });
        Self { layout, table, at, cycle, sigma, state, own, partials, rows: Vec::new(), triangles: 0 }
    }

    pub(super) fn compute(mut self, limits: &Limits) -> Result<(), Stop> {
        self.node(0, 0, limits)
    }

    /// Whether nothing is left to decide on a unit once `decided` positions are.
    fn settled(&self, partial: &Partial, unit: Unit, decided: usize) -> bool {
        partial.left[unit] == 0 || (partial.all[unit] && decided >= self.layout.end[unit])
    }

    /// The states with the counts of the first `depth` positions of the order fixed, the first of them at `base`.
    fn node(&mut self, depth: usize, base: u64, limits: &Limits) -> Result<(), Stop> {
        let layout = self.layout;
        let Some(&next) = layout.order.get(depth) else {
            for at in 0..self.partials[depth].len() {
                self.apply(base, 1, self.partials[depth][at].step);
            }
            return Ok(());
        };
        let to_go = layout.order.len() - depth;
        let inner = |position: usize| matches!(layout.positions[position].place, Place::Inner(_));
        if to_go == 1 && inner(next) {
            let limit = layout.limit(&self.state, next);
            self.rows(depth, base, limit..=limit);
            self.within(layout.positions[next].above, base, limit..=limit);
            return Ok(());
        }
        let pending = layout.positions[next].above;
        let limit = layout.limit(&self.state, next);
        let (range, inner) = match layout.positions[next].place {
            Place::Outer => (self.at.0..=self.at.0, None),
            Place::Second => (self.at.1..=self.at.1, None),
            Place::Inner(stride) => (0..=limit, Some(stride)),
        };
        let instruction = layout.positions[next].instruction;
        let below = |count: u64| layout.simplex(instruction + 1, count) * inner.unwrap_or(1);
        let slices = inner.is_some() && below(limit) <= SLICE;
        if slices {
            self.slices(depth, base, limit, &below);
        }
        if to_go == 2 && inner.is_some() && instruction == 1 {
            return self.triangle(depth, base, limit, limits);
        }
        let (mut base, mut known) = (base, None);
        for count in range {
            self.state[next] = count;
            let above = pending.map_or(0, |above| self.enough(above, limit - count));
            let own = if instruction == 0 { self.enough(next, count) } else { 0 };
            if known != Some((above, own)) {
                self.extend(depth, (above, own), slices);
                known = Some((above, own));
            }
            if !self.partials[depth + 1].is_empty() {
                self.node(depth + 1, base, limits)?;
            }
            if let Some(stride) = inner {
                base += layout.simplex(instruction, count) * stride;
            }
        }
        Ok(())
    }

    /// As many of the ready warps as make a difference.
    pub(super) fn enough(&self, position: usize, ready: u64) -> u64 {
        ready.min(self.sigma[self.layout.positions[position].unit])
    }

    /// Applies the choices that are whole for a node, or as soon as the pending position is decided.
    fn slices(&mut self, depth: usize, base: u64, limit: u64, below: &dyn Fn(u64) -> u64) {
        let pending = self.layout.positions[self.layout.order[depth]].above;
        let decided = depth - usize::from(pending.is_some());
        for at in 0..self.partials[depth].len() {
            let partial = self.partials[depth][at];
            if Unit::ALL.iter().all(|&unit| self.settled(&partial, unit, decided)) {
                self.apply(base, below(limit), partial.step);
            } else if let Some(above) = pending {
                let unit = self.layout.positions[above].unit;
                for count in 0..=partial.left[unit].min(limit) {
                    match self.settles(&partial, above, count, decided) {
                        None => {}
                        Some(Needs::AtLeast) => {
                            self.apply(base, below(limit - count), self.step(partial.step, above, count));
                        }
                        Some(Needs::Exactly) => {
                            let skipped = if count < limit { below(limit - count - 1) } else { 0 };
                            let length = below(limit - count) - skipped;
                            self.apply(base + skipped, length, self.step(partial.step, above, count));
                        }
                    }
                }
            }
        }
    }

    /// Whether a choice is whole with `count` issues at the pending position, and how many ready warps it needs there.
    fn settles(&self, partial: &Partial, pending: usize, count: u64, decided: usize) -> Option<Needs> {
        let unit = self.layout.positions[pending].unit;
        let others = Unit::ALL.iter().all(|&other| other == unit || self.settled(partial, other, decided));
        if !others {
            None
        } else if partial.left[unit] == count {
            Some(Needs::AtLeast)
        } else {
            (partial.all[unit] && decided + 1 >= self.layout.end[unit]).then_some(Needs::Exactly)
        }
    }

    pub(super) fn step(&self, step: Step, position: usize, count: u64) -> Step {
        step.and(self.layout.step(&self.state, position, count))
    }

    /// The partial choices of a node's child, by the ready warps at the position pending so far and, if it is the first
    /// instruction, the child's own; without those that [`Self::slices`] has applied.
    pub(super) fn extend(&mut self, depth: usize, (above, own): (u64, u64), sliced: bool) {
        let next = self.layout.order[depth];
        let first = self.layout.positions[next].instruction == 0;
        let mut target = std::mem::take(&mut self.partials[depth + 1]);
        target.clear();
        for partial in &self.partials[depth] {
            match self.layout.positions[next].above {
                None if first => self.issue(partial, depth, own, &mut |_, partial| target.push(partial)),
                None => {
                    if !(sliced && Unit::ALL.iter().all(|&unit| self.settled(partial, unit, depth))) {
                        target.push(*partial);
                    }
                }
                Some(pending) => {
                    if sliced && Unit::ALL.iter().all(|&unit| self.settled(partial, unit, depth - 1)) {
                        continue;
                    }
                    self.issue(partial, depth - 1, above, &mut |count, extended| {
                        if sliced && self.settles(partial, pending, count, depth - 1).is_some() {
                        } else if first {
                            self.issue(&extended, depth, own, &mut |_, partial| target.push(partial));
                        } else {
                            target.push(extended);
                        }
                    });
                }
            }
        }
        self.partials[depth + 1] = target;
    }

    /// Decides the position at a place of the order: any number of its ready warps issue.
    fn issue(&self, partial: &Partial, place: usize, ready: u64, visit: &mut impl FnMut(u64, Partial)) {
        let position = self.layout.order[place];
        let unit = self.layout.positions[position].unit;
        for count in 0..=ready.min(partial.left[unit]) {
            let mut extended = *partial;
            extended.left[unit] -= count;
            extended.all[unit] &= count == ready;
            // a unit that leaves a ready warp behind must find its fill further on
            let dead = extended.left[unit] > 0 && !extended.all[unit] && place + 1 >= self.layout.end[unit];
            if !dead {
                extended.step = self.step(partial.step, position, count);
                visit(count, extended);
            }
        }
    }

    /// Keeps, for each of some states in a row of ranks, the larger of its number and that of the state a step away.
    fn apply(&mut self, start: u64, length: u64, step: Step) {
        if step == Step::NONE {
            return; // the final state
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
        let cycle = self.cycle;
        for (value, &after) in here[..length].iter_mut().zip(source) {
            *value = (*value).max(after.plus(cycle));
        }
    }
}

/// Ready warps that a choice needs at the position that makes it whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    AtLeast,
    Exactly,
}
