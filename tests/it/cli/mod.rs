//! The command line.

mod barrier_commands;
mod check_claims;
mod compare;
mod declare;
mod files;
mod grids;
mod hostile;
mod machine_schedules;
mod machines;
#[cfg(feature = "figures")]
mod outputs;
mod ptx_commands;
mod solve;
mod text;
