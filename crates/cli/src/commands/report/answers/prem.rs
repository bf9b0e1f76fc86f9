//! Time-triggered tiles: the schedule, which is checked again before it is drawn, and its times.

use crate::commands::report::answers::names;
use crate::commands::time::in_words;
use crate::text::several;
use warpspan_figures::{Answer, AnswerTable, Said, Subject, Tone, Triggered};
use warpspan_model::time::Nanoseconds;
use warpspan_prem::{LONGEST, Mode, Phases, Schedule, Slot, TileSet, TiledKernel};
use warpspan_records::Prem;
use warpspan_records::prem::{self, Contention};

/// The answer of a record and its schedule.
pub(in crate::commands::report) fn prem(record: &Prem) -> Result<(Answer, Triggered), String> {
    let (answer, mode) = (answer(record), record.mode);
    let title = format!("{}, {mode}", answer.title);
    Ok((
        answer,
        Triggered {
            title,
            caveat: caveat(record),
            overlaps: record.memory_overlaps,
            schedule: schedule(record, mode)?,
        },
    ))
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

/// The schedule of a record.
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

fn answer(record: &Prem) -> Answer {
    let ns = |time: u64| format!("{time} ns");
    let mut facts = vec![
        ("hyperperiod", ns(record.hyperperiod_ns)),
        ("planned", format!("{}: the end of the last writeback by plan, no bound", ns(record.planned_ns))),
        (
            "execution",
            match (record.execution_ns, &record.no_bound) {
                (Some(time), _) => format!("at most {}, from the launch", ns(time)),
                (None, why) => {
                    format!("no bound: {}", why.as_deref().unwrap_or("the record does not say why"))
                }
            },
        ),
        ("composed", format!("{}: tiles times their phases, without a schedule", ns(record.composed_ns))),
        ("in turn", format!("{}: one kernel after the other", ns(record.one_after_other_ns))),
        ("memory phases", format!("{} pairs of different kernels overlap by plan", record.memory_overlaps)),
    ];
    facts.extend(record.simulation.as_ref().map(|seen| {
        let runs = seen.runs;
        (
            "simulated",
            format!("{} to {} in {runs} runs: an estimate", ns(seen.shortest_ns), ns(seen.longest_ns)),
        )
    }));
    let row = |kernel: &prem::Kernel| {
        let bound = kernel.execution_ns.map_or_else(|| "-".to_owned(), |time| time.to_string());
        let counts =
            [kernel.blocks, kernel.tiles, kernel.prefetch_ns, kernel.compute_ns, kernel.writeback_ns];
        let counts = counts.map(|count| count.to_string());
        [kernel.name.clone()].into_iter().chain(counts).chain([bound]).collect()
    };
    let overlaps = record.memory_overlaps;
    let said = Said {
        tone: if record.execution_ns.is_some() { Tone::Good } else { Tone::Open },
        verdict: match (record.execution_ns, overlaps) {
            (Some(_), 0) => "bounded, no memory phases overlap".to_owned(),
            (Some(_), _) => format!("bounded, {} of memory phases", several(overlaps, "overlap")),
            (None, _) => format!("no bound, {} of memory phases", several(overlaps, "overlap")),
        },
        number: record.execution_ns.map_or_else(String::new, |time| format!("at most {}", in_words(time))),
        gap: None,
        file: String::new(),
    };
    Answer {
        subject: Subject::Tiles,
        title: names(record.kernels.iter().map(|kernel| kernel.name.as_str())),
        said,
        facts,
        tables: vec![AnswerTable {
            heads: vec!["kernel", "blocks", "tiles", "prefetch", "compute", "writeback", "execution at most"],
            texts: 1,
            rows: record.kernels.iter().map(row).collect(),
        }],
        notes: record.notes.clone(),
    }
}
