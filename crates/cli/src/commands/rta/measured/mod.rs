//! `warpspan rta --measured`.

mod notes;
mod run;
mod text;

pub(super) use run::run;
