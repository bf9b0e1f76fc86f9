//! A record of `solve` as an unverified claim, of this schema or the first one.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::read_error::parsed;
use crate::solve::Phase;
use crate::{Body, Instance, ReadError, Solve};
use warpspan_check::record::{BasisClaim, Claims, Outcome, PhaseClaim, Schema};
use warpspan_check::schedule::{IssueRecord, MachineIssueRecord};
use warpspan_model::Cycles;
use warpspan_model::machine::Order;

/// The schema of `solve` in version 0.1.0: `stop` also said why a worst case was not known, and there was no
/// `evidence`.
pub const SOLVE_1: &str = "warpspan/solve/1";

/// A record of `solve` as it stands in a file. Its words may be any words, since `check` verifies them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Claim {
    /// The name and the version of the schema.
    pub schema: String,
    /// What is said to have been solved.
    pub instance: Instance,
    /// What the worst case is said to be at least, in cycles.
    pub lower: u64,
    /// What the worst case is said to be at most, in cycles.
    pub upper: u64,
    policy: Option<Order>,
    verdict: Option<String>,
    best_case: Option<u64>,
    stop: Option<String>,
    not_exact: Option<String>,
    evidence: Option<ClaimedEvidence>,
    phase: Option<Phase>,
    completion_upper: Option<u64>,
    /// The schedule, if the record has one.
    pub schedule: Option<Vec<IssueRecord>>,
    /// The schedule on a machine with latency, if the record has one.
    pub machine_schedule: Option<Vec<MachineIssueRecord>>,
    /// What is not verified: the engine, the time, the size of the model, the notes, and every unknown field.
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct ClaimedEvidence {
    lower: Option<ClaimedBasis>,
    upper: Option<ClaimedBasis>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct ClaimedBasis {
    name: String,
    checked: String,
}

impl Claim {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is no record of `solve`, or of a version that is not known.
    pub fn read(line: &[u8]) -> Result<Self, ReadError> {
        let claim: Self = parsed(line)?;
        if claim.schema == Solve::SCHEMA || claim.schema == SOLVE_1 {
            Ok(claim)
        } else {
            Err(ReadError::Schema { found: claim.schema, want: vec![Solve::SCHEMA, SOLVE_1] })
        }
    }

    /// The engine that is said to have answered.
    pub fn engine(&self) -> Option<&str> {
        self.rest.get("engine").and_then(serde_json::Value::as_str)
    }

    /// The names of the fields that are not judged.
    pub fn rest(&self) -> impl Iterator<Item = &String> {
        self.rest.keys()
    }

    /// The claims that the record makes about the instance.
    pub fn claims(self) -> Claims {
        let basis = |basis: ClaimedBasis| BasisClaim { name: basis.name, checked: basis.checked };
        let evidence = self.evidence.map(|evidence| [evidence.lower, evidence.upper]).unwrap_or_default();
        let phase = |Phase { rates, labels, theta, upper }| {
            let upper = Cycles(upper);
            PhaseClaim { rates, labels, theta, upper }
        };
        Claims {
            lower: Cycles(self.lower),
            upper: Cycles(self.upper),
            policy: self.policy.filter(|&order| order != Order::Any),
            verdict: self.verdict,
            completion: self.completion_upper.map(Cycles),
            best_case: self.best_case.map(Cycles),
            phase: self.phase.map(phase),
            evidence: evidence.map(|end| end.map(basis)),
            outcome: Outcome {
                schema: if self.schema == SOLVE_1 { Schema::One } else { Schema::Two },
                stop: self.stop,
                not_exact: self.not_exact,
            },
        }
    }
}
