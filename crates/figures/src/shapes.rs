//! The parts of which drawings are made: paper, boxes, lines and text at places in pixels.

use svg::Document;
use svg::node::Node;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};

use crate::paper::{TITLE, TITLE_LINE};
use crate::theme::{INK, PAPER, STYLE};

/// An empty drawing with paper, style sheet, and the label that a screen reader says.
pub(super) fn page(width: f64, height: f64, label: &str) -> Document {
    let paper = Rectangle::new().set("class", "paper").set("width", "100%").set("height", "100%");
    Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("class", if width > 984.0 { "warpspan wide" } else { "warpspan" })
        .set("role", "img")
        .set("aria-label", clean(label))
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .set("fill", INK)
        .add(Style::new(STYLE))
        .add(paper.set("fill", PAPER))
}

/// The text of the SVG file of a drawing.
pub(super) fn file(drawing: &Document) -> String {
    format!("{drawing}\n")
}

/// A box.
pub(super) fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height)
}

/// A line in ink between two points.
pub(super) fn line((x1, x2): (f64, f64), (y1, y2): (f64, f64)) -> Line {
    Line::new().set("x1", x1).set("x2", x2).set("y1", y1).set("y2", y2).set("stroke", INK)
}

/// A faint line, as used for a mesh.
pub(super) fn faint(across: (f64, f64), down: (f64, f64)) -> Line {
    line(across, down).set("stroke-opacity", 0.13)
}

/// Text whose baseline begins at the given place.
pub(super) fn text(content: &str, x: f64, y: f64) -> Text {
    Text::new(clean(content)).set("x", x).set("y", y)
}

/// Text of the given size whose middle is at the given height.
pub(super) fn level(content: &str, x: f64, y: f64, size: u32) -> Text {
    text(content, x, y).set("dy", "0.5ex").set("font-size", size)
}

/// Writes the title above a drawing of a width, in as many lines as it takes; returns the pixels that the further lines need.
pub(super) fn heading(drawing: &mut Document, title: &str, width: f64, size: u32) -> f64 {
    let lines = wrapped(title, width - 32.0, size.into());
    for (number, line) in (0..).zip(&lines) {
        let y = 20.0 + TITLE_LINE * real(number);
        drawing.append(level(line, 16.0, y, size).set("class", TITLE));
    }
    TITLE_LINE * real(lines.len() as u64 - 1)
}

/// A text in lines that are no wider than so many pixels, where its words are not.
pub(super) fn wrapped(content: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in content.split_whitespace() {
        let last = lines.len() - 1;
        let longer = if lines[last].is_empty() { word.to_owned() } else { format!("{} {word}", lines[last]) };
        if text_width(&longer, size) <= width || lines[last].is_empty() {
            lines[last] = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A text that is no wider than so many pixels: the end of a longer one is left out.
pub(super) fn cut(content: &str, width: f64, size: f64) -> String {
    let content = clean(content);
    // Where the room is that of the text, its sum may come out a little smaller.
    if text_width(&content, size) <= width + 0.01 {
        return content;
    }
    let mut short = content;
    while !short.is_empty() && text_width(&short, size) + text_width("...", size) > width {
        short.pop();
    }
    format!("{}...", short.trim_end())
}

/// A group of shapes that shows a text to a pointer over them.
pub(super) fn telling(tip: &str) -> Group {
    Group::new().add(Title::new(clean(tip)))
}

/// An invisible box that shows a text to a pointer over it.
pub(super) fn tip(x: f64, y: f64, width: f64, height: f64, text: &str) -> Rectangle {
    let shape = rectangle(x, y, width, height).set("class", "tip");
    shape.set("fill", "#888888").set("fill-opacity", 0).add(Title::new(clean(text)))
}

pub(super) use warpspan_document::clean;

/// The approximate width of a text in pixels.
pub(super) fn text_width(content: &str, size: f64) -> f64 {
    real(content.chars().count() as u64) * size * 0.56
}

/// The numbers that a tick may be a multiple of: 1, 2, 5, 10, 20, 50, ...
pub(super) fn round_numbers() -> impl Iterator<Item = u64> {
    let tens = std::iter::successors(Some(1_u64), |ten| ten.checked_mul(10));
    tens.flat_map(|ten| [1, 2, 5].map(|digit| ten.saturating_mul(digit)))
}

/// The least round number that divides the range into at most `parts` parts.
pub(super) fn step(range: u64, parts: u64) -> u64 {
    round_numbers().find(|step| range / step <= parts).unwrap_or(u64::MAX)
}

/// The multiples of a step that lie between two numbers.
pub(super) fn multiples(low: u64, high: u64, step: u64) -> impl Iterator<Item = u64> {
    (low.div_ceil(step)..=high / step).map(move |times| times * step)
}

/// A number as a coordinate of a drawing.
#[expect(clippy::cast_precision_loss, reason = "a place on a drawing")]
pub(super) fn real(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_multiples_of_round_numbers() {
        assert_eq!([1, 8, 9, 17, 100, 2401].map(|range| step(range, 8)), [1, 1, 2, 2, 20, 500]);
        assert_eq!(multiples(3, 17, 5).collect::<Vec<_>>(), [5, 10, 15]);
        assert_eq!(multiples(0, 4, 2).collect::<Vec<_>>(), [0, 2, 4]);
    }

    #[test]
    fn text_has_no_characters_that_disturb() {
        assert_eq!(clean("sigma_L\n\u{1b}[31m\u{202e}é"), "σ_L\n\\u{1b}[31m\\u{202e}é");
    }

    #[test]
    fn long_texts_are_wrapped_or_cut() {
        // A letter is 5.6 pixels wide here.
        assert_eq!(wrapped("aa bb  cc", 28.5, 10.0), ["aa bb", "cc"]);
        assert_eq!(wrapped("aaaaaaaaaa b", 28.0, 10.0), ["aaaaaaaaaa", "b"]);
        assert_eq!(wrapped("", 28.0, 10.0), [""]);
        assert_eq!(cut("aaaaaaaaaa", 56.0, 10.0), "aaaaaaaaaa");
        assert_eq!(cut("aaaaaaaaaa", 50.0, 10.0), "aaaaa...");
    }

    #[test]
    fn text_is_escaped() {
        let drawing = page(1.0, 1.0, "\"<&>'").add(text("<&>", 0.0, 0.0)).add(telling("<\u{7}&\n>"));
        let file = file(&drawing);
        assert!(!file.contains("<&") && !file.contains('\u{7}'), "{file}");
    }
}
