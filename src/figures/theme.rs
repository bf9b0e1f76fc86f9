//! Colours of drawings, in light and dark, and what makes an SVG file of them.
//!
//! The colours are those of M. Okabe and K. Ito, which people who see fewer colours can tell apart. A drawing names them
//! in its attributes, for light paper; the style sheet changes those that would not show on dark paper. Ink is
//! `currentColor`.

use svg::Document;
use svg::node::element::{Line, Rectangle, Style, Text};

/// A colour, red, green and blue.
pub(crate) type Colour = (u8, u8, u8);

/// Ink: axes, text, the worst case itself.
pub(crate) const INK: Colour = (0, 0, 0);
/// Blue: the phase bound; the load/store units.
pub(crate) const BLUE: Colour = (0x00, 0x72, 0xB2);
/// Green: the pessimistic makespan.
pub(crate) const GREEN: Colour = (0x00, 0x9E, 0x73);
/// Purple: the estimate.
pub(crate) const PURPLE: Colour = (0xCC, 0x79, 0xA7);
/// Orange: the CUDA cores.
pub(crate) const ORANGE: Colour = (0xE6, 0x9F, 0x00);
/// Vermilion: what is unsafe, and nothing else in a drawing that has unsafe points.
pub(crate) const VERMILION: Colour = (0xD5, 0x5E, 0x00);

/// The style sheet of every drawing, in a file of its own or within a page.
pub(crate) const STYLE: &str = "\
.warpspan{color:#1b1f24;font-family:system-ui,-apple-system,'Segoe UI','Liberation Sans',Helvetica,Arial,sans-serif}\
.warpspan text{font-family:inherit}\
.warpspan .paper{fill:#fff}.warpspan .tip:hover{fill-opacity:.16}\
@media screen and (prefers-color-scheme:dark){\
.warpspan{color:#e6edf3}.warpspan .paper{fill:#161b22}\
.warpspan [fill='#0072B2']{fill:#56B4E9}.warpspan [stroke='#0072B2']{stroke:#56B4E9}}";

/// Text as it may stand in XML and HTML, in attributes too.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ if letter.is_control() && letter != '\n' => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}

/// A part of a drawing that tells a pointer over it something.
#[derive(Debug, Clone)]
pub(crate) struct Tip {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) text: String,
}

/// Makes a drawing of a whole file: black becomes ink, and paper, style sheet, label and tips are added.
pub(crate) fn finish(drawing: &str, label: &str, tips: &[Tip]) -> String {
    use std::fmt::Write;
    let head = format!("<svg class=\"warpspan\" role=\"img\" aria-label=\"{}\" ", escape(label));
    let drawing = drawing.replace("\"#000000\"", "\"currentColor\"").replacen("<svg ", &head, 1);
    let (open, rest) = drawing.split_once(">\n").unwrap_or((&drawing, ""));
    let body = rest.trim_end().trim_end_matches("</svg>");
    let mut out = format!("{open}>\n<style>{STYLE}</style>\n{PAPER}\n{body}");
    for Tip { x, y, width, height, text } in tips {
        let _ = writeln!(
            out,
            "<rect class=\"tip\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#888888\" \
             fill-opacity=\"0\"><title>{}</title></rect>",
            escape(text)
        );
    }
    out + "</svg>\n"
}

/// The paper that it is drawn on.
const PAPER: &str = "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>";

/// An empty drawing of its own: paper, style sheet, label.
pub(crate) fn page(width: f64, height: f64, label: &str) -> Document {
    let paper = Rectangle::new().set("class", "paper").set("width", "100%").set("height", "100%");
    Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("class", if width > 984.0 { "warpspan wide" } else { "warpspan" })
        .set("role", "img")
        .set("aria-label", label)
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .set("fill", "currentColor")
        .add(Style::new(STYLE))
        .add(paper.set("fill", "#FFFFFF"))
}

/// A box.
pub(crate) fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height)
}

/// A faint line from corner to corner.
pub(crate) fn line((x1, x2): (f64, f64), (y1, y2): (f64, f64)) -> Line {
    let line = Line::new().set("x1", x1).set("x2", x2).set("y1", y1).set("y2", y2);
    line.set("stroke", "currentColor").set("stroke-opacity", 0.13)
}

/// Text that begins at a place.
pub(crate) fn text(content: &str, x: f64, y: f64) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

/// About how wide a text is.
pub(crate) fn text_width(content: &str, size: f64) -> f64 {
    real(content.chars().count() as u64) * size * 0.56
}

/// A number as a place on a drawing.
#[expect(clippy::cast_precision_loss, reason = "a place on a drawing")]
pub(crate) fn real(value: u64) -> f64 {
    value as f64
}
