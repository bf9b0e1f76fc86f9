//! The clock of a multiprocessor, which turns cycles into time.

use std::num::NonZeroU64;

use crate::time::{Duration, Millionths, Nanoseconds, decimal};

/// The frequency of a clock, in hertz, 1 or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock(NonZeroU64);

impl Clock {
    /// A clock of this many hertz. There is no clock of 0 hertz.
    pub const fn from_hertz(hertz: u64) -> Option<Self> {
        match NonZeroU64::new(hertz) {
            Some(hertz) => Some(Self(hertz)),
            None => None,
        }
    }

    /// A clock of this many megahertz, given as a decimal number. It is `None` unless that is one or more
    /// whole hertz.
    pub fn from_megahertz(text: &str) -> Option<Self> {
        Self::from_hertz(decimal::read(text, 6).ok()?)
    }

    /// The frequency in hertz.
    pub const fn hertz(self) -> u64 {
        self.0.get()
    }

    /// The frequency in megahertz, as a decimal number.
    pub fn megahertz(self) -> String {
        decimal::write(self.hertz(), 6)
    }

    /// The time that `cycles` take, in grains of which a second has `grains_per_second`, *rounded up*. From
    /// an upper bound on cycles it makes an upper bound on time. It is never a lower bound. The result is
    /// `None` above [`Duration::MAX`].
    fn grains_up(self, cycles: u128, grains_per_second: u64) -> Option<u64> {
        let grains = cycles.checked_mul(grains_per_second.into())?.div_ceil(self.hertz().into());
        u64::try_from(grains).ok().filter(|&grains| grains <= Duration::MAX.0)
    }

    /// The picoseconds that `cycles` take, rounded up: the grains of a unit of time.
    #[doc(hidden)]
    pub fn grains(self, cycles: u128) -> Option<Duration> {
        self.grains_up(cycles, 1_000_000_000_000).map(Duration)
    }

    /// The nanoseconds that `cycles` take, rounded up.
    #[doc(hidden)]
    pub fn nanoseconds(self, cycles: u128) -> Option<Nanoseconds> {
        self.grains_up(cycles, 1_000_000_000).map(Nanoseconds)
    }

    /// The millionths of a microsecond that `cycles` take, rounded up.
    #[doc(hidden)]
    pub fn millionths(self, cycles: u128) -> Option<Millionths> {
        self.grains_up(cycles, 1_000_000_000_000).map(Millionths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn megahertz_are_read_to_the_hertz() {
        for (text, hertz) in
            [("1300.5", Some(1_300_500_000)), ("0.000001", Some(1)), ("1545", Some(1_545_000_000))]
        {
            assert_eq!(Clock::from_megahertz(text).map(Clock::hertz), hertz);
        }
        for text in ["0", "0.0000001", "-1", "fast"] {
            assert_eq!(Clock::from_megahertz(text), None, "{text}");
        }
    }

    #[test]
    fn cycles_are_rounded_up() {
        let clock = Clock::from_hertz(1_300_000_000).unwrap();
        assert_eq!(clock.grains_up(1, 1_000_000_000_000), Some(770));
        assert_eq!(clock.grains_up(13, 1_000_000_000), Some(10));
        assert_eq!(clock.grains_up(14, 1_000_000_000), Some(11));
        assert_eq!(clock.grains_up(u128::MAX, 1_000_000_000), None);
        assert_eq!(Clock::from_hertz(1).unwrap().grains_up(u64::MAX.into(), 1), None);
    }
}
