//! Machines: judge, bounds and engines against an oracle that shares no code with them.

mod own;
