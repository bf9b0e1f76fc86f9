//! Charts of lines and points over a count, with a legend beside them.

use svg::Document;
use svg::node::Node;
use svg::node::element::Polygon;

use crate::chart::axis::Axis;
use crate::chart::marker::Look;
use crate::shapes::{faint, file, level, line, page, real, rectangle, tip};
use crate::theme::INK;

pub(crate) const WIDTH: f64 = 960.0;
pub(crate) const HEIGHT: f64 = 400.0;
/// The edges of the axes. The left edge is not fixed, since it depends on the width of the numbers.
const TOP: f64 = 46.0;
/// The space on the right of the axes, in which the legend stands, and that below them.
const BESIDE: f64 = 324.0;
const BELOW: f64 = 60.0;
/// The space between the axes and the legend.
const APART: f64 = 20.0;
/// The largest number of markers on a line.
const MARKERS: usize = 40;

/// A chart.
#[derive(Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// Areas between a lower and an upper line; each point is x, lower, upper.
    pub(crate) bands: Vec<Vec<(f64, f64, f64)>>,
    /// The series, from the lowest layer to the highest.
    pub(crate) series: Vec<Series>,
    /// The texts that a pointer at an x shows.
    pub(crate) tips: Vec<(f64, String)>,
}

/// A series of points with a name.
#[derive(Debug)]
pub(crate) struct Series {
    /// The name, as the lines of text in the legend.
    name: Vec<String>,
    look: Look,
    /// The points; a line joins those of each run.
    runs: Vec<Vec<(f64, f64)>>,
}

impl Series {
    /// A series of one run; `None` if it has no points.
    pub(crate) fn new(name: &[&str], look: Look, run: Vec<(f64, f64)>) -> Option<Self> {
        Self::of_runs(name, look, vec![run])
    }

    /// A series of several runs; `None` if they have no points.
    pub(crate) fn of_runs(name: &[&str], look: Look, mut runs: Vec<Vec<(f64, f64)>>) -> Option<Self> {
        runs.retain(|run| !run.is_empty());
        let name = name.iter().map(|&line| line.to_owned()).collect();
        (!runs.is_empty()).then_some(Self { name, look, runs })
    }
}

impl Chart {
    /// Draws the chart and returns the text of an SVG file.
    pub(crate) fn draw(&self) -> String {
        file(&self.drawing())
    }

    /// Draws the chart in another size than the usual one, in pixels.
    pub(crate) fn draw_in(&self, size: (f64, f64)) -> String {
        file(&self.drawing_in(size))
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
        let frame = Frame { chart: self, right: width - BESIDE, bottom: height - BELOW };
        frame.draw((width, height))
    }
}

/// A chart and the right and the lower edge of its axes.
struct Frame<'a> {
    chart: &'a Chart,
    right: f64,
    bottom: f64,
}

impl Frame<'_> {
    fn draw(&self, (width, height): (f64, f64)) -> Document {
        let mut drawing =
            page(width, height, &self.chart.title).add(level(&self.chart.title, 16.0, 20.0, 16));
        self.axes(&mut drawing);
        for band in &self.chart.bands {
            let there = band.iter().map(|&(x, lower, _)| (x, lower));
            let back = band.iter().rev().map(|&(x, _, upper)| (x, upper));
            let corners = there.chain(back).map(|point| self.place(point)).map(|(x, y)| format!("{x},{y}"));
            let area = Polygon::new().set("points", corners.collect::<Vec<_>>().join(" "));
            drawing.append(area.set("fill-opacity", 0.15));
        }
        for Series { look, runs, .. } in &self.chart.series {
            for run in runs {
                let places: Vec<_> = run.iter().map(|&point| self.place(point)).collect();
                look.line(&places).into_iter().for_each(|line| drawing.append(line));
                let points = places.iter().step_by(places.len().div_ceil(MARKERS));
                points.filter_map(|&place| look.point(place)).for_each(|point| drawing.append(point));
            }
        }
        self.legend(&mut drawing);
        let middles = self.chart.tips.windows(2).map(|two| self.across(two[0].0.midpoint(two[1].0)));
        let edges: Vec<f64> = [self.left()].into_iter().chain(middles).chain([self.right]).collect();
        for (edges, (_, text)) in edges.windows(2).zip(&self.chart.tips) {
            drawing.append(tip(edges[0], TOP, edges[1] - edges[0], self.bottom - TOP, text));
        }
        drawing
    }

    fn left(&self) -> f64 {
        14.0 + self.chart.y.room()
    }

    fn across(&self, x: f64) -> f64 {
        self.chart.x.place(x, self.left(), self.right)
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.across(x), self.chart.y.place(y, self.bottom, TOP))
    }

    fn axes(&self, drawing: &mut Document) {
        let left = self.left();
        for (tick, number) in &self.chart.x.ticks {
            let x = self.across(*tick);
            drawing.append(faint((x, x), (TOP, self.bottom)));
            drawing.append(line((x, x), (self.bottom, self.bottom + 5.0)));
            drawing.append(level(number, x, self.bottom + 16.0, 13).set("text-anchor", "middle"));
        }
        for (tick, number) in &self.chart.y.ticks {
            let y = self.chart.y.place(*tick, self.bottom, TOP);
            drawing.append(faint((left, self.right), (y, y)));
            drawing.append(line((left - 5.0, left), (y, y)));
            drawing.append(level(number, left - 10.0, y, 13).set("text-anchor", "end"));
        }
        drawing.append(line((left, self.right), (self.bottom, self.bottom)));
        drawing.append(line((left, left), (TOP, self.bottom)));
        let middle = f64::midpoint(left, self.right);
        drawing
            .append(level(self.chart.x.label, middle, self.bottom + 38.0, 14).set("text-anchor", "middle"));
        let (x, y) = (20.0, f64::midpoint(TOP, self.bottom));
        let label = level(self.chart.y.label, x, y, 14).set("text-anchor", "middle");
        drawing.append(label.set("transform", format!("rotate(-90 {x} {y})")));
    }

    fn legend(&self, drawing: &mut Document) {
        let (mut y, legend) = (62.0, self.right + APART);
        for Series { name, look, .. } in self.chart.series.iter().rev() {
            look.line(&[(legend, y), (legend + 40.0, y)]).into_iter().for_each(|line| drawing.append(line));
            look.point((legend + 20.0, y)).into_iter().for_each(|point| drawing.append(point));
            for line in name {
                drawing.append(level(line, legend + 50.0, y, 13));
                y += 17.0;
            }
            y += 9.0;
        }
        if !self.chart.bands.is_empty() {
            let area = rectangle(legend, y - 8.0, 40.0, 16.0).set("fill", INK);
            drawing.append(area.set("fill-opacity", 0.15));
            drawing.append(level("the worst case is in this band", legend + 50.0, y, 13));
        }
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
