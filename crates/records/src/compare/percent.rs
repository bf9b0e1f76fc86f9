//! A percentage as users write it, exact.

use std::str::FromStr;

use num_rational::Ratio;
use num_traits::ToPrimitive;
use thiserror::Error;

use warpspan_engines::phase::Rational;
use warpspan_model::time::decimal;

/// By how many percent a bound may rise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Percent(pub(crate) Rational);

/// What is no percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("want a percentage such as 5% or 0.5%")]
pub struct PercentError;

impl Percent {
    /// The number for a person to read.
    pub(crate) fn number(self) -> Option<f64> {
        self.0.to_f64()
    }
}

impl FromStr for Percent {
    type Err = PercentError;

    fn from_str(text: &str) -> Result<Self, PercentError> {
        let number = text.strip_suffix('%').ok_or(PercentError)?.trim();
        let is_short = number.bytes().filter(u8::is_ascii_digit).count() <= 12;
        let value = decimal::exact(number).ok().filter(|_| is_short && !number.contains(['e', 'E']));
        rational(value.ok_or(PercentError)?).map(Self).ok_or(PercentError)
    }
}

/// The same number with room for signs.
pub(crate) fn rational(value: Ratio<u128>) -> Option<Rational> {
    Some(Rational::new(i128::try_from(*value.numer()).ok()?, i128::try_from(*value.denom()).ok()?))
}

/// The difference in percent of the old number, if that is above 0. It is for a person to read; comparisons are in whole
/// ratios.
pub(crate) fn in_percent(old: Rational, new: Rational) -> Option<f64> {
    let part = |number: Rational| number.to_f64().unwrap_or_default();
    (old > Rational::default()).then(|| part(new - old) / part(old) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages() {
        let percent = |text: &str| text.parse::<Percent>().map(|percent| percent.0);
        assert_eq!(percent("5%"), Ok(Rational::from(5)));
        assert_eq!(percent("0.25 %"), Ok(Rational::new(1, 4)));
        assert_eq!(percent("0%"), Ok(Rational::default()));
        for wrong in ["5", "%", ".%", "-5%", "1e2%", "5%%", "1234567890123%"] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
    }
}
