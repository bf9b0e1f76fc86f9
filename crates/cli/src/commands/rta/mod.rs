//! `warpspan rta`.

mod args;
#[cfg(feature = "figures")]
mod caution;
mod certificate;
mod explain;
mod graphs;
mod graphs_text;
mod measured;
mod model;
mod model_text;
mod notes;
mod processes;
mod processes_reason;
mod processes_text;
mod reason;
mod run;
mod sensitivity;
mod text;

pub(crate) use args::RtaArgs;
#[cfg(feature = "figures")]
pub(crate) use caution::{Seen, caution};
pub(crate) use run::run;
