//! `warpspan time`.

mod evt;
mod question;
mod run;

pub(crate) use run::{answer, ending, run};
