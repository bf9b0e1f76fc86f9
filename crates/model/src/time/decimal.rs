//! Decimal numbers with a fixed number of digits after the point, read and written without rounding.

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
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || whole.len() + part.len() == 0 {
        return Err(DecimalError::NotANumber);
    }
    let part = part.trim_end_matches('0');
    if part.len() > places {
        return Err(DecimalError::TooFine);
    }
    format!("{whole}{part:0<places$}").parse().map_err(|_| DecimalError::TooLarge)
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
    }

    #[test]
    fn what_is_no_such_decimal_is_refused() {
        for text in ["", ".", "-1", "1e3", "nan", "1.2.3", " 1"] {
            assert_eq!(read(text, 3), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(read("0.0001", 3), Err(DecimalError::TooFine));
        assert_eq!(read("99999999999999999999", 0), Err(DecimalError::TooLarge));
        assert_eq!(read("18446744073709551.616", 3), Err(DecimalError::TooLarge));
    }
}
