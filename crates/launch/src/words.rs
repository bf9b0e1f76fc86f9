//! Numbers as texts have them.

use std::fmt::Display;

use warpspan_model::time::decimal;

/// A number of things: `1 warp`, `2 warps`.
pub fn several<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// Nanoseconds in the largest unit of which there is one or more, exactly.
pub fn time(nanoseconds: u64) -> String {
    let write = |places: usize| decimal::write(nanoseconds, places);
    match nanoseconds {
        0..1_000 => format!("{nanoseconds} ns"),
        1_000..1_000_000 => format!("{} us", write(3)),
        1_000_000..1_000_000_000 => format!("{} ms", write(6)),
        _ => format!("{} s", write(9)),
    }
}
