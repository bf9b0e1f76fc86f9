//! Why there is no answer, with what the page can ask its user for.

use serde::Serialize;
use warpspan::source::{Message, Remedy};

/// A message on one line, and what is missing or wrong.
#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    error: String,
    /// The flag of the command, without its dashes, whose value is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'static str>,
    /// What would do, the first way before others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<Missing>,
}

/// Something that only the user knows, or that was given and does not suit the listing.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "what", content = "names", rename_all = "kebab-case")]
enum Missing {
    LoopBounds(Vec<String>),
    LoopTotals(Vec<String>),
    Params(Vec<String>),
    Uniform(Vec<String>),
    Unreachable(Vec<String>),
    Classes(Vec<String>),
    Entry(Vec<String>),
    /// Something that is given is not of this listing.
    Stale(&'static str),
}

impl Missing {
    fn all(remedy: &Remedy) -> Vec<Self> {
        let one = |name: &String| vec![name.clone()];
        match remedy {
            Remedy::LoopBounds(labels) => vec![Self::LoopBounds(labels.clone())],
            Remedy::LoopTotals(labels) => vec![Self::LoopTotals(labels.clone())],
            Remedy::Params(names) => vec![Self::Params(names.clone())],
            Remedy::Uniform(branch) => vec![Self::Uniform(one(branch))],
            Remedy::Unreachable(line) => vec![Self::Unreachable(one(line))],
            Remedy::Classes(opcodes) => vec![Self::Classes(opcodes.clone())],
            Remedy::Entry(names) => vec![Self::Entry(names.clone())],
            Remedy::Declarations { loops, uniform, unreachable } => [
                (!loops.is_empty()).then(|| Self::LoopBounds(loops.clone())),
                (!uniform.is_empty()).then(|| Self::Uniform(uniform.clone())),
                (!unreachable.is_empty()).then(|| Self::Unreachable(unreachable.clone())),
            ]
            .into_iter()
            .flatten()
            .collect(),
            Remedy::GivenBounds => vec![Self::Stale("loop-bounds")],
            Remedy::GivenParams => vec![Self::Stale("params")],
            Remedy::GivenUniform => vec![Self::Stale("uniform")],
            Remedy::GivenUnreachable => vec![Self::Stale("unreachable")],
            _ => Vec::new(),
        }
    }
}

impl From<String> for Refusal {
    fn from(error: String) -> Self {
        Self { error, flag: None, missing: Vec::new() }
    }
}

impl From<&str> for Refusal {
    fn from(error: &str) -> Self {
        error.to_owned().into()
    }
}

impl Refusal {
    /// The value of a flag, which has no dashes here, is wrong.
    pub(crate) fn of_flag(flag: &'static str, found: &str, wrong: &str) -> Self {
        Self { flag: Some(flag), ..format!("--{flag}{found}: {wrong}").into() }
    }

    /// A message in words that name no flag, with all that would do: what is known to be enough, and what the message names besides, such
    /// as the bound of a loop in place of the parameter that it depends on.
    pub(crate) fn of(message: &Message, in_all: &[Remedy]) -> Self {
        let told = in_all.iter().chain(message.remedies());
        let mut missing: Vec<Missing> = Vec::new();
        for one in told.flat_map(Missing::all) {
            if !missing.contains(&one) {
                missing.push(one);
            }
        }
        Self { error: message.to_string(), flag: None, missing }
    }

    /// The same, where the page can do nothing about it.
    pub(crate) fn with_report(self) -> Self {
        Self { error: format!("internal error: {}; this is a bug, please report it", self.error), ..self }
    }
}
