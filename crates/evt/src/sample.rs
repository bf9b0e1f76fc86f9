//! Measured times of launches, in their order.

use std::fmt;

use serde::Deserialize;

use warpspan_model::source::{InputError, JsonError, Message, json};
use warpspan_model::time::{Duration, TimeUnit};

use crate::real;

/// With fewer launches nothing is estimated: 50 maxima of blocks of 20 launches are few already.
pub const FEWEST: usize = 1_000;

/// Measured times of launches of a kernel, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    unit: TimeUnit,
    /// In grains of the unit: cycles, or picoseconds.
    times: Vec<Duration>,
    /// The line of the first time; 0 where the file has no lines of its own.
    first_line: usize,
}

/// A series as `scripts/on-gpu` writes it. Other keys say how it was measured.
#[derive(Debug, Deserialize)]
struct Series {
    measured: bool,
    spans: Vec<u64>,
}

impl Sample {
    /// Reads a file of times: a first line with their unit (`cycles`, `ns`, `us`, `ms` or `s`) and a line for each launch. A text that
    /// begins with a brace or a bracket is JSON with `spans` in cycles.
    ///
    /// # Errors
    /// If it is neither, a number is none or not above 0, or there are fewer than [`FEWEST`].
    pub fn read(place: &str, text: &str) -> Result<Self, InputError> {
        let sample = if text.trim_start().starts_with(['[', '{']) {
            of_json(text).map_err(|what| InputError::new(place, what))?
        } else {
            of_lines(place, text)?
        };
        if sample.times.len() < FEWEST {
            let what =
                format!("{} launches are too few for an estimate: want {FEWEST} or more", sample.times.len());
            return Err(InputError::new(place, what));
        }
        Ok(sample)
    }

    /// Whether the form of the file shows where it ends. A file of lines may lack the last ones.
    pub const fn is_marked(&self) -> bool {
        self.first_line == 0
    }

    /// The unit of the times.
    pub fn unit(&self) -> TimeUnit {
        self.unit
    }

    /// The times, in cycles or picoseconds.
    pub fn times(&self) -> &[Duration] {
        &self.times
    }

    /// The times in their unit, as real numbers.
    pub fn real(&self) -> Vec<f64> {
        let grains = self.unit.read("1").map_or(1.0, in_real);
        self.times.iter().map(|&time| in_real(time) / grains).collect()
    }

    /// The largest step of which all differences of times are multiples, in the unit; 0 where all times are equal.
    pub fn step(&self) -> f64 {
        let first = self.times.first().map_or(0, |time| time.0);
        let step = self.times.iter().fold(0, |step, time| num_integer::gcd(step, time.0.abs_diff(first)));
        in_real(Duration(step)) / self.unit.read("1").map_or(1.0, in_real)
    }

    /// A launch by its place in the series, from 0, as a message names it: by its number, and its line where there is one.
    pub fn launch(&self, place: usize) -> String {
        match self.first_line {
            0 => format!("launch {}", place + 1),
            first => format!("launch {} (line {})", place + 1, first + place),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate needs fewer digits than a real number has")]
fn in_real(time: Duration) -> f64 {
    time.0 as f64
}

fn of_lines(place: &str, text: &str) -> Result<Sample, InputError> {
    let wrong = |line: usize, what: &dyn fmt::Display| InputError {
        place: place.to_owned(),
        line: Some(line),
        what: Message::text(what),
    };
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let units = [
        ("cycles", TimeUnit::Cycles, None),
        ("ns", TimeUnit::Nanoseconds, Some(3)),
        ("us", TimeUnit::Microseconds, Some(6)),
        ("ms", TimeUnit::Milliseconds, Some(9)),
        ("s", TimeUnit::Seconds, Some(12)),
    ];
    let header = lines.next().map_or("", |(_, line)| line);
    let unit = units.iter().find(|(name, ..)| *name == header).map(|(_, unit, digits)| (*unit, *digits));
    let (unit, digits) = unit.ok_or_else(|| {
        wrong(1, &format!("{header:?} is no unit: want cycles, ns, us, ms or s in the first line, and then a time a line"))
    })?;
    let time = |(line, text): (usize, &str)| {
        let time = unit.read(cut(text, digits)).ok().filter(|time| time.0 > 0);
        time.ok_or_else(|| wrong(line, &format!("{text:?} is no time: want a decimal number above 0")))
    };
    let times = lines.map(time).collect::<Result<_, _>>()?;
    if !text.ends_with('\n') {
        let what = "the last line has no end, so that its time may be cut off: want the whole file";
        return Err(wrong(text.lines().count(), &what));
    }
    Ok(Sample { unit, times, first_line: 2 })
}

/// A decimal number without what is less than a picosecond, which is no part of any answer: measured times are often means.
fn cut(text: &str, digits: Option<usize>) -> &str {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let point = text.find('.').filter(|_| is_number && text.matches('.').count() == 1);
    let end = point.zip(digits).map(|(point, digits)| point + 1 + digits);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

fn of_json(text: &str) -> Result<Sample, String> {
    let want = "a series of scripts/on-gpu, with measured and spans";
    let wrong = |error: JsonError| format!("line {}: {}", error.line, error.what);
    let series = if text.trim_start().starts_with('[') {
        let all: Vec<Series> = json(text.as_bytes(), want).map_err(wrong)?;
        let many = all.len();
        let [one] = <[Series; 1]>::try_from(all).map_err(|_| {
            format!("{many} series: want a file with the one of this launch, such as by jq '.[0]'")
        })?;
        one
    } else {
        json(text.as_bytes(), want).map_err(wrong)?
    };
    if !series.measured {
        return Err("the series of a made-up device: want measured times".to_owned());
    }
    let is_time = |span: &u64| *span > 0 && *span <= Duration::MAX.0;
    if let Some(place) = series.spans.iter().position(|span| !is_time(span)) {
        return Err(format!("span {} is {}: want cycles above 0", place + 1, series.spans[place]));
    }
    let times = series.spans.into_iter().map(Duration).collect();
    Ok(Sample { unit: TimeUnit::Cycles, times, first_line: 0 })
}

/// The mean of the two values in the middle, or the one there.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    let at = |place: usize| sorted.get(place).copied().unwrap_or(0.0);
    if sorted.len() % 2 == 1 { at(middle) } else { f64::midpoint(at(middle.saturating_sub(1)), at(middle)) }
}

/// The value below which a share of sorted values lies.
pub(crate) fn quantile(sorted: &[f64], above: usize) -> f64 {
    sorted.get(sorted.len().saturating_sub(above + 1)).copied().unwrap_or(0.0)
}

/// The largest value of each block of so many launches; launches that fill no block at the end are left out.
pub(crate) fn maxima(series: &[f64], block: usize) -> Vec<f64> {
    series.chunks_exact(block).map(|block| block.iter().copied().fold(f64::MIN, f64::max)).collect()
}

/// What exceeds a threshold, in its order, and its share of all.
pub(crate) fn excesses(series: &[f64], threshold: f64) -> (Vec<f64>, f64) {
    let found: Vec<f64> = series.iter().copied().filter(|x| *x > threshold).collect();
    let share = real(found.len()) / real(series.len());
    (found, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let error = Sample::read("f", text).unwrap_err();
        format!("{:?} {}", error.line, error.what.worded(|_| String::new()))
    }

    #[test]
    fn lines_have_a_unit_and_a_grid() {
        let text = format!("us\n{}", "1.5\n1.25\n".repeat(500));
        let sample = Sample::read("f", &text).unwrap();
        assert_eq!(sample.times().len(), 1000);
        assert_eq!(sample.times()[1], Duration(1_250_000));
        assert_eq!(sample.real()[..2], [1.5, 1.25]);
        assert_eq!(sample.step(), 0.25);
        assert_eq!(sample.launch(3), "launch 4 (line 5)");
        // Means have as many decimals as a real number has; less than a picosecond is none of an answer.
        let fine = Sample::read("f", &text.replace("1.25", "1.250000999999999")).unwrap();
        assert_eq!(fine.times()[1], Duration(1_250_000));
    }

    #[test]
    fn what_is_no_series_is_refused_with_its_line() {
        assert!(refused("12\n13\n").starts_with("Some(1) \"12\" is no unit"));
        assert!(refused("ns\n12\nx\n").starts_with("Some(3) \"x\" is no time"));
        assert!(refused("ns\n12\n\n").starts_with("Some(3) \"\" is no time"));
        assert!(refused("ns\n0\n").starts_with("Some(2) \"0\" is no time"));
        assert!(refused("cycles\n1.5\n").starts_with("Some(2) \"1.5\" is no time"));
        assert!(refused("ns\n12\n13").starts_with("Some(3) the last line has no end"));
        assert!(refused("ns\n12\n13\n").starts_with("None 2 launches are too few"));
        assert!(refused("[1]").contains("want a series of scripts/on-gpu"));
        assert!(refused("[]").contains("0 series"));
        assert!(refused("{\"measured\":false,\"spans\":[1]}").contains("made-up"));
        assert!(refused("{\"measured\":true,\"spans\":[1,0]}").contains("span 2 is 0"));
    }

    #[test]
    fn a_series_of_the_scripts_is_in_cycles() {
        let spans = vec!["7"; 1000].join(",");
        let text = format!("[{{\"kernel\":\"k\",\"measured\":true,\"spans\":[{spans}]}}]");
        let sample = Sample::read("f", &text).unwrap();
        assert_eq!((sample.unit(), sample.step()), (TimeUnit::Cycles, 0.0));
        assert_eq!(sample.launch(0), "launch 1");
    }
}
