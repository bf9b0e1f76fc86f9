//! Numbers that are whole where they can be.

use serde::{Deserialize, Deserializer};
use serde_json::Number;

/// A number that is written in decimals: a whole number if it is one. Of at most 15 digits it reads back the
/// same.
pub(super) fn number(text: &str) -> Number {
    let real = || Number::from_f64(text.parse().unwrap_or_default());
    text.parse::<u64>().ok().map(Number::from).or_else(real).unwrap_or_else(|| Number::from(0))
}

/// Reads a whole number into 128 bits; one above 2^64 is refused, since JSON readers round it.
pub(super) fn wide<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
    u64::deserialize(deserializer).map(Into::into)
}
