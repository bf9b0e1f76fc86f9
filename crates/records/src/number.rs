//! Numbers that are whole where they can be.

use serde::{Deserialize, Deserializer};
use serde_json::Number;

/// A number that is written in decimals: a whole number if it is one. Of at most 15 digits it reads back the same. What a
/// double cannot hold is rounded up, so that a bound is never written too small.
pub(super) fn number(text: &str) -> Number {
    rounded(text, |found, wanted| found < wanted, f64::next_up)
}

/// The same of a lower bound, which is rounded down.
pub(super) fn lower(text: &str) -> Number {
    rounded(text, |found, wanted| found > wanted, f64::next_down)
}

fn rounded(text: &str, is_wrong: fn(&Digits, &Digits) -> bool, next: fn(f64) -> f64) -> Number {
    if let Ok(whole) = text.parse::<u64>() {
        return whole.into();
    }
    let mut real: f64 = text.parse().unwrap_or_default();
    // A reader of JSON takes the decimals that are written, which are the shortest of this double.
    if is_wrong(&digits(&real.to_string()), &digits(text)) {
        real = next(real);
    }
    Number::from_f64(real).unwrap_or_else(|| Number::from(0))
}

/// The number of digits before the point, and all digits without zeros at the ends: these compare as numbers do.
type Digits = (usize, String);

fn digits(text: &str) -> Digits {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = whole.trim_start_matches('0');
    (whole.len(), format!("{whole}{}", fraction.trim_end_matches('0')))
}

/// Reads a whole number into 128 bits; one above 2^64 is refused, since JSON readers round it.
pub(super) fn wide<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
    u64::deserialize(deserializer).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_away_from_what_is_bounded() {
        for text in ["0.1", "0.3", "123456789.012345", "0", "7", "18446744073709551615", "0.000001", "90.5"] {
            assert_eq!((number(text), lower(text)), (text.parse().unwrap(), text.parse().unwrap()), "{text}");
        }
        // Some of these are above their nearest double, and some below.
        for text in
            ["1234567890123.456789", "1234567890123456.7", "9007199254740993.5", "0.1234567890123456789"]
        {
            let written = |number: Number| digits(&number.as_f64().unwrap().to_string());
            assert!(written(lower(text)) <= digits(text) && digits(text) <= written(number(text)), "{text}");
        }
    }
}
