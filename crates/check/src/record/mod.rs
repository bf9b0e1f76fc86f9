//! The checker of records, which verifies claims about a worst case without any engine or solver.
//!
//! Each claim of a record is confirmed, refuted, or left open (not judged). No claim is believed because another claim
//! of the record is right. A lower bound is verified by replaying its schedule. An upper bound is recomputed by second,
//! simple methods. For one kernel at sigma = 1 that is the best labelling by dynamic programming over (instruction,
//! label) (`labelling`), where the engine cuts the kernel into blocks. Elsewhere it is the phase bound by its
//! definition (`phases`) or the critical path. For a small instance there is also a search over all states (`search`),
//! which finds the best case too. An upper bound below what the simple methods give is not called wrong. It is left
//! open, because it rests on the solver that gave it.
//!
//! [`judge_on_machine`] is the same for machines with latency and issue width, where the simple methods are the
//! critical path and all latencies one after the other.

mod cheapest;
mod evidence;
mod labelling;
mod machine;
mod memory;
mod outcome;
mod phase_claim;
mod phases;
mod plain;
mod route;
mod search;

use crate::bound::bottleneck;
use crate::record::search::{Extremes, extremes};
use crate::schedule::{Schedule, replay};
use warpspan_model::machine::Order;
use warpspan_model::words;
use warpspan_model::{Cycles, Instance};

pub use evidence::{BasisClaim, judge_upper};
pub use machine::{CannotJudge, judge_on_machine};
pub use outcome::{Outcome, Schema};
pub use phase_claim::PhaseClaim;
pub use phases::Theta;
pub use plain::plain_upper;
pub use route::{PlainUpper, Route};

/// The claims of a record about an instance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claims {
    /// The worst case is at least this, and the schedule takes this many cycles.
    pub lower: Cycles,
    /// The worst case is at most this.
    pub upper: Cycles,
    /// The order of warps for which alone the bounds are said to hold; none if they are for every order.
    pub policy: Option<Order>,
    /// Whether the bounds meet, in the words of the record.
    pub verdict: Option<String>,
    /// Every result is there at the end of this cycle.
    pub completion: Option<Cycles>,
    /// The smallest makespan.
    pub best_case: Option<Cycles>,
    /// The phase bound and what it is made of.
    pub phase: Option<PhaseClaim>,
    /// The evidence for the lower and for the upper bound.
    pub evidence: [Option<BasisClaim>; 2],
    /// How the run ended.
    pub outcome: Outcome,
}

words! {
    /// The verdict on a claim.
    Judgement {
        /// It holds, by the plain route alone.
        Confirmed = "confirmed",
        /// It is false.
        Refuted = "refuted",
        /// It may be true or false.
        NotJudged = "not-judged",
    }
}

/// A claim and its judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The claim's name in the record.
    pub claim: &'static str,
    /// The result of judging it.
    pub judgement: Judgement,
    /// The reason, in words.
    pub why: String,
}

impl Judged {
    fn new(claim: &'static str, judgement: Judgement, why: impl Into<String>) -> Self {
        Self { claim, judgement, why: why.into() }
    }

    fn confirmed(claim: &'static str, why: impl Into<String>) -> Self {
        Self::new(claim, Judgement::Confirmed, why)
    }

    fn refuted(claim: &'static str, why: impl Into<String>) -> Self {
        Self::new(claim, Judgement::Refuted, why)
    }

    fn not_judged(claim: &'static str, why: impl Into<String>) -> Self {
        Self::new(claim, Judgement::NotJudged, why)
    }
}

/// The judgement of a schedule and of the claims made with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The makespan of the schedule, if it is valid.
    pub makespan: Option<Cycles>,
    /// The upper bound that the plain routes give.
    pub recomputed: PlainUpper,
    /// The judgement of the schedule, followed by that of each claim.
    pub judged: Vec<Judged>,
}

/// What is known of an instance without believing any claim.
struct Known {
    /// What a schedule takes that was replayed, if there is one.
    makespan: Option<Cycles>,
    /// Every schedule takes at least this.
    least: Cycles,
    extremes: Option<Extremes>,
    recomputed: PlainUpper,
}

/// Judges a schedule of an instance and the claims made with it.
pub fn judge(instance: &Instance, schedule: Schedule, claims: Option<&Claims>) -> Report {
    let theta = claims.and_then(|claims| claims.phase.as_ref()?.theta());
    let plain = plain_upper(instance, theta);
    let witness = match replay(instance, schedule) {
        Ok(witness) => witness,
        Err(violation) => return not_valid(violation.to_string(), plain, claims),
    };
    let makespan = witness.makespan();
    let known = Known::of(instance, Some(makespan), plain);
    let mut judged = vec![Judged::confirmed("schedule", format!("{makespan} cycles"))];
    if let Some(claims) = claims {
        judged.extend(of_claims(instance, claims, &known));
    }
    Report { makespan: Some(makespan), recomputed: known.recomputed, judged }
}

/// Verifies the claims that come without a schedule. The evidence of the lower one is then refuted only where it cannot
/// be a lower bound at all.
pub fn judge_claims(instance: &Instance, claims: &Claims) -> Report {
    let theta = claims.phase.as_ref().and_then(PhaseClaim::theta);
    let known = Known::of(instance, None, plain_upper(instance, theta));
    let mut judged = of_claims(instance, claims, &known);
    judged.retain(|one| one.claim != "evidence.lower" || one.judgement == Judgement::Refuted);
    Report { makespan: None, recomputed: known.recomputed, judged }
}

impl Known {
    fn of(instance: &Instance, makespan: Option<Cycles>, plain: PlainUpper) -> Self {
        let extremes = extremes(instance);
        let searched = extremes
            .map(|found| PlainUpper { cycles: found.worst, route: Route::Search { states: found.states } });
        let recomputed = searched.filter(|upper| upper.cycles < plain.cycles).unwrap_or(plain);
        Self { makespan, least: bottleneck(instance).cycles(), extremes, recomputed }
    }
}

/// The judgement of all claims about an instance.
fn of_claims(instance: &Instance, claims: &Claims, known: &Known) -> Vec<Judged> {
    let mut judged = Vec::new();
    let worst = known.extremes.map(|found| found.worst);
    of_numbers(claims, known, &mut judged);
    if let Some(phase) = &claims.phase {
        judged.extend(phase.judge(instance, known.makespan, worst));
    }
    judged.extend(evidence::judge(instance, claims, worst));
    judged.extend({
        let several = instance.has_barriers() && !instance.is_one_block();
        claims.outcome.judge(several, claims.lower < claims.upper)
    });
    judged
}

/// The report on a schedule that breaks a rule, and on the claims, none of which can then be verified.
fn not_valid(violation: String, recomputed: PlainUpper, claims: Option<&Claims>) -> Report {
    let mut judged = vec![Judged::refuted("schedule", violation)];
    if let Some(claims) = claims {
        let no = |claim| Judged::not_judged(claim, "the schedule that is to attain lower is not valid");
        judged.extend(["lower", "upper"].map(no));
        judged.extend(verdict(claims).map(|verdict| rests_on(verdict, &judged)));
        judged.extend(claims.completion.map(|_| no("completion_upper")));
        judged.extend(claims.best_case.map(|_| no("best_case")));
        judged.extend(claims.phase.as_ref().map(|_| no("phase")));
    }
    Report { makespan: None, recomputed, judged }
}

/// Judges the numbers that every kind of machine has.
fn of_numbers(claims: &Claims, known: &Known, judged: &mut Vec<Judged>) {
    judged.push(lower(claims, known));
    judged.push(upper(claims, known));
    judged.extend(verdict(claims).map(|verdict| rests_on(verdict, judged)));
    judged.extend(claims.best_case.map(|best| best_case(best, known)));
}

fn lower(claims: &Claims, known: &Known) -> Judged {
    let lower = claims.lower;
    let most = known.recomputed;
    match (known.makespan, known.extremes.map(|found| found.worst)) {
        (Some(makespan), _) if lower == makespan && claims.policy.is_some() => {
            let why = format!(
                "a schedule takes {makespan} cycles, but in which order it tries the warps is not verified"
            );
            Judged::not_judged("lower", why)
        }
        (Some(makespan), _) if lower == makespan => {
            Judged::confirmed("lower", format!("{lower} cycles, as long as the schedule takes"))
        }
        (Some(makespan), _) => {
            Judged::refuted("lower", format!("lower is {lower}, but the schedule takes {makespan} cycles"))
        }
        (None, _) if lower > most.cycles => {
            let why =
                format!("lower is {lower}, but no schedule takes more than {} ({})", most.cycles, most.route);
            Judged::refuted("lower", why)
        }
        (None, Some(worst)) => Judged::confirmed(
            "lower",
            format!("{lower} cycles, and the worst of all schedules takes {worst}"),
        ),
        (None, None) if lower <= known.least => Judged::confirmed(
            "lower",
            format!("{lower} cycles, and every schedule takes at least {}", known.least),
        ),
        (None, None) => Judged::not_judged("lower", "there is no schedule to replay"),
    }
}

fn upper(claims: &Claims, known: &Known) -> Judged {
    let Known { makespan, extremes, recomputed, .. } = known;
    let upper = claims.upper;
    let plain = format!("{} ({})", recomputed.cycles, recomputed.route);
    match extremes.map(|found| found.worst) {
        _ if makespan.is_some_and(|makespan| upper < makespan) && claims.policy.is_some() => {
            Judged::not_judged("upper", "a schedule takes longer, but it may try the warps in another order")
        }
        _ if makespan.is_some_and(|makespan| upper < makespan) => Judged::refuted(
            "upper",
            format!("upper is {upper}, but a schedule takes {} cycles", makespan.unwrap_or_default()),
        ),
        Some(worst) if upper < worst => {
            let why = format!("upper is {upper}, but the worst of all schedules takes {worst} cycles");
            Judged::refuted("upper", why)
        }
        _ if upper >= recomputed.cycles => {
            Judged::confirmed("upper", format!("{upper} cycles, verified by {plain}"))
        }
        _ => Judged::not_judged(
            "upper",
            format!("{upper} cycles rest on the engine; the plain route gives {plain}"),
        ),
    }
}

/// Checks whether the verdict fits the numbers. Whether the numbers hold is verified elsewhere.
fn verdict(claims: &Claims) -> Option<Judged> {
    let (verdict, Claims { lower, upper, .. }) = (claims.verdict.as_deref()?, claims);
    let fits = match verdict {
        "exact" => lower == upper,
        "bounded" => lower < upper,
        _ => {
            return Some(Judged::refuted(
                "verdict",
                format!("verdict is {verdict:?}: want exact or bounded"),
            ));
        }
    };
    Some(if fits {
        Judged::confirmed("verdict", format!("{verdict}, as lower and upper have it"))
    } else {
        let why = format!("verdict is {verdict:?}, but lower is {lower} and upper is {upper}");
        Judged::refuted("verdict", why)
    })
}

/// The judgement of a verdict that fits. It is no better than the worse of the judgements of its two numbers.
fn rests_on(verdict: Judged, judged: &[Judged]) -> Judged {
    let of = |judgement| {
        judged.iter().any(|end| end.judgement == judgement && ["lower", "upper"].contains(&end.claim))
    };
    match verdict.judgement {
        Judgement::Confirmed if of(Judgement::Refuted) => {
            Judged::not_judged("verdict", "lower or upper is false")
        }
        Judgement::Confirmed if of(Judgement::NotJudged) => {
            Judged::not_judged("verdict", "it fits lower and upper, which are not both confirmed")
        }
        _ => verdict,
    }
}

fn best_case(best: Cycles, known: &Known) -> Judged {
    let Known { makespan, least, extremes, .. } = known;
    let refuted = |why| Judged::refuted("best_case", format!("best_case is {best}, but {why}"));
    match extremes.map(|found| found.best) {
        _ if makespan.is_some_and(|makespan| best > makespan) => {
            refuted(format!("a schedule takes {} cycles", makespan.unwrap_or_default()))
        }
        _ if best < *least => refuted(format!("every schedule takes at least {least} cycles")),
        Some(found) if best != found => refuted(format!("the best of all schedules takes {found} cycles")),
        Some(_) => {
            Judged::confirmed("best_case", format!("{best} cycles, as the best of all schedules takes"))
        }
        None if *makespan == Some(best) && best == *least => {
            let why = format!("{best} cycles, as long as the schedule takes, and every schedule at least");
            Judged::confirmed("best_case", why)
        }
        None => Judged::not_judged(
            "best_case",
            match makespan {
                Some(makespan) => {
                    format!("every schedule takes at least {least} cycles, and one takes {makespan}")
                }
                None => format!("every schedule takes at least {least} cycles"),
            },
        ),
    }
}
