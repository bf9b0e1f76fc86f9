//! Axes: their ranges, and numbers that stand at whole steps.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// Pixels of a horizontal axis.
const ACROSS: u64 = 550;

/// An axis of a chart.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    /// What it shows, with the unit.
    pub(super) label: &'static str,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Where numbers stand.
    pub(super) ticks: Vec<f64>,
    /// The number at a tick.
    pub(super) number: fn(f64) -> String,
    /// Whether equal distances are equal factors.
    by_factors: bool,
}

impl Axis {
    /// Cycles from 0.
    pub(super) fn cycles(most: u64) -> Self {
        let step = step(most, 8);
        Self::whole("cycles", 0, most.div_ceil(step).max(1) * step, step)
    }

    /// Cycles above the bottleneck, from 0.
    pub(super) fn above_bottleneck(most: u64) -> Self {
        Self { label: "cycles above the bottleneck", ..Self::cycles(most) }
    }

    /// Cycles of a part of the axis only.
    pub(super) fn cycles_between(least: u64, most: u64) -> Self {
        let step = step((most - least).max(4), 8);
        Self::whole("cycles", least.saturating_sub(1) / step * step, (most / step + 1) * step, step)
    }

    /// A count, such as of warps, with room at both ends.
    pub(super) fn count(label: &'static str, least: u64, most: u64) -> Self {
        // As many numbers as stand side by side.
        let step = step(most - least, (ACROSS / width(most)).clamp(2, 14));
        let (from, to) = (least.div_ceil(step) * step, most / step * step);
        let room = (real(most - least) * 0.03).max(0.5);
        let ticks = (from..=to).step_by(usize::try_from(step).unwrap_or(usize::MAX)).map(real).collect();
        Self {
            label,
            low: real(least) - room,
            high: real(most) + room,
            ticks,
            number: integer,
            by_factors: false,
        }
    }

    /// Warps; logarithmic where they grow by factors.
    pub(super) fn warps(mut warps: Vec<u64>) -> Self {
        warps.sort_unstable();
        warps.dedup();
        let (least, most) = (warps.first().copied().unwrap_or(1), warps.last().copied().unwrap_or(1));
        if most / least < 32 || warps.len() as u64 > most / 8 {
            return Self::count("warps W", least, most);
        }
        // A number stands at each that is far enough above the one before.
        let far = (real(most) / real(least)).powf(real(width(most)) / real(ACROSS));
        let mut ticks: Vec<f64> = Vec::new();
        for warps in warps.into_iter().map(real) {
            if ticks.last().is_none_or(|last| warps >= last * far) {
                ticks.push(warps);
            }
        }
        let (low, high) = (real(least) / far, real(most) * far);
        Self { label: "warps W (logarithmic)", low, high, ticks, number: integer, by_factors: true }
    }

    /// Percent, from 0 to 100.
    pub(super) fn percent(label: &'static str) -> Self {
        Self::whole(label, 0, 100, 20)
    }

    /// Seconds, by [`log10`](Self::log10): a tick a power of ten.
    pub(super) fn seconds(least: f64, most: f64) -> Self {
        let low = Self::log10(least).floor();
        let high = Self::log10(most).ceil().max(low + 2.0);
        let ticks =
            std::iter::successors(Some(low), |tick| Some(tick + 1.0)).take_while(|&tick| tick <= high);
        Self {
            label: "seconds (logarithmic)",
            low,
            high,
            ticks: ticks.collect(),
            number: power,
            by_factors: false,
        }
    }

    /// Where a time stands on the axis of seconds; a microsecond where it is less.
    pub(super) fn log10(seconds: f64) -> f64 {
        seconds.max(1e-6).log10()
    }

    /// Pixels for the numbers and the label of a vertical axis.
    pub(super) fn room(&self) -> i32 {
        let longest = self.ticks.iter().map(|&tick| (self.number)(tick).len()).max().unwrap_or(0);
        i32::try_from(8 * longest + 30).unwrap_or(0).max(68)
    }

    fn whole(label: &'static str, low: u64, high: u64, step: u64) -> Self {
        let ticks = (low..=high).step_by(usize::try_from(step).unwrap_or(usize::MAX)).map(real).collect();
        Self { label, low: real(low), high: real(high), ticks, number: integer, by_factors: false }
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let part = match self.by_factors {
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        from + pixel(f64::from(to - from) * part)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

/// About how many pixels a number takes, with the space before the next.
fn width(number: u64) -> u64 {
    8 * number.to_string().len() as u64 + 12
}

fn integer(value: f64) -> String {
    format!("{value:.0}")
}

fn power(exponent: f64) -> String {
    let decimals = if exponent < 0.0 { whole(-exponent) } else { 0 };
    format!("{:.decimals$}", 10f64.powf(exponent))
}

/// The least of 1, 2, 5, 10, 20, ... that cuts the range into at most so many parts.
pub(super) fn step(range: u64, parts: u64) -> u64 {
    let tens = std::iter::successors(Some(1u64), |ten| ten.checked_mul(10));
    tens.flat_map(|ten| [1, 2, 5].map(|digit| ten.saturating_mul(digit)))
        .find(|step| range / step <= parts)
        .unwrap_or(u64::MAX)
}

/// A number on a drawing.
#[expect(clippy::cast_precision_loss, reason = "a place on a drawing")]
pub(super) fn real(value: u64) -> f64 {
    value as f64
}

/// The nearest pixel.
#[expect(clippy::cast_possible_truncation, reason = "a place on a drawing")]
pub(super) fn pixel(value: f64) -> i32 {
    value.round() as i32
}

fn whole(value: f64) -> usize {
    usize::try_from(pixel(value)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn numbers_stand_at_whole_steps() {
        assert_eq!([1, 8, 9, 17, 100, 2401].map(|range| step(range, 8)), [1, 1, 2, 2, 20, 500]);
        assert_relative_eq!(Axis::count("warps W", 1, 4).ticks[..], [1.0, 2.0, 3.0, 4.0]);
        assert_relative_eq!(Axis::count("warps W", 3, 3).ticks[..], [3.0]);
        assert_relative_eq!(Axis::warps(vec![1, 2, 2, 16, 64]).ticks[..], [1.0, 2.0, 16.0, 64.0]);
        assert_relative_eq!(*Axis::cycles(17).ticks.last().unwrap(), 18.0);
        let axis = Axis::seconds(0.002, 3.0);
        let numbers: Vec<String> = axis.ticks.iter().map(|&tick| (axis.number)(tick)).collect();
        assert_eq!(numbers, ["0.001", "0.01", "0.1", "1", "10"]);
    }
}
