//! Charts of lines and points over a count, with a legend beside them.

use svg::Document;
use svg::node::Node;
use svg::node::element::Polygon;

use crate::figures::chart::axis::Axis;
use crate::figures::chart::marker::Look;
use crate::figures::shapes::{faint, file, level, line, page, real, rectangle, tip};
use crate::figures::theme::INK;

pub(in crate::figures) const WIDTH: f64 = 960.0;
pub(in crate::figures) const HEIGHT: f64 = 400.0;
/// The edges of the axes. The left edge is not fixed, since it depends on the width of the numbers.
const TOP: f64 = 46.0;
const RIGHT: f64 = 636.0;
const BOTTOM: f64 = 340.0;
/// The left edge of the legend.
const LEGEND: f64 = 656.0;
/// The largest number of markers on a line.
const MARKERS: usize = 40;

/// A chart.
#[derive(Debug)]
pub(in crate::figures) struct Chart {
    pub(in crate::figures) title: String,
    pub(in crate::figures) x: Axis,
    pub(in crate::figures) y: Axis,
    /// Areas between a lower and an upper line; each point is x, lower, upper.
    pub(in crate::figures) bands: Vec<Vec<(f64, f64, f64)>>,
    /// The series, from the lowest layer to the highest.
    pub(in crate::figures) series: Vec<Series>,
    /// The texts that a pointer at an x shows.
    pub(in crate::figures) tips: Vec<(f64, String)>,
}

/// A series of points with a name.
#[derive(Debug)]
pub(in crate::figures) struct Series {
    /// The name, as the lines of text in the legend.
    name: Vec<String>,
    look: Look,
    /// The points; a line joins those of each run.
    runs: Vec<Vec<(f64, f64)>>,
}

impl Series {
    /// A series of one run; `None` if it has no points.
    pub(in crate::figures) fn new(name: &[&str], look: Look, run: Vec<(f64, f64)>) -> Option<Self> {
        Self::of_runs(name, look, vec![run])
    }

    /// A series of several runs; `None` if they have no points.
    pub(in crate::figures) fn of_runs(
        name: &[&str],
        look: Look,
        mut runs: Vec<Vec<(f64, f64)>>,
    ) -> Option<Self> {
        runs.retain(|run| !run.is_empty());
        let name = name.iter().map(|&line| line.to_owned()).collect();
        (!runs.is_empty()).then_some(Self { name, look, runs })
    }
}

impl Chart {
    /// Draws the chart and returns the text of an SVG file.
    pub(in crate::figures) fn draw(&self) -> String {
        file(&self.drawing())
    }

    /// Draws two charts, the second below the first, and returns the text of an SVG file.
    pub(in crate::figures) fn draw_above(&self, below: &Self) -> String {
        stacked(&self.title, [self.drawing(), below.drawing()])
    }

    pub(in crate::figures) fn drawing(&self) -> Document {
        let mut drawing = page(WIDTH, HEIGHT, &self.title).add(level(&self.title, 16.0, 20.0, 16));
        self.axes(&mut drawing);
        for band in &self.bands {
            let there = band.iter().map(|&(x, lower, _)| (x, lower));
            let back = band.iter().rev().map(|&(x, _, upper)| (x, upper));
            let corners = there.chain(back).map(|point| self.place(point)).map(|(x, y)| format!("{x},{y}"));
            let area = Polygon::new().set("points", corners.collect::<Vec<_>>().join(" "));
            drawing.append(area.set("fill-opacity", 0.15));
        }
        for Series { look, runs, .. } in &self.series {
            for run in runs {
                let places: Vec<_> = run.iter().map(|&point| self.place(point)).collect();
                look.line(&places).into_iter().for_each(|line| drawing.append(line));
                let points = places.iter().step_by(places.len().div_ceil(MARKERS));
                points.filter_map(|&place| look.point(place)).for_each(|point| drawing.append(point));
            }
        }
        self.legend(&mut drawing);
        let middles = self.tips.windows(2).map(|two| self.across(two[0].0.midpoint(two[1].0)));
        let edges: Vec<f64> = [self.left()].into_iter().chain(middles).chain([RIGHT]).collect();
        for (edges, (_, text)) in edges.windows(2).zip(&self.tips) {
            drawing.append(tip(edges[0], TOP, edges[1] - edges[0], BOTTOM - TOP, text));
        }
        drawing
    }

    fn left(&self) -> f64 {
        14.0 + self.y.room()
    }

    fn across(&self, x: f64) -> f64 {
        self.x.place(x, self.left(), RIGHT)
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.across(x), self.y.place(y, BOTTOM, TOP))
    }

    fn axes(&self, drawing: &mut Document) {
        let left = self.left();
        for (tick, number) in &self.x.ticks {
            let x = self.across(*tick);
            drawing.append(faint((x, x), (TOP, BOTTOM)));
            drawing.append(line((x, x), (BOTTOM, BOTTOM + 5.0)));
            drawing.append(level(number, x, BOTTOM + 16.0, 13).set("text-anchor", "middle"));
        }
        for (tick, number) in &self.y.ticks {
            let y = self.y.place(*tick, BOTTOM, TOP);
            drawing.append(faint((left, RIGHT), (y, y)));
            drawing.append(line((left - 5.0, left), (y, y)));
            drawing.append(level(number, left - 10.0, y, 13).set("text-anchor", "end"));
        }
        drawing.append(line((left, RIGHT), (BOTTOM, BOTTOM)));
        drawing.append(line((left, left), (TOP, BOTTOM)));
        let middle = f64::midpoint(left, RIGHT);
        drawing.append(level(self.x.label, middle, BOTTOM + 38.0, 14).set("text-anchor", "middle"));
        let (x, y) = (20.0, f64::midpoint(TOP, BOTTOM));
        let label = level(self.y.label, x, y, 14).set("text-anchor", "middle");
        drawing.append(label.set("transform", format!("rotate(-90 {x} {y})")));
    }

    fn legend(&self, drawing: &mut Document) {
        let mut y = 62.0;
        for Series { name, look, .. } in self.series.iter().rev() {
            look.line(&[(LEGEND, y), (LEGEND + 40.0, y)]).into_iter().for_each(|line| drawing.append(line));
            look.point((LEGEND + 20.0, y)).into_iter().for_each(|point| drawing.append(point));
            for line in name {
                drawing.append(level(line, LEGEND + 50.0, y, 13));
                y += 17.0;
            }
            y += 9.0;
        }
        if !self.bands.is_empty() {
            let area = rectangle(LEGEND, y - 8.0, 40.0, 16.0).set("fill", INK);
            drawing.append(area.set("fill-opacity", 0.15));
            drawing.append(level("the worst case is in this band", LEGEND + 50.0, y, 13));
        }
    }
}

/// Drawings of the size of a chart, one below the other, as the text of an SVG file.
pub(in crate::figures) fn stacked(title: &str, drawings: impl IntoIterator<Item = Document>) -> String {
    let drawings: Vec<Document> = drawings.into_iter().collect();
    let mut all = page(WIDTH, HEIGHT * real(drawings.len() as u64), title);
    for (number, drawing) in (0..).zip(drawings) {
        all.append(drawing.set("y", HEIGHT * real(number)).set("width", WIDTH).set("height", HEIGHT));
    }
    file(&all)
}

/// The points of a horizontal line across an axis.
pub(in crate::figures) fn across(x: &Axis, y: u64) -> Vec<(f64, f64)> {
    vec![(x.low, real(y)), (x.high, real(y))]
}
