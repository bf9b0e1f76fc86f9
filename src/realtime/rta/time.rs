//! Time in exact whole numbers, read and written in the unit of the system.

use std::fmt;

use thiserror::Error;

use crate::model::Cycles;

/// A point in time or a length of time, in grains of the system's [`Unit`]: ticks, cycles or picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Time(pub u64);

impl std::ops::Add for Time {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl std::ops::Sub for Time {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl std::ops::Mul<u64> for Time {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0 * times)
    }
}

/// The unit in which a system's times are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unit {
    /// Ticks of nothing in particular; whole.
    #[default]
    Ticks,
    /// Clock cycles of the multiprocessors; whole.
    Cycles,
    /// Nanoseconds, to the picosecond.
    Nanoseconds,
    /// Microseconds, to the picosecond.
    Microseconds,
    /// Milliseconds, to the picosecond.
    Milliseconds,
    /// Seconds, to the picosecond.
    Seconds,
}

/// Why a text is not a time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeError {
    /// Below zero, or no number.
    #[error("want a number, 0 or more")]
    Negative,
    /// More places after the point than the grain has.
    #[error("want {0}")]
    Fraction(&'static str),
    /// Too late.
    #[error("more than 2^62 {0}: want a coarser unit or a smaller number")]
    TooLarge(&'static str),
}

impl Unit {
    /// All units, with their names in files and records.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Ticks, "ticks"),
        (Self::Cycles, "cycles"),
        (Self::Nanoseconds, "ns"),
        (Self::Microseconds, "us"),
        (Self::Milliseconds, "ms"),
        (Self::Seconds, "s"),
    ];

    /// The largest time, so that sums of two cannot overflow.
    pub const MAX: Time = Time(1 << 62);

    /// Its name in files and records.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(unit, _)| *unit == self).map_or("ticks", |(_, name)| name)
    }

    /// Digits after the point: the grain is the unit divided by ten to this power.
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
    pub fn read(self, text: &str) -> Result<Time, TimeError> {
        let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || whole.len() + part.len() == 0 {
            return Err(TimeError::Negative);
        }
        let part = part.trim_end_matches('0');
        let places = self.places();
        if part.len() > places {
            let want = if places == 0 { "a whole number" } else { "a number of whole picoseconds" };
            return Err(TimeError::Fraction(want));
        }
        let grains = format!("{whole}{part:0<places$}").parse::<u64>().ok().map(Time);
        grains.filter(|&time| time <= Self::MAX).ok_or(TimeError::TooLarge(self.grain()))
    }

    /// Writes a time as a decimal number, exactly.
    pub fn write(self, time: Time) -> String {
        let places = self.places();
        let digits = format!("{:0>width$}", time.0, width = places + 1);
        let (whole, part) = digits.split_at(digits.len() - places);
        match part.trim_end_matches('0') {
            "" => whole.to_owned(),
            part => format!("{whole}.{part}"),
        }
    }

    /// Cycles of a clock, rounded up to a grain; `None` if the unit tells no time, no clock is known, or it is too long.
    pub fn of_cycles(self, cycles: Cycles, hertz: Option<u64>) -> Option<Time> {
        let grains = match (self, hertz) {
            (Self::Cycles, _) => u128::from(cycles.0),
            (Self::Ticks, _) | (_, None) => return None,
            (_, Some(hertz)) => (u128::from(cycles.0) * 1_000_000_000_000).div_ceil(u128::from(hertz)),
        };
        u64::try_from(grains).ok().map(Time).filter(|&time| time <= Self::MAX)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (unit, text, grains) in [
            (Unit::Ticks, "15", 15),
            (Unit::Milliseconds, "16.7", 16_700_000_000),
            (Unit::Milliseconds, "0.000000001", 1),
            (Unit::Seconds, "0.4", 400_000_000_000),
            (Unit::Nanoseconds, "6000000000", 6_000_000_000_000),
        ] {
            assert_eq!(unit.read(text), Ok(Time(grains)), "{text}");
            assert_eq!(unit.write(Time(grains)), text);
        }
        assert_eq!(Unit::Cycles.read("1.0"), Ok(Time(1)));
        assert_eq!(Unit::Ticks.read("1.5"), Err(TimeError::Fraction("a whole number")));
        assert_eq!(Unit::Ticks.read("-1"), Err(TimeError::Negative));
        assert_eq!(Unit::Ticks.read(""), Err(TimeError::Negative));
        assert!(matches!(Unit::Nanoseconds.read("0.0001"), Err(TimeError::Fraction(_))));
        assert_eq!(Unit::Seconds.read("99999999999"), Err(TimeError::TooLarge("picoseconds")));
    }

    #[test]
    fn cycles_are_rounded_up() {
        assert_eq!(Unit::Nanoseconds.of_cycles(Cycles(1), Some(1_300_000_000)), Some(Time(770)));
        assert_eq!(Unit::Cycles.of_cycles(Cycles(7), None), Some(Time(7)));
        assert_eq!(Unit::Ticks.of_cycles(Cycles(7), Some(1)), None);
        assert_eq!(Unit::Seconds.of_cycles(Cycles(u64::MAX), Some(1)), None);
    }
}
