//! Which assumptions somebody accepts, by their names.

use std::fmt;
use std::str::FromStr;

use strsim::jaro_winkler;
use thiserror::Error;

use super::Id;

/// The name of an assumption, or a pattern of names in which `*` stands for any text, as `dram.*`. It matches a name that there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted(String);

/// A pattern that matches no name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no assumption is named {given:?}: did you mean {nearest}? docs/assumptions.md has all of them")]
pub struct UnknownId {
    given: String,
    nearest: Id,
}

impl Accepted {
    /// Whether the name of an assumption is one of these.
    pub fn matches(&self, id: &str) -> bool {
        is_like(&self.0, id)
    }
}

impl FromStr for Accepted {
    type Err = UnknownId;

    fn from_str(given: &str) -> Result<Self, UnknownId> {
        let accepted = Self(given.to_owned());
        if Id::ALL.iter().any(|id| accepted.matches(id.name())) {
            return Ok(accepted);
        }
        let likeness = |id: &&Id| jaro_winkler(given, id.name());
        let nearest = Id::ALL.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        Err(UnknownId { given: given.to_owned(), nearest: nearest.copied().unwrap_or(Id::ClockHighest) })
    }
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a text is what a pattern says, in which each `*` stands for any text: what is between stars has to come in its order, each
/// as early as it can.
fn is_like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(last) = parts.next_back() else { return pattern == text };
    let Some(mut rest) = text.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    parts.all(|part| {
        let found = rest.split_once(part).map(|(_, behind)| behind);
        rest = found.unwrap_or_default();
        found.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text_and_nothing_else_is() {
        for (pattern, id, is) in [
            ("dram.rate", "dram.rate", true),
            ("dram.rate", "dram.rates", false),
            ("dram.*", "dram.rate", true),
            ("dram.*", "l2.bytes", false),
            ("*", "clock.highest", true),
            ("*.bytes", "dram.bytes", true),
            ("*.byte", "dram.bytes", false),
            ("l*.b*", "loop.bound", true),
            ("loop.bound", "loopXbound", false),
            ("**.**", "loop.bound", true),
            ("loop.*bound.bound", "loop.bound", false),
            ("*o*o*o*", "loop.bound", true),
            ("*o*o*o*o*", "loop.bound", false),
            ("DRAM.*", "dram.rate", false),
        ] {
            assert_eq!(Accepted(pattern.to_owned()).matches(id), is, "{pattern} {id}");
        }
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_refused_with_the_nearest_name() {
        for (given, nearest) in [
            ("dram.byte", "dram.bytes"),
            ("clock.higest", "clock.highest"),
            ("drams.*", "dram.rate"),
            ("", ""),
        ] {
            let said = given.parse::<Accepted>().unwrap_err().to_string();
            assert!(
                said.starts_with(&format!("no assumption is named {given:?}: did you mean {nearest}")),
                "{said}"
            );
        }
        assert!("dram.*".parse::<Accepted>().is_ok());
    }
}
