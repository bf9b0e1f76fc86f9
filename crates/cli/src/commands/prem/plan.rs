//! `warpspan prem --plan`: from an image to tiles.

use crate::args::Format;
use crate::document::answer;
use crate::{Exit, Failure};
use warpspan_document::prem::plan::document;
use warpspan_prem::read_plan;
use warpspan_records::PremPlan;

/// Prints the plan of a file.
pub(super) fn run(place: &str, text: &str, format: Format) -> Result<Exit, Failure> {
    let found = PremPlan::from(&read_plan(place, text)?);
    answer(format, found, document)?;
    Ok(Exit::Done)
}
