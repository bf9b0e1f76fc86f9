//! Time-triggered tiles: the schedule, which is checked again before it is drawn.

use warpspan_document::words::{in_words, names};
use warpspan_figures::{Shows, Sketch, tiles};
use warpspan_model::time::Nanoseconds;
use warpspan_prem::{LONGEST, Mode, Phases, Schedule, Slot, TileSet, TiledKernel};
use warpspan_records::Prem;
use warpspan_records::prem::{self, Contention};

/// The figure of a record.
pub(in crate::commands::report) fn prem(record: &Prem) -> Result<Sketch, String> {
    let names = names(record.kernels.iter().map(|kernel| kernel.name.as_str()));
    let (title, caveat) = (format!("{names}, {}", record.mode), caveat(record));
    let schedule = schedule(record, record.mode)?;
    Ok(Sketch {
        section: Shows::Tiles,
        interest: record.memory_overlaps,
        title: title.clone(),
        caption: format!("Hyperperiod {}. {caveat}", in_words(schedule.hyperperiod().0)),
        points: None,
        draw: Box::new(move |paper| tiles(&schedule, &title, &caveat, paper)),
    })
}

/// What is proved of the times.
fn caveat(record: &Prem) -> String {
    match (record.assumption, record.execution_ns) {
        (Some(Contention::Apart), Some(time)) => {
            format!(
                "At most {}, while each phase takes at most its duration and no other kernel is in a memory phase; none is.",
                in_words(time)
            )
        }
        (Some(Contention::Contended), Some(time)) => {
            format!(
                "At most {}, while each phase takes at most its duration under contention; phases may end later than drawn.",
                in_words(time)
            )
        }
        _ => "Times as planned, not proved.".to_owned(),
    }
}

/// What is drawn, checked.
fn schedule(record: &Prem, mode: Mode) -> Result<Schedule, String> {
    let time = |ns: u64| {
        let time = Some(Nanoseconds(ns)).filter(|&time| time <= LONGEST);
        time.ok_or_else(|| format!("{ns} ns: want a time of {} ns or less", LONGEST.0))
    };
    let kernel = |kernel: &prem::Kernel| -> Result<TiledKernel, String> {
        let phases = Phases {
            prefetch: time(kernel.prefetch_ns)?,
            compute: time(kernel.compute_ns)?,
            writeback: time(kernel.writeback_ns)?,
        };
        let (blocks, tiles) = (kernel.blocks, kernel.tiles);
        Ok(TiledKernel { name: kernel.name.clone(), blocks, tiles, phases, contended: None })
    };
    let kernels = record.kernels.iter().map(kernel).collect::<Result<Vec<_>, String>>()?;
    let [timer, start, warm_up] = [record.timer_ns, record.start_ns, record.warm_up_ns].map(time);
    let tile_set = TileSet::new(kernels, timer?, start?, warm_up?).map_err(|error| error.to_string())?;
    let slot = |slot: &prem::Slot| -> Result<Slot, String> {
        let kernel = slot.kernel.checked_sub(1).filter(|&kernel| kernel < tile_set.kernels().len());
        let kernel = kernel.ok_or_else(|| format!("a slot of kernel {}: there is none", slot.kernel))?;
        let blocks = tile_set.kernels()[kernel].blocks;
        if slot.block.is_some_and(|block| block == 0 || block > blocks) {
            return Err(format!("a slot of a block that kernel {} does not have", slot.kernel));
        }
        let block = slot.block.map(|block| block - 1);
        Ok(Slot { kernel, block, prefetch: time(slot.prefetch_ns)?, writeback: time(slot.writeback_ns)? })
    };
    let slots = record.slots.iter().map(slot).collect::<Result<Vec<_>, String>>()?;
    let hyperperiod = time(record.hyperperiod_ns)?;
    if slots.is_empty() || hyperperiod == Nanoseconds::ZERO {
        return Err("the record has no slots or no hyperperiod: want a line of prem".to_owned());
    }
    Schedule::of_slots(&tile_set, mode, slots, hyperperiod).map_err(|error| error.to_string())
}
