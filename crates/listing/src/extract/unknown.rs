//! Labels that are given and that no entry has.

use std::collections::{BTreeMap, BTreeSet};

use warpspan_model::source::{InputError, Message, Remedy};

/// The labels of bounds and uniform branches that the options give and that no entry has.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Unknown {
    pub(super) bounds: BTreeSet<String>,
    pub(super) uniform: BTreeSet<String>,
    /// Each with what might be meant.
    pub(super) unreachable: BTreeMap<String, Option<String>>,
}

impl Unknown {
    /// Those that are unknown in another listing too.
    pub fn and(&self, other: &Self) -> Self {
        let both = |one: &BTreeSet<String>, other| one.intersection(other).cloned().collect();
        let of_other = |(name, _): &(&String, &Option<String>)| other.unreachable.contains_key(*name);
        let unreachable =
            self.unreachable.iter().filter(of_other).map(|(name, might)| (name.clone(), might.clone()));
        Self {
            bounds: both(&self.bounds, &other.bounds),
            uniform: both(&self.uniform, &other.uniform),
            unreachable: unreachable.collect(),
        }
    }

    /// The error about the least label, so that the message is the same in every run; `place` is the listing's name.
    pub fn error(&self, place: &str) -> Option<InputError> {
        let error = |given: Remedy, kind: &str, label: &String| {
            let what = format!(": {label:?} is {kind} in {place}: want its label or its line");
            InputError::with("", Message::of(given).then(what))
        };
        let bound = self.bounds.first().map(|label| error(Remedy::GivenBounds, "no loop", label));
        let uniform =
            || self.uniform.first().map(|label| error(Remedy::GivenUniform, "no conditional branch", label));
        let unreachable = || {
            let (name, might) = self.unreachable.first_key_value()?;
            let might = might.as_ref().map_or(String::new(), |might| format!(", such as {might}"));
            let what = format!(
                ": no instruction of {place} is at {name:?}: want the line or the label of one{might}"
            );
            Some(InputError::with("", Message::of(Remedy::GivenUnreachable).then(what)))
        };
        bound.or_else(uniform).or_else(unreachable)
    }
}
