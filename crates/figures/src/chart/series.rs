//! What a chart of lines and points shows.

use crate::chart::axis::Axis;
use crate::chart::marker::Look;

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
    pub(super) name: Vec<String>,
    pub(super) look: Look,
    /// The points; a line joins those of each run.
    pub(super) runs: Vec<Vec<(f64, f64)>>,
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
