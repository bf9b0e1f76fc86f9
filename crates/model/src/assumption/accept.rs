//! Which assumptions somebody accepts, by their names.

use std::fmt;
use std::str::FromStr;

use strsim::jaro_winkler;
use thiserror::Error;

use super::{Id, Kind};

/// The name of an assumption, or a pattern of names in which `*` stands for any text, as `dram.*`. It matches a name that there is. With
/// a kind behind it, as `dram.rate:assumed`, it is of this kind alone: then nobody may declare another rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    name: String,
    kind: Option<Kind>,
}

/// A pattern that matches no name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no assumption is named {given:?}: did you mean {nearest}? docs/assumptions.md has all of them")]
pub struct UnknownId {
    given: String,
    nearest: Id,
}

impl Accepted {
    /// Whether an assumption of this name and kind is one of these.
    pub fn matches(&self, id: &str, kind: Kind) -> bool {
        is_like(&self.name, id) && self.kind.is_none_or(|only| only == kind)
    }
}

impl FromStr for Accepted {
    type Err = UnknownId;

    fn from_str(given: &str) -> Result<Self, UnknownId> {
        let of_kind = [(":declared", Kind::Declared), (":assumed", Kind::Assumed)];
        let kind = of_kind.into_iter().find_map(|(end, kind)| Some((given.strip_suffix(end)?, kind)));
        let (name, kind) = kind.map_or((given, None), |(name, kind)| (name, Some(kind)));
        if Id::ALL.iter().any(|id| is_like(name, id.name())) {
            return Ok(Self { name: name.to_owned(), kind });
        }
        let likeness = |id: &&Id| jaro_winkler(given, id.name());
        let nearest = Id::ALL.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        Err(UnknownId { given: given.to_owned(), nearest: nearest.copied().unwrap_or(Id::ClockHighest) })
    }
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Some(Kind::Declared) => ":declared",
            Some(Kind::Assumed) => ":assumed",
            _ => "",
        };
        write!(f, "{}{kind}", self.name)
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
            assert_eq!(is_like(pattern, id), is, "{pattern} {id}");
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
