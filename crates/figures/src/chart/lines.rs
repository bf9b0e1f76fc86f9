//! Charts of lines and points over a count, with a legend beside them.

use svg::Document;
use svg::node::Node;

use crate::chart::axis::Axis;
use crate::chart::frame::Frame;
use crate::chart::series::{Chart, Series};
use crate::paper::{Paper, TITLE};
use crate::shapes::{file, heading, level, page, real};

pub(crate) const WIDTH: f64 = 960.0;
pub(crate) const HEIGHT: f64 = 400.0;
/// The edges of the axes. The left edge is not fixed, since it depends on the width of the numbers.
const TOP: f64 = 46.0;
/// The space on the right of the axes, in which the legend stands, and that below them.
const BESIDE: f64 = 324.0;
const BELOW: f64 = 60.0;
/// The space between the axes and the legend.
const APART: f64 = 20.0;

impl Chart {
    /// Draws the chart and returns the text of an SVG file.
    pub(crate) fn draw(&self, paper: &Paper) -> String {
        self.draw_in((WIDTH, HEIGHT), paper)
    }

    /// Draws the chart in another size than the usual one, in pixels, unless the paper has a width.
    pub(crate) fn draw_in(&self, size: (f64, f64), paper: &Paper) -> String {
        file(&paper.wide().map_or_else(|| self.drawing_in(size), |wide| self.drawing_on(wide)))
    }

    /// The drawn points as CSV: the name of the series, and the two numbers on the axes.
    pub(crate) fn points(&self) -> String {
        let mut table = csv::Writer::from_writer(Vec::new());
        let mut write = |name: &str, (x, y): (f64, f64)| {
            let row = [name.to_owned(), self.x.number(x), self.y.number(y)];
            // Writing to memory does not fail.
            let _ = table.write_record(row);
        };
        for Series { name, runs, .. } in self.series.iter().rev() {
            runs.iter().flatten().for_each(|&point| write(&name.join(" "), point));
        }
        for &(x, lower, upper) in self.bands.iter().flatten() {
            write("band, lower end", (x, lower));
            write("band, upper end", (x, upper));
        }
        let rows = String::from_utf8(table.into_inner().unwrap_or_default()).unwrap_or_default();
        let mut head = csv::Writer::from_writer(Vec::new());
        let _ = head.write_record(["series", self.x.label, self.y.label]);
        String::from_utf8(head.into_inner().unwrap_or_default()).unwrap_or_default() + &rows
    }

    /// Draws two charts, the second below the first, and returns the text of an SVG file.
    pub(crate) fn draw_above(&self, below: &Self) -> String {
        stacked(&self.title, [self.drawing(), below.drawing()])
    }

    pub(crate) fn drawing(&self) -> Document {
        self.drawing_in((WIDTH, HEIGHT))
    }

    fn drawing_in(&self, (width, height): (f64, f64)) -> Document {
        let frame = Frame { chart: self, top: TOP, right: width - BESIDE, bottom: height - BELOW };
        let mut drawing =
            page(width, height, &self.title).add(level(&self.title, 16.0, 20.0, 16).set("class", TITLE));
        frame.draw(&mut drawing, (frame.right + APART, 62.0), BESIDE - APART);
        drawing
    }

    /// Draws the chart on a column of a paper, which has no room beside the axes: the legend stands below them.
    fn drawing_on(&self, wide: f64) -> Document {
        let mut drawing = page(wide, 0.0, &self.title);
        let top = TOP + heading(&mut drawing, &self.title, wide, 16);
        let bottom = top + (wide * 0.5).min(HEIGHT - BELOW - TOP);
        let frame = Frame { chart: self, top, right: wide - APART, bottom };
        let end = frame.draw(&mut drawing, (APART, bottom + BELOW + 4.0), wide - APART);
        drawing.set("viewBox", (0, 0, wide, end)).set("height", end)
    }
}

/// Drawings of the size of a chart, one below the other, as the text of an SVG file.
pub(crate) fn stacked(title: &str, drawings: impl IntoIterator<Item = Document>) -> String {
    let drawings: Vec<Document> = drawings.into_iter().collect();
    let mut all = page(WIDTH, HEIGHT * real(drawings.len() as u64), title);
    for (number, drawing) in (0..).zip(drawings) {
        all.append(drawing.set("y", HEIGHT * real(number)).set("width", WIDTH).set("height", HEIGHT));
    }
    file(&all)
}

/// The points of a horizontal line across an axis.
pub(crate) fn across(x: &Axis, y: u64) -> Vec<(f64, f64)> {
    vec![(x.low, real(y)), (x.high, real(y))]
}
