//! A number of clock cycles.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number of clock cycles: a makespan, a bound on one, or the index of a cycle (from 1).
///
/// The limits of [`Instance`](crate::Instance) keep every bound of this crate below 2^63. The release
/// profile panics on overflow all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cycles(pub u64);

impl std::ops::Add for Cycles {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl std::iter::Sum for Cycles {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), std::ops::Add::add)
    }
}

impl fmt::Display for Cycles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
