//! The tick, the smallest time of partitions: a millionth of the unit that the user's times are in.
//!
//! The user chooses the unit (a millisecond, a cycle), and nothing here depends on it. Execution times are
//! rounded up to ticks, and periods and deadlines must be given in whole ticks, so no rounding can hide a
//! missed deadline.

use std::str::FromStr;

use warpspan_model::Cycles;
use warpspan_model::time::{Clock, Millionths, decimal};

/// The number of ticks in a unit of time.
const TICKS: u64 = 1_000_000;
/// The number of digits after the point.
const DIGITS: usize = 6;
/// The number of ticks in a second, where the unit is a microsecond.
const TICKS_PER_SECOND: u64 = 1_000_000_000_000;

/// The longest time, 10^9 units. It keeps the sums of all tests below 2^63.
pub const LONGEST: Millionths = Millionths(1_000_000_000 * TICKS);

/// The factor by which conflict lengthens an execution time (k of Si21 section 3.6.1), in millionths; at
/// least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Factor(u64);

/// A time of so many units, rounded up to a tick; [`LONGEST`] where that is more, and 0 where it is negative.
pub(super) fn from_units_up(units: f64) -> Millionths {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..10^15")]
    let ticks = (units * 1e6).ceil().clamp(0.0, 1e15) as u64;
    Millionths(ticks)
}

impl Factor {
    /// The factor that changes nothing.
    pub const ONE: Self = Self(TICKS);

    /// A factor of so many millionths, which must be at least a million.
    pub const fn from_millionths(millionths: u64) -> Option<Self> {
        if millionths < TICKS { None } else { Some(Self(millionths)) }
    }

    /// A time multiplied by this factor, rounded up; `None` above [`LONGEST`].
    pub fn times(self, time: Millionths) -> Option<Millionths> {
        quotient_up(u128::from(time.0) * u128::from(self.0), u128::from(TICKS))
    }
}

/// The time k * (a / m + b), rounded up (Si21 section 3.6.1); `None` above [`LONGEST`].
pub(super) fn amdahl(a: Millionths, b: Millionths, k: Factor, multiprocessors: u64) -> Option<Millionths> {
    let serial = u128::from(b.0) * u128::from(multiprocessors);
    let work = serial.checked_add(a.0.into())?;
    let parts = u128::from(TICKS) * u128::from(multiprocessors);
    quotient_up(work.checked_mul(u128::from(k.0))?, parts)
}

/// The time of so many cycles in microseconds, rounded up to a tick; `None` above [`LONGEST`].
pub(super) fn of_cycles_up(cycles: u128, clock: Clock) -> Option<Millionths> {
    clock.millionths(cycles).filter(|&time| time <= LONGEST)
}

/// The time of so many cycles in microseconds, rounded down to a tick: a lower end where the cycles are one.
pub fn of_cycles_down(cycles: Cycles, clock: Clock) -> Millionths {
    let ticks = u128::from(cycles.0) * u128::from(TICKS_PER_SECOND) / u128::from(clock.hertz());
    Millionths(u64::try_from(ticks).unwrap_or(u64::MAX))
}

fn quotient_up(number: u128, by: u128) -> Option<Millionths> {
    let time = Millionths(u64::try_from(number.div_ceil(by)).ok()?);
    (time <= LONGEST).then_some(time)
}

/// What a text must be to be read as a number of millionths.
const WANT: &str = "want a number from 0 to 1000000000 with at most 6 digits after the point";

fn millionths(text: &str) -> Result<u64, String> {
    // A number without digits before the point could be read, but is refused.
    let number = decimal::read(text, DIGITS).ok().filter(|_| !text.starts_with('.'));
    number.filter(|&number| number <= LONGEST.0).ok_or_else(|| WANT.to_owned())
}

/// Reads a decimal number of units.
///
/// # Errors
/// If it is not a number, if it is longer than [`LONGEST`], or if it is finer than a tick.
pub fn read_time(text: &str) -> Result<Millionths, String> {
    millionths(text).map(Millionths)
}

/// Writes a time as a decimal number of units, exactly.
pub fn write_time(time: Millionths) -> String {
    decimal::write(time.0, DIGITS)
}

impl std::fmt::Display for Factor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&decimal::write(self.0, DIGITS))
    }
}

impl FromStr for Factor {
    type Err = String;

    /// Reads a decimal number that is 1 or more.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::from_millionths(millionths(text)?).ok_or_else(|| "want 1 or more".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_read_exactly_and_execution_rounds_up() {
        for (text, ticks) in [("0", 0), ("37.5", 37_500_000), ("0.000001", 1), ("12.500000000", 12_500_000)] {
            assert_eq!(read_time(text), Ok(Millionths(ticks)), "{text}");
        }
        for text in ["", ".5", "-1", "1e3", "0.0000001", "1000000001", "nan", "99999999999999999999"] {
            assert!(read_time(text).is_err(), "{text}");
        }
        assert!("0.999999".parse::<Factor>().is_err());
        assert_eq!(write_time(Millionths(37_500_000)), "37.5");
        let time = |text: &str| read_time(text).unwrap();
        // 2.3 * (10 / 3 + 1) = 9.9666..., 1 * (1 / 3) = 0.3333...
        assert_eq!(amdahl(time("10"), time("1"), "2.3".parse().unwrap(), 3).unwrap(), time("9.966667"));
        assert_eq!(amdahl(time("1"), time("0"), Factor::ONE, 3).unwrap(), time("0.333334"));
        assert_eq!(amdahl(LONGEST, Millionths(1), Factor::ONE, 1), None);
        let clock = Clock::from_megahertz("1500").unwrap();
        assert_eq!(of_cycles_up(3001, clock).unwrap(), time("2.000667"));
        assert_eq!(from_units_up(0.1), time("0.1"));
        assert_eq!(from_units_up(f64::INFINITY), LONGEST);
        assert_eq!("1.2".parse::<Factor>().unwrap().times(time("3")), Some(time("3.6")));
    }
}
