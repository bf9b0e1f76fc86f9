//! The compute capability in the name of a target.

/// The capability of a number in a target: `20` is `2.0`, `90a` is `9.0`, `100` is `10.0`.
pub fn capability_of(digits: &str) -> Option<String> {
    let digits = &digits[..digits.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len())];
    let (major, minor) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
    (!major.is_empty() && major.len() < 4).then(|| format!("{major}.{minor}"))
}
