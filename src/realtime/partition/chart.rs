//! Partitions as an SVG drawing: multiprocessors across, utilisation up.

use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};

use crate::figures::theme::STYLE;
use crate::realtime::partition::load::real;
use crate::realtime::partition::{Kind, TaskSet, Verified, write_time};

const LEFT: f64 = 64.0;
const TOP: f64 = 64.0;
const WIDTH: f64 = 840.0;
const HEIGHT: f64 = 240.0;

/// Orange for what keeps the cores busy, blue for what keeps the memory busy, as in the other drawings.
const fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::Memory => "#0072B2",
        Kind::Compute => "#E69F00",
    }
}

/// Draws each partition as a column, as wide as its multiprocessors, in which each task fills its share C/T of the time;
/// tasks in conflict have a thick border. A pointer over a task is told its times. Returns the text of an SVG file.
pub fn chart(set: &TaskSet, verified: &Verified) -> String {
    let there = set.multiprocessors();
    let scale = WIDTH / real(there as u64);
    let bottom = TOP + HEIGHT;
    let title = format!(
        "{} tasks in {} partitions on {} of {there} multiprocessors, test {}",
        set.tasks().len(),
        verified.partitions().len(),
        verified.used(),
        verified.test()
    );
    let mut document = Document::new()
        .set("viewBox", (0, 0, LEFT + WIDTH + 40.0, bottom + 96.0))
        .set("class", "warpspan")
        .set("role", "img")
        .set("aria-label", title.as_str())
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .set("fill", "currentColor")
        .add(Style::new(STYLE))
        .add(rectangle((0.0, 0.0), ("100%", "100%")).set("class", "paper").set("fill", "#FFFFFF"))
        .add(text(&title, 16.0, 24.0).set("font-size", 15))
        .add(text("utilisation", 16.0, TOP - 14.0));
    for tenth in [0_u32, 25, 50, 75, 100] {
        let y = bottom - HEIGHT * f64::from(tenth) / 100.0;
        document = document
            .add(line((LEFT, LEFT + WIDTH), (y, y)))
            .add(text(&format!("{tenth} %"), LEFT - 8.0, y + 4.0).set("text-anchor", "end"));
    }
    let mut begin = 0;
    for partition in verified.partitions() {
        let left = LEFT + scale * real(begin as u64);
        let width = scale * real(partition.multiprocessors as u64);
        let mut column = Group::new().add(
            rectangle((left + 1.0, TOP), (width - 2.0, HEIGHT))
                .set("fill", "none")
                .set("stroke", "currentColor"),
        );
        let mut top = bottom;
        for placed in &partition.tasks {
            let task = &set.tasks()[placed.task];
            let share = real(placed.execution.0) / real(task.period().0);
            let height = share * HEIGHT;
            top -= height;
            let conflict = if placed.conflict { ", in conflict" } else { "" };
            let tip = format!(
                "{}, {}{conflict}: {} of {}, deadline {}",
                task.name(),
                task.kind(),
                write_time(placed.execution),
                write_time(task.period()),
                write_time(task.deadline())
            );
            let mut shape = Group::new().add(Title::new(tip)).add(
                rectangle((left + 3.0, top + 1.0), ((width - 6.0).max(1.0), (height - 2.0).max(1.0)))
                    .set("fill", colour(task.kind()))
                    .set("stroke", "currentColor")
                    .set("stroke-width", if placed.conflict { 3 } else { 0 }),
            );
            let length = 7.5 * real(task.name().chars().count() as u64);
            if height >= 15.0 && width >= length + 10.0 {
                let fill = if task.kind() == Kind::Memory { "#ffffff" } else { "#111111" };
                let name = text(task.name(), left + width / 2.0, top + height / 2.0 + 4.0);
                shape = shape.add(name.set("text-anchor", "middle").set("fill", fill));
            }
            column = column.add(shape);
        }
        begin += partition.multiprocessors;
        let size = text(&partition.multiprocessors.to_string(), left + width / 2.0, bottom + 18.0)
            .set("text-anchor", "middle");
        document = document.add(column).add(size);
    }
    document = document.add(text("multiprocessors of each partition", LEFT, bottom + 40.0));
    for (kind, left) in Kind::ALL.into_iter().zip([LEFT, LEFT + 170.0]) {
        document = document
            .add(rectangle((left, bottom + 58.0), (14.0, 14.0)).set("fill", colour(kind)))
            .add(text(&format!("{kind}-intensive"), left + 22.0, bottom + 69.0));
    }
    document = document.add(text("thick border: in conflict", LEFT + 340.0, bottom + 69.0));
    document.to_string() + "\n"
}

fn rectangle<T: Into<svg::node::Value>>((x, y): (f64, f64), (width, height): (T, T)) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height)
}

fn line((x1, x2): (f64, f64), (y1, y2): (f64, f64)) -> Line {
    let line = Line::new().set("x1", x1).set("x2", x2).set("y1", y1).set("y2", y2);
    line.set("stroke", "currentColor").set("stroke-opacity", 0.13)
}

fn text(content: &str, x: f64, y: f64) -> Text {
    Text::new(content).set("x", x).set("y", y)
}
