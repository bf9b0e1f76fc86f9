//! Integers that compilers write as two 16-bit floating-point numbers: `HFMA2.MMA R0, -RZ, RZ, 0, 5.96e-08`
//! is 1, the least positive one.

/// The word of two such numbers, the upper half first.
pub fn half_words(upper: &str, lower: &str) -> Option<u32> {
    Some(u32::from(half(upper)?) << 16 | u32::from(half(lower)?))
}

/// The bits of a 16-bit floating-point number that stands in decimal digits, if it is one exactly.
fn half(text: &str) -> Option<u16> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None; // an infinity or no number
    }
    let value: f64 = digits.parse().ok()?;
    let found = (0..0x7c00_u16).find(|&bits| number(bits).to_bits() == value.to_bits())?;
    // The sum of a negative zero and a zero of either sign is a zero of that sign.
    Some(found | if text.starts_with('-') { 0x8000 } else { 0 })
}

/// The number of non-negative finite bits, which is exact in 64 bits.
fn number(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10), f64::from(bits & 0x3ff));
    match exponent {
        0 => fraction * 2_f64.powi(-24),
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_ptxas_writes() {
        assert_eq!(half_words("0", "0"), Some(0));
        assert_eq!(half_words("0", "2.384185791015625e-07"), Some(4));
        assert_eq!(half_words("0", "5.9604644775390625e-08"), Some(1));
        // 0x3f800000 is 1.0 in 32 bits: its upper half is 1.875 in 16 bits.
        assert_eq!(half_words("1.875", "0"), Some(0x3f80_0000));
        assert_eq!(half_words("0", "1e-30"), None);
        assert_eq!(half_words("+INF", "0"), None);
    }
}
