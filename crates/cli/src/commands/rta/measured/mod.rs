//! `warpspan rta --measured`.

mod run;
mod text;

pub(super) use run::run;
