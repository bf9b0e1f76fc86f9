//! Machines: judge, bounds and engines against an oracle that shares no code with them.

mod exact;
#[cfg(feature = "highs")]
mod ilp;
mod known;
pub(crate) mod oracle;
mod own;
mod policies;
pub(crate) mod random;
