//! Axes of real numbers: round steps, and units of time in which numbers are short.

/// The unit of the numbers of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// Its name, which stands at the axis.
    pub(crate) unit: &'static str,
    /// How much one of it is.
    pub(crate) each: f64,
}

/// The units of time with their nanoseconds, the largest first.
const TIMES: [(&str, f64); 4] = [("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0)];

impl Scale {
    /// The unit in which times up to so many nanoseconds are read: the largest of which there is one.
    pub(crate) fn of_time(most: f64) -> Self {
        let (unit, each) = TIMES.into_iter().find(|(_, each)| most >= *each).unwrap_or(("ns", 1.0));
        Self { unit, each }
    }
}

/// A time in nanoseconds as a person reads it, with four digits.
pub(crate) fn time(nanoseconds: f64) -> String {
    let Scale { unit, each } = Scale::of_time(nanoseconds.abs());
    format!("{} {unit}", short(nanoseconds / each))
}

/// A number with four digits; one of more digits before the point with all of these.
pub(crate) fn short(number: f64) -> String {
    let decimals = match number.abs() {
        0.0..10.0 => 3,
        10.0..100.0 => 2,
        100.0..1000.0 => 1,
        _ => 0,
    };
    let text = format!("{number:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Round numbers between two ends, each with its text, in about so many steps.
pub(crate) fn ticks(low: f64, high: f64, parts: f64) -> Vec<(f64, String)> {
    let range = high - low;
    if !range.is_finite() || range <= 0.0 {
        return Vec::new();
    }
    let power = (range / parts).log10().floor();
    let rounds = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * 10_f64.powf(power));
    let step = rounds.into_iter().find(|step| range / step <= parts).unwrap_or(range);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number of digits")]
    let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    let first = (low / step).ceil();
    let count = (high / step - first).floor();
    let numbers = std::iter::successors(Some(0.0), |number| Some(number + 1.0)).take_while(|at| *at <= count);
    let tick = |at: f64| {
        let value = (first + at) * step;
        let text = format!("{value:.decimals$}");
        (
            value,
            if text.trim_start_matches('-').trim_matches(['0', '.']).is_empty() {
                "0".to_owned()
            } else {
                text
            },
        )
    };
    numbers.map(tick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_the_unit_that_is_read() {
        let of = |nanoseconds: f64| Scale::of_time(nanoseconds).unit;
        assert_eq!(
            [0.0, 999.0, 1e3, 999e3, 1e6, 10e6, 2e9].map(of),
            ["ns", "ns", "us", "us", "ms", "ms", "s"]
        );
        let said = [932.413, 20_000.0, 7_886_663.847, 1.5e12, 0.0004, -1_234.0].map(time);
        assert_eq!(said, ["932.4 ns", "20 us", "7.887 ms", "1500 s", "0 ns", "-1.234 us"]);
    }

    #[test]
    fn steps_are_round() {
        let of = |low, high, parts| -> Vec<String> {
            ticks(low, high, parts).into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(of(0.0, 8.9, 10.0), ["0", "1", "2", "3", "4", "5", "6", "7", "8"]);
        assert_eq!(of(0.0, 0.5, 5.0), ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(of(-37.0, 12.0, 5.0), ["-30", "-20", "-10", "0", "10"]);
        assert_eq!(of(0.0, 1e7, 4.0), ["0", "5000000", "10000000"]);
        assert!(of(3.0, 3.0, 4.0).is_empty() && of(0.0, f64::INFINITY, 4.0).is_empty());
    }
}
