//! The schedule of the warps of a multiprocessor (Be12 Fig. 2).

use std::iter;

use crate::figures::gantt::{Bar, FILLS, Fill, Gantt, WIDTH};
use crate::figures::shapes::{multiples, real, round_numbers};
use crate::model::{Grid, Instance, Unit};
use crate::schedule::{Schedule, grid, heads, row};

const fn fill(unit: Unit) -> Fill {
    match unit {
        Unit::LoadStore => FILLS[0],
        Unit::CudaCore => FILLS[1],
    }
}

const fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::LoadStore => "L load/store",
        Unit::CudaCore => "C CUDA core",
    }
}

/// Draws a schedule: time runs to the right, each warp has a row, and each instruction is a box with its
/// letter at the cycle in which it is issued.
///
/// `title` is drawn above. A pointer over a box shows the warp, the instruction and the cycle. Returns the
/// text of an SVG file, for light paper and dark.
pub fn warps(instance: &Instance, schedule: &Schedule, title: &str) -> String {
    let letters = schedule.issues().iter().map(|issue| {
        let group = issue.group as usize;
        let unit = instance.groups()[group].kernel.units()[issue.instruction as usize];
        let instruction = u64::from(issue.instruction) + 1;
        Letter { lane: row(instance, group, issue.warp), unit, instruction, cycle: issue.cycle, of: None }
    });
    draw(title, heads(instance), letters.collect())
}

/// Draws a schedule of a grid in the same way: each warp of each slot has a row, in which the blocks of the
/// slot follow one another.
pub fn slots(of: &Grid, schedule: &grid::Schedule, title: &str) -> String {
    let units = of.block().instance().map_or(&[][..], |instance| instance.groups()[0].kernel.units());
    let (issues, lanes) = grid::lanes_of(of, schedule);
    let letter = |(lane, issue): (usize, &grid::Issue)| {
        let unit = *units.get(usize::try_from(issue.instruction).ok()?)?;
        let of = Some(issue.block + 1);
        Some(Letter { lane, unit, instruction: issue.instruction + 1, cycle: issue.cycle, of })
    };
    draw(title, lanes, issues.into_iter().filter_map(letter).collect())
}

/// An instruction to draw; its number and that of its block are from 1.
struct Letter {
    lane: usize,
    unit: Unit,
    instruction: u64,
    cycle: u64,
    of: Option<u64>,
}

fn draw(title: &str, lanes: Vec<String>, letters: Vec<Letter>) -> String {
    let makespan = letters.iter().map(|letter| letter.cycle).max().unwrap_or(0);
    let scale = (WIDTH / real(makespan.max(1))).clamp(2.0, 26.0);
    let height = match lanes.len() {
        0..=24 => 22.0,
        25..=128 => 14.0,
        _ => 8.0,
    };
    let digits = 9.0 * real(makespan.to_string().len() as u64) + 6.0;
    let step = round_numbers().find(|&step| real(step) * scale >= digits).unwrap_or(u64::MAX);
    let cycles = (makespan > 0 && step > 1).then_some(1).into_iter().chain(multiples(1, makespan, step));
    let bars = letters.iter().map(|&Letter { lane, unit, instruction, cycle, of }| {
        let block = of.map(|block| format!(", block {block}")).unwrap_or_default();
        Bar {
            lane,
            rows: iter::once(0..1).collect(),
            from: real(cycle) - 1.0,
            to: real(cycle),
            fill: fill(unit),
            name: unit.to_string(),
            tip: format!("{}{block}: instruction {instruction} ({unit}), cycle {cycle}", lanes[lane]),
        }
    });
    Gantt {
        title,
        label: format!("Schedule of {title}"),
        caveat: None,
        unit: "cycle",
        scale,
        end: real(makespan),
        ticks: cycles.map(|cycle| (real(cycle) - 0.5, cycle.to_string())).collect(),
        marks: None,
        signs: Vec::new(),
        rows: None,
        height,
        bars: bars.collect(),
        outlines: None,
        legend: Unit::ALL.map(|unit| (name(unit).to_owned(), fill(unit).0)).into(),
        lanes,
    }
    .draw()
}
