//! Machines: judge, bounds and engines against an oracle that shares no code with them.

mod known;
pub(crate) mod oracle;
mod presets;
pub(crate) mod random;
