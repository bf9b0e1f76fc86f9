//! Figures of tables and schedules, and a page that contains them all.
//!
//! The figures show makespans and bounds against warps, the ratio of the pessimistic makespan to the worst
//! case, solve times (Be12 Fig. 5), the convergence of the estimate (Be12 Fig. 6 and 7), policies between the
//! best and the worst case, Gantt charts (Be12 Fig. 2), and blocks of kernels on the multiprocessors of a GPU
//! (Pa19 chapter 4). The rows of all tables are sorted by kernel, warps and sigmas, and each figure is drawn
//! only where the rows have the data for it. Numbers of Be12 that lie below a proved lower bound are marked
//! as unsafe.
//!
//! Nothing is solved or proved here: all numbers are those of the tables. Rows that contradict each other are
//! refused.

mod answers;
mod case;
mod convergence;
mod kernels;
mod line_figures;
mod makespan;
mod overview;
mod page;
mod partitions;
mod policies;
mod ratio;
mod runs;
mod schedules;
mod simulated;
mod solve_time;
mod summary;
mod title;
mod triggered;

use std::cmp::Reverse;

use thiserror::Error;

use crate::chart::lines::{HEIGHT, WIDTH};
use crate::pdf::pdf;
use crate::report::case::Family;
use crate::tikz::tikz;
use warpspan_sweep::Row;

pub use answers::{Answer, AnswerTable, Subject};
pub use kernels::{Listed, ListedLine};
pub use line_figures::By;
pub use overview::{Said, Tone};
pub use runs::Run;
pub use schedules::Drawn;
pub use simulated::Simulated;
pub use triggered::Triggered;

/// The largest number of figures in a section.
const MOST: usize = 24;

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
    /// Answers that are shown as facts and tables.
    pub answers: Vec<Answer>,
    /// Compiled kernels, line by line, with their bounds.
    pub kernels: Vec<Listed>,
}

/// A page and its figures.
#[derive(Debug)]
pub struct Report {
    /// The text of an HTML file that contains all figures.
    pub page: String,
    /// The figures, each as a file of its own.
    pub figures: Vec<Figure>,
}

/// A figure.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The name of its file.
    pub file: String,
    /// What it shows.
    pub title: String,
    /// What the reader can see in it, in one or two sentences.
    pub caption: String,
    /// The text of an SVG file.
    pub svg: String,
    /// The drawn points as CSV, if it is a chart of lines.
    pub points: Option<String>,
}

impl Figure {
    /// The figure as a picture of TikZ, for papers.
    pub fn tikz(&self) -> String {
        tikz(&self.svg, &format!("{}: {}", self.title, self.caption))
    }

    /// The figure as a PDF file of one page, for papers. A pixel is half a point.
    ///
    /// The type is Helvetica, which the file names and does not hold.
    pub fn pdf(&self) -> Vec<u8> {
        pdf(&self.svg, &self.title)
    }
}

/// Two rows that cannot both be right, so that no report is made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{case}: one row says the worst case is at least {lower}, another at most {upper}: want tables that agree"
)]
pub struct Contradiction {
    /// The kernel, the sigmas and the number of warps.
    pub case: String,
    /// The greater lower bound.
    pub lower: u64,
    /// The lesser upper bound.
    pub upper: u64,
}

/// The figures of one kind.
#[derive(Debug)]
struct Section {
    /// The section's anchor on the page, from which the names of its files are made.
    name: &'static str,
    title: &'static str,
    text: &'static str,
    figures: Vec<Figure>,
    /// The number of figures that the data would allow.
    of: usize,
}

impl Section {
    /// Draws those of the most interest of the figures that the data would allow, and of equal ones the first.
    fn new<T, K: Ord>(
        name: &'static str,
        title: &'static str,
        text: &'static str,
        subjects: &[T],
        interest: impl Fn(&T) -> K,
        draw: impl Fn(&T, String) -> Figure,
    ) -> Self {
        let mut chosen: Vec<&T> = subjects.iter().collect();
        chosen.sort_by_cached_key(|subject| Reverse(interest(subject)));
        let draw = |(number, subject): (usize, &T)| draw(subject, format!("{name}-{number:02}.svg"));
        let figures = (1..).zip(chosen).take(MOST).map(draw).collect();
        Self { name, title, text, figures, of: subjects.len() }
    }
}

/// Draws every figure that the input has the data for.
///
/// # Errors
/// If two rows contradict each other.
pub fn report(input: &Input) -> Result<Report, Contradiction> {
    let families = case::families(&input.rows, &input.row_files)?;
    let size = input.size.map_or((WIDTH, HEIGHT), |(width, height)| (width.into(), height.into()));
    let mut sections = match input.by {
        Some(By::Policy) => vec![policies::section(&families)],
        Some(by) => vec![line_figures::section(&families, by, input.title.as_deref(), size)],
        None => all(input, &families),
    };
    sections.retain(|section| !section.figures.is_empty());
    let page = page::page(input, &families, &sections);
    Ok(Report { page, figures: sections.into_iter().flat_map(|section| section.figures).collect() })
}

/// The sections of all kinds of figures.
fn all(input: &Input, families: &[Family]) -> Vec<Section> {
    vec![
        makespan::section(families),
        ratio::section(families),
        solve_time::section(families),
        convergence::section(families),
        policies::section(families),
        partitions::section(&input.partitions),
        schedules::section(&input.schedules),
        runs::section(&input.occupancies),
        triggered::section(&input.tiles),
        simulated::section(&input.simulated),
        simulated::responses_section(&input.simulated),
    ]
}
