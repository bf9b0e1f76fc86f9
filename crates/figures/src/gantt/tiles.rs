//! The time-triggered schedule of the tiles of kernels (Kr19 Fig. 3.3 to 3.6).

use std::iter;

use crate::gantt::{Bar, FILLS, Fill, Gantt, WIDTH};
use crate::paper::Paper;
use crate::scale::{Scale, ticks};
use crate::shapes::real;
use warpspan_prem::{Phase, Schedule};

/// The number of tiles that are drawn: two show how one follows the other.
const TILES: u64 = 2;
/// The largest number of rows that are drawn.
const ROWS: usize = 128;

/// The colours of the phases are blue, orange and green, as in Kr19 Fig. 4.7.
const fn fill(phase: Phase) -> Fill {
    match phase {
        Phase::Prefetch => FILLS[0],
        Phase::Compute => FILLS[1],
        Phase::Writeback => FILLS[2],
    }
}

/// The stretches in which a memory phase of a bar's kernel overlaps one of another kernel, a bar for each pair of
/// bars and lane. Each lane has its kernel.
fn overlaps(bars: &[Bar], kernels: &[usize], lanes: &[String]) -> Vec<Bar> {
    let memory: Vec<&Bar> = bars.iter().filter(|bar| bar.fill != fill(Phase::Compute)).collect();
    let mut found = Vec::new();
    for bar in &memory {
        for other in memory.iter().filter(|other| kernels[other.lane] != kernels[bar.lane]) {
            let (from, to) = (bar.from.max(other.from), bar.to.min(other.to));
            if from < to {
                found.push(Bar {
                    lane: bar.lane,
                    rows: Vec::new(),
                    from,
                    to,
                    fill: bar.fill,
                    name: String::new(),
                    short: String::new(),
                    tip: format!("overlaps a memory phase of {} for {} ns", lanes[other.lane], to - from),
                });
            }
        }
    }
    found
}

/// Draws the first two tiles: time runs to the right, each block has a row, each phase is a box, and a dashed
/// line marks the start of each hyperperiod. Where memory phases of different kernels overlap, their feet are marked.
///
/// `title` is drawn above, and below it `caveat`, which says what is proved of the times. A pointer over a
/// box shows the phase and its times. If there are more than 128 blocks, only the first are drawn. Returns
/// the text of an SVG file, for light paper and dark.
pub fn tiles(schedule: &Schedule, title: &str, caveat: &str, paper: &Paper) -> String {
    let kernels = schedule.tile_set().kernels();
    let blocks = |slot: usize| {
        let slot = &schedule.slots()[slot];
        let blocks = slot.block.map_or(0..kernels[slot.kernel].blocks, |block| block..block + 1);
        blocks.map(move |block| (slot, block))
    };
    let rows: Vec<_> = (0..schedule.slots().len()).flat_map(blocks).take(ROWS).collect();
    let names = rows.iter().map(|(slot, block)| {
        let name = format!("{}, block {}", kernels[slot.kernel].name, block + 1);
        name.chars().take(24).collect::<String>()
    });
    let lanes: Vec<String> = names.collect();
    let zero = schedule.begins(0).0;
    let period = schedule.hyperperiod().0;
    let mut end = period * TILES;
    let mut bars = Vec::new();
    for (lane, &(slot, _)) in rows.iter().enumerate() {
        for tile in 0..TILES.min(kernels[slot.kernel].tiles) {
            for phase in Phase::ALL {
                let (from, to) = (schedule.start(slot, tile, phase).1, schedule.end(slot, tile, phase));
                end = end.max(to.0 - zero);
                bars.push(Bar {
                    lane,
                    rows: iter::once(0..1).collect(),
                    from: real(from.0 - zero),
                    to: real(to.0 - zero),
                    fill: fill(phase),
                    name: String::new(),
                    short: String::new(),
                    tip: format!("{}, tile {}: {phase}, {} to {} ns", lanes[lane], tile + 1, from.0, to.0),
                });
            }
        }
    }
    let strips = overlaps(&bars, &rows.iter().map(|(slot, _)| slot.kernel).collect::<Vec<_>>(), &lanes);
    let Scale { unit, each } = Scale::of_time(real(end));
    Gantt {
        title,
        label: format!("Schedule of {title}"),
        caveat: Some(caveat),
        unit,
        scale: WIDTH / real(end.max(1)),
        begin: 0.0,
        end: real(end),
        ticks: ticks(0.0, real(end) / each, 12.0)
            .into_iter()
            .map(|(time, number)| (time * each, number))
            .collect(),
        marks: Some(("hyperperiod", (1..=TILES).map(|tile| real(period * tile)).collect())),
        signs: Vec::new(),
        rows: None,
        height: if rows.len() > 24 { 14.0 } else { 22.0 },
        bars,
        outlines: None,
        strips: (!strips.is_empty()).then_some(("overlap", strips)),
        fences: None,
        legend: Phase::ALL.map(|phase| (phase.name().to_owned(), fill(phase).0)).into(),
        lanes,
    }
    .draw(paper)
}
