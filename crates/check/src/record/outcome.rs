//! Checks how a run is said to have ended: whether the words fit the numbers and the instance. The real reason cannot
//! be checked afterwards.

use crate::record::Judged;

/// The vocabulary that a record uses for the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schema {
    /// Only the field `stop`: `proved`, a limit, or why the worst case is not known although no limit stopped
    /// the run.
    One,
    /// The field `stop` for limits and `not_exact` for other reasons. Each is null where it does not apply.
    #[default]
    Two,
}

/// How a run is said to have ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The vocabulary of the record.
    pub schema: Schema,
    /// The limit that stopped the run.
    pub stop: Option<String>,
    /// Why the result is not exact although no limit stopped the run.
    pub not_exact: Option<String>,
}

const LIMITS: [&str; 3] = ["time-limit", "memory-limit", "interrupted"];
const OPEN: [&str; 12] = [
    "several-blocks",
    "paths",
    "no-engine",
    "states",
    "search-time",
    "machine-grid",
    "memory",
    "dependences",
    "not-asked",
    "order",
    "beam",
    "horizon",
];
const STOPS_1: [&str; 8] =
    ["proved", "time-limit", "memory-limit", "interrupted", "beam", "horizon", "blocks", "paths"];

impl Outcome {
    /// Judges the words. `several` says that there are barriers of several blocks, and `open` that the lower
    /// bound is below the upper bound.
    pub(super) fn judge(&self, several: bool, open: bool) -> Vec<Judged> {
        let (stop, not_exact) = (self.stop.as_deref(), self.not_exact.as_deref());
        let known = |word: Option<&str>, words: &[&str]| word.is_none_or(|word| words.contains(&word));
        let unknown = |name: &'static str, word: Option<&str>, words: &[&str]| {
            let word = word.unwrap_or_default();
            vec![Judged::refuted(
                name,
                format!("{name} is {word:?}: want one of {}, or none", words.join(", ")),
            )]
        };
        match self.schema {
            Schema::One => match stop {
                _ if !known(stop, &STOPS_1) => unknown("stop", stop, &STOPS_1),
                Some("proved") if open => {
                    vec![Judged::refuted("stop", "stop is \"proved\", but lower < upper")]
                }
                _ => vec![Judged::not_judged("stop", "the record does not show how the run ended")],
            },
            Schema::Two if !known(stop, &LIMITS) => unknown("stop", stop, &LIMITS),
            Schema::Two if !known(not_exact, &OPEN) => unknown("not_exact", not_exact, &OPEN),
            Schema::Two => vec![
                match stop {
                    None if open && not_exact.is_none() => {
                        Judged::refuted("stop", "lower < upper, but neither stop nor not_exact says why")
                    }
                    _ => Judged::not_judged("stop", "the record does not show how the run ended"),
                },
                match not_exact {
                    Some(why) if !open => {
                        Judged::refuted("not_exact", format!("not_exact is {why:?}, but lower = upper"))
                    }
                    Some("several-blocks") if !several => {
                        Judged::refuted("not_exact", "there are no barriers of several blocks")
                    }
                    Some("paths") => Judged::refuted("not_exact", "a kernel string has one path"),
                    _ => Judged::not_judged("not_exact", "the record does not show how the run ended"),
                },
            ],
        }
    }
}
