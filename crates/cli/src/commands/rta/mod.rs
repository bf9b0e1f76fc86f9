//! `warpspan rta`.

#[cfg(feature = "figures")]
mod caution;
mod certificate;
mod exit;
mod graphs;
mod measured;
mod measured_notes;
mod model;
mod notes;
mod processes;
mod processes_reason;
mod reason;
mod run;

#[cfg(feature = "figures")]
pub(crate) use caution::{Seen, caution};
pub(crate) use run::run;
