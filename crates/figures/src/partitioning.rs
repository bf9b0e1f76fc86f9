//! Charts of the GPU tasks that share multiprocessors (Si21 chapter 3), with multiprocessors to the right and
//! utilisation upwards.

use svg::node::Node;
use svg::node::element::Group;

use crate::paper::Paper;
use crate::shapes::{faint, file, heading, page, real, rectangle, telling, text, text_width};
use crate::theme::{BLACK, BLUE, Colour, INK, ORANGE, WHITE};
use warpspan_partition::Kind;

const LEFT: f64 = 64.0;
const TOP: f64 = 64.0;
const WIDTH: f64 = 840.0;
const HEIGHT: f64 = 240.0;

/// The colour of a task and the colour of its name.
const fn colours(kind: Kind) -> (Colour, Colour) {
    match kind {
        Kind::Memory => (BLUE, WHITE),
        Kind::Compute => (ORANGE, BLACK),
    }
}

/// Tasks that share multiprocessors.
#[derive(Debug, Clone, PartialEq)]
pub struct Partitioning {
    /// What it says of them.
    pub title: String,
    /// How many multiprocessors there are.
    pub multiprocessors: usize,
    /// The partitions.
    pub columns: Vec<Column>,
}

/// A partition.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// How many multiprocessors it has.
    pub multiprocessors: usize,
    /// Its tasks.
    pub tasks: Vec<Share>,
}

/// A task, and the share of the time that it takes in its partition.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// Its name.
    pub name: String,
    /// Whether it is memory-intensive or compute-intensive.
    pub kind: Kind,
    /// Whether tasks of other partitions can be in conflict with it.
    pub conflict: bool,
    /// Its execution time over its period.
    pub utilisation: f64,
    /// Its times in words.
    pub times: String,
}

/// Draws each partition as a column that is as wide as its number of multiprocessors, in which each task
/// fills the share C/T of the time that it takes. Tasks in conflict have a thick border. A pointer over a
/// task shows its times. Returns the text of an SVG file.
pub fn partitioning(
    Partitioning { title, multiprocessors, columns }: &Partitioning,
    paper: &Paper,
) -> String {
    let there = real((*multiprocessors).max(1) as u64);
    let wide = paper.wide().unwrap_or(LEFT + WIDTH + 40.0);
    let across = wide - LEFT - 24.0;
    let mut drawing = page(wide, 0.0, title);
    let top = TOP + heading(&mut drawing, title, wide, 15);
    let bottom = top + HEIGHT;
    drawing.append(text("utilisation", 16.0, top - 14.0));
    for percent in [0_u32, 25, 50, 75, 100] {
        let y = bottom - HEIGHT * f64::from(percent) / 100.0;
        drawing.append(faint((LEFT, LEFT + across), (y, y)));
        drawing.append(text(&format!("{percent} %"), LEFT - 8.0, y + 4.0).set("text-anchor", "end"));
    }
    let mut left = LEFT;
    for column in columns {
        let width = across * real(column.multiprocessors as u64) / there;
        let frame = rectangle(left + 1.0, top, (width - 2.0).max(1.0), HEIGHT);
        drawing.append(frame.set("fill", "none").set("stroke", INK));
        let mut foot = bottom;
        for task in &column.tasks {
            let height = HEIGHT * task.utilisation;
            foot -= height;
            drawing.append(share(task, (left, foot), (width, height)));
        }
        let size = text(&column.multiprocessors.to_string(), left + width / 2.0, bottom + 18.0);
        drawing.append(size.set("text-anchor", "middle"));
        left += width;
    }
    drawing.append(text("multiprocessors of each partition", LEFT, bottom + 40.0));
    let is_narrow = wide < LEFT + 520.0;
    for (kind, left) in Kind::ALL.into_iter().zip([LEFT, LEFT + 150.0]) {
        drawing.append(rectangle(left, bottom + 58.0, 14.0, 14.0).set("fill", colours(kind).0));
        drawing.append(text(&format!("{kind}-intensive"), left + 22.0, bottom + 69.0));
    }
    let (x, y) = if is_narrow { (LEFT, bottom + 91.0) } else { (LEFT + 320.0, bottom + 69.0) };
    drawing.append(text("thick border: in conflict", x, y));
    file(&drawing.set("viewBox", (0, 0, wide, y + 27.0)).set("height", y + 27.0))
}

/// Draws the share of the time that a task takes in its partition.
fn share(task: &Share, (left, top): (f64, f64), (width, height): (f64, f64)) -> Group {
    let conflict = if task.conflict { ", in conflict" } else { "" };
    let tip = format!("{}, {}{conflict}: {}", task.name, task.kind, task.times);
    let (fill, ink) = colours(task.kind);
    let shape = rectangle(left + 3.0, top + 1.0, (width - 6.0).max(1.0), (height - 2.0).max(1.0));
    let border = if task.conflict { 3 } else { 0 };
    let shape = shape.set("fill", fill).set("stroke", INK).set("stroke-width", border);
    let share = telling(&tip).add(shape);
    if height < 15.0 || width < text_width(&task.name, 13.0) + 10.0 {
        return share;
    }
    let name = text(&task.name, left + width / 2.0, top + height / 2.0 + 4.0);
    share.add(name.set("text-anchor", "middle").set("fill", ink))
}
