//! A percentage as users write it, exact.

use std::str::FromStr;

use num_traits::ToPrimitive;
use thiserror::Error;

use warpspan_engines::phase::Rational;

/// By how many percent a bound may rise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Percent(pub(super) Rational);

/// What is no percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("want a percentage such as 5% or 0.5%")]
pub struct PercentError;

impl Percent {
    /// The number for a person to read.
    pub(super) fn number(self) -> Option<f64> {
        self.0.to_f64()
    }
}

impl FromStr for Percent {
    type Err = PercentError;

    fn from_str(text: &str) -> Result<Self, PercentError> {
        let number = text.strip_suffix('%').ok_or(PercentError)?.trim();
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let digits = format!("{whole}{part}");
        if digits.is_empty() || digits.len() > 12 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(PercentError);
        }
        let length = u32::try_from(part.len()).map_err(|_| PercentError)?;
        let scale = 10_i128.checked_pow(length).ok_or(PercentError)?;
        Ok(Self(Rational::new(digits.parse().map_err(|_| PercentError)?, scale)))
    }
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
