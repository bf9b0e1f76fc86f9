//! The units in which people write times, and the grain of each.

use num_rational::Ratio;
use thiserror::Error;

use crate::Cycles;
use crate::time::decimal::{self, DecimalError};
use crate::time::{Clock, Duration};
words! {
    /// A unit of time.
    // Times are read and written in it. A grain is a picosecond where the unit is one of time, and otherwise
    // the unit itself.
    #[derive(Hash, Default)]
    TimeUnit {
        /// Ticks of nothing in particular.
        #[default]
        Ticks = "ticks",
        /// Clock cycles.
        Cycles = "cycles",
        /// Nanoseconds.
        Nanoseconds = "ns",
        /// Microseconds.
        Microseconds = "us",
        /// Milliseconds.
        Milliseconds = "ms",
        /// Seconds.
        Seconds = "s",
    }
}

/// Why a text is not a time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeError {
    /// The text is not a number, or the number is below zero.
    #[error("want a number, 0 or more")]
    Negative,
    /// The number has more places after the point than the grain has.
    #[error("want {0}")]
    Fraction(&'static str),
    /// The time exceeds [`Duration::MAX`].
    #[error("more than 2^62 {0}: want a coarser unit or a smaller number")]
    TooLarge(&'static str),
}

/// Grains in a second, for the units of time.
const PICOSECONDS: u64 = 1_000_000_000_000;

impl TimeUnit {
    /// The number of digits after the point: the grain is the unit divided by ten to this power.
    fn places(self) -> usize {
        match self {
            Self::Ticks | Self::Cycles => 0,
            Self::Nanoseconds => 3,
            Self::Microseconds => 6,
            Self::Milliseconds => 9,
            Self::Seconds => 12,
        }
    }

    fn grain(self) -> &'static str {
        match self {
            Self::Ticks => "ticks",
            Self::Cycles => "cycles",
            _ => "picoseconds",
        }
    }

    /// Reads a decimal number, exactly.
    ///
    /// # Errors
    /// If it is negative, finer than the grain or too large.
    pub fn read(self, text: &str) -> Result<Duration, TimeError> {
        let grains = decimal::read(text.trim(), self.places()).map_err(|error| match error {
            DecimalError::NotANumber => TimeError::Negative,
            DecimalError::TooFine if self.places() == 0 => TimeError::Fraction("a whole number"),
            DecimalError::TooFine => TimeError::Fraction("a number of whole picoseconds"),
            DecimalError::TooLarge => TimeError::TooLarge(self.grain()),
        });
        let time = grains.map(Duration)?;
        if time <= Duration::MAX { Ok(time) } else { Err(TimeError::TooLarge(self.grain())) }
    }

    /// Writes a time as a decimal number, exactly.
    pub fn write(self, time: Duration) -> String {
        decimal::write(time.0, self.places())
    }

    /// The time that `cycles` take, *rounded up* to a grain as [`Clock::grains`] does. Cycles counted in
    /// cycles are exact and need no clock. The result is `None` if the unit is not one of time, the clock is
    /// not known, or the time exceeds [`Duration::MAX`].
    #[doc(hidden)]
    pub fn time_up(self, cycles: Cycles, clock: Option<Clock>) -> Option<Duration> {
        match self {
            Self::Cycles => Some(Duration(cycles.0)).filter(|&time| time <= Duration::MAX),
            Self::Ticks => None,
            _ => clock?.grains(cycles.0.into()),
        }
    }

    /// The exact number of grains that a cycle takes. The result is `None` if the unit is not one of time, or
    /// the clock is not known.
    #[doc(hidden)]
    pub fn grains_per_cycle(self, clock: Option<Clock>) -> Option<Ratio<u128>> {
        match self {
            Self::Cycles => Some(Ratio::from(1)),
            Self::Ticks => None,
            _ => Some(Ratio::new(PICOSECONDS.into(), clock?.hertz().into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (unit, text, grains) in [
            (TimeUnit::Ticks, "15", 15),
            (TimeUnit::Milliseconds, "16.7", 16_700_000_000),
            (TimeUnit::Milliseconds, "0.000000001", 1),
            (TimeUnit::Seconds, "0.4", 400_000_000_000),
            (TimeUnit::Nanoseconds, "6000000000", 6_000_000_000_000),
        ] {
            assert_eq!(unit.read(text), Ok(Duration(grains)), "{text}");
            assert_eq!(unit.write(Duration(grains)), text);
        }
        assert_eq!(TimeUnit::Cycles.read("1.0"), Ok(Duration(1)));
        assert_eq!(TimeUnit::Ticks.read("1.5"), Err(TimeError::Fraction("a whole number")));
        assert_eq!(TimeUnit::Ticks.read("-1"), Err(TimeError::Negative));
        assert_eq!(TimeUnit::Ticks.read(""), Err(TimeError::Negative));
        assert!(matches!(TimeUnit::Nanoseconds.read("0.0001"), Err(TimeError::Fraction(_))));
        assert_eq!(TimeUnit::Seconds.read("99999999999"), Err(TimeError::TooLarge("picoseconds")));
        assert_eq!(TimeUnit::Ticks.read("4611686018427387905"), Err(TimeError::TooLarge("ticks")));
    }

    #[test]
    fn cycles_are_rounded_up() {
        let clock = Clock::from_hertz;
        let time = |unit: TimeUnit, cycles, hertz| unit.time_up(Cycles(cycles), clock(hertz));
        assert_eq!(time(TimeUnit::Nanoseconds, 1, 1_300_000_000), Some(Duration(770)));
        assert_eq!(time(TimeUnit::Cycles, 7, 0), Some(Duration(7)));
        assert_eq!(time(TimeUnit::Ticks, 7, 1), None);
        assert_eq!(time(TimeUnit::Seconds, u64::MAX, 1), None);
        assert_eq!(time(TimeUnit::Seconds, 1, 0), None);
    }
}
