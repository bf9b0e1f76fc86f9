//! The axes of a chart with all that is on them, and its legend.

use svg::Document;
use svg::node::Node;
use svg::node::element::Polygon;

use crate::chart::series::{Chart, Series};
use crate::shapes::{faint, level, line, rectangle, text_width, tip, wrapped};
use crate::theme::INK;

/// The largest number of markers on a line.
const MARKERS: usize = 40;

/// A chart and the edges of its axes.
pub(super) struct Frame<'a> {
    pub(super) chart: &'a Chart,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Frame<'_> {
    /// Draws the axes with all that is on them, and the legend from a place on; returns where that ends.
    pub(super) fn draw(&self, drawing: &mut Document, legend: (f64, f64), wide: f64) -> f64 {
        self.axes(drawing);
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
        let end = self.legend(drawing, legend, wide);
        let middles = self.chart.tips.windows(2).map(|two| self.across(two[0].0.midpoint(two[1].0)));
        let edges: Vec<f64> = [self.left()].into_iter().chain(middles).chain([self.right]).collect();
        for (edges, (_, text)) in edges.windows(2).zip(&self.chart.tips) {
            drawing.append(tip(edges[0], self.top, edges[1] - edges[0], self.bottom - self.top, text));
        }
        end
    }

    fn left(&self) -> f64 {
        14.0 + self.chart.y.room()
    }

    fn across(&self, x: f64) -> f64 {
        self.chart.x.place(x, self.left(), self.right)
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.across(x), self.chart.y.place(y, self.bottom, self.top))
    }

    fn axes(&self, drawing: &mut Document) {
        let left = self.left();
        let mut free = f64::NEG_INFINITY;
        for (tick, number) in &self.chart.x.ticks {
            let x = self.across(*tick);
            drawing.append(faint((x, x), (self.top, self.bottom)));
            drawing.append(line((x, x), (self.bottom, self.bottom + 5.0)));
            // On a narrow paper not every number has room.
            let half = text_width(number, 13.0) / 2.0;
            if x - half < free {
                continue;
            }
            free = x + half + 3.0;
            drawing.append(level(number, x, self.bottom + 16.0, 13).set("text-anchor", "middle"));
        }
        for (tick, number) in &self.chart.y.ticks {
            let y = self.chart.y.place(*tick, self.bottom, self.top);
            drawing.append(faint((left, self.right), (y, y)));
            drawing.append(line((left - 5.0, left), (y, y)));
            drawing.append(level(number, left - 10.0, y, 13).set("text-anchor", "end"));
        }
        drawing.append(line((left, self.right), (self.bottom, self.bottom)));
        drawing.append(line((left, left), (self.top, self.bottom)));
        let middle = f64::midpoint(left, self.right);
        drawing
            .append(level(self.chart.x.label, middle, self.bottom + 38.0, 14).set("text-anchor", "middle"));
        let (x, y) = (20.0, f64::midpoint(self.top, self.bottom));
        let label = level(self.chart.y.label, x, y, 14).set("text-anchor", "middle");
        drawing.append(label.set("transform", format!("rotate(-90 {x} {y})")));
    }

    fn legend(&self, drawing: &mut Document, (legend, mut y): (f64, f64), wide: f64) -> f64 {
        let is_below = y > self.bottom;
        for Series { name, look, .. } in self.chart.series.iter().rev() {
            look.line(&[(legend, y), (legend + 40.0, y)]).into_iter().for_each(|line| drawing.append(line));
            look.point((legend + 20.0, y)).into_iter().for_each(|point| drawing.append(point));
            // Below the axes there is room for the whole name in a line.
            let lines = if is_below { wrapped(&name.join(" "), wide - 60.0, 13.0) } else { name.clone() };
            for line in &lines {
                drawing.append(level(line, legend + 50.0, y, 13));
                y += 17.0;
            }
            y += 9.0;
        }
        if !self.chart.bands.is_empty() {
            let area = rectangle(legend, y - 8.0, 40.0, 16.0).set("fill", INK);
            drawing.append(area.set("fill-opacity", 0.15));
            drawing.append(level("the worst case is in this band", legend + 50.0, y, 13));
            y += 17.0;
        }
        y
    }
}
