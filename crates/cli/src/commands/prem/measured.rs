//! `warpspan prem --measured`: measured times compared with the schedule and its bound.

use std::path::Path;

use crate::args::Format;
use crate::document::answer;
use crate::{Exit, Failure};
use warpspan_document::prem::measured::document;
use warpspan_model::source::{InputError, name, text_of};
use warpspan_prem::{Execution, Schedule, compare, read_measured};
use warpspan_records::PremMeasured;

/// Reads the measured times and prints them with those of the schedule. The exit code is 5 if they refute the bound, or
/// what it assumes; 3 if there is no bound.
pub(super) fn run(
    path: &Path,
    schedule: &Schedule,
    execution: Option<Execution>,
    format: Format,
) -> Result<Exit, Failure> {
    let place = name(path);
    let measured = read_measured(&place, &text_of(path, "measured times, in JSON")?)?;
    let compared = compare(&measured, schedule, execution).map_err(|what| InputError::new(&place, what))?;
    let found = PremMeasured::new(&compared, schedule);
    let exit = match found.execution_ns {
        _ if found.exceeds || found.breaks => Exit::Refuted,
        None => Exit::Limit,
        Some(_) => Exit::Done,
    };
    answer(format, found, document)?;
    Ok(exit)
}
