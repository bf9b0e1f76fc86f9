//! The cycles left of every state, by its number.

use crate::states::Extreme;
use crate::states::layout::Step;

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
    pub(super) fronts: Vec<Vec<T>>,
    /// For each front, the first number of its first block, and where each block begins.
    pub(super) starts: Vec<(u64, Vec<usize>)>,
    pub(super) extreme: Extreme,
}

impl<T: Count> Table<T> {
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
