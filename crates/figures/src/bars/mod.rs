//! Bars to the right, a row for each: of what adds up to a number, of what lines cost, of what has changed.

use svg::Document;
use svg::node::Node;

use crate::paper::Paper;
use crate::scale::{Scale, ticks};
use crate::shapes::{cut, faint, file, heading, level, line, page, real, rectangle, telling, text_width};
use crate::theme::Colour;

/// The width of a drawing for a screen, in pixels.
const WIDTH: f64 = 960.0;
const ROW: f64 = 22.0;
const SIZE: u32 = 12;
/// The space beside names and numbers.
const APART: f64 = 10.0;
const MARGIN: f64 = 16.0;

/// The contents of a drawing.
pub(crate) struct Bars<'a> {
    pub(crate) title: &'a str,
    /// What the axis shows.
    pub(crate) scale: Scale,
    pub(crate) rows: Vec<Row>,
    /// A number that is marked by a line across all rows, with its name.
    pub(crate) mark: Option<(String, f64)>,
    /// Whether each row begins where the one above it ends, so that a line joins them.
    pub(crate) is_joined: bool,
    pub(crate) legend: Vec<(&'static str, Colour)>,
}

/// A row with its name, its pieces and its number.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) number: String,
    /// The text that a pointer over the row shows.
    pub(crate) tip: String,
}

/// A stretch of the axis in a colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Piece {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) fill: Colour,
}

/// The places of the axis.
struct Frame {
    left: f64,
    right: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        self.left + (self.right - self.left) * (value - self.low) / (self.high - self.low)
    }
}

impl Bars<'_> {
    /// Draws the bars and returns the text of an SVG file.
    pub(crate) fn draw(&self, paper: &Paper) -> String {
        let width = paper.wide().unwrap_or(WIDTH);
        let frame = self.frame(width);
        let mut drawing = page(width, 0.0, self.title);
        let further = heading(&mut drawing, self.title, width, 16);
        let top = further + if self.mark.is_some() { 62.0 } else { 42.0 };
        let bottom = top + ROW * real(self.rows.len() as u64);
        let axis = self.axis(&mut drawing, &frame, (top, bottom));
        for (number, row) in (0..).zip(&self.rows) {
            let y = top + ROW * real(number);
            let next = self.rows.get(usize::try_from(number).unwrap_or(usize::MAX).saturating_add(1));
            drawing.append(self.row(row, &frame, y));
            if let (true, Some(end), Some(_)) = (self.is_joined, row.pieces.last(), next) {
                let x = frame.x(end.to);
                drawing.append(line((x, x), (y + ROW - 3.0, y + ROW + 3.0)).set("stroke-opacity", 0.6));
            }
        }
        if let Some((name, value)) = &self.mark {
            let x = frame.x(*value);
            drawing.append(
                line((x, x), (top - 6.0, bottom)).set("stroke-dasharray", "5 3").set("stroke-width", 1.5),
            );
            let anchor = if x > width / 2.0 { "end" } else { "start" };
            drawing.append(level(name, x, top - 15.0, SIZE).set("text-anchor", anchor));
        }
        let end = self.legend(&mut drawing, axis, width);
        let height = end + 12.0;
        file(&drawing.set("viewBox", (0, 0, width, height)).set("height", height))
    }

    /// Names take as much room as they need, but never more than two fifths.
    fn frame(&self, width: f64) -> Frame {
        let widest = |of: &dyn Fn(&Row) -> &str| {
            self.rows.iter().map(|row| text_width(of(row), SIZE.into())).fold(0.0, f64::max)
        };
        let (names, numbers) = (widest(&|row| &row.name).min(width * 0.4), widest(&|row| &row.number));
        let ends = || self.rows.iter().flat_map(|row| &row.pieces).flat_map(|piece| [piece.from, piece.to]);
        let marked = self.mark.iter().map(|(_, value)| *value);
        let low = ends().fold(0.0, f64::min);
        let high = ends().chain(marked).fold(low, f64::max);
        Frame {
            left: MARGIN + names + APART,
            right: width - MARGIN - numbers - APART,
            low,
            high: if high > low { high } else { low + 1.0 },
        }
    }

    /// Draws the axis below the rows; returns where it ends.
    fn axis(&self, drawing: &mut Document, frame: &Frame, (top, bottom): (f64, f64)) -> f64 {
        let Scale { unit, each } = self.scale;
        let parts = ((frame.right - frame.left) / 45.0).clamp(2.0, 10.0);
        for (value, number) in ticks(frame.low / each, frame.high / each, parts) {
            let x = frame.x(value * each);
            drawing.append(faint((x, x), (top, bottom)));
            drawing.append(line((x, x), (bottom, bottom + 4.0)));
            drawing.append(level(&number, x, bottom + 14.0, SIZE).set("text-anchor", "middle"));
        }
        let zero = frame.x(0.0);
        drawing.append(line((zero, zero), (top, bottom)));
        drawing.append(line((frame.left, frame.right), (bottom, bottom)));
        let middle = f64::midpoint(frame.left, frame.right);
        drawing.append(level(unit, middle, bottom + 32.0, SIZE).set("text-anchor", "middle"));
        bottom + 44.0
    }

    fn row(&self, row: &Row, frame: &Frame, y: f64) -> svg::node::element::Group {
        let middle = y + ROW / 2.0;
        let mut group = telling(&row.tip);
        // The whole row answers a pointer, also where it has no bar.
        let ground =
            rectangle(MARGIN, y, frame.right - MARGIN, ROW).set("class", "tip").set("fill-opacity", 0);
        group.append(ground);
        let room = frame.left - MARGIN - APART;
        let name = level(&cut(&row.name, room, SIZE.into()), frame.left - APART, middle, SIZE);
        group.append(name.set("text-anchor", "end"));
        for Piece { from, to, fill } in &row.pieces {
            let (a, b) = (frame.x(from.min(*to)), frame.x(from.max(*to)));
            // What is there is seen, however short.
            group.append(rectangle(a, y + 3.0, (b - a).max(0.75), ROW - 6.0).set("fill", *fill));
        }
        let number = level(&row.number, frame.right + APART, middle, SIZE);
        group.append(number);
        group
    }

    /// Draws the legend in as many lines as it takes; returns where it ends.
    fn legend(&self, drawing: &mut Document, top: f64, width: f64) -> f64 {
        let (mut x, mut y) = (MARGIN, top + 10.0);
        for (name, fill) in &self.legend {
            let wide = 20.0 + text_width(name, SIZE.into()) + 16.0;
            if x > MARGIN && x + wide > width {
                (x, y) = (MARGIN, y + 20.0);
            }
            drawing.append(rectangle(x, y - 6.0, 12.0, 12.0).set("fill", *fill));
            drawing.append(level(name, x + 20.0, y, SIZE));
            x += wide;
        }
        if self.legend.is_empty() { top } else { y + 6.0 }
    }
}

#[cfg(test)]
mod tests;
