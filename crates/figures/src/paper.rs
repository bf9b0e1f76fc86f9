//! What figures are drawn for: a screen, or the column of a paper.

use crate::primitives::UNIT;

/// The class of the title of a drawing.
pub(super) const TITLE: &str = "title";

/// How wide figures are in a paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Width {
    /// So many inches.
    Inches(f64),
    /// As wide as a line of the text, which LaTeX knows. The drawing is made for a line of the class `article`, 345 points of TeX.
    Line,
}

/// What figures are drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Paper {
    /// The width of a figure, at which its type has 9 points. Without it each figure has a width of its own, for a screen.
    pub width: Option<Width>,
    /// Whether figures have no title above, since the caption in the paper says what they are.
    pub is_untitled: bool,
}

/// The points of TeX in an inch.
pub(crate) const TEX_POINTS: f64 = 72.27;
/// The pixels in an inch, as CSS has them.
const PIXELS: f64 = 96.0;
/// A line of the class `article`, in points of TeX.
const LINE: f64 = 345.0;
/// The pixels of the type, which are 9 points.
const TYPE: &str = "12";
/// The pixels from the top that a title takes, and those of each further line of it.
const TITLE_PIXELS: f64 = 28.0;
pub(crate) const TITLE_LINE: f64 = 17.0;

impl Width {
    /// A length as a user writes it: `345pt` in points of TeX, `88mm`, `8.8cm`, `3.5in`, or `\linewidth`.
    ///
    /// # Errors
    /// If it is no such length, or none between 1.5 and 40 inches: the sentence says what would do.
    pub fn read(text: &str) -> Result<Self, String> {
        let wanted = || {
            format!(
                "{text:?}: want a width such as 345pt, 88mm, 8.8cm, 3.5in or \\linewidth, from 1.5 to 40 inches"
            )
        };
        if text == "\\linewidth" {
            return Ok(Self::Line);
        }
        let units = [("pt", TEX_POINTS), ("mm", 25.4), ("cm", 2.54), ("in", 1.0)];
        let read = |(unit, each): (&str, f64)| {
            let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            Some(number / each)
        };
        let inches = units.into_iter().find_map(read).filter(|inches| (1.5..=40.0).contains(inches));
        inches.map(Self::Inches).ok_or_else(wanted)
    }

    fn inches(self) -> f64 {
        match self {
            Self::Inches(inches) => inches,
            Self::Line => LINE / TEX_POINTS,
        }
    }
}

impl Paper {
    /// The pixels of the width that is asked for.
    pub(crate) fn wide(&self) -> Option<f64> {
        self.width.map(|width| (width.inches() * PIXELS * 100.0).round() / 100.0)
    }

    /// The points of a pixel of type, of lines and of dashes.
    pub(crate) fn points(&self) -> f64 {
        if self.width.is_some() { 72.0 / PIXELS } else { UNIT }
    }

    /// The length of a pixel of a drawing of so many, as LaTeX has it.
    pub(crate) fn pixel_in_tex(&self, wide: f64) -> String {
        let short = |number: f64| ((number * 1e5).round() / 1e5).to_string();
        match self.width {
            None => format!("{UNIT}pt"),
            Some(Width::Inches(inches)) => format!("{}pt", short(inches * TEX_POINTS / wide)),
            Some(Width::Line) => format!("\\linewidth/{}", short(wide)),
        }
    }

    /// The points of PDF of a pixel of a drawing of so many.
    pub(crate) fn pixel_in_pdf(&self, wide: f64) -> f64 {
        self.width.map_or(UNIT, |width| width.inches() * 72.0 / wide)
    }

    /// The drawing with type of one size where a width is asked for, and without its title where none is wanted.
    pub(crate) fn finished(&self, svg: String) -> String {
        let svg = if self.width.is_some() { in_one_size(&svg) } else { svg };
        if self.is_untitled { without_title(&svg) } else { svg }
    }
}

fn in_one_size(svg: &str) -> String {
    let mut parts = svg.split("font-size=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    let sized = |part: &str| {
        let rest = part.split_once('"').map_or("", |(_, rest)| rest);
        format!("font-size=\"{TYPE}\"{rest}")
    };
    first + &parts.map(sized).collect::<String>()
}

/// The drawing without the title above it and without the room of that. A second title is that of a part, and stays.
fn without_title(svg: &str) -> String {
    let (start, end) = (format!("<text class=\"{TITLE}\""), "</text>");
    let mut rest = svg.to_owned();
    let mut lines: f64 = 0.0;
    let Some(at) = rest.find(&start) else { return rest };
    while rest[at..].starts_with(&start) {
        let Some(length) = rest[at..].find(end) else { break };
        rest.replace_range(at..at + length + end.len(), "");
        let blank = rest[at..].len() - rest[at..].trim_start().len();
        rest.replace_range(at..at + blank, "");
        lines += 1.0;
    }
    let cut = TITLE_PIXELS + TITLE_LINE * (lines - 1.0);
    let attribute = |name: &str| -> Option<(usize, usize, String)> {
        let from = rest.find(&format!("{name}=\""))? + name.len() + 2;
        let to = from + rest[from..].find('"')?;
        Some((from, to, rest[from..to].to_owned()))
    };
    let seen = attribute(" viewBox").and_then(|(from, to, seen)| {
        let numbers: Vec<f64> = seen.split(' ').filter_map(|number| number.parse().ok()).collect();
        let [left, top, width, height] = numbers[..] else { return None };
        Some((from, to, format!("{left} {} {width} {}", top + cut, height - cut), (height, height - cut)))
    });
    let Some((from, to, seen, (before, after))) = seen else { return rest };
    rest.replace_range(from..to, &seen);
    let rest = rest.replacen(&format!(" height=\"{before}\""), &format!(" height=\"{after}\""), 1);
    rest.replacen("class=\"paper\"", &format!("class=\"paper\" y=\"{cut}\""), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::Drawing;
    use crate::shapes::{file, heading, level, page};

    #[test]
    fn lengths_are_those_of_papers() {
        let paper = |text: &str| Paper { width: Some(Width::read(text).unwrap()), is_untitled: false };
        // By hand: 72.27 points of TeX, 2.54 cm and 96 pixels are an inch.
        for (text, pixels) in [
            ("144.54pt", "192"),
            ("50.8mm", "192"),
            ("5.08 cm", "192"),
            ("2in", "192"),
            ("\\linewidth", "458.28"),
        ] {
            assert_eq!(paper(text).wide().unwrap().to_string(), pixels, "{text}");
        }
        // Type of 12 pixels has 9 points, and a drawing that came out wider than asked is made as wide as that.
        assert_eq!((paper("2in").points() * 12.0).to_string(), "9");
        assert_eq!(paper("345pt").pixel_in_tex(500.0), "0.69pt");
        assert_eq!(paper("\\linewidth").pixel_in_tex(458.28), "\\linewidth/458.28");
        assert_eq!(paper("2in").pixel_in_pdf(192.0).to_string(), "0.75");
        assert_eq!(Paper::default().pixel_in_tex(960.0), "0.5pt");
    }

    #[test]
    fn lengths_that_are_none_are_refused() {
        for text in ["", "345", "pt", "-3in", "1in", "41in", "8,8cm", "\\textwidth", "infin", "NaNin"] {
            assert!(Width::read(text).unwrap_err().contains("want a width such as 345pt"), "{text}");
        }
    }

    #[test]
    fn a_title_goes_with_its_room() {
        let mut drawing = page(200.0, 100.0, "a");
        heading(&mut drawing, "a title too long for a line", 200.0, 16);
        let svg = file(&drawing.add(level("b", 3.0, 90.0, 13)));
        assert_eq!(svg.matches("class=\"title\"").count(), 2, "{svg}");
        let paper = Paper { width: Some(Width::Inches(2.0)), is_untitled: true };
        let bare = paper.finished(svg.clone());
        assert!(bare.contains("viewBox=\"0 45 200 55\"") && bare.contains(" height=\"55\""), "{bare}");
        assert!(!bare.contains("title") && !bare.contains("font-size=\"13\""), "{bare}");
        // What is printed moves up by as much.
        let read = Drawing::read(&bare).unwrap();
        assert!((read.size.1 - 55.0).abs() < 1e-9);
        let crate::primitives::Part::Text(text) = &read.parts[0] else { panic!("{read:?}") };
        assert!((text.at.1 - 45.0).abs() < 1e-9, "{text:?}");
        assert_eq!(Paper::default().finished(svg.clone()), svg);
    }
}
