//! Drawings as PDF files of one page, for `\includegraphics` and for what reads no SVG.
//!
//! The page is transparent and as large as the picture of TikZ: half a point for a pixel, or the width that is asked for. The same drawing gives the
//! same bytes: there is neither a date nor a number of the file in it.

mod helvetica;

use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use crate::outline::{Point, Step};
use crate::paper::Paper;
use crate::pdf::helvetica::{X_HEIGHT, encoded, width};
use crate::primitives::{Anchor, Colour, Drawing, Part, Shape, Text};

const FONT: Name = Name(b"F");

/// How far the handles of a curve are from its ends, for a quarter of a circle of radius 1.
const QUARTER: f64 = 0.552_285;

/// The PDF file of an SVG file of this crate.
pub(super) fn pdf(svg: &str, title: &str, paper: &Paper) -> Vec<u8> {
    let Some(drawing) = Drawing::read(svg) else { return Vec::new() };
    let [catalog, pages, page, content, font, info] = [1, 2, 3, 4, 5, 6].map(Ref::new);
    let unit = paper.pixel_in_pdf(drawing.size.0);
    let (width, height) = (drawing.size.0 * unit, drawing.size.1 * unit);
    let mut file = Pdf::new();
    // The first version with opacities; older programs of LaTeX refuse the later ones.
    file.set_version(1, 4);
    file.catalog(catalog).pages(pages);
    file.pages(pages).kids([page]).count(1);
    let drawn = Drawn::of(&drawing, unit);
    let mut sheet = file.page(page);
    sheet.parent(pages).contents(content);
    sheet.media_box(Rect::new(0.0, 0.0, real(width), real(height)));
    let mut resources = sheet.resources();
    resources.fonts().pair(FONT, font);
    let mut states = resources.ext_g_states();
    for (number, (fill, stroke)) in drawn.opacities.iter().enumerate() {
        let name = state(number);
        let mut state = states.insert(Name(name.as_bytes())).start::<pdf_writer::writers::ExtGraphicsState>();
        state.non_stroking_alpha(real(*fill)).stroking_alpha(real(*stroke));
    }
    states.finish();
    resources.finish();
    sheet.finish();
    let helvetica = Name(b"Helvetica");
    file.type1_font(font).base_font(helvetica).encoding_predefined(Name(b"WinAnsiEncoding"));
    file.stream(content, &drawn.content.finish());
    file.document_info(info).title(TextStr(title)).producer(TextStr("warpspan"));
    file.finish()
}

/// The content of the page, with the opacities of fills and of borders that it names.
struct Drawn {
    content: Content,
    opacities: Vec<(f64, f64)>,
}

impl Drawn {
    fn of(drawing: &Drawing, unit: f64) -> Self {
        let mut drawn = Self { content: Content::new(), opacities: Vec::new() };
        // From here on, places are those of the drawing: in pixels, and from above.
        #[expect(clippy::cast_possible_truncation, reason = "the length of a pixel")]
        let pixel = unit as f32;
        drawn.content.transform([pixel, 0.0, 0.0, -pixel, 0.0, real(drawing.size.1 * unit)]);
        // As in SVG, a corner sharper than that is cut.
        drawn.content.set_miter_limit(4.0);
        for part in &drawing.parts {
            match part {
                Part::Shape(shape) => drawn.shape(shape),
                Part::Text(text) => drawn.text(text),
            }
        }
        drawn
    }

    fn shape(&mut self, shape: &Shape) {
        let has_opacity = shape.fill_opacity.is_some() || shape.stroke_opacity.is_some();
        let is_plain = shape.dashes.is_empty() && !has_opacity;
        if !is_plain {
            self.content.save_state();
        }
        if !shape.dashes.is_empty() {
            self.content.set_dash_pattern(shape.dashes.iter().map(|length| real(*length)), 0.0);
        }
        if has_opacity {
            self.opacity(shape.fill_opacity.unwrap_or(1.0), shape.stroke_opacity.unwrap_or(1.0));
        }
        if let Some(colour) = shape.fill {
            self.fill(colour);
        }
        if let Some((colour, width)) = shape.stroke {
            let [red, green, blue] = parts(colour);
            self.content.set_stroke_rgb(red, green, blue).set_line_width(real(width));
        }
        for step in &shape.outline {
            self.step(*step);
        }
        match (shape.fill, shape.stroke) {
            (Some(_), Some(_)) => self.content.fill_nonzero_and_stroke(),
            (Some(_), None) => self.content.fill_nonzero(),
            (None, Some(_)) => self.content.stroke(),
            (None, None) => self.content.end_path(),
        };
        if !is_plain {
            self.content.restore_state();
        }
    }

    fn opacity(&mut self, fill: f64, stroke: f64) {
        let pair = (fill, stroke);
        let number = self.opacities.iter().position(|known| *known == pair).unwrap_or_else(|| {
            self.opacities.push(pair);
            self.opacities.len() - 1
        });
        self.content.set_parameters(Name(state(number).as_bytes()));
    }

    fn fill(&mut self, colour: Colour) {
        let [red, green, blue] = parts(colour);
        self.content.set_fill_rgb(red, green, blue);
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Move((x, y)) => self.content.move_to(real(x), real(y)),
            Step::Line((x, y)) => self.content.line_to(real(x), real(y)),
            Step::Close => self.content.close_path(),
            Step::Rectangle((left, top), (right, bottom)) => {
                self.content.rect(real(left), real(top), real(right - left), real(bottom - top))
            }
            Step::Circle((x, y), radius) => {
                let at = |right: f64, down: f64| (real(x + right * radius), real(y + down * radius));
                let (right, top) = at(1.0, 0.0);
                self.content.move_to(right, top);
                for ((x0, y0), (x1, y1)) in QUARTERS {
                    let (from, to, end) = (
                        at(x0 + QUARTER * x1, y0 + QUARTER * y1),
                        at(x1 + QUARTER * x0, y1 + QUARTER * y0),
                        at(x1, y1),
                    );
                    self.content.cubic_to(from.0, from.1, to.0, to.1, end.0, end.1);
                }
                self.content.close_path()
            }
        };
    }

    fn text(&mut self, text: &Text) {
        let codes = encoded(&text.content);
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let along = -before * width(&codes) * text.size;
        let down = if text.is_level { X_HEIGHT / 2.0 * text.size } else { 0.0 };
        let (x, y) = text.at;
        // Places are from above, so letters that are upright on the page are turned over here.
        let matrix = if text.is_turned {
            [0.0, -1.0, -1.0, 0.0, real(x + down), real(y - along)]
        } else {
            [1.0, 0.0, 0.0, -1.0, real(x + along), real(y + down)]
        };
        self.fill(text.colour.unwrap_or(Colour::Ink));
        self.content.begin_text().set_font(FONT, real(text.size)).set_text_matrix(matrix);
        self.content.show(Str(&codes)).end_text();
    }
}

/// From which side to which the quarters of a circle go.
const QUARTERS: [(Point, Point); 4] = [
    ((1.0, 0.0), (0.0, 1.0)),
    ((0.0, 1.0), (-1.0, 0.0)),
    ((-1.0, 0.0), (0.0, -1.0)),
    ((0.0, -1.0), (1.0, 0.0)),
];

/// The name of a pair of opacities.
fn state(number: usize) -> String {
    format!("O{number}")
}

/// The parts of a colour from 0 to 1.
fn parts(colour: Colour) -> [f32; 3] {
    match colour {
        Colour::Ink => [0.0; 3],
        Colour::Rgb(parts) => parts.map(|part| (f32::from(part) / 255.0 * 1000.0).round() / 1000.0),
    }
}

/// A number with at most two decimals, as PDF has them.
#[expect(clippy::cast_possible_truncation, reason = "a place on a drawing")]
fn real(number: f64) -> f32 {
    ((number * 100.0).round() / 100.0) as f32
}

#[cfg(test)]
mod tests;
