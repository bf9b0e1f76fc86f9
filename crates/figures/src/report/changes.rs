//! What has changed from one version to the next: bars to the right for what became larger, to the left for the rest.

use crate::bars::{Bars, Piece, Row};
use crate::paper::Paper;
use crate::report::{Shows, Sketch};
use crate::scale::Scale;
use crate::theme::{BLUE, ORANGE};

/// The rows of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// What it is about.
    pub title: String,
    /// What a reader should know of it, in a sentence or two.
    pub caption: String,
    /// The unit of the changes.
    pub unit: &'static str,
    /// What is drawn, in order.
    pub rows: Vec<Changed>,
}

/// What became of a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// What it is of.
    pub name: String,
    /// The new number less the old one.
    pub change: f64,
    /// The change as a text.
    pub number: String,
    /// What a pointer over it says.
    pub tip: String,
}

/// The most rows that are drawn.
const MOST: usize = 40;

impl From<Changes> for Sketch {
    fn from(changes: Changes) -> Self {
        let Changes { title, caption, unit, rows } = &changes;
        let further = rows.len().saturating_sub(MOST);
        let more =
            if further > 0 { format!(" {further} smaller changes are not drawn.") } else { String::new() };
        let mut table = csv::Writer::from_writer(Vec::new());
        // Writing to memory does not fail.
        let _ = table.write_record(["of", "change", "unit"]);
        for Changed { name, change, .. } in rows {
            let _ = table.write_record([name, &change.to_string(), *unit]);
        }
        Self {
            section: Shows::Changes,
            interest: 0,
            title: title.clone(),
            caption: format!("{caption}{more}"),
            points: String::from_utf8(table.into_inner().unwrap_or_default()).ok(),
            draw: Box::new(move |paper| drawing(&changes, paper)),
        }
    }
}

fn drawing(Changes { title, unit, rows, .. }: &Changes, paper: &Paper) -> String {
    let row = |Changed { name, change, number, tip }: &Changed| Row {
        name: name.clone(),
        pieces: vec![Piece { from: 0.0, to: *change, fill: if *change > 0.0 { ORANGE } else { BLUE } }],
        number: number.clone(),
        tip: tip.clone(),
    };
    let bars = Bars {
        title,
        scale: Scale { unit, each: 1.0 },
        rows: rows.iter().take(MOST).map(row).collect(),
        mark: None,
        is_joined: false,
        legend: vec![("more", ORANGE), ("less", BLUE)],
    };
    bars.draw(paper)
}
