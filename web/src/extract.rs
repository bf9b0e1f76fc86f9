//! The record of `extract`, for the text of a listing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use warpspan::input::{IN_THE_PAPERS_MODEL, NamedMachine, find_machine, machine_of};
use warpspan::listing::{Options, Text, extract as entries};
use warpspan::model::device::{Capability, Preset};
use warpspan::records::extract::{Asked, Entry};
use warpspan::records::{Envelope, Extract as Record};
use warpspan::source::InputError;

use crate::json;
use crate::refusal::Refusal;

/// What is asked of a listing.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Extract {
    listing: String,
    entry: Option<String>,
    warps: Option<u64>,
    warps_per_block: Option<u64>,
    /// A GPU or a compute capability: the bound is one on its machine if the program knows that. Without one it is that of the listing's
    /// own capability.
    gpu: Option<String>,
    /// A compute capability whose letters are counted in the paper's model.
    compute_capability: Option<String>,
    /// Bounds of loops: `LABEL=N`.
    loop_bounds: Vec<String>,
    /// Values of parameters: `NAME=N`.
    params: Vec<String>,
}

/// The record, and what stands behind each bound in the paper's model.
#[derive(Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    record: Envelope<Record>,
    /// `, in the paper's model: no latencies`
    condition: &'static str,
}

impl Extract {
    /// The machine, or else the capability for which letters are counted.
    fn target(&self, text: &Text) -> Result<(Option<NamedMachine>, Option<Capability>), Refusal> {
        let capability = |name: &str| -> Result<Capability, Refusal> {
            name.parse().map_err(|error| format!("compute capability: {error}").into())
        };
        if let Some(name) = &self.compute_capability {
            return Ok((None, Some(capability(name)?)));
        }
        let Some(name) = &self.gpu else {
            let of_listing =
                if self.warps.is_some() { machine_of(text, self.entry.as_deref())? } else { None };
            return Ok((of_listing, None));
        };
        let version = match Preset::named(name) {
            Some(preset) => preset.capability().map_err(|error| error.to_string())?,
            None => capability(name)?,
        };
        // The tables have capabilities of whose latencies nothing is known.
        Ok((find_machine(name).ok(), Some(version)))
    }
}

pub(crate) fn extract(ask: &Extract) -> Result<Value, Refusal> {
    let text = Text::new("the listing", ask.listing.clone().into_bytes())?;
    let (named, capability) = ask.target(&text)?;
    let mut options = Options {
        entry: ask.entry.clone(),
        capability: capability.or_else(|| named.as_ref()?.capability.as_ref()?.parse().ok()),
        machine: named.as_ref().map(|named| Arc::new(named.machine.clone())),
        footprints: named.is_some(),
        explain: true,
        ..Options::default()
    };
    for given in &ask.loop_bounds {
        options.loop_bounds.add(given).map_err(|what| format!("loop bound {given}: {what}"))?;
    }
    for given in &ask.params {
        options.params.add(given).map_err(|what| format!("parameter {given}: {what}"))?;
    }
    let found = entries(&text, &options)?;
    let launch = ask.warps.map(|warps| (warps, ask.warps_per_block));
    let source = text.source_lines();
    let asked =
        launch.map(|(warps, warps_per_block)| Asked { warps, warps_per_block, top: None, source: &source });
    let record = |entry| match &named {
        // The bound is that on the machine alone.
        Some(named) => Entry::new(entry, None, ToString::to_string).with_machine(
            entry,
            named,
            (asked.as_ref(), &source),
            ToString::to_string,
        ),
        None => {
            let record = Entry::new(entry, launch, ToString::to_string);
            match &asked {
                Some(asked) => record.with_source(asked),
                None => record,
            }
        }
    };
    let entries = found.iter().map(record).collect();
    let record = Envelope::new(Record { file: "the listing".to_owned(), entries });
    Ok(json(Answer { record, condition: IN_THE_PAPERS_MODEL })?)
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Self {
        Self::of(&error.message(), &[])
    }
}
