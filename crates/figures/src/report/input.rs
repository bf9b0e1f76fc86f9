//! What a report is made of.

use crate::paper::Paper;
use crate::report::{
    Answer, By, Changes, Code, Costs, Deadlines, Drawn, Partitioned, Run, Simulated, Triggered,
};
use warpspan_sweep::Row;

/// The contents of a report.
#[derive(Debug, Default)]
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
    /// The schedules that are drawn.
    pub schedules: Vec<Drawn>,
    /// The runs of kernels on a GPU that are drawn.
    pub occupancies: Vec<Run>,
    /// The time-triggered schedules that are drawn.
    pub tiles: Vec<Triggered>,
    /// The runs of policies that are drawn.
    pub simulated: Vec<Simulated>,
    /// Answers that are shown.
    pub answers: Vec<Answer>,
    /// What adds up to bounds, and what lines add, each drawn as bars.
    pub costs: Vec<Costs>,
    /// What has changed from one version to the next, drawn as bars.
    pub changes: Vec<Changes>,
    /// Response times that are drawn as parts of deadlines.
    pub deadlines: Vec<Deadlines>,
    /// Tasks that share multiprocessors, which are drawn.
    pub partitioned: Vec<Partitioned>,
    /// Code that is shown line by line with what each adds.
    pub codes: Vec<Code>,
    /// What the figures are drawn for.
    pub paper: Paper,
}
