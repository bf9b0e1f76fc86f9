//! The outlines of shapes: lines from place to place, rectangles and circles.

/// A place in pixels, from the left and from the top.
pub(super) type Point = (f64, f64);

/// The steps of a pen, in order.
pub(super) type Outline = Vec<Step>;

/// A step of a pen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// Lifts the pen and puts it down here.
    Move(Point),
    Line(Point),
    /// A line back to where the pen was put down.
    Close,
    /// A rectangle between two corners.
    Rectangle(Point, Point),
    /// A circle around a place, with its radius.
    Circle(Point, f64),
}

pub(super) fn rectangle(from: Point, to: Point) -> Outline {
    vec![Step::Rectangle(from, to)]
}

pub(super) fn polyline(points: impl IntoIterator<Item = Point>) -> Outline {
    let step = |(number, at)| if number == 0 { Step::Move(at) } else { Step::Line(at) };
    points.into_iter().enumerate().map(step).collect()
}

pub(super) fn polygon(points: impl IntoIterator<Item = Point>) -> Outline {
    let mut outline = polyline(points);
    outline.push(Step::Close);
    outline
}

/// The path of a marker: it begins with `M x,y`, and all else is relative to the point before.
pub(super) fn path(text: &str, place: impl Fn(f64, f64) -> Point) -> Outline {
    let spaced: String = text
        .chars()
        .flat_map(|letter| match letter {
            ',' => vec![' '],
            letter if letter.is_ascii_alphabetic() && letter != 'e' => vec![' ', letter, ' '],
            letter => vec![letter],
        })
        .collect();
    let mut words = spaced.split_whitespace();
    let (mut x, mut y, mut outline) = (0.0, 0.0, Vec::new());
    let mut command = "";
    while let Some(word) = words.next() {
        let mut first = 0.0;
        match word.parse::<f64>() {
            Ok(number) => first = number,
            Err(_) if word == "z" => {
                // A circle is closed without it.
                if !matches!(outline.last(), Some(Step::Circle(..))) {
                    outline.push(Step::Close);
                }
                continue;
            }
            Err(_) => {
                command = word;
                first = words.next().and_then(|word| word.parse().ok()).unwrap_or(first);
            }
        }
        let mut next = || words.next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
        match command {
            "M" | "m" => {
                (x, y) = if command == "M" { (first, next()) } else { (x + first, y + next()) };
                outline.push(Step::Move(place(x, y)));
            }
            "a" => {
                // A half circle, twice: the second one closes it.
                for _ in 0..4 {
                    next();
                }
                let (right, down) = (next(), next());
                if right > 0.0 {
                    // A circle needs no pen at its edge.
                    outline.pop();
                    outline.push(Step::Circle(place(x + right / 2.0, y + down / 2.0), first));
                }
                (x, y) = (x + right, y + down);
            }
            command => {
                match command {
                    "h" => x += first,
                    "v" => y += first,
                    _ => (x, y) = (x + first, y + next()),
                }
                outline.push(Step::Line(place(x, y)));
            }
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use Step::{Circle, Close, Line, Move};

    #[test]
    fn markers_are_whole() {
        let of = |d: &str| path(d, |x, y| (x + 1.0, y));
        let square = [
            Move((11.0, 20.0)),
            Move((6.0, 15.0)),
            Line((16.0, 15.0)),
            Line((16.0, 25.0)),
            Line((6.0, 25.0)),
            Close,
        ];
        assert_eq!(of("M10,20m-5,-5h10v10h-10z"), square);
        assert_eq!(
            of("M10,20m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z"),
            [Move((11.0, 20.0)), Circle((11.0, 20.0), 3.0)]
        );
        let cross =
            [Move((1.0, 0.0)), Move((-5.0, -6.0)), Line((7.0, 6.0)), Move((-5.0, 6.0)), Line((7.0, -6.0))];
        assert_eq!(of("M0,0m-6,-6l12,12m-12,0l12,-12"), cross);
    }
}
