//! What `gpus` tells a person.

use std::fmt::Write;

use serde_json::Number;

use crate::table::table;
use warpspan_document::words::decimals;
use warpspan_model::time::decimal;
use warpspan_records::Gpu;
use warpspan_records::gpus::{Between, Kind};

/// The presets with the memory of each, then the compute capabilities.
pub(super) fn text(found: &[Gpu]) -> String {
    let (presets, known): (Vec<&Gpu>, Vec<&Gpu>) = found.iter().partition(|gpu| gpu.kind == Kind::Preset);
    let mut out = String::new();
    if !presets.is_empty() {
        let mut table = table(["preset", "is", "capability", "SMs", "highest MHz"], [3, 4]);
        for preset in &presets {
            table.add_row([
                preset.name.clone(),
                preset.title.clone().unwrap_or_default(),
                preset.compute_capability.clone(),
                preset.multiprocessors.map_or_else(String::new, |count| count.to_string()),
                megahertz(preset.highest_clock_mhz.as_ref()),
            ]);
        }
        let _ = writeln!(out, "presets of [gpu]; a preset has what its capability has\n\n{table}\n");
        for preset in &presets {
            notes(&mut out, &preset.name, &preset.source, &preset.assumed);
        }
        out.push('\n');
        memory(&mut out, &presets);
        out.push('\n');
    }
    if !known.is_empty() {
        let mut units = table(["capability", "load/store units", "CUDA cores", "sigma_l", "sigma_c"], 1..5);
        let header = ["capability", "warps", "blocks", "registers", "of a block", "shared KiB", "of a block"];
        let mut resident = table(header, 1..7);
        for Gpu { name, multiprocessor, .. } in &known {
            units.add_row([
                name.clone(),
                between(multiprocessor.load_store_units),
                multiprocessor.cuda_cores.to_string(),
                multiprocessor.sigma_l.clone(),
                multiprocessor.sigma_c.clone(),
            ]);
            resident.add_row([
                name.clone(),
                multiprocessor.warps.to_string(),
                between(multiprocessor.blocks),
                multiprocessor.registers.to_string(),
                multiprocessor.registers_per_block.to_string(),
                (multiprocessor.shared_memory >> 10).to_string(),
                (multiprocessor.shared_memory_per_block >> 10).to_string(),
            ]);
        }
        let _ = writeln!(
            out,
            "compute capabilities: one multiprocessor; sigmas are those of the fewest load/store units\n\n{units}\n\nwhat one \
             multiprocessor holds at once\n\n{resident}\n"
        );
        for capability in known {
            notes(&mut out, &capability.name, &capability.source, &capability.assumed);
        }
        let _ = writeln!(
            out,
            "\nnote        what is resident is from the CUDA Programming Guide, \"Compute Capabilities\"; docs/gpus.md has the addresses"
        );
    }
    out
}

/// The memory that all multiprocessors of each preset share.
fn memory(out: &mut String, presets: &[&Gpu]) {
    let header = ["preset", "DRAM GB/s", "MHz", "bits", "also of CPUs", "L2 KiB", "L2 bytes a cycle"];
    let mut table = table(header, [1, 2, 3, 5, 6]);
    let of = || presets.iter().filter_map(|preset| Some((&preset.name, preset.memory.as_ref()?)));
    for (name, memory) in of() {
        table.add_row([
            name.clone(),
            decimal::write(memory.dram_bytes_per_second, 9),
            megahertz(memory.dram_clock_mhz.as_ref()),
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
    for (name, memory) in of() {
        notes(out, name, &memory.source, &memory.assumed);
    }
}

fn notes(out: &mut String, name: &str, source: &str, assumed: &str) {
    let _ = writeln!(out, "{name:<20}  source   {source}");
    if !assumed.is_empty() {
        let _ = writeln!(out, "{:<20}  assumed  {assumed}", "");
    }
}

fn between(Between { least, most }: Between) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

fn megahertz(clock: Option<&Number>) -> String {
    clock.map_or_else(|| "-".to_owned(), decimals)
}
