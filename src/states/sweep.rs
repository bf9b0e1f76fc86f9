//! The dense sweep: the cycles left of every state, in the order of their numbers.
//!
//! `f(state) = 1 + max over the choices of f(state after it)`, and 0 once all warps have finished. Blocks whose two numbers
//! have the same sum are computed side by side; each block from the blocks below it and from its own beginning, so the
//! result is the same for any number of threads.
//!
//! Within a block the first count of the last group changes fastest. Along such a *row* the choices are the same wherever
//! at least sigma warps stand at both ends of that count, so there the row is computed as one: a maximum of shifted rows
//! below. The few states at the ends go one by one, by the definition.

use std::ops::Add;

use rayon::prelude::*;

use crate::limits::{Limits, Stop};
use crate::model::Instance;
use crate::states::choices::{Choices, Step};
use crate::states::layout::Layout;

/// A type for cycle counts: u8, u16 or u32.
pub(super) trait Count:
    Copy + Ord + Default + Send + Sync + From<u8> + Into<u64> + Add<Output = Self>
{
}
impl<T: Copy + Ord + Default + Send + Sync + From<u8> + Into<u64> + Add<Output = T>> Count for T {}

/// Which extreme of the makespan is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extreme {
    Worst,
    Best,
}

/// The cycles left of every state: by the first and second number of the block, then by rank.
pub(super) struct Table<T> {
    blocks: Vec<Vec<Vec<T>>>,
}

impl<T: Count> Table<T> {
    /// Computes the table; `done` is told of the states of each finished block.
    pub(super) fn sweep(
        instance: &Instance,
        layout: &Layout,
        extreme: Extreme,
        limits: &Limits,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, Stop> {
        let most = layout.warps[0];
        let mut table = Self { blocks: (0..=most).map(|_| Vec::new()).collect() };
        for sum in 0..=most + layout.second_most(most) {
            let front: Vec<(u64, u64)> = (0..=most.min(sum))
                .map(|outer| (outer, sum - outer))
                .filter(|&(outer, second)| second <= layout.second_most(outer))
                .collect();
            let block = |&(outer, second): &(u64, u64)| match limits.stopped() {
                Some(stop) => Err(stop),
                None => {
                    let block =
                        Block::new(instance, layout, extreme, &table, (outer, second)).compute(limits)?;
                    done(block.len() as u64);
                    Ok(block)
                }
            };
            let blocks: Vec<Vec<T>> = front.par_iter().map(block).collect::<Result<_, Stop>>()?;
            for ((outer, _), block) in front.into_iter().zip(blocks) {
                table.blocks[index(outer)].push(block); // fronts come with rising second numbers
            }
        }
        Ok(table)
    }

    /// The cycles left in the state that a step leads to from the given number.
    pub(super) fn after(&self, (outer, second): (u64, u64), rank: u64, step: Step) -> T {
        self.blocks[index(outer - step.outer)][index(second - step.second)][index(rank - step.rank)]
    }

    /// The cycles left in the last state of all, where no warp has issued.
    pub(super) fn start(&self) -> u64 {
        let last = self.blocks.last().and_then(|blocks| blocks.last()).and_then(|block| block.last());
        last.copied().map_or(0, Into::into)
    }
}

/// Rows after which a block looks at the limits again.
const ROWS_A_LOOK: u64 = 1 << 12;

struct Block<'a, T> {
    layout: &'a Layout,
    extreme: Extreme,
    table: &'a Table<T>,
    at: (u64, u64),
    choices: Choices<'a>,
    sigma: (u64, u64), // of the fastest position, and of the one after it (0 if there is none)
    wheels: Vec<usize>,
    state: Vec<u64>,
    own: Vec<T>,
    steps: Vec<Step>,
}

impl<'a, T: Count> Block<'a, T> {
    fn new(
        instance: &'a Instance,
        layout: &'a Layout,
        extreme: Extreme,
        table: &'a Table<T>,
        at: (u64, u64),
    ) -> Self {
        let mut state = vec![0; layout.positions.len()];
        let last = layout.last_of_first();
        state[last] = at.0;
        if last > 0 {
            state[last - 1] = at.1;
        }
        let wheels = layout.wheels();
        let sigma = |position: usize| instance.sigma(layout.positions[position].unit);
        let sigma = wheels
            .first()
            .map_or((1, 1), |&fastest| (sigma(fastest), layout.positions[fastest].above.map_or(0, sigma)));
        let own = vec![T::default(); index(layout.block_size(at.1))];
        let choices = Choices::new(instance, layout);
        Self { layout, extreme, table, at, choices, sigma, wheels, state, own, steps: Vec::new() }
    }

    fn compute(mut self, limits: &Limits) -> Result<Vec<T>, Stop> {
        let mut base = 0; // rank of the row's first state
        for row in 1_u64.. {
            if row.is_multiple_of(ROWS_A_LOOK)
                && let Some(stop) = limits.stopped()
            {
                return Err(stop);
            }
            let Some(&fastest) = self.wheels.first() else {
                self.single(0);
                break;
            };
            let limit = self.layout.limit(&self.state, fastest);
            self.row(fastest, base, limit);
            base += limit + 1;
            if !self.turn() {
                break;
            }
        }
        Ok(self.own)
    }

    /// Moves to the next row; false after the last.
    fn turn(&mut self) -> bool {
        self.state[self.wheels[0]] = 0;
        for at in 1..self.wheels.len() {
            let wheel = self.wheels[at];
            if self.state[wheel] < self.layout.limit(&self.state, wheel) {
                self.state[wheel] += 1;
                return true;
            }
            self.state[wheel] = 0;
        }
        false
    }

    fn row(&mut self, fastest: usize, base: u64, limit: u64) {
        let (low, high) = self.sigma;
        let inner = limit.saturating_sub(high) + 1; // first state at the upper end
        let (first, end) = if low < inner && limit >= high { (low, inner) } else { (limit + 1, limit + 1) };
        for count in (0..first.min(limit + 1)).chain(end..=limit) {
            if count == end {
                self.middle(fastest, base, first, end);
            }
            self.state[fastest] = count;
            self.single(base + count);
        }
        if end > limit {
            self.middle(fastest, base, first, end);
        }
    }

    /// One state, by the definition.
    fn single(&mut self, rank: u64) {
        if self.state.iter().all(|&count| count == 0) {
            return; // all warps have finished: 0 cycles
        }
        let mut value: Option<T> = None;
        let (at, own, table, extreme) = (self.at, &self.own, self.table, self.extreme);
        self.choices.each(&self.state, &mut |_, step| {
            let after = match (step.outer, step.second) {
                (0, 0) => own[index(rank - step.rank)],
                _ => table.after(at, rank, step),
            };
            value = Some(value.map_or(after, |value| pick(extreme, value, after)));
        });
        self.own[index(rank)] = value.unwrap_or_default() + T::from(1);
    }

    /// The states of a row from `first` to before `end`, which all have the same choices.
    fn middle(&mut self, fastest: usize, base: u64, first: u64, end: u64) {
        if first >= end {
            return;
        }
        self.state[fastest] = first;
        let steps = &mut self.steps;
        steps.clear();
        self.choices.each(&self.state, &mut |_, step| steps.push(step));
        let start = base + first;
        let length = index(end - first);
        let (below, here) = self.own.split_at_mut(index(start));
        let here = &mut here[..length];
        let mut within = None; // the step that stays in the row, if there is one
        let mut written = false;
        for step in &self.steps {
            let own = (step.outer, step.second) == (0, 0);
            if own && step.rank <= first {
                within = Some(index(step.rank));
                continue;
            }
            let source = index(start - step.rank);
            let source = match own {
                true => &below[source..source + length],
                false => {
                    let (outer, second) = (self.at.0 - step.outer, self.at.1 - step.second);
                    &self.table.blocks[index(outer)][index(second)][source..source + length]
                }
            };
            match (written, self.extreme) {
                (false, _) => here.copy_from_slice(source),
                (true, Extreme::Worst) => here.iter_mut().zip(source).for_each(|(a, &b)| *a = (*a).max(b)),
                (true, Extreme::Best) => here.iter_mut().zip(source).for_each(|(a, &b)| *a = (*a).min(b)),
            }
            written = true;
        }
        let one = T::from(1);
        match within {
            None => here.iter_mut().for_each(|value| *value = *value + one),
            Some(back) => {
                for at in index(start)..index(start) + length {
                    let before = self.own[at - back];
                    let value = if written { pick(self.extreme, self.own[at], before) } else { before };
                    self.own[at] = value + one;
                }
            }
        }
    }
}

fn pick<T: Ord>(extreme: Extreme, a: T, b: T) -> T {
    match extreme {
        Extreme::Worst => a.max(b),
        Extreme::Best => a.min(b),
    }
}

/// A number of states as an index; the memory estimate has refused what would not fit.
pub(super) fn index(value: u64) -> usize {
    usize::try_from(value).expect("tables that do not fit in memory are refused")
}
