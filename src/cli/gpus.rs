//! `warpspan gpus`: what is known of each GPU that files may name, and of each compute capability.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::cli::args::{Format, GpusArgs};
use crate::cli::output::print;
use crate::cli::record::line;
use crate::cli::{Exit, Failure};
use crate::model::Unit;
use crate::model::device::{Between, CAPABILITIES, Capability, PRESETS, Preset, WARP};

/// One object of `--format json`: a preset, or a compute capability.
#[derive(Serialize)]
struct Record {
    schema: &'static str,
    version: &'static str,
    kind: &'static str,
    name: &'static str,
    /// What is sold under the name; of a preset.
    title: Option<&'static str>,
    compute_capability: &'static str,
    /// Of a preset.
    multiprocessors: Option<u64>,
    multiprocessor: UnitsRecord,
    source: &'static str,
    assumed: String,
    /// The same of the capability of a preset, where its units are from.
    capability_source: &'static str,
    capability_assumed: String,
}

/// What one multiprocessor has. `least` and `most` differ where the sources leave it open; sigmas are those of the least.
#[derive(Serialize)]
struct UnitsRecord {
    load_store_units: Range,
    cuda_cores: u64,
    sigma_l: String,
    sigma_c: String,
    threads: u64,
    warps: u64,
    blocks: Range,
    registers: u64,
    registers_per_block: u64,
    registers_per_thread: u64,
    shared_memory: u64,
    shared_memory_per_block: u64,
    reserved_shared_memory: u64,
}

#[derive(Serialize)]
struct Range {
    least: u64,
    most: u64,
}

impl From<Between> for Range {
    fn from(Between { least, most }: Between) -> Self {
        Self { least, most }
    }
}

pub(super) fn run(args: &GpusArgs) -> Result<Exit, Failure> {
    let asked = |name: &str| args.names.is_empty() || args.names.iter().any(|asked| asked == name);
    let presets: Vec<Preset> = PRESETS.into_iter().filter(|preset| asked(preset.name)).collect();
    // What a preset has stands in the row of its capability.
    let needed = |version: &str| asked(version) || presets.iter().any(|preset| preset.capability == version);
    let known: Vec<Capability> = CAPABILITIES.into_iter().filter(|known| needed(known.version)).collect();
    let is_known = |name: &&String| {
        PRESETS.iter().any(|preset| preset.name == **name)
            || CAPABILITIES.iter().any(|known| known.version == **name)
    };
    if let Some(name) = args.names.iter().find(|name| !is_known(name)) {
        let (names, versions) = (Preset::all(), Capability::all());
        return Err(Failure::usage(format!("{name:?} is not known: want one of {names}, {versions}")));
    }
    print(&match args.format {
        Format::Text => text(&presets, &known)?,
        Format::Json => {
            let records = presets.iter().map(of_preset).chain(known.iter().map(of_capability));
            records.map(|record| line(&record?)).collect::<Result<String, Failure>>()?
        }
    })?;
    Ok(Exit::Done)
}

fn of_preset(preset: &Preset) -> Result<Record, Failure> {
    let capability = preset.capability().map_err(Failure::internal)?;
    Ok(Record {
        kind: "preset",
        name: preset.name,
        title: Some(preset.title),
        multiprocessors: Some(preset.multiprocessors),
        source: preset.source,
        assumed: preset.assumed.to_owned(),
        ..of_capability(&capability)?
    })
}

fn of_capability(capability: &Capability) -> Result<Record, Failure> {
    let resident = capability.resident;
    let [sigma_l, sigma_c] = sigmas(capability)?;
    Ok(Record {
        schema: "warpspan/gpus/1",
        version: env!("CARGO_PKG_VERSION"),
        kind: "compute-capability",
        name: capability.version,
        title: None,
        compute_capability: capability.version,
        multiprocessors: None,
        multiprocessor: UnitsRecord {
            load_store_units: capability.load_store_units.into(),
            cuda_cores: capability.cuda_cores,
            sigma_l,
            sigma_c,
            threads: resident.warps * WARP,
            warps: resident.warps,
            blocks: resident.blocks.into(),
            registers: resident.registers,
            registers_per_block: resident.registers_per_block,
            registers_per_thread: resident.registers_per_thread,
            shared_memory: resident.shared_memory,
            shared_memory_per_block: resident.shared_memory_per_block,
            reserved_shared_memory: resident.reserved_shared_memory,
        },
        source: capability.source,
        assumed: capability.assumed.to_string(),
        capability_source: capability.source,
        capability_assumed: capability.assumed.to_string(),
    })
}

fn sigmas(capability: &Capability) -> Result<[String; 2], Failure> {
    let multiprocessor = capability.multiprocessor().map_err(Failure::internal)?;
    Ok([Unit::LoadStore, Unit::CudaCore].map(|unit| multiprocessor.sigma(unit).to_string()))
}

fn between(Between { least, most }: Between) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

fn text(presets: &[Preset], known: &[Capability]) -> Result<String, Failure> {
    let mut out = String::new();
    if !presets.is_empty() {
        let mut table = table(&["preset", "is", "capability", "multiprocessors"], 3);
        for preset in presets {
            let count = preset.multiprocessors.to_string();
            table.add_row([preset.name, preset.title, preset.capability, &count]);
        }
        let _ = writeln!(out, "presets of [gpu]; a preset has what its capability has\n\n{table}\n");
        for preset in presets {
            notes(&mut out, preset.name, preset.source, preset.assumed);
        }
        out.push('\n');
    }
    if !known.is_empty() {
        let header = [
            "capability",
            "load/store",
            "cores",
            "sigma_l",
            "sigma_c",
            "warps",
            "blocks",
            "registers",
            "of a block",
            "shared KiB",
            "of a block",
        ];
        let mut table = table(&header, 1);
        for capability in known {
            let resident = capability.resident;
            let [sigma_l, sigma_c] = sigmas(capability)?;
            table.add_row([
                capability.version.to_owned(),
                between(capability.load_store_units),
                capability.cuda_cores.to_string(),
                sigma_l,
                sigma_c,
                resident.warps.to_string(),
                between(resident.blocks),
                resident.registers.to_string(),
                resident.registers_per_block.to_string(),
                (resident.shared_memory >> 10).to_string(),
                (resident.shared_memory_per_block >> 10).to_string(),
            ]);
        }
        let _ = writeln!(
            out,
            "compute capabilities: one multiprocessor; sigmas are those of the fewest load/store units\n\n{table}\n"
        );
        for capability in known {
            notes(&mut out, capability.version, capability.source, &capability.assumed.to_string());
        }
        let _ = writeln!(
            out,
            "\nnote        what is resident is from the CUDA Programming Guide, \"Compute Capabilities\"; docs/gpus.md has the addresses"
        );
    }
    Ok(out)
}

fn table(header: &[&str], words: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(header);
    for column in table.column_iter_mut().skip(words) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn notes(out: &mut String, name: &str, source: &str, assumed: &str) {
    let _ = writeln!(out, "{name:<20}  source   {source}");
    if !assumed.is_empty() {
        let _ = writeln!(out, "{:<20}  assumed  {assumed}", "");
    }
}
