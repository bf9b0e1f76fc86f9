//! What several documents say in the same words.

use serde_json::Number;

use crate::{Text, Tone};
pub use warpspan_launch::words::{several, time as in_words};
use warpspan_model::limits::{Ending, NotExact, SEARCH_SECONDS, Stop};
use warpspan_records::solve::{Basis, BasisName, Checked};

/// What the word of a verdict means.
pub fn tone(word: &str) -> Tone {
    match word {
        "proved" | "schedulable" | "valid" | "confirmed" | "yes" | "met" => Tone::Proved,
        "refuted" | "impossible" | "NOT valid" | "NOT SAFE" | "no" | "missed" => Tone::Refuted,
        _ => Tone::Undecided,
    }
}

/// A number of a record with all its decimals, never with an exponent.
pub fn decimals(number: &Number) -> String {
    match number.as_f64().filter(|_| !number.is_u64()) {
        Some(real) => real.to_string(),
        None => number.to_string(),
    }
}

/// Nanoseconds in the largest unit of time in which they are a whole number.
pub fn exactly(nanoseconds: &Number) -> String {
    nanoseconds.as_u64().map_or_else(|| format!("{} ns", decimals(nanoseconds)), in_words)
}

/// A number, or a dash where there is none.
pub fn maybe(number: &Option<Number>) -> String {
    number.as_ref().map_or_else(|| "-".to_owned(), decimals)
}

/// About the number of a text such as `7/2` or `-3`, for a person to read.
pub fn ratio(text: &str) -> f64 {
    let (whole, part) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<f64>().unwrap_or_default();
    number(whole) / number(part).max(1.0)
}

/// How far the upper end of an interval lies above the lower one, in percent of the lower one.
#[expect(clippy::cast_precision_loss, reason = "a share for a person to read")]
pub fn gap(lower: u64, upper: u64) -> f64 {
    100.0 * upper.saturating_sub(lower) as f64 / lower.max(1) as f64
}

/// The first names of many, as a title has them.
pub fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const FIRST: usize = 6;
    let names: Vec<&str> = names.collect();
    let more = if names.len() > FIRST { ", ..." } else { "" };
    format!("{}{more}", names.iter().take(FIRST).copied().collect::<Vec<_>>().join(", "))
}

/// So that a line of megabytes is no table of megabytes times lines.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// The last part of a path.
pub fn last(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// How something is checked.
pub const fn how(checked: Checked) -> &'static str {
    match checked {
        Checked::Machine => "by machine",
        Checked::Paper => "on paper",
        Checked::Tested => "by tests only",
    }
}

/// How the step from a theorem to a number is checked.
const fn proof(checked: Checked) -> &'static str {
    match checked {
        Checked::Machine => "machine-checked",
        Checked::Paper => "proved on paper",
        Checked::Tested => "tested only",
    }
}

/// An end of an interval with what it follows from, and how that is checked. `from` is the words of the record.
pub(crate) fn end(cycles: u64, basis: Basis, from: &str) -> String {
    match basis.name {
        BasisName::Schedule => format!("{cycles}: {from}"), // the replay is its check
        name => format!("{cycles}: {from}; {} ({name})", proof(basis.checked)),
    }
}

/// What a number follows from and how that is checked, in a few words.
fn because(basis: Basis) -> String {
    format!("{}, {}", basis.name.name().replace('-', " "), proof(basis.checked))
}

/// The worst case in a line: one number if both ends are equal, with the weaker evidence of the two. `open` says why the ends differ, if
/// that is known.
pub(crate) fn worst_case([lower, upper]: [Option<(u64, Basis)>; 2], open: Option<&str>) -> Text {
    let cycles = |number: String| Text::default().toned(Tone::Answer, format!("{number} cycles"));
    match (lower, upper) {
        (Some((least, lower)), Some((most, upper))) if least == most => {
            let is_weaker = lower.name != BasisName::Schedule && lower.checked < upper.checked;
            let weakest = if is_weaker { lower } else { upper };
            let exact = cycles(most.to_string()).then(", ").toned(Tone::Proved, "exact");
            exact.then(format!(" ({})", because(weakest)))
        }
        (Some((least, lower)), Some((most, upper))) => {
            let cycles = cycles(format!("between {least} and {most}")).then(" (");
            match open {
                Some(why) => cycles.toned(Tone::Undecided, why).then(")"),
                None => cycles.then(format!("at least: {}; at most: {})", because(lower), because(upper))),
            }
        }
        (Some((least, lower)), None) => {
            cycles(format!("at least {least}")).then(format!(" ({})", because(lower)))
        }
        (None, Some((most, upper))) => {
            cycles(format!("at most {most}")).then(format!(" ({})", because(upper)))
        }
        (None, None) => "no bound".into(),
    }
}

/// Why the ends of an interval differ, as a record has it.
pub(crate) fn open(stop: Option<Stop>, not_exact: Option<NotExact>) -> String {
    self::stop(not_exact.map_or_else(|| stop.into(), Ending::NotExact))
}

/// Why a computation ended, in words: stopped by a limit, or by itself and yet not exact.
pub fn stop(ending: impl Into<Ending>) -> String {
    let why = match ending.into() {
        Ending::Proved => "proved",
        Ending::Stopped(Stop::TimeLimit) => "stopped by the time limit",
        Ending::Stopped(Stop::MemoryLimit) => "stopped by the memory limit",
        Ending::Stopped(Stop::Interrupted) => "stopped by an interrupt",
        Ending::NotExact(NotExact::Beam) => "not exact: only a beam was searched",
        Ending::NotExact(NotExact::Blocks) => "not exact: barriers of several blocks are not searched",
        Ending::NotExact(NotExact::Paths) => "not exact: the paths of a program are not searched",
        Ending::NotExact(NotExact::Horizon) => "not exact: the horizon is shorter than is safe",
        Ending::NotExact(NotExact::Order) => "not exact: no engine searches the schedules of one order",
        Ending::NotExact(NotExact::States) => "not exact: there are more states than are searched",
        Ending::NotExact(NotExact::SearchTime) => {
            return format!("not exact: the search stopped after {SEARCH_SECONDS} s");
        }
        Ending::NotExact(NotExact::MachineGrid) => "not exact: grids on machines are not searched",
        Ending::NotExact(NotExact::Memory) => "not exact: how the memory delays results is not searched",
        Ending::NotExact(NotExact::Dependences) => {
            "not exact: code whose instructions wait for named ones is not searched"
        }
        Ending::NotExact(NotExact::NotAsked) => "not exact: the engine that was asked for makes no search",
        Ending::NotExact(NotExact::NoEngine) => "not exact: no engine takes an instance of this size",
    };
    why.to_owned()
}

/// The name of a file without its folder and its ending.
pub fn stem(file: &str) -> &str {
    std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file)
}

/// Whether a time is shown at all.
pub(crate) fn is_above_zero(time: &Number) -> bool {
    time.as_f64().is_some_and(|time| time > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_have_tones() {
        assert_eq!(tone("proved"), Tone::Proved);
        assert_eq!(tone("NOT valid"), Tone::Refuted);
        assert_eq!(tone("unknown"), Tone::Undecided);
        let text = Text::verdict("refuted: K1 misses its deadline, 3");
        assert_eq!(text.0[0], (Some(Tone::Refuted), "refuted".to_owned()));
        assert_eq!(text.plain(), "refuted: K1 misses its deadline, 3");
    }
}
