//! Charts of numbers: lines and points on axes, and grids of coloured cells.

pub(super) mod axis;
mod frame;
pub(super) mod grid;
pub(crate) mod lines;
pub(super) mod marker;
pub(crate) mod series;
