//! Times: whole ticks, a millionth of the unit that the user's times are in.
//!
//! The unit itself is the user's choice (a millisecond, a cycle); nothing here depends on it. Execution times are rounded
//! up to ticks, periods and deadlines must be given in whole ticks, so that no rounding favours a deadline.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Ticks in a unit of time.
const TICKS: u64 = 1_000_000;
/// Digits after the point.
const DIGITS: usize = 6;

/// A length of time, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(u64);

/// The factor by which conflict lengthens an execution time (k of Si21 section 3.6.1), in millionths; at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Factor(u64);

impl Time {
    /// The longest period: 10^9 units. It keeps the sums of all tests below 2^63.
    pub const LONGEST: Self = Self(1_000_000_000 * TICKS);

    /// So many ticks.
    pub const fn from_ticks(ticks: u64) -> Self {
        Self(ticks)
    }

    /// In ticks.
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// So many units, rounded up to a tick; [`LONGEST`](Self::LONGEST) where that is more, 0 where it is negative.
    pub fn from_units_up(units: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..10^15")]
        let ticks = (units * 1e6).ceil().clamp(0.0, 1e15) as u64;
        Self(ticks)
    }

    /// The time times a factor, rounded up; `None` above [`LONGEST`](Self::LONGEST).
    pub fn times(self, factor: Factor) -> Option<Self> {
        scaled(u128::from(self.0) * u128::from(factor.0), u128::from(TICKS))
    }
}

impl Factor {
    /// No change.
    pub const ONE: Self = Self(TICKS);

    /// So many millionths, at least a million of them.
    pub const fn from_millionths(millionths: u64) -> Option<Self> {
        if millionths < TICKS { None } else { Some(Self(millionths)) }
    }
}

/// k * (a / m + b), rounded up (Si21 section 3.6.1); `None` above [`Time::LONGEST`].
pub(super) fn amdahl(a: Time, b: Time, k: Factor, multiprocessors: u64) -> Option<Time> {
    let work = u128::from(a.0) + u128::from(b.0) * u128::from(multiprocessors);
    let parts = u128::from(TICKS) * u128::from(multiprocessors);
    scaled(work.checked_mul(u128::from(k.0))?, parts)
}

/// So many cycles at a clock of so many MHz (in millionths), in microseconds, rounded up.
pub(super) fn of_cycles(cycles: u128, clock: Time) -> Option<Time> {
    scaled(cycles.checked_mul(u128::from(TICKS) * u128::from(TICKS))?, u128::from(clock.0))
}

fn scaled(number: u128, by: u128) -> Option<Time> {
    let time = Time(u64::try_from(number.div_ceil(by)).ok()?);
    (time <= Time::LONGEST).then_some(time)
}

/// Why a text is not a number of millionths.
const WANT: &str = "want a number from 0 to 1000000000 with at most 6 digits after the point";

fn millionths(text: &str) -> Result<u64, String> {
    let wrong = || WANT.to_owned();
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let part = part.trim_end_matches('0');
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 10 || part.len() > DIGITS || !digits(whole) || !digits(part) {
        return Err(wrong());
    }
    let number: u64 = format!("{whole}{part:0<DIGITS$}").parse().map_err(|_| wrong())?;
    if number > Time::LONGEST.0 { Err(wrong()) } else { Ok(number) }
}

impl FromStr for Time {
    type Err = String;

    /// Reads a decimal number of units.
    fn from_str(text: &str) -> Result<Self, String> {
        millionths(text).map(Self)
    }
}

impl FromStr for Factor {
    type Err = String;

    /// Reads a decimal number, 1 or more.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::from_millionths(millionths(text)?).ok_or_else(|| "want 1 or more".to_owned())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:0DIGITS$}", self.0 / TICKS, self.0 % TICKS);
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Time {
    /// As a number of units; one of at most 15 digits, so it reads back the same.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(TICKS) {
            return serializer.serialize_u64(self.0 / TICKS);
        }
        serializer.serialize_f64(self.to_string().parse().unwrap_or(f64::NAN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_read_exactly_and_execution_rounds_up() {
        for (text, ticks) in [("0", 0), ("37.5", 37_500_000), ("0.000001", 1), ("12.500000000", 12_500_000)] {
            assert_eq!(text.parse::<Time>().unwrap(), Time(ticks), "{text}");
        }
        for text in ["", ".5", "-1", "1e3", "0.0000001", "1000000001", "nan", "99999999999999999999"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
        assert!("0.999999".parse::<Factor>().is_err());
        assert_eq!(Time(37_500_000).to_string(), "37.5");
        let time = |text: &str| text.parse::<Time>().unwrap();
        // 2.3 * (10 / 3 + 1) = 9.9666..., 1 * (1 / 3) = 0.3333...
        assert_eq!(amdahl(time("10"), time("1"), "2.3".parse().unwrap(), 3).unwrap(), time("9.966667"));
        assert_eq!(amdahl(time("1"), time("0"), Factor::ONE, 3).unwrap(), time("0.333334"));
        assert_eq!(amdahl(Time::LONGEST, Time(1), Factor::ONE, 1), None);
        assert_eq!(of_cycles(3001, time("1500")).unwrap(), time("2.000667"));
        assert_eq!(Time::from_units_up(0.1), time("0.1"));
        assert_eq!(Time::from_units_up(f64::INFINITY), Time::LONGEST);
        assert_eq!(time("3").times("1.2".parse().unwrap()), Some(time("3.6")));
    }
}
