//! A time in nanoseconds.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Nanoseconds: a point in time, counted from the start of the schedule, or a length.
///
/// [`TileSet::new`](crate::realtime::prem::TileSet::new) and [`Schedule`](crate::realtime::prem::Schedule) refuse runs longer than
/// [`Ns::LONGEST`]; the release profile panics on overflow all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ns(pub u64);

impl Ns {
    /// No length.
    pub const ZERO: Self = Self(0);
    /// The longest run, about 36 years.
    pub const LONGEST: Self = Self(1 << 60);

    /// The first tick of a timer of this granularity that is not before it.
    #[must_use]
    pub fn up_to(self, timer: Self) -> Self {
        Self(self.0.div_ceil(timer.0) * timer.0)
    }

    /// As a number that may become negative.
    pub(super) fn signed(self) -> i128 {
        i128::from(self.0)
    }
}

impl std::ops::Add for Ns {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl std::ops::Sub for Ns {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl std::ops::Mul<u64> for Ns {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0 * times)
    }
}

impl std::iter::Sum for Ns {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, std::ops::Add::add)
    }
}

impl fmt::Display for Ns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
