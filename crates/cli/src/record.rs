//! Records as lines.

use serde::Serialize;

use crate::Failure;
use crate::arguments;
use crate::instances::Place;
use warpspan_records::{self as records, Body, Envelope};

/// A record as a line, with the place that it is about.
pub(super) fn line_of<R: Body + Serialize>(place: &Place, record: R) -> Result<String, Failure> {
    let place = records::Place { file: place.file.clone(), line: place.line };
    written(&Envelope::new(record).asked_by(arguments()).at(place))
}

/// A record as a line.
pub(super) fn line<R: Body + Serialize>(record: R) -> Result<String, Failure> {
    written(&Envelope::new(record).asked_by(arguments()))
}

fn written(record: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(record).map(|text| text + "\n").map_err(Failure::internal)
}
