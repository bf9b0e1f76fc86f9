//! The plain shapes and texts of a drawing, which [`tikz`](super::tikz) and [`pdf`](super::pdf) print.
//!
//! They are read from the SVG file, so all show the same. Only the parts of SVG that drawings of this crate are made
//! of are known here; texts that a pointer shows are left out, and so is the paper.

use roxmltree::{Document, Node};

use crate::outline::{Outline, Point, path, polygon, polyline, rectangle};

/// How many points a pixel is on paper: a drawing as wide as the page of a browser is then as wide as a page of text.
pub(super) const UNIT: f64 = 0.5;

/// A drawing, with its width and height in pixels. Places count from the left and from the top.
#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) size: Point,
    pub(super) parts: Vec<Part>,
}

/// What is drawn, from the back to the front.
#[derive(Debug)]
pub(super) enum Part {
    Shape(Shape),
    Text(Text),
}

/// An outline with what fills it and what is drawn along it. Widths and dashes are in pixels.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) outline: Outline,
    pub(super) fill: Option<Colour>,
    pub(super) fill_opacity: Option<f64>,
    /// The colour of the border and its width.
    pub(super) stroke: Option<(Colour, f64)>,
    pub(super) stroke_opacity: Option<f64>,
    /// The lengths of dashes and of the gaps after them in turn.
    pub(super) dashes: Vec<f64>,
}

/// A line of text.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) content: String,
    pub(super) at: Point,
    /// The size of the type in pixels.
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    /// Whether its place is half way up a small letter, and not on the baseline.
    pub(super) is_level: bool,
    /// Whether it is read from below to above.
    pub(super) is_turned: bool,
    pub(super) colour: Option<Colour>,
}

/// Which end of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A colour on white paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    Ink,
    /// Red, green and blue.
    Rgb([u8; 3]),
}

/// What shapes take from the groups around them.
#[derive(Clone, Copy)]
struct Inherited {
    size: f64,
    anchor: Anchor,
    at: Point,
}

impl Drawing {
    /// Reads an SVG file of this crate; `None` if it is none.
    pub(super) fn read(svg: &str) -> Option<Self> {
        let document = Document::parse(svg).ok()?;
        let root = document.root_element();
        let size = (number(root, "width").unwrap_or(0.0), number(root, "height").unwrap_or(0.0));
        // What lies above or to the left of what is seen has negative places.
        let seen = root.attribute("viewBox").unwrap_or_default();
        let mut corner = seen.split_whitespace().map(|number| number.parse().unwrap_or(0.0));
        let at = (-corner.next().unwrap_or(0.0), -corner.next().unwrap_or(0.0));
        let mut parts = Vec::new();
        children(root, Inherited { size: 12.0, anchor: Anchor::Start, at }, &mut parts);
        Some(Self { size, parts })
    }
}

fn children(of: Node<'_, '_>, inherited: Inherited, parts: &mut Vec<Part>) {
    for child in of.children().filter(Node::is_element) {
        node(child, inherited, parts);
    }
}

fn node(node: Node<'_, '_>, inherited: Inherited, parts: &mut Vec<Part>) {
    if matches!(node.attribute("class"), Some("paper" | "tip")) {
        return;
    }
    let number = |name: &str| number(node, name).unwrap_or(0.0);
    let (left, top) = inherited.at;
    let place = |x: f64, y: f64| (x + left, y + top);
    let mine = Inherited {
        size: node.attribute("font-size").and_then(|size| size.parse().ok()).unwrap_or(inherited.size),
        anchor: match node.attribute("text-anchor") {
            Some("middle") => Anchor::Middle,
            Some("end") => Anchor::End,
            Some(_) => Anchor::Start,
            None => inherited.anchor,
        },
        at: inherited.at,
    };
    let at = place(number("x"), number("y"));
    let points = node.attribute("points").unwrap_or_default();
    let outline = match node.tag_name().name() {
        "g" => return children(node, mine, parts),
        // A drawing in a drawing stands below the others.
        "svg" => return children(node, Inherited { at, ..mine }, parts),
        "text" => return parts.push(Part::Text(text(node, mine, at))),
        "rect" => rectangle(at, (at.0 + number("width"), at.1 + number("height"))),
        "line" => polyline([place(number("x1"), number("y1")), place(number("x2"), number("y2"))]),
        "polyline" => polyline(corners(points, place)),
        "polygon" => polygon(corners(points, place)),
        "path" => path(node.attribute("d").unwrap_or_default(), place),
        _ => return,
    };
    parts.push(Part::Shape(shape(node, outline)));
}

fn corners(points: &str, place: impl Fn(f64, f64) -> Point) -> impl Iterator<Item = Point> {
    points.split_whitespace().filter_map(move |point| {
        let (x, y) = point.split_once(',')?;
        Some(place(x.parse().ok()?, y.parse().ok()?))
    })
}

fn shape(node: Node<'_, '_>, outline: Outline) -> Shape {
    let of = |name: &str| property(node, name);
    let decimal = |name: &str| of(name).and_then(|text| text.parse().ok());
    let is_stroke = matches!(node.tag_name().name(), "line" | "polyline");
    let fill = if is_stroke { of("fill") } else { Some(of("fill").unwrap_or("currentColor")) };
    let width = of("stroke-width").map_or(1.0, |width| width.parse().unwrap_or(1.0));
    let dashes = of("stroke-dasharray").filter(|dashes| *dashes != "none").unwrap_or_default();
    Shape {
        outline,
        fill: fill.and_then(colour),
        fill_opacity: decimal("fill-opacity"),
        // A border of no width is not drawn.
        stroke: of("stroke").and_then(colour).filter(|_| width > 0.0).map(|colour| (colour, width)),
        stroke_opacity: decimal("stroke-opacity"),
        dashes: dashes.split_whitespace().filter_map(|length| length.parse().ok()).collect(),
    }
}

fn text(node: Node<'_, '_>, inherited: Inherited, at: Point) -> Text {
    Text {
        content: node.text().unwrap_or_default().trim().to_owned(),
        at,
        size: inherited.size,
        anchor: inherited.anchor,
        is_level: node.has_attribute("dy"),
        is_turned: node.attribute("transform").is_some_and(|what| what.starts_with("rotate(-90")),
        colour: property(node, "fill").and_then(colour),
    }
}

fn number(node: Node<'_, '_>, name: &str) -> Option<f64> {
    node.attribute(name)?.parse().ok()
}

/// A property from the style of a shape, or else from its attributes.
fn property<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let mut style = node.attribute("style").unwrap_or_default().split(';');
    let styled = style.find_map(|part| part.split_once(':').filter(|(key, _)| *key == name));
    styled.map(|(_, value)| value).or_else(|| node.attribute(name))
}

/// The colour of a name; `None` if nothing is painted. What is no number, such as `currentColor`, is ink.
fn colour(name: &str) -> Option<Colour> {
    let hex = |at: usize| name.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let decimals = || name.strip_prefix("rgb(")?.strip_suffix(')');
    let parts: Option<Vec<u8>> = match name {
        "none" => return None,
        name if name.starts_with('#') => [1, 3, 5].map(hex).into_iter().collect(),
        _ => decimals().and_then(|parts| parts.split(',').map(|part| part.trim().parse().ok()).collect()),
    };
    Some(parts.and_then(|parts| parts.try_into().ok()).map_or(Colour::Ink, Colour::Rgb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_hexadecimal_or_decimal_and_else_ink() {
        assert_eq!(colour("none"), None);
        assert_eq!(colour("#0072B2"), Some(Colour::Rgb([0, 114, 178])));
        assert_eq!(colour("rgb(1, 20,255)"), Some(Colour::Rgb([1, 20, 255])));
        for other in ["currentColor", "#12", "rgb(1,2)", "rgb(1,2,300)"] {
            assert_eq!(colour(other), Some(Colour::Ink), "{other}");
        }
    }
}
