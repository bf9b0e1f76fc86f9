//! What proves each number of a record, by the kind of the record.

mod analyses;
mod instances;
mod line;
mod listings;
mod plans;

use crate::Body;
use crate::verify::Verify;

impl Body for Verify {
    const SCHEMA: &'static str = "warpspan/verify/2";
}
