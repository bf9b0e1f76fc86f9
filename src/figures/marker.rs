//! Points and lines that differ in shape as well as in colour.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::figures::ReportError;
use crate::figures::theme::Colour;

/// A drawing, in pixels.
pub(super) type Paper<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Disc,
    /// A wide circle, around the point of another line.
    Ring,
    /// A wide square, likewise.
    Frame,
    Square,
    Triangle,
    /// A triangle that points down.
    Wedge,
    Diamond,
    Cross,
}

/// Shape of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stroke {
    None,
    Solid,
    Dashed,
    Dotted,
    Long,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) colour: Colour,
    pub(super) stroke: Stroke,
    pub(super) marker: Option<Marker>,
}

impl Look {
    /// Draws a line through pixels.
    pub(super) fn line(self, paper: &Paper, points: &[(i32, i32)]) -> Result<(), ReportError> {
        let style = self.style(2);
        let dashed = |dash: i32, gap: i32| {
            paper.draw(&DashedPathElement::new(points.iter().copied(), dash, gap, style))
        };
        Ok(match self.stroke {
            Stroke::None => Ok(()),
            Stroke::Solid => paper.draw(&PathElement::new(points.to_vec(), style)),
            Stroke::Dashed => dashed(8, 5),
            Stroke::Dotted => dashed(2, 4),
            Stroke::Long => dashed(15, 5),
        }?)
    }

    /// Draws a point at a pixel.
    pub(super) fn point(self, paper: &Paper, (x, y): (i32, i32)) -> Result<(), ReportError> {
        let path = |corners: &[(i32, i32)]| {
            let corners: Vec<_> = corners.iter().map(|(right, down)| (x + right, y + down)).collect();
            paper.draw(&PathElement::new(corners, self.style(2)))
        };
        Ok(match self.marker {
            None => Ok(()),
            Some(Marker::Disc) => paper.draw(&Circle::new((x, y), 3, self.style(1).filled())),
            Some(Marker::Ring) => paper.draw(&Circle::new((x, y), 9, self.style(2))),
            Some(Marker::Frame) => path(&[(-9, -9), (9, -9), (9, 9), (-9, 9), (-9, -9), (9, -9)]),
            Some(Marker::Square) => path(&[(-5, -5), (5, -5), (5, 5), (-5, 5), (-5, -5), (5, -5)]),
            Some(Marker::Triangle) => path(&[(0, -6), (6, 5), (-6, 5), (0, -6), (6, 5)]),
            Some(Marker::Wedge) => path(&[(0, 6), (6, -5), (-6, -5), (0, 6), (6, -5)]),
            Some(Marker::Diamond) => path(&[(0, -6), (6, 0), (0, 6), (-6, 0), (0, -6), (6, 0)]),
            Some(Marker::Cross) => path(&[(-6, -6), (6, 6)]).and_then(|()| path(&[(-6, 6), (6, -6)])),
        }?)
    }

    fn style(self, width: u32) -> ShapeStyle {
        let (red, green, blue) = self.colour;
        ShapeStyle { color: RGBColor(red, green, blue).to_rgba(), filled: false, stroke_width: width }
    }
}

/// Writes a text whose left end and middle stand at a pixel.
pub(super) fn write(paper: &Paper, text: &str, at: (i32, i32), size: i32) -> Result<(), ReportError> {
    write_with(paper, text, at, size, HPos::Left, BLACK)
}

/// The same from another end and in another colour.
pub(super) fn write_with(
    paper: &Paper,
    text: &str,
    at: (i32, i32),
    size: i32,
    end: HPos,
    colour: RGBColor,
) -> Result<(), ReportError> {
    let style = ("sans-serif", points(size)).into_font().color(&colour).pos(Pos::new(end, VPos::Center));
    Ok(paper.draw(&Text::new(text.to_owned(), at, style))?)
}

/// plotters writes 1/1.24 of the size that it is given.
pub(super) fn points(pixels: i32) -> f64 {
    f64::from(pixels) * 1.24
}
