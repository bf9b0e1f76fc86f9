//! Charts of the GPU tasks that share multiprocessors (Si21 chapter 3), with multiprocessors to the right and
//! utilisation upwards.

use svg::node::Node;
use svg::node::element::Group;

use crate::shapes::{faint, file, page, real, rectangle, telling, text, text_width};
use crate::theme::{BLACK, BLUE, Colour, INK, ORANGE, WHITE};
use warpspan_partition::{Kind, Placed, Task, TaskSet, Verified, write_time};

const LEFT: f64 = 64.0;
const TOP: f64 = 64.0;
const WIDTH: f64 = 840.0;
const HEIGHT: f64 = 240.0;
const BOTTOM: f64 = TOP + HEIGHT;

/// The colour of a task and the colour of its name.
const fn colours(kind: Kind) -> (Colour, Colour) {
    match kind {
        Kind::Memory => (BLUE, WHITE),
        Kind::Compute => (ORANGE, BLACK),
    }
}

/// Draws each partition as a column that is as wide as its number of multiprocessors, in which each task
/// fills the share C/T of the time that it takes. Tasks in conflict have a thick border. A pointer over a
/// task shows its times. Returns the text of an SVG file.
pub fn partitioning(set: &TaskSet, verified: &Verified) -> String {
    let there = set.multiprocessors();
    let title = format!(
        "{} tasks in {} partitions on {} of {there} multiprocessors{}, test {}",
        set.tasks().len(),
        verified.partitions().len(),
        verified.used(),
        set.slices().map_or_else(
            || set.division().map_or_else(String::new, |division| format!(" by {}", division.mechanism())),
            |slices| format!(" in slices of {}", slices.size)
        ),
        verified.test()
    );
    let mut drawing = page(LEFT + WIDTH + 40.0, BOTTOM + 96.0, &title)
        .add(text(&title, 16.0, 24.0).set("font-size", 15))
        .add(text("utilisation", 16.0, TOP - 14.0));
    for percent in [0_u32, 25, 50, 75, 100] {
        let y = BOTTOM - HEIGHT * f64::from(percent) / 100.0;
        drawing.append(faint((LEFT, LEFT + WIDTH), (y, y)));
        drawing.append(text(&format!("{percent} %"), LEFT - 8.0, y + 4.0).set("text-anchor", "end"));
    }
    let mut left = LEFT;
    for partition in verified.partitions() {
        let width = WIDTH * real(partition.multiprocessors as u64) / real(there as u64);
        let frame = rectangle(left + 1.0, TOP, width - 2.0, HEIGHT);
        drawing.append(frame.set("fill", "none").set("stroke", INK));
        let mut bottom = BOTTOM;
        for placed in &partition.tasks {
            let task = &set.tasks()[placed.task];
            let height = HEIGHT * real(placed.execution.0) / real(task.period().0);
            bottom -= height;
            drawing.append(share(task, placed, (left, bottom), (width, height)));
        }
        let size = text(&partition.multiprocessors.to_string(), left + width / 2.0, BOTTOM + 18.0);
        drawing.append(size.set("text-anchor", "middle"));
        left += width;
    }
    drawing.append(text("multiprocessors of each partition", LEFT, BOTTOM + 40.0));
    for (kind, left) in Kind::ALL.into_iter().zip([LEFT, LEFT + 170.0]) {
        drawing.append(rectangle(left, BOTTOM + 58.0, 14.0, 14.0).set("fill", colours(kind).0));
        drawing.append(text(&format!("{kind}-intensive"), left + 22.0, BOTTOM + 69.0));
    }
    drawing.append(text("thick border: in conflict", LEFT + 340.0, BOTTOM + 69.0));
    file(&drawing)
}

/// Draws the share of the time that a task takes in its partition.
fn share(task: &Task, placed: &Placed, (left, top): (f64, f64), (width, height): (f64, f64)) -> Group {
    let conflict = if placed.conflict { ", in conflict" } else { "" };
    let tip = format!(
        "{}, {}{conflict}: {} of {}, deadline {}",
        task.name(),
        task.kind(),
        write_time(placed.execution),
        write_time(task.period()),
        write_time(task.deadline()),
    );
    let (fill, ink) = colours(task.kind());
    let shape = rectangle(left + 3.0, top + 1.0, (width - 6.0).max(1.0), (height - 2.0).max(1.0));
    let border = if placed.conflict { 3 } else { 0 };
    let shape = shape.set("fill", fill).set("stroke", INK).set("stroke-width", border);
    let share = telling(&tip).add(shape);
    if height < 15.0 || width < text_width(task.name(), 13.0) + 10.0 {
        return share;
    }
    let name = text(task.name(), left + width / 2.0, top + height / 2.0 + 4.0);
    share.add(name.set("text-anchor", "middle").set("fill", ink))
}
