//! Fields of the lines of a `.traceg` file.

use crate::message::shorten;

/// A decimal number.
pub(super) fn number(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| format!("{:?}: want a whole number", shorten(text)))
}

/// Three numbers, as `X,Y,Z` with or without parentheses.
pub(super) fn three(text: &str) -> Result<[u64; 3], String> {
    let inside = text.trim().trim_start_matches('(').trim_end_matches(')');
    let all: Vec<u64> = inside.split(',').map(number).collect::<Result<_, _>>()?;
    all.try_into().map_err(|_| format!("{:?}: want X,Y,Z", shorten(text)))
}
