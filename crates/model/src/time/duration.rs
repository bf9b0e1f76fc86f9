//! Lengths of time, each type in a unit of its own.

use serde::{Deserialize, Serialize};

/// The longest length that is read or converted. The sum of two of them still fits.
const MOST: u64 = 1 << 62;

/// The result of a checked operation on lengths of time.
#[track_caller]
fn exact(result: Option<u64>, operation: &str) -> u64 {
    match result {
        Some(length) => length,
        None => panic!("{operation} of durations left the range of 64 bits"),
    }
}

/// Declares types of lengths; none can be added to, or compared with, one of another type.
macro_rules! lengths {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        ///
        /// Lengths can be added, subtracted and multiplied by a number, but not by each other. Every operator is
        /// checked and panics, in every profile, rather than give a wrong number. Readers of times accept at most
        /// `MAX`, so that the sum of two times that were read never panics.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// The length zero.
            pub const ZERO: Self = Self(0);
            /// The longest length that is read or converted. The sum of two of them still fits.
            pub const MAX: Self = Self(MOST);

            /// The first multiple of `step` that is not shorter. It is the length itself if the step is zero.
            #[must_use]
            #[doc(hidden)]
            pub fn round_up_to(self, step: Self) -> Self {
                if step == Self::ZERO { self } else { step * self.0.div_ceil(step.0) }
            }

            /// The length as a number that subtraction may make negative.
            #[doc(hidden)]
            pub fn signed(self) -> i128 {
                i128::from(self.0)
            }
        }

        impl std::ops::Add for $name {
            type Output = Self;
            #[track_caller]
            fn add(self, other: Self) -> Self {
                Self(exact(self.0.checked_add(other.0), "the sum"))
            }
        }

        impl std::ops::Sub for $name {
            type Output = Self;
            #[track_caller]
            fn sub(self, other: Self) -> Self {
                Self(exact(self.0.checked_sub(other.0), "the difference"))
            }
        }

        impl std::ops::Mul<u64> for $name {
            type Output = Self;
            #[track_caller]
            fn mul(self, times: u64) -> Self {
                Self(exact(self.0.checked_mul(times), "the multiple"))
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(lengths: I) -> Self {
                lengths.fold(Self::ZERO, std::ops::Add::add)
            }
        }
    )+};
}

lengths! {
    /// A length of time in grains; a point in time is its distance from the start. A grain is a picosecond, or the
    /// unit itself where that is none of time ([`TimeUnit`](crate::time::TimeUnit)).
    Duration
    /// A length of time in nanoseconds: of tiles, and in what other programs write.
    Nanoseconds
    /// A length of time in millionths of a unit that only the user knows: of tasks on partitions. Where cycles become
    /// times, the unit is a microsecond, and a millionth of it a picosecond.
    Millionths
}

impl Nanoseconds {
    /// The grains of the same length in a unit of time; `None` above [`Duration::MAX`].
    #[doc(hidden)]
    pub fn grains(self) -> Option<Duration> {
        self.0.checked_mul(1000).map(Duration).filter(|&time| time <= Duration::MAX)
    }

    /// The millionths of the same length where the unit is a microsecond; `None` above [`Millionths::MAX`].
    #[doc(hidden)]
    pub fn millionths(self) -> Option<Millionths> {
        self.grains().map(|time| Millionths(time.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_add_up_and_round_up() {
        let parts = [Duration(3), Duration(4)];
        assert_eq!(parts.into_iter().sum::<Duration>(), Duration(7));
        assert_eq!(Duration(7) - Duration(3), Duration(4));
        assert_eq!(Duration(7) * 3, Duration(21));
        for (length, step, up) in [(0, 160, 0), (1, 160, 160), (160, 160, 160), (161, 160, 320), (5, 0, 5)] {
            assert_eq!(Duration(length).round_up_to(Duration(step)), Duration(up));
        }
    }

    #[test]
    #[should_panic(expected = "the difference of durations left the range")]
    fn no_length_is_negative() {
        let _ = Duration(1) - Duration(2);
    }

    #[test]
    #[should_panic(expected = "the multiple of durations left the range")]
    fn no_length_wraps() {
        let _ = Duration::MAX * 4;
    }
}
