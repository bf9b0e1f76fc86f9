//! The record of `bound`: every bound and estimate of an instance.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assumption::of_instance;
use crate::solve::Basis;
use crate::verify::Found;
use crate::{Assumption, Body, Instance};
use warpspan_check::bound;
use warpspan_kernel::input::OnMachine;
use warpspan_model::assumption::Rests;
use warpspan_model::machine::Order;
use warpspan_model::source::Remedy;
pub use warpspan_solver::portfolio::Side;
use warpspan_solver::portfolio::{self, MachineTable, Value};

/// The bounds and estimates of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bound {
    /// What was bounded.
    pub instance: Instance,
    /// The order in which the schedulers try their warps, for which alone the numbers hold; absent where they hold for every order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Order>,
    /// The largest of the safe lower bounds, in cycles; 0 where there is none.
    pub lower: u64,
    /// The smallest of the safe upper bounds, in cycles; null where there is none.
    pub upper: Option<u64>,
    /// All bounds and estimates.
    pub bounds: Vec<Row>,
    /// On a machine with latency: the cycle at whose end every result is there at the latest; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_upper: Option<u64>,
    /// The bounds that do not apply, each with the reason; absent where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// What the numbers rest on, as `docs/assumptions.md` explains; absent in older records.
    #[serde(default)]
    pub assumptions: Vec<Assumption>,
    /// What else should be known, a sentence each; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Body for Bound {
    const SCHEMA: &'static str = "warpspan/bound/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.bound(self))
    }
}

/// A bound that does not apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// Its name.
    pub name: String,
    /// Why it does not apply.
    pub why: String,
}

/// One bound or estimate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its value, in cycles.
    pub value: u64,
    /// On which side of the worst case it is meant to be.
    pub side: Side,
    /// Whether the worst case is certain to be on that side; an estimate is never safe.
    pub safe: bool,
    /// The equation or the theorem that it is from.
    pub source: String,
    /// What it follows from; null where it is not safe, and absent in older records.
    #[serde(default)]
    pub evidence: Option<Basis>,
    /// The terms of the estimate, of which the smallest value counts; absent for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<Vec<Term>>,
    /// Of the phase bound: a of each group, a whole number or a ratio such as `7/2`; absent for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<Vec<String>>,
    /// Of the phase bound: a best labelling of each group's expanded kernel, empty for programs; absent for
    /// all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// Of the phase bound, and on a machine with several groups: the cycle by which each group has issued everything; absent for all
    /// others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<Vec<u64>>,
}

/// One term of the estimate: ceil(W/y) T(y).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Term {
    /// y, a number of warps.
    pub y: u64,
    /// T(y), the exact worst case of y warps, in cycles.
    pub makespan: u64,
    /// ceil(W/y) T(y), in cycles.
    pub value: u64,
}

impl From<bound::Term> for Term {
    fn from(bound::Term { y, makespan, value }: bound::Term) -> Self {
        Self { y, makespan: makespan.0, value: value.0 }
    }
}

impl From<portfolio::Row> for Row {
    fn from(row: portfolio::Row) -> Self {
        let mut record = Self {
            name: row.name.to_owned(),
            value: row.value.0,
            side: row.side,
            safe: row.safe,
            source: row.source.to_owned(),
            evidence: row.theorem.map(Basis::of),
            terms: None,
            rates: None,
            labels: None,
            finish: None,
        };
        match row.more {
            Value::Plain {} => {}
            Value::Finish { finish } => {
                record.finish = Some(finish.into_iter().map(|cycles| cycles.0).collect())
            }
            Value::Terms { terms } => record.terms = Some(terms.into_iter().map(Into::into).collect()),
            Value::Phase { rates, labels, finish } => {
                record.rates = Some(rates);
                record.labels = Some(labels.iter().map(ToString::to_string).collect());
                record.finish = Some(finish.into_iter().map(|cycles| cycles.0).collect());
            }
        }
        record
    }
}

impl Bound {
    /// The bounds of an instance, and the best of the safe ones.
    pub fn new(instance: Instance, bounds: Vec<portfolio::Row>) -> Self {
        let bounds: Vec<Row> = bounds.into_iter().map(Into::into).collect();
        let mut record = Self {
            instance,
            policy: None,
            lower: 0,
            upper: None,
            bounds,
            completion_upper: None,
            skipped: Vec::new(),
            assumptions: Vec::new(),
            notes: Vec::new(),
        };
        let [lower, upper] = record.ends().map(|end| end.map(|(cycles, _)| cycles));
        (record.lower, record.upper) = (lower.unwrap_or_default(), upper);
        record
    }

    /// The largest of the safe lower bounds and the smallest of the safe upper ones, with what they follow from: where
    /// several are equal, what is checked best.
    pub fn ends(&self) -> [Option<(u64, Basis)>; 2] {
        let safe = |side| {
            let safe = self.bounds.iter().filter(move |row| row.safe && row.side == side);
            safe.filter_map(|row| Some((row.value, row.evidence?)))
        };
        let lower = safe(Side::Lower).max_by_key(|(cycles, basis)| (*cycles, basis.checked));
        let upper = safe(Side::Upper).min_by_key(|(cycles, basis)| (*cycles, Reverse(basis.checked)));
        [lower, upper]
    }

    /// The bounds on a machine, and those that do not apply.
    pub fn on_machine(on: &OnMachine, table: MachineTable) -> Self {
        let skipped = |(name, why): (&str, String)| Skipped { name: name.to_owned(), why };
        Self {
            completion_upper: Some(table.completion.0),
            skipped: table.skipped.into_iter().map(skipped).collect(),
            ..Self::new(on.into(), table.rows)
        }
    }

    /// The same with what its numbers rest on and what else should be known, in the words of a front end.
    #[must_use]
    pub fn resting_on(self, rests: &Rests, words: impl Fn(&Remedy) -> String) -> Self {
        let (assumptions, notes) = of_instance(self.policy, rests, words);
        Self { assumptions, notes, ..self }
    }
}
