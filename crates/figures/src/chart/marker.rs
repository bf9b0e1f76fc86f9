//! Points and lines that differ in shape as well as in colour.

use svg::node::element::{Path, Polyline};

use crate::theme::{Colour, INK};

/// The shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    Disc,
    /// A wide circle, drawn around a point of another series.
    Ring,
    /// A wide square, drawn around a point of another series.
    Frame,
    Square,
    Triangle,
    /// A triangle that points down.
    Wedge,
    Diamond,
    Cross,
}

/// The shape of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stroke {
    None,
    Solid,
    Dashed,
    Dotted,
    Long,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) colour: Colour,
    pub(crate) stroke: Stroke,
    pub(crate) marker: Option<Marker>,
}

impl Marker {
    /// The SVG path of the shape around the origin.
    const fn path(self) -> &'static str {
        match self {
            Self::Disc => "m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z",
            Self::Ring => "m-9,0a9,9 0 1 0 18,0a9,9 0 1 0 -18,0z",
            Self::Frame => "m-9,-9h18v18h-18z",
            Self::Square => "m-5,-5h10v10h-10z",
            Self::Triangle => "m0,-6l6,11h-12z",
            Self::Wedge => "m0,6l6,-11h-12z",
            Self::Diamond => "m0,-6l6,6l-6,6l-6,-6z",
            Self::Cross => "m-6,-6l12,12m-12,0l12,-12",
        }
    }
}

impl Look {
    /// A look in the colour of ink.
    pub(crate) const fn ink(stroke: Stroke, marker: Option<Marker>) -> Self {
        Self { colour: INK, stroke, marker }
    }

    /// Draws the line through the given places.
    pub(super) fn line(self, places: &[(f64, f64)]) -> Option<Polyline> {
        let dashes = match self.stroke {
            Stroke::None => return None,
            Stroke::Solid => "none",
            Stroke::Dashed => "8 5",
            Stroke::Dotted => "2 4",
            Stroke::Long => "15 5",
        };
        let places: Vec<String> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let line = Polyline::new().set("points", places.join(" ")).set("stroke-dasharray", dashes);
        Some(line.set("fill", "none").set("stroke", self.colour).set("stroke-width", 2))
    }

    /// Draws the point at the given place.
    pub(super) fn point(self, (x, y): (f64, f64)) -> Option<Path> {
        let marker = self.marker?;
        let path = Path::new().set("d", format!("M{x},{y}{}", marker.path()));
        Some(match marker {
            Marker::Disc => path.set("fill", self.colour),
            _ => path.set("fill", "none").set("stroke", self.colour).set("stroke-width", 2),
        })
    }
}
