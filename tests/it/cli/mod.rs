//! The command line.

mod barrier_commands;
mod check_claims;
mod files;
mod grids;
mod machines;
mod ptx_commands;
mod solve;
mod text;
