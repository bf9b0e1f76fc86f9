//! The record of `extract`, for the text of a listing.

use serde::Deserialize;
use serde_json::Value;
use warpspan::listing::{Options, Text, extract as entries};
use warpspan::records::extract::{Asked, Entry};
use warpspan::records::{Envelope, Extract as Record};

use crate::json;

/// What is asked of a listing.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Extract {
    listing: String,
    entry: Option<String>,
    warps: Option<u64>,
    warps_per_block: Option<u64>,
    compute_capability: Option<String>,
    /// Bounds of loops: `LABEL=N`.
    loop_bounds: Vec<String>,
    /// Values of parameters: `NAME=N`.
    params: Vec<String>,
}

pub(crate) fn extract(ask: &Extract) -> Result<Value, String> {
    let capability = ask.compute_capability.as_deref().map(str::parse).transpose();
    let mut options = Options {
        entry: ask.entry.clone(),
        capability: capability.map_err(|error| format!("compute capability: {error}"))?,
        explain: true,
        ..Options::default()
    };
    for given in &ask.loop_bounds {
        options.loop_bounds.add(given).map_err(|what| format!("loop bound {given}: {what}"))?;
    }
    for given in &ask.params {
        options.params.add(given).map_err(|what| format!("parameter {given}: {what}"))?;
    }
    let text =
        Text::new("the listing", ask.listing.clone().into_bytes()).map_err(|error| error.to_string())?;
    let found = entries(&text, &options).map_err(|error| error.to_string())?;
    let launch = ask.warps.map(|warps| (warps, ask.warps_per_block));
    let source = text.source_lines();
    let record = |entry| {
        let record = Entry::new(entry, launch, ToString::to_string);
        match launch {
            Some((warps, warps_per_block)) => {
                record.with_source(&Asked { warps, warps_per_block, top: None, source: &source })
            }
            None => record,
        }
    };
    let entries = found.iter().map(record).collect();
    json(Envelope::new(Record { file: "the listing".to_owned(), entries }))
}
