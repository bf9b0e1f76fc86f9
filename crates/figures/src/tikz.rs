//! Drawings as pictures of TikZ, which LaTeX sets in the type of the paper.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::outline::{Point, Step};
use crate::paper::Paper;
use crate::primitives::{Anchor, Colour, Drawing, Part, Shape, Text};
use crate::shapes::real;

/// The picture of an SVG file of this crate, for `\input`. `\warpspanunit` is the length of a pixel.
pub(super) fn tikz(svg: &str, about: &str, paper: &Paper) -> String {
    let Some(drawing) = Drawing::read(svg) else { return String::new() };
    let mut picture = Picture { points: paper.points(), lines: String::new(), colours: BTreeSet::new() };
    if paper.width.is_some() {
        // The picture is as wide as is asked for, wherever its shapes end.
        let _ =
            writeln!(picture.lines, "\\path[use as bounding box] (0,0) rectangle {};", place(drawing.size));
    }
    for part in &drawing.parts {
        match part {
            Part::Shape(shape) => picture.shape(shape),
            Part::Text(text) => picture.text(text),
        }
    }
    let mut text = format!("% {}\n% Needs \\usepackage{{tikz}}.\n", about.replace('\n', " "));
    let pixel = paper.pixel_in_tex(drawing.size.0);
    let _ = writeln!(text, "\\providecommand{{\\warpspanunit}}{{{pixel}}}%");
    for colour in &picture.colours {
        let _ = writeln!(text, "\\definecolor{{warpspan{colour}}}{{HTML}}{{{colour}}}%");
    }
    text + "\\begin{tikzpicture}[x={(\\warpspanunit,0pt)},y={(0pt,-\\warpspanunit)},line cap=butt]\n"
        + &picture.lines
        + "\\end{tikzpicture}%\n"
}

struct Picture {
    /// The points of a pixel of type and of lines.
    points: f64,
    lines: String,
    colours: BTreeSet<String>,
}

impl Picture {
    fn shape(&mut self, shape: &Shape) {
        let mut options = Vec::new();
        options.extend(shape.fill.map(|fill| format!("fill={}", self.colour(fill))));
        if let Some((colour, width)) = shape.stroke {
            options.push(format!("draw={}", self.colour(colour)));
            options.push(format!("line width={}pt", short(width * self.points)));
        }
        options.extend(shape.fill_opacity.map(|value| format!("fill opacity={value}")));
        options.extend(shape.stroke_opacity.map(|value| format!("draw opacity={value}")));
        if !shape.dashes.is_empty() {
            let dashes = shape.dashes.iter().zip(["on", "off"].into_iter().cycle());
            let dashes = dashes.map(|(length, what)| format!("{what} {}pt", short(length * self.points)));
            options.push(format!("dash pattern={}", dashes.collect::<Vec<_>>().join(" ")));
        }
        let _ = writeln!(self.lines, "\\path[{}] {};", options.join(","), path(&shape.outline));
    }

    fn text(&mut self, text: &Text) {
        let level = if text.is_level { "mid" } else { "base" };
        let anchor = match text.anchor {
            Anchor::Start => " west",
            Anchor::Middle => "",
            Anchor::End => " east",
        };
        let size = text.size * self.points;
        let font = format!("\\fontsize{{{}}}{{{}}}\\selectfont", short(size), short(size * 1.2));
        let turned = if text.is_turned { ",rotate=90" } else { "" };
        let colour = text.colour.map(|colour| format!(",text={}", self.colour(colour)));
        let _ = writeln!(
            self.lines,
            "\\node[anchor={level}{anchor},inner sep=0pt,font={font}{turned}{}] at {} {{{}}};",
            colour.unwrap_or_default(),
            place(text.at),
            escaped(&text.content)
        );
    }

    /// The name of a colour.
    fn colour(&mut self, colour: Colour) -> String {
        let Colour::Rgb([red, green, blue]) = colour else { return "black".to_owned() };
        let hex = format!("{red:02X}{green:02X}{blue:02X}");
        let name = format!("warpspan{hex}");
        self.colours.insert(hex);
        name
    }
}

fn place((x, y): Point) -> String {
    format!("({},{})", short(x), short(y))
}

fn path(outline: &[Step]) -> String {
    let next = outline.iter().skip(1).map(Some).chain([None]);
    let steps = outline.iter().zip(next).map(|steps| match steps {
        // Nothing is drawn from here.
        (Step::Move(_), Some(Step::Move(_) | Step::Circle(..))) => String::new(),
        (Step::Move(at), _) => place(*at),
        (Step::Line(to), _) => format!("-- {}", place(*to)),
        (Step::Close, _) => "-- cycle".to_owned(),
        (Step::Rectangle(from, to), _) => format!("{} rectangle {}", place(*from), place(*to)),
        (Step::Circle(at, radius), _) => {
            let radius = short(*radius);
            format!("{} circle [x radius={radius},y radius={radius}]", place(*at))
        }
    });
    steps.collect::<Vec<_>>().join(" ")
}

/// A number with at most two decimals.
fn short(number: f64) -> String {
    let hundred = (number * 100.0).round() / 100.0;
    if hundred == 0.0 { real(0).to_string() } else { hundred.to_string() }
}

/// A text whose special characters LaTeX prints.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // The ratio of a unit is written σ_L or σ_C.
            'σ' => match letters.next_if_eq(&'_').and_then(|_| letters.next()) {
                Some(unit) => escaped += &format!("$\\sigma_{unit}$"),
                None => escaped += "$\\sigma$",
            },
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
    use crate::shapes::{faint, level, page, rectangle, tip};

    #[test]
    fn shapes_keep_their_places_and_tips_are_left_out() {
        let drawing = page(10.0, 10.0, "a")
            .add(rectangle(1.0, 2.0, 3.0, 4.0).set("style", "fill:#0072B2;fill-opacity:0.5"))
            .add(faint((1.0, 2.0), (3.0, 3.0)))
            .add(level("a_b 50 %", 5.0, 6.0, 13).set("text-anchor", "end"))
            .add(tip(0.0, 0.0, 1.0, 1.0, "hidden"));
        let picture = tikz(&drawing.to_string(), "a", &Paper::default());
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
    fn sigma_is_the_letter_of_the_formulas() {
        assert_eq!(escaped("σ_L = 1, σ_C = 1/2"), "$\\sigma_L$ = 1, $\\sigma_C$ = 1/2");
        assert_eq!(escaped("σ 50 %"), "$\\sigma$ 50 \\%");
    }

    #[test]
    fn a_picture_is_as_wide_as_asked() {
        let drawing = page(192.0, 10.0, "a").add(level("a", 5.0, 6.0, 12));
        let of = |text: &str| {
            let paper = Paper { width: Some(crate::paper::Width::read(text).unwrap()), is_untitled: false };
            tikz(&drawing.to_string(), "a", &paper)
        };
        for (text, unit) in [("2in", "0.75281pt"), ("\\linewidth", "\\linewidth/192")] {
            let picture = of(text);
            assert!(picture.contains(&format!("{{\\warpspanunit}}{{{unit}}}")), "{picture}");
            assert!(picture.contains("\\path[use as bounding box] (0,0) rectangle (192,10);"), "{picture}");
            assert!(picture.contains("\\fontsize{9}{10.8}"), "{picture}");
        }
    }

    #[test]
    fn markers_are_whole() {
        let of = |d: &str| path(&crate::outline::path(d, |x, y| (x, y)));
        assert_eq!(of("M10,20m-5,-5h10v10h-10z"), " (5,15) -- (15,15) -- (15,25) -- (5,25) -- cycle");
        assert_eq!(
            of("M10,20m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z"),
            " (10,20) circle [x radius=3,y radius=3]"
        );
        assert_eq!(of("M0,0m-6,-6l12,12m-12,0l12,-12"), " (-6,-6) -- (6,6) (-6,6) -- (6,-6)");
    }
}
