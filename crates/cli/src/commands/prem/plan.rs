//! `warpspan prem --plan`: from an image to tiles.

use crate::args::Format;
use crate::document::shown;
use crate::output::print;
use crate::record::line;
use crate::{Exit, Failure};
use warpspan_document::prem::plan::document;
use warpspan_prem::read_plan;
use warpspan_records::PremPlan;

/// Prints the plan of a file.
pub(super) fn run(place: &str, text: &str, format: Format) -> Result<Exit, Failure> {
    let found = PremPlan::from(&read_plan(place, text)?);
    print(&match format {
        Format::Text => shown(&found, document)?,
        Format::Json => line(found)?,
    })?;
    Ok(Exit::Done)
}
