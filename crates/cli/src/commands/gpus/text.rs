//! What `gpus` tells a person.

use std::fmt::Write;

use crate::Failure;
use crate::table::table;
use warpspan_model::Unit;
use warpspan_model::device::{Between, Capability, Preset};
use warpspan_model::time::Clock;

fn sigmas(capability: &Capability) -> Result<[String; 2], Failure> {
    let multiprocessor = capability.multiprocessor().map_err(Failure::internal)?;
    Ok([Unit::LoadStore, Unit::CudaCore].map(|unit| multiprocessor.sigma(unit).to_string()))
}

fn between(Between { least, most }: Between) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

pub(super) fn text(presets: &[Preset], known: &[Capability]) -> Result<String, Failure> {
    let mut out = String::new();
    if !presets.is_empty() {
        let mut table = table(["preset", "is", "capability", "SMs", "highest MHz"], [3, 4]);
        for preset in presets {
            let count = preset.multiprocessors.to_string();
            let clock = preset.highest_clock().map_or_else(|| "-".to_owned(), Clock::megahertz);
            table.add_row([preset.name, preset.title, preset.capability, &count, &clock]);
        }
        let _ = writeln!(out, "presets of [gpu]; a preset has what its capability has\n\n{table}\n");
        for preset in presets {
            notes(&mut out, preset.name, preset.source, preset.assumed);
        }
        out.push('\n');
        memory(&mut out, presets);
        out.push('\n');
    }
    if !known.is_empty() {
        let mut units = table(["capability", "load/store units", "CUDA cores", "sigma_l", "sigma_c"], 1..5);
        let header = ["capability", "warps", "blocks", "registers", "of a block", "shared KiB", "of a block"];
        let mut resident = table(header, 1..7);
        for capability in known {
            let [sigma_l, sigma_c] = sigmas(capability)?;
            units.add_row([
                capability.version.to_owned(),
                between(capability.load_store_units),
                capability.cuda_cores.to_string(),
                sigma_l,
                sigma_c,
            ]);
            let room = capability.resident;
            resident.add_row([
                capability.version.to_owned(),
                room.warps.to_string(),
                between(room.blocks),
                room.registers.to_string(),
                room.registers_per_block.to_string(),
                (room.shared_memory >> 10).to_string(),
                (room.shared_memory_per_block >> 10).to_string(),
            ]);
        }
        let _ = writeln!(
            out,
            "compute capabilities: one multiprocessor; sigmas are those of the fewest load/store units\n\n{units}\n\nwhat one \
             multiprocessor holds at once\n\n{resident}\n"
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

/// The memory that all multiprocessors of each preset share.
fn memory(out: &mut String, presets: &[Preset]) {
    let header = ["preset", "DRAM GB/s", "MHz", "bits", "also of CPUs", "L2 KiB", "L2 bytes a cycle"];
    let mut table = table(header, [1, 2, 3, 5, 6]);
    for Preset { name, memory, .. } in presets {
        table.add_row([
            (*name).to_owned(),
            memory.gigabytes_per_second(),
            memory.dram_clock().map_or_else(|| "-".to_owned(), Clock::megahertz),
            memory.dram_bits.to_string(),
            (if memory.shared_with_cpu { "yes" } else { "no" }).to_owned(),
            (memory.l2_bytes >> 10).to_string(),
            memory.l2_bytes_per_cycle.to_string(),
        ]);
    }
    let _ = writeln!(
        out,
        "what all multiprocessors share: rates are the highest of the data sheets, which no kernel reaches\n\n{table}\n"
    );
    for Preset { name, memory, .. } in presets {
        notes(out, name, memory.source, memory.assumed);
    }
}

fn notes(out: &mut String, name: &str, source: &str, assumed: &str) {
    let _ = writeln!(out, "{name:<20}  source   {source}");
    if !assumed.is_empty() {
        let _ = writeln!(out, "{:<20}  assumed  {assumed}", "");
    }
}
