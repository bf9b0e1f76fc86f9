//! The records of `gpus`: presets, then compute capabilities.

use serde_json::Value;
use warpspan::model::device::{CAPABILITIES, PRESETS};
use warpspan::records::{Envelope, Gpu};

use crate::json;

pub(crate) fn gpus() -> Result<Value, String> {
    let presets = PRESETS.iter().map(Gpu::of_preset);
    let known = CAPABILITIES.iter().map(|known| Gpu::of_capability(known).map_err(|error| error.to_string()));
    let records = presets.chain(known).map(|record| Ok(Envelope::new(record?)));
    json(records.collect::<Result<Vec<_>, String>>()?)
}
