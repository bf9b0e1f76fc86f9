//! What a report is made of.

use crate::Responses;
use crate::paper::Paper;
use crate::report::{Answer, By, Code, Sketch};
use warpspan_sweep::Row;

/// The contents of a report.
#[derive(Default)]
pub struct Input {
    /// The names of the files, which the page shows.
    pub files: Vec<String>,
    /// The rows of all tables.
    pub rows: Vec<Row>,
    /// The files of the rows, each with the index of its first row, which rise.
    pub row_files: Vec<(usize, String)>,
    /// What tells the lines of a figure apart, where only such figures are to be drawn.
    pub by: Option<By>,
    /// The title of the page, and of the figures that `by` draws.
    pub title: Option<String>,
    /// The width and the height of those figures in pixels.
    pub size: Option<(u16, u16)>,
    /// The rows of experiments with spatial partitioning.
    pub partitions: Vec<warpspan_partition::Row>,
    /// The figures of records.
    pub sketches: Vec<Sketch>,
    /// The response times of simulated groups, which are drawn.
    pub responses: Vec<Responses>,
    /// Answers that are shown.
    pub answers: Vec<Answer>,
    /// Code that is shown line by line with what each adds.
    pub codes: Vec<Code>,
    /// What the figures are drawn for.
    pub paper: Paper,
}
