//! The record of `check`: what could be confirmed and refuted of a schedule and of the claims made with it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Body, Instance};
use warpspan_check::record as check;
pub use warpspan_check::record::Judgement;

/// The verdict on a schedule, or on a record of `solve` with its schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What the schedule is of.
    pub instance: Instance,
    /// Whether the schedule is valid.
    pub valid: bool,
    /// The cycles that the schedule takes; null where it is not valid.
    pub makespan: Option<u64>,
    /// The lower end that is claimed; null for a schedule without claims.
    pub lower: Option<u64>,
    /// The upper end that is claimed; null for a schedule without claims.
    pub upper: Option<u64>,
    /// Whether `upper` was confirmed; null for a schedule without claims.
    pub upper_verified: Option<bool>,
    /// An upper bound on the worst case, in cycles, by the plain route.
    pub recomputed_upper: u64,
    /// The name of the plain route.
    pub recomputed_by: String,
    /// The verdict on the schedule, then on each claim of the record.
    pub claims: Vec<Judged>,
    /// Why each refuted claim is false, a sentence each.
    pub errors: Vec<String>,
}

impl Body for Check {
    const SCHEMA: &'static str = "warpspan/check/2";
}

/// A claim and the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// The name of the field that claims it, or `schedule`.
    pub claim: String,
    /// The verdict on it.
    pub judgement: Judgement,
    /// Why, in a sentence.
    pub why: String,
}

impl From<check::Judged> for Judged {
    fn from(check::Judged { claim, judgement, why }: check::Judged) -> Self {
        Self { claim: claim.to_owned(), judgement, why }
    }
}

impl Check {
    /// The findings on a schedule and the claims made with it; `rest` are the fields that are not verified.
    pub fn new(
        instance: Instance,
        claims: Option<&check::Claims>,
        report: check::Report,
        rest: Vec<String>,
    ) -> Self {
        let check::Report { makespan, recomputed, judged } = report;
        let not_judged =
            |claim| Judged { claim, judgement: Judgement::NotJudged, why: "nothing rests on it".to_owned() };
        let judged: Vec<Judged> = judged.into_iter().map(Into::into).collect();
        let upper = judged.iter().find(|judged| judged.claim == "upper");
        let refuted = judged.iter().filter(|judged| judged.judgement == Judgement::Refuted);
        Self {
            instance,
            valid: makespan.is_some(),
            makespan: makespan.map(|cycles| cycles.0),
            lower: claims.map(|claims| claims.lower.0),
            upper: claims.map(|claims| claims.upper.0),
            upper_verified: upper.map(|upper| upper.judgement == Judgement::Confirmed),
            recomputed_upper: recomputed.cycles.0,
            recomputed_by: recomputed.route.to_string(),
            errors: refuted.map(|judged| judged.why.clone()).collect(),
            claims: judged.into_iter().chain(rest.into_iter().map(not_judged)).collect(),
        }
    }
}
