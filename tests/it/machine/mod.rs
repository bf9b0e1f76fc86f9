//! Machines: judge, bounds and engines against an oracle that shares no code with them.

mod account;
pub(crate) mod blocks;
mod bounds;
mod claims;
mod climb;
mod exact;
mod formulas;
mod grids;
#[cfg(feature = "highs")]
mod ilp;
mod known;
mod memory;
mod named;
pub(crate) mod oracle;
mod orders;
mod own;
mod policies;
mod presets;
mod programs;
pub(crate) mod random;
mod registers;
mod spread;
mod totals;
