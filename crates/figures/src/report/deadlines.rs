//! Response times of kernels as parts of their deadlines.

use crate::bars::{Bars, Piece, Row};
use crate::paper::Paper;
use crate::report::{Shows, Sketch};
use crate::scale::Scale;
use crate::theme::{BLUE, GREEN};

/// The kernels of a GPU that have deadlines.
#[derive(Debug, Clone, PartialEq)]
pub struct Deadlines {
    /// What it is about.
    pub title: String,
    /// What the numbers rest on.
    pub caption: String,
    /// The kernels.
    pub kernels: Vec<Due>,
}

/// A kernel with its deadline. All times are in one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    /// Its name.
    pub name: String,
    /// An estimate of its longest response time, if there is one.
    pub estimate: Option<f64>,
    /// Its response time is at most this, if that is known.
    pub bound: Option<f64>,
    /// The time by which it has to respond.
    pub deadline: f64,
    /// The bound and the deadline as a text.
    pub number: String,
}

impl From<Deadlines> for Sketch {
    fn from(of: Deadlines) -> Self {
        let late = |due: &&Due| due.bound.or(due.estimate).is_none_or(|time| time > due.deadline);
        Self {
            section: Shows::Deadlines,
            interest: of.kernels.iter().filter(late).count() as u64,
            title: of.title.clone(),
            caption: of.caption.clone(),
            points: None,
            draw: Box::new(move |paper| drawing(&of, paper)),
        }
    }
}

fn drawing(Deadlines { title, kernels, .. }: &Deadlines, paper: &Paper) -> String {
    let row = |due: &Due| {
        let percent = |time: f64| 100.0 * time / due.deadline;
        let mut pieces = Vec::new();
        let mut from = 0.0;
        // What is proved is seen as such also where an estimate is as long.
        let estimate = due.estimate.filter(|estimate| due.bound.is_none_or(|bound| *estimate < bound));
        for (time, fill) in [(estimate, GREEN), (due.bound, BLUE)] {
            if let Some(to) = time.map(percent).filter(|to| *to > from) {
                pieces.push(Piece { from, to, fill });
                from = to;
            }
        }
        Row {
            name: due.name.clone(),
            pieces,
            number: due.number.clone(),
            tip: format!("{}: {}", due.name, due.number),
        }
    };
    let bars = Bars {
        title,
        scale: Scale { unit: "% of the deadline", each: 1.0 },
        rows: kernels.iter().map(row).collect(),
        mark: Some(("deadline".to_owned(), 100.0)),
        is_joined: false,
        legend: vec![("an estimate", GREEN), ("up to the response bound", BLUE)],
    };
    bars.draw(paper)
}
