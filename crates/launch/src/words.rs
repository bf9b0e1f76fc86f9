//! Numbers as texts have them.

use std::fmt::Display;

pub use warpspan_model::time::in_largest_unit as time;

/// A number of things: `1 warp`, `2 warps`.
pub fn several<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {what}{plural}")
}
