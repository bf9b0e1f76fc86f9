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

mod amounts;
mod answers;
mod case;
mod changes;
mod code;
mod convergence;
mod costs;
mod deadlines;
mod input;
mod line_figures;
mod makespan;
mod overview;
mod page;
mod partitions;
mod policies;
mod ratio;
mod schedules;
mod simulated;
mod sketch;
mod solve_time;
mod subject;
mod summary;
mod title;

use std::cmp::Reverse;

use thiserror::Error;

use crate::chart::lines::{HEIGHT, WIDTH};
use crate::paper::Paper;
use crate::pdf::pdf;
use crate::report::case::Family;
use crate::tikz::tikz;

pub use amounts::{Amounts, Costed, Costs, Quantity};
pub use answers::Answer;
pub use changes::{Changed, Changes};
pub use code::{Code, CodeLine, LineCost};
pub use deadlines::{Deadlines, Due};
pub use input::Input;
pub use line_figures::By;
pub use schedules::Drawn;
pub use sketch::{Shows, Sketch};

/// The largest number of figures in a section.
const MOST: usize = 24;

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
    /// The figure as a picture of TikZ, for the paper that it was drawn for.
    pub fn tikz(&self, paper: &Paper) -> String {
        tikz(&self.svg, &format!("{}: {}", self.title, self.caption), paper)
    }

    /// The figure as a PDF file of one page, for the paper that it was drawn for. Without a width a pixel is half a point.
    ///
    /// The type is Helvetica, which the file names and does not hold.
    pub fn pdf(&self, paper: &Paper) -> Vec<u8> {
        pdf(&self.svg, &self.title, paper)
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
    let paper = &input.paper;
    let mut sections = match input.by {
        Some(By::Policy) => vec![policies::section(&families, paper)],
        Some(by) => vec![line_figures::section(&families, by, input.title.as_deref(), (size, paper))],
        None => all(input, &families),
    };
    sections.retain(|section| !section.figures.is_empty());
    for figure in sections.iter_mut().flat_map(|section| &mut section.figures) {
        figure.svg = paper.finished(std::mem::take(&mut figure.svg));
    }
    let page = page::page(input, &families, &sections);
    Ok(Report { page, figures: sections.into_iter().flat_map(|section| section.figures).collect() })
}

/// The sections of all kinds of figures.
fn all(input: &Input, families: &[Family]) -> Vec<Section> {
    let paper = &input.paper;
    let tables = [
        makespan::section(families, paper),
        ratio::section(families, paper),
        solve_time::section(families, paper),
        convergence::section(families, paper),
        policies::section(families, paper),
        partitions::section(&input.partitions, paper),
    ];
    let responses = simulated::section(&input.responses);
    tables.into_iter().chain(sketch::sections(&input.sketches, paper)).chain([responses]).collect()
}
