//! `warpspan rta --measured`.

mod notes;
mod run;

pub(super) use run::run;
