//! A schedule as an SVG Gantt chart.

use svg::node::element::{Group, Title};

use crate::figures::theme::{line, page, real, rectangle, text, text_width};
use crate::model::{Instance, Unit};
use crate::schedule::Schedule;
use crate::schedule::chart::{heads, row};

const LEFT: f64 = 96.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 44.0;
/// Width of all cycles, where each is wide enough so.
const WIDTH: f64 = 840.0;

/// Blue and orange, which differ in brightness too: the same on light paper and on dark.
const fn colour(unit: Unit) -> &'static str {
    match unit {
        Unit::LoadStore => "#0072B2",
        Unit::CudaCore => "#E69F00",
    }
}

/// The colour of a letter on that of its unit, on light paper and on dark.
const fn letter_colour(unit: Unit) -> &'static str {
    match unit {
        Unit::LoadStore => "#ffffff",
        Unit::CudaCore => "#111111",
    }
}

const fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::LoadStore => "L load/store",
        Unit::CudaCore => "C CUDA core",
    }
}

/// Draws the schedule: time across, a row a warp, a box an issue; letters in the boxes where they fit.
///
/// `title` is drawn above. A pointer over a box is told the warp, the instruction and the cycle. Returns the text of an
/// SVG file, for light paper and dark.
pub fn gantt(instance: &Instance, schedule: &Schedule, title: &str) -> String {
    let makespan = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let heads = heads(instance);
    let scale = (WIDTH / real(makespan.max(1))).clamp(2.0, 26.0); // width of a cycle
    let row_height = match heads.len() {
        0..=24 => 22.0,
        25..=128 => 14.0,
        _ => 8.0,
    };
    let x = |cycle: u64| LEFT + scale * (real(cycle) - 1.0);
    let y = |row: usize| TOP + row_height * real(row as u64);
    let bottom = y(heads.len());
    let (right, end) = (x(makespan + 1).max(LEFT + 260.0), bottom + BOTTOM);
    let width = (right + 24.0).max(text_width(title, 15.0) + 32.0).ceil();

    let mut document = page(width, end.ceil(), &format!("Schedule of {title}"))
        .add(text(title, 16.0, 22.0).set("font-size", 15))
        .add(text("cycle", LEFT - 10.0, TOP - 8.0).set("text-anchor", "end"));

    let step = tick(makespan, scale);
    for cycle in (1..=makespan).filter(|&cycle| cycle == 1 || cycle % step == 0) {
        let middle = x(cycle) + scale / 2.0;
        document = document
            .add(text(&cycle.to_string(), middle, TOP - 8.0).set("text-anchor", "middle"))
            .add(line((middle, middle), (TOP, bottom)));
    }
    let every = if row_height < 12.0 { 8 } else { 1 };
    for (number, head) in heads.iter().enumerate() {
        let middle = y(number) + row_height / 2.0;
        document = document.add(line((LEFT, x(makespan + 1)), (middle, middle)));
        if number % every == 0 {
            document = document.add(text(head, LEFT - 10.0, middle + 4.0).set("text-anchor", "end"));
        }
    }
    let mut boxes =
        Group::new().set("font-size", if row_height < 20.0 { 10 } else { 12 }).set("text-anchor", "middle");
    for issue in schedule.issues() {
        let group = issue.group as usize;
        let unit = instance.groups()[group].kernel.units()[issue.instruction as usize];
        let row = row(instance, group, issue.warp);
        let (left, top) = (x(issue.cycle), y(row));
        let gap = if scale < 6.0 { 0.0 } else { 1.0 };
        let tip =
            format!("{}: instruction {} ({unit}), cycle {}", heads[row], issue.instruction + 1, issue.cycle);
        let shape = rectangle(left + gap / 2.0, top + 1.0, scale - gap, row_height - 2.0);
        let mut one =
            Group::new().add(Title::new(tip)).add(shape.set("style", format!("fill:{}", colour(unit))));
        if scale >= 10.0 && row_height >= 12.0 {
            let letter = text(&unit.to_string(), left + scale / 2.0, top + row_height / 2.0 + 4.0);
            one = one.add(letter.set("fill", letter_colour(unit)));
        }
        boxes = boxes.add(one);
    }
    document = document.add(boxes);
    for (unit, left) in Unit::ALL.into_iter().zip([LEFT, LEFT + 130.0]) {
        document = document
            .add(rectangle(left, bottom + 16.0, 14.0, 14.0).set("style", format!("fill:{}", colour(unit))))
            .add(text(name(unit), left + 22.0, bottom + 27.0));
    }
    document.to_string() + "\n"
}

/// Cycles between two numbers of the time axis, so that they do not touch.
fn tick(makespan: u64, scale: f64) -> u64 {
    let width = 9.0 * real(makespan.to_string().len() as u64) + 6.0;
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
        .into_iter()
        .find(|&step| real(step) * scale >= width)
        .unwrap_or_else(|| (makespan / 10).max(1))
}
