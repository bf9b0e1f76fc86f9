//! Axes with their ranges and the numbers that stand at round steps.

use crate::shapes::{multiples, real, step};

/// The length of a horizontal axis in pixels.
const ACROSS: u64 = 550;

/// An axis of a chart.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    /// The quantity that it shows, with its unit.
    pub(crate) label: &'static str,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The numbers on the axis, each with its place.
    pub(super) ticks: Vec<(f64, String)>,
    /// Whether a value is the logarithm of what it stands for, to base ten.
    is_log: bool,
    /// Whether equal distances stand for equal factors, as on a logarithmic axis.
    by_factors: bool,
}

impl Axis {
    /// An axis of cycles that begins at 0.
    pub(crate) fn cycles(most: u64) -> Self {
        let step = step(most, 8);
        Self::whole("cycles", 0, most.div_ceil(step).max(1) * step, step)
    }

    /// An axis of another quantity that begins at 0.
    pub(crate) fn from_zero(label: &'static str, most: u64) -> Self {
        Self { label, ..Self::cycles(most) }
    }

    /// An axis of a quantity in thousandths that begins at 0, whose numbers are of whole ones.
    pub(crate) fn thousandths(label: &'static str, most: u64) -> Self {
        let axis = Self::from_zero(label, most);
        let number = |(place, _): (f64, String)| (place, (place / 1000.0).to_string());
        Self { ticks: axis.ticks.into_iter().map(number).collect(), ..axis }
    }

    /// An axis of cycles above the bottleneck, which begins at 0.
    pub(crate) fn above_bottleneck(most: u64) -> Self {
        Self::from_zero("cycles above the bottleneck", most)
    }

    /// An axis of cycles that does not begin at 0.
    pub(crate) fn cycles_between(least: u64, most: u64) -> Self {
        let step = step((most - least).max(4), 8);
        Self::whole("cycles", least.saturating_sub(1) / step * step, (most / step + 1) * step, step)
    }

    /// An axis of a count, such as that of warps, with space at both ends.
    pub(crate) fn count(label: &'static str, least: u64, most: u64) -> Self {
        // The axis has as many numbers as fit side by side.
        let step = step(most - least, (ACROSS / width(most)).clamp(2, 14));
        let room = (real(most - least) * 0.03).max(0.5);
        let (low, high) = (real(least) - room, real(most) + room);
        Self {
            label,
            low,
            high,
            ticks: multiples(least, most, step).map(tick).collect(),
            is_log: false,
            by_factors: false,
        }
    }

    /// An axis of warps, which is logarithmic where their numbers grow by factors.
    pub(crate) fn warps(mut warps: Vec<u64>) -> Self {
        warps.sort_unstable();
        warps.dedup();
        let (least, most) = (warps.first().copied().unwrap_or(1), warps.last().copied().unwrap_or(1));
        if most / least < 32 || warps.len() as u64 > most / 8 {
            return Self::count("warps W", least, most);
        }
        // A value gets a number if it is far enough above the last one that has one.
        let far = (real(most) / real(least)).powf(real(width(most)) / real(ACROSS));
        let mut ticks: Vec<(f64, String)> = Vec::new();
        for warps in warps {
            if ticks.last().is_none_or(|(last, _)| real(warps) >= last * far) {
                ticks.push(tick(warps));
            }
        }
        let (low, high) = (real(least) / far, real(most) * far);
        Self { label: "warps W (logarithmic)", low, high, ticks, is_log: false, by_factors: true }
    }

    /// An axis of percentages from 0 to 100.
    pub(crate) fn percent(label: &'static str) -> Self {
        Self::whole(label, 0, 100, 20)
    }

    /// An axis of seconds, whose values are given by [`log10`](Self::log10), with a tick at each power of
    /// ten.
    pub(crate) fn seconds(least: f64, most: f64) -> Self {
        let low = Self::log10(least).floor();
        let high = Self::log10(most).ceil().max(low + 2.0);
        let powers = (-6..=18).filter(|&power| (low..=high).contains(&f64::from(power)));
        let ticks = powers.map(|power: i32| {
            let decimals = usize::try_from(-power).unwrap_or(0);
            (f64::from(power), format!("{:.decimals$}", 10_f64.powi(power)))
        });
        Self {
            label: "seconds (logarithmic)",
            low,
            high,
            ticks: ticks.collect(),
            is_log: true,
            by_factors: false,
        }
    }

    /// An axis of names, the first of which is at 1.
    pub(crate) fn names(label: &'static str, names: impl Iterator<Item = String>) -> Self {
        let ticks: Vec<(f64, String)> = (1..).map(real).zip(names).collect();
        Self {
            label,
            low: 0.5,
            high: real(ticks.len() as u64) + 0.5,
            ticks,
            is_log: false,
            by_factors: false,
        }
    }

    /// What a value stands for, as a table has it: a number, or the name at that position.
    pub(super) fn number(&self, value: f64) -> String {
        let is_named = self.ticks.iter().any(|(_, name)| name.parse::<f64>().is_err());
        if is_named {
            return self.tip(value);
        }
        if self.is_log { format!("{:.6}", 10_f64.powf(value)) } else { value.to_string() }
    }

    /// The name of a value, or what the axis shows and the value.
    pub(crate) fn tip(&self, value: f64) -> String {
        let named =
            self.ticks.iter().find(|(at, name)| (at - value).abs() < 1e-9 && name.parse::<f64>().is_err());
        named.map_or_else(|| format!("{} = {value}", self.label), |(_, name)| name.clone())
    }

    /// The value of a time on the axis of seconds; times below a microsecond count as one.
    pub(crate) fn log10(seconds: f64) -> f64 {
        seconds.max(1e-6).log10()
    }

    /// The pixels that the numbers and the label of a vertical axis need.
    pub(super) fn room(&self) -> f64 {
        let longest = self.ticks.iter().map(|(_, number)| number.len()).max().unwrap_or(0);
        real(8 * longest as u64 + 30).max(68.0)
    }

    /// The pixel of a value on an axis that reaches from one pixel to another.
    pub(super) fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        let part = if self.by_factors {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        (from + (to - from) * part).round()
    }

    fn whole(label: &'static str, low: u64, high: u64, step: u64) -> Self {
        let ticks = multiples(low, high, step).map(tick).collect();
        Self { label, low: real(low), high: real(high), ticks, is_log: false, by_factors: false }
    }
}

/// The approximate width of a number in pixels, with the space before the next one.
fn width(number: u64) -> u64 {
    8 * number.to_string().len() as u64 + 12
}

/// The tick that shows a number at its own value.
fn tick(number: u64) -> (f64, String) {
    (real(number), number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, number)| number.as_str()).collect()
    }

    #[test]
    fn numbers_stand_at_whole_steps() {
        assert_eq!(numbers(&Axis::count("warps W", 1, 4)), ["1", "2", "3", "4"]);
        assert_eq!(numbers(&Axis::count("warps W", 3, 3)), ["3"]);
        assert_eq!(numbers(&Axis::warps(vec![1, 2, 2, 16, 64])), ["1", "2", "16", "64"]);
        assert_eq!(numbers(&Axis::cycles(17)).last(), Some(&"18"));
        assert_eq!(numbers(&Axis::seconds(0.002, 3.0)), ["0.001", "0.01", "0.1", "1", "10"]);
    }

    #[test]
    fn values_have_their_place() {
        let place = |axis: Axis, value| axis.place(value, 0.0, 100.0).to_string();
        assert_eq!(place(Axis::percent("part"), 40.0), "40");
        let axis = Axis::warps(vec![1, 4, 64]);
        assert_eq!(place(axis.clone(), axis.low), "0");
        assert_eq!(place(axis.clone(), axis.high), "100");
        assert_eq!(place(axis, 8.0), "50", "equal factors are equal distances");
    }
}
