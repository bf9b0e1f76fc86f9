//! The dense sweep, which computes the cycles left of every state in the order of their numbers.
//!
//! The recurrence is `f(state) = 1 + max over the choices of f(state after it)`, and 0 once all warps have
//! finished. Blocks whose two numbers have the same sum are computed in parallel. Each block depends only on
//! the blocks below it and on its own beginning, so the result is the same for any number of threads.

use crate::states::block::Block;
use crate::states::layout::{Layout, Step};
use crate::states::{Extreme, Meter};
use warpspan_model::Instance;
use warpspan_model::limits::{Limits, Stop};

/// A type for cycle counts: u8, u16 or u32. Sums wrap, because a check for overflow would slow the loops
/// down. The type is chosen so that no makespan exceeds it.
pub(super) trait Count: Copy + Ord + Default + Send + Sync + Into<u64> {
    const MOST: Self;
    fn plus(self, other: Self) -> Self;
    fn one() -> Self;
}

macro_rules! count {
    ($($integer:ty),*) => {$(
        impl Count for $integer {
            const MOST: Self = Self::MAX;
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn one() -> Self {
                1
            }
        }
    )*};
}
count!(u8, u16, u32);

impl Extreme {
    /// What the table holds for the final state, and what a cycle adds. The cycles left count up from 0, or,
    /// for the best case, down from the type's largest number. In both cases the number of a state is the
    /// largest over its choices.
    pub(super) fn origin_and_cycle<T: Count>(self) -> (T, T) {
        match self {
            Self::Worst => (T::default(), T::one()),
            Self::Best => (T::MOST, T::MOST), // adding the largest number takes one away
        }
    }
}

/// The cycles left of every state.
pub(super) struct Table<T> {
    /// For each sum of the two numbers of a block, the blocks with that sum one after the other, by rising
    /// first numbers.
    fronts: Vec<Vec<T>>,
    /// For each front, the first number of its first block, and where each block begins.
    starts: Vec<(u64, Vec<usize>)>,
    extreme: Extreme,
}

/// Fronts with fewer states than this are done by one thread.
const FRONT: usize = 1 << 16;

impl<T: Count> Table<T> {
    /// Computes the table, in the memory of another if there is one. The meter is told of each finished
    /// block.
    pub(super) fn sweep(
        instance: &Instance,
        layout: &Layout,
        extreme: Extreme,
        other: Option<Self>,
        limits: &Limits,
        meter: &Meter<'_>,
    ) -> Result<Self, Stop> {
        let mut memory = other.into_iter().flat_map(|other| other.fronts);
        let most = layout.warps[0];
        let mut table = Self { fronts: Vec::new(), starts: Vec::new(), extreme };
        for sum in 0..=most + layout.second_most(most) {
            let outers = (0..=most.min(sum)).filter(|&outer| sum - outer <= layout.second_most(outer));
            let sizes: Vec<(u64, usize)> =
                outers.map(|outer| (outer, index(layout.block_size(sum - outer)))).collect();
            let mut front = match memory.next() {
                Some(mut front) => {
                    front.fill(T::default());
                    front
                }
                None => vec![T::default(); sizes.iter().map(|&(_, size)| size).sum()],
            };
            let (mut rest, mut blocks, mut starts, mut start) = (&mut front[..], Vec::new(), Vec::new(), 0);
            for &(outer, size) in &sizes {
                let (block, others) = rest.split_at_mut(size);
                blocks.push((outer, block));
                starts.push(start);
                (rest, start) = (others, start + size);
            }
            let block = |(outer, own): (u64, &mut [T])| {
                let states = own.len() as u64;
                Block::new(instance, layout, &table, extreme, (outer, sum - outer), own).compute(limits)?;
                meter.states(states);
                limits.stopped().map_or(Ok(()), Err)
            };
            let done: Vec<Result<(), Stop>> = if start < FRONT {
                blocks.into_iter().map(block).collect()
            } else {
                limits.side_by_side(blocks, block)
            };
            done.into_iter().collect::<Result<(), Stop>>()?;
            table.fronts.push(front);
            table.starts.push((sizes.first().map_or(0, |&(outer, _)| outer), starts));
        }
        Ok(table)
    }

    /// The numbers of a block in the table, and those that follow it.
    pub(super) fn block(&self, (outer, second): (u64, u64)) -> &[T] {
        let front = index(outer + second);
        let (first, starts) = &self.starts[front];
        &self.fronts[front][starts[index(outer - first)]..]
    }

    /// The cycles left in the state that a step leads to from the given number.
    pub(super) fn after(&self, (outer, second): (u64, u64), rank: u64, step: Step) -> u64 {
        self.left(self.block((outer - step.outer, second - step.second))[index(rank - step.rank)])
    }

    /// The cycles left in the state in which no warp has issued, which is the last one.
    pub(super) fn start(&self) -> u64 {
        let last = self.fronts.last().and_then(|front| front.last());
        self.left(*last.expect("a table has a state"))
    }

    fn left(&self, held: T) -> u64 {
        match self.extreme {
            Extreme::Worst => held.into(),
            Extreme::Best => T::MOST.into() - held.into(),
        }
    }
}

/// A number of states as an index. The memory estimate has refused what would not fit.
pub(super) fn index(value: u64) -> usize {
    usize::try_from(value).expect("tables that do not fit in memory are refused")
}
