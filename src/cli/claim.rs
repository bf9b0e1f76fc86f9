//! What `check` and `report` read of the records of `solve`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::check::{BasisClaim, Claims, Outcome, PhaseClaim, Schema};
use crate::cli::record::{InstanceRecord, SOLVE_1};
use crate::model::Cycles;
use crate::schedule::IssueRecord;

/// A record of `solve`, as `check` and `report` read it; `check` judges what it can and believes nothing.
#[derive(Debug, Deserialize)]
pub(super) struct Claim {
    pub(super) schema: String,
    pub(super) instance: InstanceRecord,
    pub(super) lower: Cycles,
    pub(super) upper: Cycles,
    pub(super) verdict: Option<String>,
    pub(super) best_case: Option<Cycles>,
    pub(super) stop: Option<String>,
    pub(super) not_exact: Option<String>,
    pub(super) evidence: Option<ClaimedEvidence>,
    pub(super) phase: Option<ClaimedPhase>,
    pub(super) schedule: Option<Vec<IssueRecord>>,
    /// What nobody judges: the engine, the time, the size of the model, notes, and whatever else stands there.
    #[serde(flatten)]
    pub(super) rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ClaimedEvidence {
    lower: Option<ClaimedBasis>,
    upper: Option<ClaimedBasis>,
}

#[derive(Debug, Deserialize)]
struct ClaimedBasis {
    name: String,
    checked: String,
}

/// What the engine says of its phase bound.
#[derive(Debug, Deserialize)]
pub(super) struct ClaimedPhase {
    rates: Vec<String>,
    labels: Vec<String>,
    theta: String,
    upper: Cycles,
}

impl Claim {
    /// The engine that is said to have answered.
    pub(super) fn engine(&self) -> Option<&str> {
        self.rest.get("engine").and_then(serde_json::Value::as_str)
    }

    /// What is claimed of the instance.
    pub(super) fn claims(self) -> Claims {
        let basis = |basis: ClaimedBasis| BasisClaim { name: basis.name, checked: basis.checked };
        let evidence = self.evidence.map(|evidence| [evidence.lower, evidence.upper]).unwrap_or_default();
        let phase = |ClaimedPhase { rates, labels, theta, upper }| PhaseClaim { rates, labels, theta, upper };
        Claims {
            lower: self.lower,
            upper: self.upper,
            verdict: self.verdict,
            best_case: self.best_case,
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
