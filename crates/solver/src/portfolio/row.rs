//! One bound or estimate of a table.

use warpspan_check::bound::{Lower, Term, Theorem, Upper};
use warpspan_model::{Cycles, Labelling, words};

words! {
    /// A side of the worst case.
    Side {
        /// The value is meant to be at least the worst case.
        Upper = "upper",
        /// The value is meant to be at most the worst case.
        Lower = "lower",
        /// The value may be on either side.
        Estimate = "estimate",
    }
}

/// Further details of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// No details.
    Plain {},
    /// The cycle by which each group has issued everything.
    Finish {
        /// By group.
        finish: Vec<Cycles>,
    },
    /// The terms of a minimum.
    Terms {
        /// The terms, in the order of rising y.
        terms: Vec<Term>,
    },
    /// The parts of the phase bound, one for each group.
    Phase {
        /// The rate a of each group, which is a fraction above sigma 1.
        rates: Vec<String>,
        /// A best labelling of each group's expanded kernel. Programs have none.
        labels: Vec<Labelling>,
        /// An upper bound on the finish of each group.
        finish: Vec<Cycles>,
    },
}

/// One bound or estimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// The value, in cycles.
    pub value: Cycles,
    /// The side.
    pub side: Side,
    /// Whether the worst case is certainly on that side. An estimate is never safe.
    pub safe: bool,
    /// What the value follows from. It is `None` just where the row is not safe.
    pub theorem: Option<Theorem>,
    /// The source.
    pub source: &'static str,
    /// Further details.
    pub more: Value,
}

impl Row {
    /// A safe upper bound.
    pub(super) fn upper(name: &'static str, upper: Upper, source: &'static str) -> Self {
        Self::safe(name, Side::Upper, upper.cycles(), upper.theorem(), source)
    }

    /// A safe lower bound.
    pub(super) fn lower(name: &'static str, lower: Lower, source: &'static str) -> Self {
        Self::safe(name, Side::Lower, lower.cycles(), lower.theorem(), source)
    }

    fn safe(name: &'static str, side: Side, value: Cycles, theorem: Theorem, source: &'static str) -> Self {
        Self { name, value, side, safe: true, theorem: Some(theorem), source, more: Value::Plain {} }
    }

    /// A number that the worst case may be on the other side of.
    pub(super) fn unsafe_value(name: &'static str, side: Side, value: Cycles, source: &'static str) -> Self {
        Self { name, value, side, safe: false, theorem: None, source, more: Value::Plain {} }
    }

    /// The same with further details.
    pub(super) fn with(self, more: Value) -> Self {
        Self { more, ..self }
    }
}
