//! The parts of Gantt charts: bars, lines across lanes, and arrows above them.

use std::ops::Range;

use svg::node::Node;
use svg::node::element::{Group, Polygon, Rectangle};

use crate::gantt::Fill;
use crate::shapes::{line, rectangle, telling, text, text_width};
use crate::theme::Colour;

/// A line across lanes that stand next to each other, such as where a barrier opens.
pub(super) struct Fence {
    pub(super) at: f64,
    pub(super) lanes: Range<usize>,
    /// The text that a pointer over the line shows.
    pub(super) tip: String,
}

/// A bar: a span of time in which a lane is busy.
pub(super) struct Bar {
    pub(super) lane: usize,
    /// The rows of the lane that the bar fills.
    pub(super) rows: Vec<Range<usize>>,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) fill: Fill,
    /// The text in the bar, drawn if it fits, and what is drawn instead if only that fits.
    pub(super) name: String,
    pub(super) short: String,
    /// The text that a pointer over the bar shows.
    pub(super) tip: String,
}

/// An arrow above the lanes: up for a release, down for a deadline.
pub(super) struct Sign {
    pub(super) at: f64,
    /// The line of the strip in which it stands, from 0.
    pub(super) line: usize,
    pub(super) is_release: bool,
    pub(super) fill: Fill,
    /// The text that a pointer over the arrow shows.
    pub(super) tip: String,
}

impl Bar {
    /// Draws the bar between two places in pieces, each given by its top and its bottom. The name stands in
    /// the first piece.
    pub(super) fn draw(
        &self,
        (left, right): (f64, f64),
        pieces: impl Iterator<Item = (f64, f64)>,
        size: u32,
    ) -> Group {
        let mut group = telling(&self.tip);
        // A gap separates neighbouring bars; it is narrower where a whole pixel would be much of the bar.
        let gap = if right - left < 6.0 { (right - left) / 12.0 } else { 1.0 };
        let fits = |name: &&String| !name.is_empty() && right - left >= text_width(name, size.into()) + 3.0;
        let name = [&self.name, &self.short].into_iter().find(fits);
        for (number, (top, bottom)) in pieces.enumerate() {
            let shape = rectangle(left + gap / 2.0, top + 1.0, right - left - gap, bottom - top - 2.0);
            group.append(filled(shape, self.fill.0));
            if let Some(name) = name.filter(|_| number == 0 && bottom - top >= 12.0) {
                let middle = text(name, f64::midpoint(left, right), f64::midpoint(top, bottom) + 4.0);
                group.append(middle.set("fill", self.fill.1));
            }
        }
        group
    }
}

/// An arrow from a place downwards, with its head above or below.
pub(super) fn arrow((x, y): (f64, f64), is_up: bool, colour: Colour) -> Group {
    let (tip, base) = if is_up { (y + 1.0, y + 8.0) } else { (y + 13.0, y + 6.0) };
    let head = format!("{},{base} {},{base} {x},{tip}", x - 4.0, x + 4.0);
    let head = Polygon::new().set("points", head).set("style", format!("fill:{colour}"));
    Group::new().add(line((x, x), (y + 1.0, y + 13.0)).set("style", format!("stroke:{colour}"))).add(head)
}

/// A box whose colour the style sheet does not change.
pub(super) fn filled(shape: Rectangle, colour: Colour) -> Rectangle {
    shape.set("style", format!("fill:{colour}"))
}
