//! The record of `budget`: whether the kernels of a file meet their deadlines.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::verify::Found;
use crate::{Assumption, Body, Time};
use warpspan_model::assumption::Accepted;
use warpspan_model::words;

/// Kernels with their deadlines, and what is proved of each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    /// The file that names the kernels.
    pub budget: String,
    /// The outcome: that of the gravest kernel, an error before a deadline that is missed, that before one that is undecided, and that before
    /// one that is met by what is not accepted.
    pub outcome: Outcome,
    /// The exit code of the command: the gravest one of the kernels, 4 before 2 before 5 before 3 before 6 before 0.
    pub exit_code: u8,
    /// The kernels, in the order of the file.
    pub kernels: Vec<BudgetKernel>,
}

impl Body for Budget {
    const SCHEMA: &'static str = "warpspan/budget/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.budget(self))
    }
}

words! {
    /// What became of a deadline.
    Outcome {
        /// It is proved to be met.
        Met = "met",
        /// It is proved to be missed.
        Missed = "missed",
        /// Neither is proved.
        Undecided = "undecided",
        /// It is proved to be met, but the proof rests on what is not accepted.
        NotAccepted = "not-accepted",
        /// There is no answer: an input is wrong, something is not declared, or a measured time refutes the bound.
        Error = "error",
    }
}

/// A kernel, and what is proved of its deadline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetKernel {
    /// Its name, which no other kernel of the file has.
    pub name: String,
    /// The line of the file where its table begins, from 1.
    pub line: usize,
    /// Its listing.
    pub listing: String,
    /// The words of the command line that answers for this kernel alone, without the name of the program: `time` and its options.
    pub arguments: Vec<String>,
    /// How long the launch may take, in nanoseconds.
    pub deadline_ns: Number,
    /// What became of it.
    pub outcome: Outcome,
    /// The exit code that `time` has for it, or 6 where the deadline is met only by what is not accepted.
    pub exit_code: u8,
    /// Why there is no answer; null where there is one.
    pub error: Option<String>,
    /// Where to look: the line that costs most, of the source where that file is there, else of the listing; of an error what
    /// is wrong, or else the table of the kernel, which it also is where the answer rests on what is not accepted.
    pub at: At,
    /// The answer of `time`: the bound, the verdict, and what they assume; null where there is none.
    pub time: Option<Box<Time>>,
    /// What the answer may rest on, as the budget or the command line says: names of assumptions, in which `*` stands for any text. Absent
    /// where anything is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept: Option<Vec<String>>,
    /// The names of the declarations and of what is assumed on which the answer rests though they are not accepted; absent where there are
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_accepted: Vec<String>,
}

impl BudgetKernel {
    /// The same where only some assumptions are accepted: a deadline that is met by others does not count as met.
    #[must_use]
    pub fn accepting(mut self, accept: &[Accepted]) -> Self {
        self.accept = Some(accept.iter().map(Accepted::to_string).collect());
        let rests_on = self.time.iter().flat_map(|time| &time.assumptions);
        let is_open = |one: &&Assumption| {
            one.kind.has_to_be_accepted()
                && !accept.iter().any(|accepted| accepted.matches(&one.id, one.kind))
        };
        let mut open: Vec<String> = rests_on.filter(is_open).map(|one| one.id.clone()).collect();
        let mut seen = BTreeSet::new();
        open.retain(|id| seen.insert(id.clone()));
        if self.outcome == Outcome::Met && !open.is_empty() {
            (self.outcome, self.exit_code) = (Outcome::NotAccepted, NOT_ACCEPTED);
        }
        self.not_accepted = open;
        self
    }

    /// What the answer rests on though it is not accepted.
    pub fn unaccepted(&self) -> impl Iterator<Item = &Assumption> {
        let rests_on = self.time.iter().flat_map(|time| &time.assumptions);
        rests_on.filter(|one| one.kind.has_to_be_accepted() && self.not_accepted.contains(&one.id))
    }
}

/// The exit code of an answer that rests on what is not accepted.
pub const NOT_ACCEPTED: u8 = 6;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct At {
    /// The file, relative to the folder of the run if it is in there.
    pub file: String,
    /// The line, from 1; null where the file as a whole is meant.
    pub line: Option<u64>,
}

/// The gravest of exit codes: a contradiction, which is a bug, wrong input, a deadline that is missed, one that is undecided,
/// and one that is met by what is not accepted.
fn gravest(codes: impl Iterator<Item = u8>) -> u8 {
    let order = [0, NOT_ACCEPTED, 3, 5, 2, 4];
    let rank = |code: &u8| order.iter().position(|one| one == code).unwrap_or(order.len());
    codes.max_by_key(rank).unwrap_or(0)
}

impl Budget {
    /// The record of these kernels of a file.
    pub fn new(budget: impl Into<String>, kernels: Vec<BudgetKernel>) -> Self {
        let order = [Outcome::Error, Outcome::Missed, Outcome::Undecided, Outcome::NotAccepted];
        let is_there = |outcome: &Outcome| kernels.iter().any(|kernel| kernel.outcome == *outcome);
        let outcome = order.into_iter().find(is_there).unwrap_or(Outcome::Met);
        let exit_code = gravest(kernels.iter().map(|kernel| kernel.exit_code));
        Self { budget: budget.into(), outcome, exit_code, kernels }
    }

    /// How many kernels have this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.kernels.iter().filter(|kernel| kernel.outcome == outcome).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_exit_code_is_that_of_the_command() {
        for (codes, code) in [
            (&[][..], 0),
            (&[0, 0], 0),
            (&[0, 6, 0], 6),
            (&[6, 3], 3),
            (&[3, 5, 6], 5),
            (&[5, 2, 3], 2),
            (&[5, 4, 2], 4),
        ] {
            assert_eq!(gravest(codes.iter().copied()), code, "{codes:?}");
        }
    }
}
