//! `warpspan solve`.

mod certificate;
mod engine;
mod run;
mod schedules;

pub(crate) use run::{run, takes};
