//! `warpspan gpus`: what is known of each GPU that files may name, and of each compute capability.

use crate::args::Format;
use crate::args::gpus::GpusArgs;
use crate::document::shown;
use crate::output::print;
use crate::record::line;
use crate::{Exit, Failure};
use warpspan_document::gpus::document;
use warpspan_model::device::{CAPABILITIES, Capability, PRESETS, Preset};
use warpspan_records::Gpu;

pub(crate) fn run(args: &GpusArgs) -> Result<Exit, Failure> {
    let names: Vec<&str> =
        args.names.iter().map(|name| Preset::named(name).map_or(name.as_str(), |known| known.name)).collect();
    let asked = |name: &str| names.is_empty() || names.contains(&name);
    let presets: Vec<Preset> = PRESETS.iter().copied().filter(|preset| asked(preset.name)).collect();
    // What a preset has stands in the row of its capability.
    let needed = |version: &str| asked(version) || presets.iter().any(|preset| preset.capability == version);
    let known: Vec<Capability> = CAPABILITIES.iter().copied().filter(|known| needed(known.version)).collect();
    let is_known =
        |name: &str| Preset::named(name).is_some() || CAPABILITIES.iter().any(|known| known.version == name);
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        let (like, versions) = (Preset::like(name), Capability::all());
        return Err(Failure::usage(format!("{name:?} is not known: {like}; or a capability of {versions}")));
    }
    let presets = presets.iter().map(|preset| Gpu::of_preset(preset).map_err(Failure::internal));
    let known = known.iter().map(|known| Gpu::of_capability(known).map_err(Failure::internal));
    let records = presets.chain(known).collect::<Result<Vec<Gpu>, Failure>>()?;
    print(&match args.format {
        Format::Text => shown(&records, |records| document(records))?,
        Format::Json => records.into_iter().map(line).collect::<Result<String, Failure>>()?,
    })?;
    Ok(Exit::Done)
}
