//! Machines: judge, bounds and engines against an oracle that shares no code with them.

mod exact;
#[cfg(feature = "highs")]
mod ilp;
mod bounds;
mod climb;
mod formulas;
mod grids;
mod known;
mod named;
pub(crate) mod oracle;
mod own;
mod policies;
mod programs;
mod presets;
pub(crate) mod random;
