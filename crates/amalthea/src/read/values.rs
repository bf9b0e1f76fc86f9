//! Numbers with units.

use num_rational::Ratio;
use num_traits::CheckedMul;

use crate::model::Range;
use crate::xml::Element;
use warpspan_model::source::{InputError, quoted};
use warpspan_model::time::Duration;
use warpspan_model::time::decimal::exact;

/// How deep structures, groups, calls and event chains may nest.
pub(super) const DEEPEST: usize = 64;

/// A whole number of 0 or more in an attribute; models also write it as a decimal such as `1.0E8`.
pub(super) fn whole(element: Element<'_>, name: &str) -> Result<u64, InputError> {
    let text = element.required(name)?;
    let number =
        exact(text).ok().filter(Ratio::is_integer).and_then(|number| u64::try_from(number.to_integer()).ok());
    number.ok_or_else(|| element.error(format!("{name} is {}: want a whole number, 0 or more", quoted(text))))
}

/// A number and its unit, whose factor `units` knows.
fn quantity(
    element: Element<'_>,
    units: impl Fn(&str) -> Option<Ratio<u128>>,
    want: &str,
) -> Result<Ratio<u128>, InputError> {
    let (value, unit) = (element.required("value")?, element.required("unit")?);
    let number = exact(value)
        .map_err(|_| element.error(format!("value is {}: want a number, 0 or more", quoted(value))))?;
    let factor =
        units(unit).ok_or_else(|| element.error(format!("unit is {}: want {want}", quoted(unit))))?;
    number.checked_mul(&factor).ok_or_else(|| element.error(format!("{value} {unit} is too large")))
}

/// Picoseconds of each unit of time.
fn picoseconds(unit: &str) -> Option<Ratio<u128>> {
    let power = match unit {
        "ps" => 0,
        "ns" => 3,
        "us" => 6,
        "ms" => 9,
        "s" => 12,
        _ => return None,
    };
    Some(Ratio::from(10_u128.pow(power)))
}

/// A time: `value` and `unit`.
pub(super) fn time(element: Element<'_>) -> Result<Duration, InputError> {
    let exact = quantity(element, picoseconds, "s, ms, us, ns or ps")?;
    let whole = exact.is_integer().then(|| exact.to_integer());
    let whole =
        whole.ok_or_else(|| element.error("a time finer than a picosecond: want whole picoseconds"))?;
    let time = u64::try_from(whole).ok().map(Duration).filter(|&time| time <= Duration::MAX);
    time.ok_or_else(|| element.error("a time of more than 2^62 ps: want a smaller one"))
}

/// A frequency above 0, in hertz.
pub(super) fn frequency(element: Element<'_>) -> Result<Ratio<u128>, InputError> {
    let units = |unit: &str| match unit {
        "Hz" => Some(Ratio::from(1)),
        "kHz" | "KHz" => Some(Ratio::from(1_000)),
        "MHz" => Some(Ratio::from(1_000_000)),
        "GHz" => Some(Ratio::from(1_000_000_000)),
        _ => None,
    };
    let frequency = quantity(element, units, "Hz, kHz, MHz or GHz")?;
    // Beyond these a time of few ticks leaves the range of picoseconds on either side.
    if frequency < Ratio::from(1)
        || frequency > Ratio::from(1_000_000_000_000)
        || *frequency.denom() > 1 << 40
    {
        return Err(element.error("a frequency out of range: want 1 Hz to 1000 GHz"));
    }
    Ok(frequency)
}

/// Bits of each unit of size.
fn bits(unit: &str) -> Option<Ratio<u128>> {
    let (prefix, bits) = match unit {
        _ if unit.ends_with("bit") => (&unit[..unit.len() - 3], 1),
        _ if unit.ends_with("Byte") => (&unit[..unit.len() - 4], 8),
        _ if unit.ends_with('B') => (&unit[..unit.len() - 1], 8),
        _ => return None,
    };
    let factor: u128 = match prefix {
        "" => 1,
        "k" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        "ki" | "Ki" => 1 << 10,
        "Mi" => 1 << 20,
        "Gi" => 1 << 30,
        "Ti" => 1 << 40,
        _ => return None,
    };
    Some(Ratio::from(factor * bits))
}

/// The largest size and rate that is read, in bits and bits a second.
const MOST_BITS: u128 = 1 << 60;

/// A size in bits, rounded up.
pub(super) fn size(element: Element<'_>) -> Result<u64, InputError> {
    let size = quantity(element, bits, "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB or the same of bit")?;
    let size = Some(size.ceil().to_integer()).filter(|&size| size <= MOST_BITS);
    let size = size.and_then(|size| u64::try_from(size).ok());
    size.ok_or_else(|| element.error("a size of more than 2^60 bits: want a smaller one"))
}

/// A rate above 0 in bits a second.
pub(super) fn rate(element: Element<'_>) -> Result<Ratio<u128>, InputError> {
    let units = |unit: &str| unit.strip_suffix("PerSecond").and_then(bits);
    let rate = quantity(element, units, "a size PerSecond, such as GBPerSecond")?;
    if rate < Ratio::from(1) || rate > Ratio::from(MOST_BITS) || *rate.denom() > 1 << 40 {
        return Err(element.error("a data rate out of range: want 1 to 2^60 bits a second"));
    }
    Ok(rate)
}

/// The bounds of a whole number that may vary (a `DiscreteValue...`).
pub(super) fn discrete(element: Element<'_>) -> Result<Range<u64>, InputError> {
    if element.kind().ends_with("Constant") {
        return whole(element, "value").map(|value| Range { lower: value, upper: value });
    }
    let bounds =
        |element| Ok(Range { lower: whole(element, "lowerBound")?, upper: whole(element, "upperBound")? });
    if element.kind().ends_with("Histogram") {
        let entries = element.children("entries").map(bounds).collect::<Result<Vec<_>, InputError>>()?;
        let lower = entries.iter().map(|entry| entry.lower).min();
        let upper = entries.iter().map(|entry| entry.upper).max();
        let range = lower.zip(upper).map(|(lower, upper)| Range { lower, upper });
        return range.ok_or_else(|| element.error("a histogram without entries: want entries"));
    }
    for bound in ["lowerBound", "upperBound"] {
        if element.attribute(bound).is_none() {
            let kind = if element.kind().is_empty() { "a value" } else { element.kind() };
            return Err(
                element.error(format!("{kind} without {bound} has no bound: want lowerBound and upperBound"))
            );
        }
    }
    let range = bounds(element)?;
    if range.lower > range.upper {
        return Err(element.error(format!("lowerBound {} exceeds upperBound {}", range.lower, range.upper)));
    }
    Ok(range)
}

/// The bounds of a time that may vary (a `Time...`).
pub(super) fn varying_time(element: Element<'_>) -> Result<Range<Duration>, InputError> {
    if let Some(value) = element.child("value") {
        return time(value).map(|value| Range { lower: value, upper: value });
    }
    if element.child("entries").is_some() {
        let entries =
            element.children("entries").map(varying_time).collect::<Result<Vec<_>, InputError>>()?;
        let lower = entries.iter().map(|entry| entry.lower).min().unwrap_or_default();
        let upper = entries.iter().map(|entry| entry.upper).max().unwrap_or_default();
        return Ok(Range { lower, upper });
    }
    if element.attribute("value").is_some() {
        return time(element).map(|value| Range { lower: value, upper: value });
    }
    let bound =
        |name| element.child(name).ok_or_else(|| element.error(format!("no {name}, so no bound: want it")));
    let range = Range { lower: time(bound("lowerBound")?)?, upper: time(bound("upperBound")?)? };
    if range.lower > range.upper {
        return Err(element.error("lowerBound exceeds upperBound"));
    }
    Ok(range)
}
