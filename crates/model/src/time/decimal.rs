//! Decimal numbers with a fixed number of digits after the point, read and written without rounding.

use num_rational::Ratio;

/// Why a text is not a decimal number of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalError {
    /// The text has no digits, or a character that is neither a digit nor the point.
    NotANumber,
    /// The number has more digits after the point than `places`, not counting zeros at the end.
    TooFine,
    /// The number exceeds 64 bits.
    TooLarge,
}

/// The number times ten to the power of `places`: `read("16.7", 3)` is 16700.
///
/// # Errors
/// If the text is not a number of 0 or more, or is too fine or too large.
pub fn read(text: &str, places: usize) -> Result<u64, DecimalError> {
    let (whole, part) = digits(text)?;
    let part = part.trim_end_matches('0');
    if part.len() > places {
        return Err(DecimalError::TooFine);
    }
    format!("{whole}{part:0<places$}").parse().map_err(|_| DecimalError::TooLarge)
}

/// The number itself, which may have an exponent: `exact("1.5e-3")` is 3/2000.
///
/// # Errors
/// If the text is not a number of 0 or more, or has too many digits.
pub fn exact(text: &str) -> Result<Ratio<u128>, DecimalError> {
    let (text, exponent) = match text.split_once(['e', 'E']) {
        Some((text, exponent)) => (text, exponent.parse::<i32>().map_err(|_| DecimalError::NotANumber)?),
        None => (text, 0),
    };
    let (whole, part) = digits(text)?;
    let number: u128 = format!("{whole}{part}").parse().map_err(|_| DecimalError::TooLarge)?;
    let power = i32::try_from(part.len()).ok().and_then(|places| exponent.checked_sub(places));
    let power = power.filter(|power| power.unsigned_abs() <= 30).ok_or(DecimalError::TooLarge)?;
    let scale = 10_u128.pow(power.unsigned_abs());
    if power < 0 {
        return Ok(Ratio::new(number, scale));
    }
    number.checked_mul(scale).map(Ratio::from).ok_or(DecimalError::TooLarge)
}

/// The digits before and behind the point.
fn digits(text: &str) -> Result<(&str, &str), DecimalError> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = digits(whole) && digits(part) && whole.len() + part.len() > 0;
    if is_number { Ok((whole, part)) } else { Err(DecimalError::NotANumber) }
}

/// The inverse of [`read`], without zeros at the end: `write(16700, 3)` is `16.7`.
pub fn write(number: u64, places: usize) -> String {
    let digits = format!("{number:0>width$}", width = places.saturating_add(1));
    let (whole, part) = digits.split_at(digits.len() - places);
    match part.trim_end_matches('0') {
        "" => whole.to_owned(),
        part => format!("{whole}.{part}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (text, places, number) in
            [("15", 0, 15), ("16.7", 9, 16_700_000_000), ("0.000001", 6, 1), ("0.4", 12, 400_000_000_000)]
        {
            assert_eq!(read(text, places), Ok(number), "{text}");
            assert_eq!(write(number, places), text);
        }
        assert_eq!(read("1.50", 1), Ok(15));
        assert_eq!(read(".5", 1), Ok(5));
        for (text, number) in [("17", (17, 1)), ("2.50", (5, 2)), ("1e3", (1000, 1)), ("1.5E-3", (3, 2000))] {
            assert_eq!(exact(text), Ok(Ratio::from(number)), "{text}");
        }
    }

    #[test]
    fn what_is_no_such_decimal_is_refused() {
        for text in ["", ".", "-1", "1e3", "nan", "1.2.3", " 1"] {
            assert_eq!(read(text, 3), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(read("0.0001", 3), Err(DecimalError::TooFine));
        for text in ["x", "e3", "1e", "-1", "1e1.5"] {
            assert_eq!(exact(text), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(exact("1e300"), Err(DecimalError::TooLarge));
        assert_eq!(read("99999999999999999999", 0), Err(DecimalError::TooLarge));
        assert_eq!(read("18446744073709551.616", 3), Err(DecimalError::TooLarge));
    }
}
