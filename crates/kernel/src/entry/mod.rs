//! Bounds of the entries of listings: as numbers, as expressions, on a machine, and line by line.

mod bound;
mod on_machine;
mod symbolic;

pub use bound::{Share, bound, shares};
pub use on_machine::account;
pub use symbolic::{Symbolic, symbolic};
