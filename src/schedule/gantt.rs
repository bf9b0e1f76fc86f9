//! A schedule as an SVG Gantt chart.

use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Text, Title};

use crate::model::{Instance, Unit};
use crate::schedule::Schedule;
use crate::schedule::chart::{heads, row};

const LEFT: f64 = 96.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 40.0;
const ROW: f64 = 22.0;
const FONT: &str = "ui-sans-serif, system-ui, Helvetica, Arial, sans-serif";

const fn colour(unit: Unit) -> &'static str {
    match unit {
        Unit::LoadStore => "#2f6db3",
        Unit::CudaCore => "#e08a1e",
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
/// `title` is drawn above. Returns the text of an SVG file.
pub fn gantt(instance: &Instance, schedule: &Schedule, title: &str) -> String {
    let makespan = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let heads = heads(instance);
    let scale = (1200.0 / real(makespan.max(1))).clamp(2.0, 26.0); // width of a cycle
    let row_height = if heads.len() > 64 { 8.0 } else { ROW };
    let x = |cycle: u64| LEFT + scale * (real(cycle) - 1.0);
    let y = |row: usize| TOP + row_height * real(row as u64);
    let (right, bottom) = (x(makespan + 1), y(heads.len()));

    let mut document = Document::new()
        .set("viewBox", (0, 0, rounded(right + 24.0), rounded(bottom + BOTTOM)))
        .set("width", rounded(right + 24.0))
        .set("height", rounded(bottom + BOTTOM))
        .set("font-family", FONT)
        .set("font-size", 12)
        .add(rectangle(0.0, 0.0, right + 24.0, bottom + BOTTOM).set("fill", "white"))
        .add(text(title, LEFT, 18.0).set("font-size", 14).set("font-weight", 600));

    let step = tick(makespan, scale);
    for cycle in (1..=makespan).filter(|&cycle| cycle == 1 || cycle % step == 0) {
        let middle = x(cycle) + scale / 2.0;
        document = document
            .add(text(&cycle.to_string(), middle, TOP - 8.0).set("text-anchor", "middle").set("fill", "#555"))
            .add(
                Line::new()
                    .set("x1", middle)
                    .set("x2", middle)
                    .set("y1", TOP)
                    .set("y2", bottom)
                    .set("stroke", "#eee"),
            );
    }
    let every = if row_height < 12.0 { 8 } else { 1 };
    for (number, head) in heads.iter().enumerate().step_by(every) {
        let label = text(head, LEFT - 8.0, y(number) + row_height * 0.7).set("text-anchor", "end");
        document = document.add(label);
    }
    let mut boxes = Group::new().set("fill", "white").set("font-size", 11).set("text-anchor", "middle");
    for issue in schedule.issues() {
        let group = issue.group as usize;
        let unit = instance.groups()[group].kernel.units()[issue.instruction as usize];
        let (left, top) = (x(issue.cycle), y(row(instance, group, issue.warp)));
        let gap = if scale < 6.0 { 0.0 } else { 1.0 };
        let tip = format!("cycle {}: instruction {} ({unit})", issue.cycle, issue.instruction + 1);
        let shape = rectangle(left + gap / 2.0, top + 1.0, scale - gap, row_height - 2.0);
        boxes = boxes.add(shape.set("fill", colour(unit)).add(Title::new(tip)));
        if scale >= 12.0 && row_height >= 16.0 {
            boxes = boxes.add(text(&unit.to_string(), left + scale / 2.0, top + row_height * 0.7));
        }
    }
    document = document.add(boxes);
    for (unit, left) in Unit::ALL.into_iter().zip([LEFT, LEFT + 110.0]) {
        document = document
            .add(rectangle(left, bottom + 14.0, 12.0, 12.0).set("fill", colour(unit)))
            .add(text(name(unit), left + 18.0, bottom + 24.0));
    }
    document.to_string() + "\n"
}

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height)
}

fn text(content: &str, x: f64, y: f64) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

/// Cycles between two numbers of the time axis, so that they do not touch.
fn tick(makespan: u64, scale: f64) -> u64 {
    let width = 9.0 * real(makespan.to_string().len() as u64) + 6.0;
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
        .into_iter()
        .find(|&step| real(step) * scale >= width)
        .unwrap_or_else(|| (makespan / 10).max(1))
}

#[expect(clippy::cast_precision_loss, reason = "a place on a drawing")]
fn real(value: u64) -> f64 {
    value as f64
}

fn rounded(value: f64) -> f64 {
    value.ceil()
}
