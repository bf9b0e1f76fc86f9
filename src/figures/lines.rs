//! Charts of lines and points over a count, with the legend beside them.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::figures::ReportError;
use crate::figures::axis::{Axis, real};
use crate::figures::marker::{Look, Paper, points, write, write_with};
use crate::figures::theme::{self, INK};

const SIZE: (u32, u32) = (960, 400);
/// Where the legend begins.
const PLOT: i32 = 650;
/// The most markers on a line.
const MARKERS: usize = 40;

/// A chart.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    /// Areas between a lower and an upper line: x, lower, upper.
    pub(super) bands: Vec<Vec<(f64, f64, f64)>>,
    /// From the lowest layer to the highest.
    pub(super) series: Vec<Series>,
    /// What a pointer at an x is told.
    pub(super) tips: Vec<(f64, String)>,
}

/// Points with a name.
#[derive(Debug)]
pub(super) struct Series {
    /// In the legend, a line of it each.
    pub(super) name: Vec<String>,
    pub(super) look: Look,
    /// Points that a line joins.
    pub(super) runs: Vec<Vec<(f64, f64)>>,
}

impl Series {
    /// A series of one run; none without points.
    pub(super) fn new(name: &[&str], look: Look, run: Vec<(f64, f64)>) -> Option<Self> {
        Self::of_runs(name, look, vec![run])
    }

    /// A series of several runs; none without points.
    pub(super) fn of_runs(name: &[&str], look: Look, mut runs: Vec<Vec<(f64, f64)>>) -> Option<Self> {
        runs.retain(|run| !run.is_empty());
        let name = name.iter().map(|&line| line.to_owned()).collect();
        (!runs.is_empty()).then_some(Self { name, look, runs })
    }
}

impl Chart {
    /// Draws it; the text of an SVG file.
    pub(super) fn draw(&self) -> Result<String, ReportError> {
        let mut svg = String::new();
        let tips = self.draw_on(&SVGBackend::with_string(&mut svg, SIZE).into_drawing_area())?;
        Ok(theme::finish(&svg, &self.title, &tips))
    }

    fn draw_on(&self, paper: &Paper) -> Result<Vec<theme::Tip>, ReportError> {
        write(paper, &self.title, (16, 20), 16)?;
        let (left, _) = paper.split_horizontally(PLOT);
        let mut chart = ChartBuilder::on(&left)
            .margin(14)
            .margin_top(46)
            .x_label_area_size(46)
            .y_label_area_size(self.y.room())
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.13))
            .x_label_formatter(&|value| (self.x.number)(*value))
            .y_label_formatter(&|value| (self.y.number)(*value))
            .label_style(("sans-serif", points(13)))
            .axis_desc_style(("sans-serif", points(14)))
            .x_desc(self.x.label)
            .y_desc(self.y.label)
            .draw()?;
        for band in &self.bands {
            let there = band.iter().map(|&(x, lower, _)| (x, lower));
            let back = band.iter().rev().map(|&(x, _, upper)| (x, upper));
            chart.draw_series([Polygon::new(there.chain(back).collect::<Vec<_>>(), BLACK.mix(0.15))])?;
        }
        for series in &self.series {
            for run in &series.runs {
                let run: Vec<_> = run.iter().map(|point| chart.backend_coord(point)).collect();
                series.look.line(paper, &run)?;
                for &point in run.iter().step_by(run.len().div_ceil(MARKERS)) {
                    series.look.point(paper, point)?;
                }
            }
        }
        self.legend(paper)?;
        let (across, down) = chart.plotting_area().get_pixel_range();
        let place = |x: f64| chart.backend_coord(&(x, self.y.low)).0;
        let edges: Vec<i32> = self.tips.windows(2).map(|two| place(two[0].0.midpoint(two[1].0))).collect();
        let starts = std::iter::once(across.start).chain(edges.iter().copied());
        let ends = edges.iter().copied().chain([across.end]);
        let tip = |((start, end), (_, text)): ((i32, i32), &(f64, String))| theme::Tip {
            x: start,
            y: down.start,
            width: end - start,
            height: down.end - down.start,
            text: text.clone(),
        };
        Ok(starts.zip(ends).zip(&self.tips).map(tip).collect())
    }

    fn legend(&self, paper: &Paper) -> Result<(), ReportError> {
        let mut y = 62;
        for series in self.series.iter().rev() {
            series.look.line(paper, &[(PLOT + 6, y), (PLOT + 46, y)])?;
            series.look.point(paper, (PLOT + 26, y))?;
            for line in &series.name {
                write(paper, line, (PLOT + 56, y), 13)?;
                y += 17;
            }
            y += 9;
        }
        if !self.bands.is_empty() {
            paper.draw(&Rectangle::new([(PLOT + 6, y - 8), (PLOT + 46, y + 8)], BLACK.mix(0.15).filled()))?;
            write_with(paper, "the worst case is in this band", (PLOT + 56, y), 13, HPos::Left, BLACK)?;
        }
        Ok(())
    }
}

/// A horizontal line across the axis.
pub(super) fn across(x: &Axis, y: u64) -> Vec<(f64, f64)> {
    vec![(x.low, real(y)), (x.high, real(y))]
}

/// A look in ink.
pub(super) const fn ink(stroke: super::marker::Stroke, marker: Option<super::marker::Marker>) -> Look {
    Look { colour: INK, stroke, marker }
}
