//! Output of every start time of every phase, as CSV and JSON.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::{Phase, Schedule, Slot};

/// A phase of a tile of a block as it stands in files: every index counts from 1, and times are in ns on the
/// timer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseRecord {
    /// The name of the kernel.
    pub kernel: String,
    /// The block of the kernel.
    pub block: u64,
    /// The tile of the block.
    pub tile: u64,
    /// `prefetch`, `compute` or `writeback`.
    pub phase: String,
    /// The start by the formulas, before rounding to the timer.
    pub formula_ns: u64,
    /// The planned start, if the phase before takes exactly its duration.
    pub planned_start_ns: u64,
    /// The planned end, if the phase takes exactly its duration; it is proved only where memory phases of
    /// kernels cannot overlap.
    pub planned_end_ns: u64,
}

/// All phases of the run, tile by tile, in the order of kernels and blocks.
fn phase_records(schedule: &Schedule) -> impl Iterator<Item = PhaseRecord> + '_ {
    let kernels = schedule.tile_set().kernels();
    let most = kernels.iter().map(|kernel| kernel.tiles).max().unwrap_or(0);
    let of_slot = move |tile: u64, slot: &'_ Slot| {
        let kernel = &kernels[slot.kernel];
        let blocks = slot.block.map_or(0..kernel.blocks, |block| block..block + 1);
        let slot = *slot;
        blocks.flat_map(move |block| {
            Phase::ALL.into_iter().map(move |phase| {
                let (formula, start) = schedule.start(&slot, tile, phase);
                PhaseRecord {
                    kernel: kernel.name.clone(),
                    block: block + 1,
                    tile: tile + 1,
                    phase: phase.name().to_owned(),
                    formula_ns: formula.0,
                    planned_start_ns: start.0,
                    planned_end_ns: schedule.end(&slot, tile, phase).0,
                }
            })
        })
    };
    (0..most).flat_map(move |tile| {
        let there = schedule.slots().iter().filter(move |slot| tile < schedule.tiles(slot));
        there.flat_map(move |slot| of_slot(tile, slot))
    })
}

/// Writes a row for each phase.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_csv(schedule: &Schedule, out: impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for record in phase_records(schedule) {
        writer.serialize(record).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Writes a JSON array with a line for each phase.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_json(schedule: &Schedule, mut out: impl Write) -> io::Result<()> {
    let mut before = "[\n";
    for record in phase_records(schedule) {
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut out, &record)?;
        before = ",\n";
    }
    out.write_all(b"\n]\n")?;
    out.flush()
}
