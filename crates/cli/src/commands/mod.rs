//! The commands: what each does. Its flags are in `args`, and what it tells a person is in the crate `document`.

// Layers: a module uses only those of the groups above its own.
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod gpus;
pub(crate) mod init;
pub(crate) mod prem;
pub(crate) mod rta;
pub(crate) mod schema;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod time;
pub(crate) mod trace;
pub(crate) mod verify;

pub(crate) mod bound;
pub(crate) mod budget;

pub(crate) mod report;

pub(crate) mod partition;
