//! `warpspan sweep`.

mod grid;
mod run;

pub(crate) use run::run;
