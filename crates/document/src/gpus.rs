//! What `gpus` tells.

use crate::{Document, Said, Table, Tone};
use warpspan_model::time::decimal;
use warpspan_records::Gpu;
use warpspan_records::gpus::{Between, Kind, Memory};

/// The presets with the memory of each, then the compute capabilities.
pub fn document(found: &[Gpu]) -> Document {
    let names: Vec<&str> = found.iter().map(|gpu| gpu.title.as_ref().unwrap_or(&gpu.name).as_str()).collect();
    let capability = found.first().map_or(String::new(), |gpu| gpu.compute_capability.clone());
    let said = Said::new(Tone::Proved, "compute capability", capability);
    let mut out = Document::new("gpus", names.join(", "), said, 11);
    let (presets, known): (Vec<&Gpu>, Vec<&Gpu>) = found.iter().partition(|gpu| gpu.kind == Kind::Preset);
    if !presets.is_empty() {
        out.line("presets of [gpu]; a preset has what its capability has");
        out.gap();
        let count = |preset: &&Gpu| preset.multiprocessors.map_or(String::new(), |count| count.to_string());
        out.table(
            Table::of(&presets)
                .words("preset", |preset| preset.name.clone())
                .words("is", |preset| preset.title.clone().unwrap_or_default())
                .words("capability", |preset| preset.compute_capability.clone())
                .number("SMs", count)
                .number("highest MHz", |preset| preset.highest_clock_mhz.clone()),
        );
        out.gap();
        presets.iter().for_each(|preset| sources(&mut out, &preset.name, &preset.source, &preset.assumed));
        out.gap();
        memory(&mut out, &presets);
        out.gap();
    }
    if !known.is_empty() {
        out.line("compute capabilities: one multiprocessor; sigmas are those of the fewest load/store units");
        out.gap();
        out.table(
            Table::of(&known)
                .words("capability", |gpu| gpu.name.clone())
                .number("load/store units", |gpu| between(gpu.multiprocessor.load_store_units))
                .number("CUDA cores", |gpu| gpu.multiprocessor.cuda_cores)
                .number("sigma_l", |gpu| gpu.multiprocessor.sigma_l.clone())
                .number("sigma_c", |gpu| gpu.multiprocessor.sigma_c.clone()),
        );
        out.gap();
        out.line("what one multiprocessor holds at once");
        out.gap();
        out.table(
            Table::of(&known)
                .words("capability", |gpu| gpu.name.clone())
                .number("warps", |gpu| gpu.multiprocessor.warps)
                .number("blocks", |gpu| between(gpu.multiprocessor.blocks))
                .number("registers", |gpu| gpu.multiprocessor.registers)
                .number("of a block", |gpu| gpu.multiprocessor.registers_per_block)
                .number("shared KiB", |gpu| gpu.multiprocessor.shared_memory >> 10)
                .number("of a block", |gpu| gpu.multiprocessor.shared_memory_per_block >> 10),
        );
        out.gap();
        known.iter().for_each(|gpu| sources(&mut out, &gpu.name, &gpu.source, &gpu.assumed));
        out.gap();
        let what = "what is resident is from the CUDA Programming Guide, \"Compute Capabilities\"; docs/gpus.md has the addresses";
        out.fact("note", what);
    }
    out
}

/// The memory that all multiprocessors of each preset share.
fn memory(out: &mut Document, presets: &[&Gpu]) {
    let of = presets.iter().filter_map(|preset| Some((preset.name.as_str(), preset.memory.as_ref()?)));
    let of: Vec<(&str, &Memory)> = of.collect();
    out.line(
        "what all multiprocessors share: rates are the highest of the data sheets, which no kernel reaches",
    );
    out.gap();
    out.table(
        Table::of(&of)
            .words("preset", |(name, _)| (*name).to_owned())
            .number("DRAM GB/s", |(_, memory)| decimal::write(memory.dram_bytes_per_second, 9))
            .number("MHz", |(_, memory)| memory.dram_clock_mhz.clone())
            .number("bits", |(_, memory)| memory.dram_bits)
            .words("also of CPUs", |(_, memory)| if memory.shared_with_cpu { "yes" } else { "no" })
            .number("L2 KiB", |(_, memory)| memory.l2_bytes >> 10)
            .number("L2 bytes a cycle", |(_, memory)| memory.l2_bytes_per_cycle),
    );
    out.gap();
    of.iter().for_each(|(name, memory)| sources(out, name, &memory.source, &memory.assumed));
}

/// Where numbers are from, and what is assumed.
fn sources(out: &mut Document, name: &str, source: &str, assumed: &str) {
    out.line(format!("{name:<20}  source   {source}"));
    if !assumed.is_empty() {
        out.line(format!("{:<20}  assumed  {assumed}", ""));
    }
}

fn between(Between { least, most }: Between) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}
