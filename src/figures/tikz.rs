//! Drawings as pictures of TikZ, which LaTeX sets in the type of the paper.
//!
//! The shapes are those of the SVG file, so both show the same. Only the parts of SVG that drawings of this crate are
//! made of are known here; texts that a pointer shows are left out.

use std::collections::BTreeSet;
use std::fmt::Write;

use roxmltree::{Document, Node};

use crate::figures::shapes::real;

/// How many points a pixel is.
const UNIT: f64 = 0.5;

/// The picture of an SVG file of this crate, for `\input`. `\warpspanunit` is the length of a pixel.
pub(super) fn tikz(svg: &str, about: &str) -> String {
    let Ok(document) = Document::parse(svg) else { return String::new() };
    let mut picture = Picture::default();
    picture.children(document.root_element(), &Inherited::default(), (0.0, 0.0));
    let mut text = format!("% {}\n% Needs \\usepackage{{tikz}}.\n", about.replace('\n', " "));
    let _ = writeln!(text, "\\providecommand{{\\warpspanunit}}{{{UNIT}pt}}%");
    for colour in &picture.colours {
        let _ = writeln!(text, "\\definecolor{{warpspan{colour}}}{{HTML}}{{{colour}}}%");
    }
    text + "\\begin{tikzpicture}[x={(\\warpspanunit,0pt)},y={(0pt,-\\warpspanunit)},line cap=butt]\n"
        + &picture.lines
        + "\\end{tikzpicture}%\n"
}

#[derive(Default)]
struct Picture {
    lines: String,
    colours: BTreeSet<String>,
}

/// What shapes take from the groups around them.
#[derive(Clone)]
struct Inherited {
    size: f64,
    anchor: &'static str,
}

impl Default for Inherited {
    fn default() -> Self {
        Self { size: 12.0, anchor: "west" }
    }
}

impl Picture {
    fn children(&mut self, of: Node<'_, '_>, inherited: &Inherited, at: (f64, f64)) {
        for node in of.children().filter(Node::is_element) {
            self.node(node, inherited, at);
        }
    }

    fn node(&mut self, node: Node<'_, '_>, inherited: &Inherited, (left, top): (f64, f64)) {
        if matches!(node.attribute("class"), Some("paper" | "tip")) {
            return;
        }
        let number = |name: &str| node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(0.0);
        let place = |x: f64, y: f64| format!("({},{})", short(x + left), short(y + top));
        let mine = Inherited {
            size: node.attribute("font-size").and_then(|size| size.parse().ok()).unwrap_or(inherited.size),
            anchor: match node.attribute("text-anchor") {
                Some("middle") => "",
                Some("end") => "east",
                Some(_) => "west",
                None => inherited.anchor,
            },
        };
        match node.tag_name().name() {
            "g" => self.children(node, &mine, (left, top)),
            // A drawing in a drawing stands below the others.
            "svg" => self.children(node, &mine, (left + number("x"), top + number("y"))),
            "rect" => {
                let (x, y) = (number("x"), number("y"));
                let to = place(x + number("width"), y + number("height"));
                self.shape(node, &format!("{} rectangle {to}", place(x, y)));
            }
            "line" => {
                let (from, to) = (place(number("x1"), number("y1")), place(number("x2"), number("y2")));
                self.shape(node, &format!("{from} -- {to}"));
            }
            kind @ ("polyline" | "polygon") => {
                let points = node.attribute("points").unwrap_or_default().split_whitespace();
                let points = points.filter_map(|point| {
                    let (x, y) = point.split_once(',')?;
                    Some(place(x.parse().ok()?, y.parse().ok()?))
                });
                let points: Vec<String> = points.collect();
                let end = if kind == "polygon" { " -- cycle" } else { "" };
                self.shape(node, &format!("{}{end}", points.join(" -- ")));
            }
            "path" => {
                let path = path(node.attribute("d").unwrap_or_default(), place);
                self.shape(node, &path);
            }
            "text" => self.text(node, &mine, &place(number("x"), number("y"))),
            _ => {}
        }
    }

    fn shape(&mut self, node: Node<'_, '_>, path: &str) {
        let of = |name: &str| property(node, name);
        let mut options = Vec::new();
        let is_stroke = matches!(node.tag_name().name(), "line" | "polyline");
        let fill = if is_stroke { of("fill") } else { Some(of("fill").unwrap_or("currentColor")) };
        options.extend(fill.and_then(|fill| self.colour(fill)).map(|colour| format!("fill={colour}")));
        // A border of no width is not drawn.
        let width = of("stroke-width").map_or(1.0, |width| width.parse().unwrap_or(1.0));
        if let Some(colour) = of("stroke").and_then(|stroke| self.colour(stroke)).filter(|_| width > 0.0) {
            options.push(format!("draw={colour}"));
            options.push(format!("line width={}pt", short(width * UNIT)));
        }
        for (name, option) in [("fill-opacity", "fill opacity"), ("stroke-opacity", "draw opacity")] {
            options.extend(of(name).map(|value| format!("{option}={value}")));
        }
        if let Some(dashes) = of("stroke-dasharray").filter(|dashes| *dashes != "none") {
            let lengths = dashes.split_whitespace().filter_map(|length| length.parse::<f64>().ok());
            let dashes = lengths.zip(["on", "off"].into_iter().cycle());
            let dashes = dashes.map(|(length, what)| format!("{what} {}pt", short(length * UNIT)));
            options.push(format!("dash pattern={}", dashes.collect::<Vec<_>>().join(" ")));
        }
        let _ = writeln!(self.lines, "\\path[{}] {path};", options.join(","));
    }

    fn text(&mut self, node: Node<'_, '_>, inherited: &Inherited, place: &str) {
        let content = node.text().unwrap_or_default().trim();
        let middle = if node.has_attribute("dy") { "mid" } else { "base" };
        let anchor = format!("{middle} {}", inherited.anchor);
        let size = inherited.size * UNIT;
        let font = format!("\\fontsize{{{}}}{{{}}}\\selectfont", short(size), short(size * 1.2));
        let turned = if node.attribute("transform").is_some_and(|what| what.starts_with("rotate(-90")) {
            ",rotate=90"
        } else {
            ""
        };
        let colour = property(node, "fill").and_then(|fill| self.colour(fill));
        let colour = colour.map_or_else(String::new, |colour| format!(",text={colour}"));
        let _ = writeln!(
            self.lines,
            "\\node[anchor={},inner sep=0pt,font={font}{turned}{colour}] at {place} {{{}}};",
            anchor.trim_end(),
            escaped(content)
        );
    }

    /// The name of a colour; `None` if nothing is painted.
    fn colour(&mut self, colour: &str) -> Option<String> {
        let hex = match colour.strip_prefix('#') {
            _ if colour == "none" => return None,
            Some(hex) => hex.to_uppercase(),
            None => {
                let parts = colour.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')'));
                let parts =
                    parts.map(|parts| parts.split(',').map(|part| part.trim().parse::<u8>()).collect());
                match parts {
                    Some(Ok::<Vec<u8>, _>(parts)) => parts.iter().map(|part| format!("{part:02X}")).collect(),
                    _ => return Some("black".to_owned()),
                }
            }
        };
        let name = format!("warpspan{hex}");
        self.colours.insert(hex);
        Some(name)
    }
}

/// A property from the style of a shape, or else from its attributes.
fn property<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let mut style = node.attribute("style").unwrap_or_default().split(';');
    let styled = style.find_map(|part| part.split_once(':').filter(|(key, _)| *key == name));
    styled.map(|(_, value)| value).or_else(|| node.attribute(name))
}

/// The path of a marker: it begins with `M x,y`, and all else is relative to the point before.
fn path(text: &str, place: impl Fn(f64, f64) -> String) -> String {
    let spaced: String = text
        .chars()
        .flat_map(|letter| match letter {
            ',' => vec![' '],
            letter if letter.is_ascii_alphabetic() && letter != 'e' => vec![' ', letter, ' '],
            letter => vec![letter],
        })
        .collect();
    let mut words = spaced.split_whitespace().peekable();
    let (mut x, mut y, mut drawn) = (0.0, 0.0, String::new());
    let mut command = "";
    while let Some(word) = words.next() {
        let mut first = 0.0;
        match word.parse::<f64>() {
            Ok(number) => first = number,
            Err(_) if word == "z" => {
                drawn += " -- cycle";
                continue;
            }
            Err(_) => {
                command = word;
                first = words.next().and_then(|word| word.parse().ok()).unwrap_or(first);
            }
        }
        let mut next = || words.next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
        match command {
            "M" => (x, y) = (first, next()),
            "m" => {
                (x, y) = (x + first, y + next());
                let _ = write!(drawn, " {}", place(x, y));
            }
            "a" => {
                // A half circle, twice: the second one closes it.
                let radius = short(first);
                for _ in 0..4 {
                    next();
                }
                let (right, down) = (next(), next());
                if right > 0.0 {
                    let centre = place(x + right / 2.0, y + down / 2.0);
                    drawn = format!(" {centre} circle [x radius={radius},y radius={radius}]");
                }
                (x, y) = (x + right, y + down);
            }
            command => {
                match command {
                    "h" => x += first,
                    "v" => y += first,
                    _ => (x, y) = (x + first, y + next()),
                }
                let _ = write!(drawn, " -- {}", place(x, y));
            }
        }
    }
    if drawn.contains("circle") { drawn.replace(" -- cycle", "") } else { drawn }
}

/// A number with at most two decimals.
fn short(number: f64) -> String {
    let hundred = (number * 100.0).round() / 100.0;
    if hundred == 0.0 { real(0).to_string() } else { hundred.to_string() }
}

/// A text whose special characters LaTeX prints.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => escaped += "\\textbackslash{}",
            '^' => escaped += "\\textasciicircum{}",
            '~' => escaped += "\\textasciitilde{}",
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            '|' => escaped += "\\textbar{}",
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::shapes::{faint, level, page, rectangle, tip};

    #[test]
    fn shapes_keep_their_places_and_tips_are_left_out() {
        let drawing = page(10.0, 10.0, "a")
            .add(rectangle(1.0, 2.0, 3.0, 4.0).set("style", "fill:#0072B2;fill-opacity:0.5"))
            .add(faint((1.0, 2.0), (3.0, 3.0)))
            .add(level("a_b 50 %", 5.0, 6.0, 13).set("text-anchor", "end"))
            .add(tip(0.0, 0.0, 1.0, 1.0, "hidden"));
        let picture = tikz(&drawing.to_string(), "a");
        for part in [
            "\\definecolor{warpspan0072B2}{HTML}{0072B2}",
            "\\path[fill=warpspan0072B2,fill opacity=0.5] (1,2) rectangle (4,6);",
            "\\path[draw=black,line width=0.5pt,draw opacity=0.13] (1,3) -- (2,3);",
            "\\node[anchor=mid east,inner sep=0pt,font=\\fontsize{6.5}{7.8}\\selectfont] at (5,6) {a\\_b 50 \\%};",
        ] {
            assert!(picture.contains(part), "{part}\n{picture}");
        }
        assert!(!picture.contains("hidden") && picture.matches("\\path").count() == 2, "{picture}");
    }

    #[test]
    fn markers_are_whole() {
        let of = |d: &str| path(d, |x, y| format!("({x},{y})"));
        assert_eq!(of("M10,20m-5,-5h10v10h-10z"), " (5,15) -- (15,15) -- (15,25) -- (5,25) -- cycle");
        assert_eq!(
            of("M10,20m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z"),
            " (10,20) circle [x radius=3,y radius=3]"
        );
        assert_eq!(of("M0,0m-6,-6l12,12m-12,0l12,-12"), " (-6,-6) -- (6,6) (-6,6) -- (6,-6)");
    }
}
