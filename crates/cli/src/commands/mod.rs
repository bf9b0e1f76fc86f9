//! The commands: each has its flags in `args`, its work in `run` and what it prints for a person in `text`.

pub(super) mod bound;
pub(super) mod budget;
pub(super) mod check;
pub(super) mod compare;
pub(super) mod completions;
pub(super) mod explain;
pub(super) mod extract;
pub(super) mod gpus;
pub(super) mod init;
pub(super) mod partition;
pub(super) mod prem;
pub(super) mod report;
pub(super) mod rta;
pub(crate) mod schema;
pub(super) mod simulate;
pub(super) mod solve;
pub(super) mod sweep;
pub(super) mod time;
pub(super) mod trace;
pub(super) mod verify;
