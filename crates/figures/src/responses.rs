//! Bars of response times under several policies, relative to one of them (Si21 Fig. 4.2 and 4.3).

use svg::Document;
use svg::node::Node;

use crate::paper::TITLE;
use crate::shapes::{faint, file, line, multiples, page, real, rectangle, step, telling, text, text_width};
use crate::theme::{BLUE, Colour, GREEN, INK, ORANGE, PURPLE, SKY, VERMILION, YELLOW};

/// The response times of the groups of one instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Responses {
    /// The name of the instance.
    pub name: String,
    /// The policies, each with the response times of the groups in cycles. There is at least one.
    pub policies: Vec<(String, Vec<u64>)>,
}

impl Responses {
    /// What all times are relative to: that of the first group under the first policy.
    fn unit(&self) -> u64 {
        self.policies.first().and_then(|(_, times)| times.first()).copied().unwrap_or(1).max(1)
    }

    /// What all means are relative to, times the number of groups: the sum under the first policy.
    fn sum(&self) -> u64 {
        self.policies.first().map_or(1, |(_, times)| sum(times)).max(1)
    }

    /// The pixels of its bars.
    fn width(&self) -> f64 {
        let bars: usize = self.policies.iter().map(|(_, times)| times.len()).sum();
        BAR * real(bars as u64) + BETWEEN * real(self.policies.len().saturating_sub(1) as u64)
    }

    /// The pixels of its bars and of its name.
    fn room(&self) -> f64 {
        lines(&self.name).iter().map(|line| text_width(line, 12.0)).fold(self.width(), f64::max) + APART
    }
}

/// The largest number of instances that are drawn.
const MOST: usize = 40;
const FILLS: [Colour; 7] = [BLUE, GREEN, ORANGE, PURPLE, SKY, YELLOW, VERMILION];
const LEFT: f64 = 64.0;
/// The width of a bar, and the distances of policies and of instances, in pixels.
const BAR: f64 = 14.0;
const BETWEEN: f64 = 4.0;
const APART: f64 = 24.0;
/// The height of a panel, and the tops of both.
const HEIGHT: f64 = 200.0;
const TOPS: [f64; 2] = [84.0, 400.0];

fn sum(times: &[u64]) -> u64 {
    times.iter().fold(0, |sum, &time| sum.saturating_add(time))
}

/// A share in thousandths, rounded.
fn thousandths(part: u64, whole: u64) -> u64 {
    let whole = u128::from(whole);
    u64::try_from((u128::from(part) * 1000 + whole / 2) / whole).unwrap_or(u64::MAX)
}

/// A name in lines, broken at hyphens where it is long.
fn lines(name: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in name.split_inclusive('-') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + part.len() > 14 {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        lines[last] += part;
    }
    lines
}

/// Draws two panels. Above, each group of each instance has a bar for each policy, as high as its response time
/// relative to that of group 1 under the first policy. Below, each policy has a bar as high as the mean of the
/// groups relative to that under the first policy. Lower is better. The first 40 instances are drawn. Returns
/// the text of an SVG file, for light paper and dark.
pub fn responses(subjects: &[Responses], title: &str) -> String {
    let drawn = &subjects[..subjects.len().min(MOST)];
    let first = drawn.first().and_then(|subject| subject.policies.first());
    let first = first.map_or("the first policy", |(name, _)| name);
    let across = drawn.iter().map(Responses::room).sum::<f64>().max(text_width(title, 15.0)).max(420.0);
    let mut drawing = page((LEFT + across + 24.0).ceil(), TOPS[1] + HEIGHT + 76.0, title)
        .add(text(title, 16.0, 24.0).set("font-size", 15).set("class", TITLE));
    let heads = [
        format!("response time of each group, relative to group 1 under {first}"),
        format!("mean of the groups, relative to {first}"),
    ];
    let of_groups = |subject: &Responses| -> Vec<u64> {
        let times = subject.policies.iter().flat_map(|(_, times)| times);
        times.map(|&time| thousandths(time, subject.unit())).collect()
    };
    let of_means = |subject: &Responses| -> Vec<u64> {
        subject.policies.iter().map(|(_, times)| thousandths(sum(times), subject.sum())).collect()
    };
    let most = [drawn.iter().flat_map(of_groups).max(), drawn.iter().flat_map(of_means).max()];
    for ((top, head), most) in TOPS.into_iter().zip(&heads).zip(most) {
        let step = step(most.unwrap_or(0).max(1000), 8);
        let end = most.unwrap_or(0).max(1000).div_ceil(step) * step;
        let panel = Panel { top, end: real(end) };
        drawing.append(text(head, 16.0, top - 18.0));
        for share in multiples(0, end, step) {
            let y = panel.y(share);
            drawing.append(faint((LEFT, LEFT + across), (y, y)));
            let number = text(&(real(share) / 1000.0).to_string(), LEFT - 8.0, y + 4.0);
            drawing.append(number.set("text-anchor", "end"));
        }
        drawing.append(line((LEFT, LEFT + across), (top + HEIGHT, top + HEIGHT)));
        let mut left = LEFT;
        for subject in drawn {
            let middle = left + subject.room() / 2.0;
            panel.subject(&mut drawing, subject, middle - subject.width() / 2.0);
            for (number, line) in lines(&subject.name).iter().enumerate() {
                let y = top + HEIGHT + 30.0 + 15.0 * real(number as u64);
                drawing.append(text(line, middle, y).set("text-anchor", "middle"));
            }
            left += subject.room();
        }
    }
    let names = drawn.first().into_iter().flat_map(|subject| &subject.policies);
    for (number, (name, _)) in names.enumerate() {
        let x = LEFT + 110.0 * real(number as u64);
        drawing.append(filled(rectangle(x, 38.0, 14.0, 14.0), number));
        drawing.append(text(name, x + 22.0, 49.0));
    }
    file(&drawing)
}

/// One of the two panels.
struct Panel {
    top: f64,
    /// The number at its upper end, in thousandths.
    end: f64,
}

impl Panel {
    fn y(&self, share: u64) -> f64 {
        self.top + HEIGHT * (1.0 - real(share) / self.end)
    }

    /// Draws the bars of an instance from a place on.
    fn subject(&self, drawing: &mut Document, subject: &Responses, mut x: f64) {
        let bottom = self.top + HEIGHT;
        let is_above = self.top <= TOPS[0];
        for (number, (policy, times)) in subject.policies.iter().enumerate() {
            let width = BAR * real(times.len() as u64);
            let bars: Vec<(u64, String)> = if is_above {
                let bar = |(group, &time): (usize, &u64)| {
                    let share = thousandths(time, subject.unit());
                    let group = group + 1;
                    (share, format!("group {group}: {time} cycles"))
                };
                times.iter().enumerate().map(bar).collect()
            } else {
                vec![(thousandths(sum(times), subject.sum()), "mean of the groups".to_owned())]
            };
            let each = width / real(bars.len().max(1) as u64);
            for (at, (share, what)) in bars.iter().enumerate() {
                let (left, top) = (x + each * real(at as u64), self.y(*share));
                let relative = real(*share) / 1000.0;
                let tip = format!("{}, {policy}, {what}, relative {relative:.3}", subject.name);
                let shape = rectangle(left + 0.5, top, each - 1.0, bottom - top);
                drawing.append(telling(&tip).add(filled(shape, number)));
                if is_above {
                    let group = text(&(at + 1).to_string(), left + each / 2.0, bottom + 13.0);
                    drawing.append(group.set("text-anchor", "middle").set("font-size", 10).set("fill", INK));
                }
            }
            x += width + BETWEEN;
        }
    }
}

/// A box in the colour of a policy, which the style sheet does not change.
fn filled(shape: svg::node::element::Rectangle, policy: usize) -> svg::node::element::Rectangle {
    shape.set("style", format!("fill:{}", FILLS[policy % FILLS.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_break_at_hyphens() {
        assert_eq!(lines("si21-stand-in-2dconv"), ["si21-stand-in-", "2dconv"]);
        assert_eq!(lines("a"), ["a"]);
        assert_eq!(lines(""), [""]);
    }

    #[test]
    fn shares_are_rounded() {
        assert_eq!(thousandths(2, 3), 667);
        assert_eq!(thousandths(u64::MAX, 1), u64::MAX);
    }
}
