//! The command line.

mod accept;
mod barrier_commands;
mod budget;
mod check_claims;
mod compare;
mod compare_launches;
mod declare;
mod documents;
mod embedded;
mod files;
mod grids;
mod hostile;
mod identity;
mod init;
mod junit;
mod machine_schedules;
mod machines;
#[cfg(all(unix, feature = "figures"))]
mod no_room;
#[cfg(feature = "figures")]
mod outputs;
mod ptx_commands;
mod sarif;
mod several;
mod solve;
mod spread;
mod terminal;
mod text;
