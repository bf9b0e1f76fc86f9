//! The schedule of the warps of a multiprocessor (Be12 Fig. 2).

use std::iter;

use crate::figures::gantt::{Bar, FILLS, Fill, Gantt, WIDTH};
use crate::figures::shapes::{multiples, real, round_numbers};
use crate::model::{Instance, Unit};
use crate::schedule::{Schedule, heads, row};

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
    let makespan = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let scale = (WIDTH / real(makespan.max(1))).clamp(2.0, 26.0);
    let lanes = heads(instance);
    let height = match lanes.len() {
        0..=24 => 22.0,
        25..=128 => 14.0,
        _ => 8.0,
    };
    let digits = 9.0 * real(makespan.to_string().len() as u64) + 6.0;
    let step = round_numbers().find(|&step| real(step) * scale >= digits).unwrap_or(u64::MAX);
    let cycles = (makespan > 0 && step > 1).then_some(1).into_iter().chain(multiples(1, makespan, step));
    let bars = schedule.issues().iter().map(|issue| {
        let group = issue.group as usize;
        let unit = instance.groups()[group].kernel.units()[issue.instruction as usize];
        let lane = row(instance, group, issue.warp);
        let (warp, instruction, cycle) = (&lanes[lane], issue.instruction + 1, issue.cycle);
        Bar {
            lane,
            rows: iter::once(0..1).collect(),
            from: real(cycle) - 1.0,
            to: real(cycle),
            fill: fill(unit),
            name: unit.to_string(),
            tip: format!("{warp}: instruction {instruction} ({unit}), cycle {cycle}"),
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
        rows: None,
        height,
        bars: bars.collect(),
        legend: Unit::ALL.map(|unit| (name(unit).to_owned(), fill(unit).0)).into(),
        lanes,
    }
    .draw()
}
