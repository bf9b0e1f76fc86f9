//! Gantt charts: time runs to the right, and each lane has a bar for each time at which it is busy.

mod bar;
mod density;
mod letters;
mod occupancy;
mod orders;
mod policies;
mod tiles;
mod warps;

use std::ops::Range;

use svg::node::Node;
use svg::node::element::Group;

use crate::gantt::bar::{Bar, Fence, Sign, arrow, filled};
use crate::paper::Paper;
use crate::shapes::{faint, file, heading, line, page, real, rectangle, telling, text, text_width, wrapped};
use crate::theme::{BLACK, BLUE, Colour, GREEN, INK, ORANGE, PURPLE, SKY, VERMILION, WHITE, YELLOW};

pub use occupancy::{is_cut, measured, occupancy};
pub use orders::orders;
pub use policies::policies;
pub use tiles::tiles;
pub use warps::{slots, warps, warps_within};

/// The width of the time axis in pixels, unless the width of a unit of time is fixed.
const WIDTH: f64 = 840.0;
/// The distance of two names in the legend, in pixels.
const COLUMN: f64 = 120.0;
/// How many names stand in one line of the legend.
const COLUMNS: usize = 7;

/// A fill and the colour of the text on it, which are the same on light and on dark paper.
type Fill = (Colour, Colour);

/// Fills that differ in brightness as well as in colour.
const FILLS: [Fill; 7] = [
    (BLUE, WHITE),
    (ORANGE, BLACK),
    (GREEN, WHITE),
    (PURPLE, BLACK),
    (SKY, BLACK),
    (YELLOW, BLACK),
    (VERMILION, WHITE),
];

/// The contents of a chart. Times are in the unit of the time axis and count from its left end.
struct Gantt<'a> {
    title: &'a str,
    /// The text that a screen reader says: the title, and what kind of chart this is.
    label: String,
    /// What must be known about the times; it is drawn below the title.
    caveat: Option<&'a str>,
    /// The unit of the numbers on the time axis.
    unit: &'a str,
    /// The pixels for one unit of time.
    scale: f64,
    /// The times at the left and at the right end of the axis.
    begin: f64,
    end: f64,
    /// The numbers on the time axis, each with its time.
    ticks: Vec<(f64, String)>,
    /// The times that are marked, with the legend of the marks.
    marks: Option<(&'a str, Vec<f64>)>,
    /// Times that are marked above the lanes, each with an arrow.
    signs: Vec<Sign>,
    /// The names of the lanes.
    lanes: Vec<String>,
    /// The number of rows of each lane, if lanes have several; such lanes are framed and spaced.
    rows: Option<usize>,
    /// The height of a row in pixels.
    height: f64,
    bars: Vec<Bar>,
    /// Bars that are drawn as dashed outlines over the others, with their legend.
    outlines: Option<(&'a str, Vec<Bar>)>,
    /// Stretches that are marked at the foot of bars, with their legend; their fill and their rows do not count.
    strips: Option<(&'a str, Vec<Bar>)>,
    /// Lines across some of the lanes, with their legend.
    fences: Option<(&'a str, Vec<Fence>)>,
    legend: Vec<(String, Colour)>,
}

/// The height of the strip with the arrows.
const STRIP: f64 = 16.0;

impl Gantt<'_> {
    /// Draws the chart and returns the text of an SVG file.
    fn draw(&self, paper: &Paper) -> String {
        let names = self.lanes.iter().map(|name| text_width(name, 12.0) + 16.0);
        let least = if paper.wide().is_some() { text_width(self.unit, 12.0) + 16.0 } else { 96.0 };
        let left = names.fold(least, f64::max);
        let scale = match paper.wide() {
            Some(wide) => (wide - left - 24.0).max(60.0) / (self.end - self.begin).max(1e-9),
            None => self.scale,
        };
        let x = |time: f64| left + scale * (time - self.begin);
        let strip = STRIP * real(self.signs.iter().map(|sign| sign.line as u64 + 1).max().unwrap_or(0));
        let columns = paper.wide().map_or(COLUMNS, |wide| most_columns(wide - left));
        let (title, caveat) = self.head(paper);
        let axis = 58.0 + 17.0 * real(title.saturating_sub(1)) + 20.0 * real(caveat.len() as u64);
        let top = axis + strip;
        let lane = self.height * real(self.rows.unwrap_or(1) as u64);
        let gap = if self.rows.is_some() { 26.0 } else { 0.0 };
        let y = |number: usize| top + gap / 2.0 + (lane + gap) * real(number as u64);
        let bottom = y(self.lanes.len()) - gap / 2.0;
        let marked = self.marks.as_ref().map(|(name, _)| *name);
        let marked = marked.or(self.outlines.as_ref().map(|(name, _)| *name));
        let arrows = [(true, "release"), (false, "deadline")];
        let arrows =
            arrows.into_iter().filter(|(kind, _)| self.signs.iter().any(|sign| sign.is_release == *kind));
        let arrows: Vec<(bool, &str)> = arrows.collect();
        let strips = self.strips.iter().map(|(name, _)| (*name).to_owned());
        let legend = self.legend.iter().cloned();
        let legend: Vec<(String, Colour)> = legend.chain(strips.map(|name| (name, VERMILION))).collect();
        let fence = usize::from(self.fences.is_some());
        let places = legend.len() + fence + usize::from(marked.is_some()) + arrows.len();
        let right = x(self.end).max(left + COLUMN * real(places.min(columns) as u64));
        let below = 22.0 * real(places.div_ceil(columns) as u64) + 22.0;
        let said =
            caveat.iter().map(|line| text_width(line, 12.0)).fold(text_width(self.title, 15.0), f64::max);
        let width = paper.wide().unwrap_or_else(|| (right + 24.0).max(said + 32.0).ceil());

        let mut drawing = page(width, (bottom + below).ceil(), &self.label);
        heading(&mut drawing, self.title, paper.wide().unwrap_or(f64::INFINITY), 15);
        for (number, line) in (0..).zip(&caveat) {
            drawing.append(text(line, 16.0, axis - 36.0 - 20.0 * real(caveat.len() as u64 - 1 - number)));
        }
        drawing.append(text(self.unit, left - 10.0, axis - 8.0).set("text-anchor", "end"));
        let mut free = f64::NEG_INFINITY;
        for (time, number) in &self.ticks {
            let half = text_width(number, 12.0) / 2.0;
            // On a narrow paper not every number has room.
            if x(*time) - half >= free {
                drawing.append(text(number, x(*time), axis - 8.0).set("text-anchor", "middle"));
                free = x(*time) + half + 3.0;
            }
            drawing.append(faint((x(*time), x(*time)), (top, bottom)));
        }
        for &time in self.marks.iter().flat_map(|(_, times)| times) {
            drawing.append(line((x(time), x(time)), (top, bottom)).set("stroke-dasharray", "4 3"));
        }
        let every = if lane < 12.0 { 8 } else { 1 };
        for (number, name) in self.lanes.iter().enumerate() {
            let middle = y(number) + lane / 2.0;
            if self.rows.is_some() {
                let frame = rectangle(left, y(number), x(self.end) - left, lane).set("fill", "none");
                drawing.append(frame.set("stroke", INK).set("stroke-opacity", 0.3));
            } else {
                drawing.append(faint((left, x(self.end)), (middle, middle)));
            }
            if number % every == 0 {
                drawing.append(text(name, left - 10.0, middle + 4.0).set("text-anchor", "end"));
            }
        }
        let size = if self.height < 20.0 { 11 } else { 12 };
        let mut bars = Group::new().set("font-size", size).set("text-anchor", "middle");
        let place = |bar: &Bar, rows: &Range<usize>| {
            let (first, last) = (real(rows.start as u64), real(rows.end as u64));
            (y(bar.lane) + self.height * first, y(bar.lane) + self.height * last)
        };
        for bar in &self.bars {
            let pieces = bar.rows.iter().map(|rows| place(bar, rows));
            bars.append(bar.draw((x(bar.from), x(bar.to)), pieces, size));
        }
        drawing.append(bars);
        for bar in self.strips.iter().flat_map(|(_, bars)| bars) {
            let (_, bottom) = place(bar, &(0..1));
            let tall = (self.height / 3.0).max(3.0);
            let shape = rectangle(x(bar.from), bottom - tall, (x(bar.to) - x(bar.from)).max(1.0), tall);
            drawing.append(telling(&bar.tip).add(filled(shape, VERMILION)));
        }
        for fence in self.fences.iter().flat_map(|(_, fences)| fences) {
            let (top, bottom) = (y(fence.lanes.start), y(fence.lanes.end) - gap);
            let line = line((x(fence.at), x(fence.at)), (top, bottom)).set("stroke-width", 2.5);
            drawing.append(telling(&fence.tip).add(line));
        }
        for sign in &self.signs {
            let mut group = telling(&sign.tip);
            group.append(arrow(
                (x(sign.at), axis + STRIP * real(sign.line as u64)),
                sign.is_release,
                sign.fill.0,
            ));
            drawing.append(group);
        }
        for bar in self.outlines.iter().flat_map(|(_, bars)| bars) {
            let mut group = telling(&bar.tip);
            for (top, bottom) in bar.rows.iter().map(|rows| place(bar, rows)) {
                let frame = rectangle(x(bar.from), top + 2.5, x(bar.to) - x(bar.from), bottom - top - 5.0);
                let frame = frame.set("fill", "none").set("stroke", INK).set("stroke-width", 1.5);
                group.append(frame.set("stroke-dasharray", "6 4"));
            }
            drawing.append(group);
        }
        let place = |number: usize| {
            let (column, row) = (number % columns, number / columns);
            (left + COLUMN * real(column as u64), bottom + 16.0 + 22.0 * real(row as u64))
        };
        for (number, (name, colour)) in legend.iter().enumerate() {
            let (x, y) = place(number);
            drawing.append(filled(rectangle(x, y, 14.0, 14.0), colour));
            drawing.append(text(name, x + 22.0, y + 11.0));
        }
        for (number, (is_release, name)) in arrows.into_iter().enumerate() {
            let (x, y) = place(legend.len() + fence + usize::from(marked.is_some()) + number);
            drawing.append(arrow((x + 7.0, y), is_release, INK));
            drawing.append(text(name, x + 22.0, y + 11.0));
        }
        if let Some((name, _)) = self.fences {
            let (x, y) = place(legend.len());
            drawing.append(line((x + 7.0, x + 7.0), (y, y + 14.0)).set("stroke-width", 2.5));
            drawing.append(text(name, x + 22.0, y + 11.0));
        }
        if let Some(name) = marked {
            let (x, y) = place(legend.len() + fence);
            drawing.append(line((x, x + 14.0), (y + 7.0, y + 7.0)).set("stroke-dasharray", "4 3"));
            drawing.append(text(name, x + 22.0, y + 11.0));
        }
        file(&drawing)
    }
}

/// How many names stand in one line of the legend of so many pixels.
fn most_columns(wide: f64) -> usize {
    (1..=COLUMNS).rev().find(|columns| COLUMN * real(*columns as u64) <= wide).unwrap_or(1)
}

impl Gantt<'_> {
    /// How many lines the title takes, and the lines of the caveat.
    fn head(&self, paper: &Paper) -> (u64, Vec<String>) {
        let wide = paper.wide().map_or(f64::INFINITY, |wide| wide - 32.0);
        let caveat = self.caveat.map_or_else(Vec::new, |caveat| wrapped(caveat, wide, 12.0));
        (wrapped(self.title, wide, 15.0).len() as u64, caveat)
    }
}
