//! `warpspan extract`.

mod declare;
mod run;

pub(crate) use run::run;
