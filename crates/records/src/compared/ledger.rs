//! What a record says of a launch besides its bound.

use serde_json::Number;

use crate::Assumption;

/// What a record says of a launch besides its bound.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    /// The version of the program that wrote it.
    pub(super) version: String,
    pub(super) entry: String,
    pub(super) grid: Size,
    pub(super) block: Size,
    pub(super) gpu: String,
    /// The machine whose latencies count.
    pub(super) machine: Option<String>,
    /// The slowest and the fastest clock, in megahertz.
    pub(super) clock: Option<[Number; 2]>,
    pub(super) deadline_ns: Option<Number>,
    /// None in records of versions that did not list them as data.
    pub(super) assumptions: Option<Vec<Assumption>>,
    /// What was read, where the record says it.
    pub(super) inputs: Option<Inputs>,
}

/// The hashes of what was read.
#[derive(Debug, Clone, Default)]
pub(super) struct Inputs {
    pub(super) listing: Option<String>,
    /// The other files, each with its hash.
    pub(super) others: Vec<(String, String)>,
}

/// How many blocks or threads there are, and in what shape if that is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) count: u64,
    /// As `--grid` gives it.
    pub(super) shape: Option<String>,
}

impl Size {
    /// The numbers of a shape, without ones at its end.
    fn numbers(&self) -> Option<Vec<u64>> {
        let shape = self.shape.as_ref()?;
        let numbers = shape.split(['x', ',']).map(|one| one.trim().parse().ok());
        let mut numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
        while numbers.len() > 1 && numbers.last() == Some(&1) {
            numbers.pop();
        }
        Some(numbers)
    }

    pub(super) fn is_that_of(&self, other: &Self) -> bool {
        let is_same_shape = match (self.numbers(), other.numbers()) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        self.count == other.count && is_same_shape
    }

    pub(super) fn text(&self) -> String {
        self.shape.clone().unwrap_or_else(|| self.count.to_string())
    }
}

impl Ledger {
    /// The clock in words.
    pub(super) fn clock(&self) -> Option<String> {
        let [slowest, fastest] = self.clock.as_ref()?;
        Some(if slowest == fastest {
            format!("{slowest} MHz")
        } else {
            format!("{slowest} to {fastest} MHz")
        })
    }
}

impl Inputs {
    /// The hash of a file besides the listing.
    pub(super) fn hash(&self, path: &str) -> Option<&str> {
        self.others.iter().find(|(known, _)| known == path).map(|(_, hash)| hash.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_another_if_its_count_or_its_shape_is() {
        let size =
            |count: u64, shape: &str| Size { count, shape: (!shape.is_empty()).then(|| shape.to_owned()) };
        for (one, other, is_same) in [
            (size(8100, "60x135"), size(8100, "60,135,1"), true),
            (size(8100, "60x135"), size(8100, "135x60"), false),
            (size(8100, "60x135"), size(8100, "8100"), false),
            (size(8100, "60x135"), size(8100, ""), true),
            (size(8100, ""), size(8101, ""), false),
            (size(1, "1"), size(1, "1x1"), true),
        ] {
            assert_eq!(one.is_that_of(&other), is_same, "{one:?} {other:?}");
        }
    }
}
