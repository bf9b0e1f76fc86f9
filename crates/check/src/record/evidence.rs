//! Checks the evidence that a record names for its two bounds.

use crate::bound::{critical_path, pessimistic};
use crate::record::{Claims, Judged, PlainUpper, labelling, phases, plain_upper};
use warpspan_model::machine::Order;
use warpspan_model::{Cycles, Instance};

/// The evidence that a record names for a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasisClaim {
    /// The name of the theorem, search or schedule.
    pub name: String,
    /// How that is said to be checked.
    pub checked: String,
}

/// The names of evidence, each with the strongest check that it may claim. The words for checks begin with
/// the weakest.
const NAMES: [(&str, &str); 18] = [
    ("schedule", "machine"),
    ("closed-form", "machine"),
    ("phase", "machine"),
    ("critical-path", "machine"),
    ("memory", "paper"),
    ("reachable", "paper"),
    ("lrr", "paper"),
    ("oldest", "paper"),
    ("gto", "paper"),
    ("cggty", "paper"),
    ("phase-width-latency", "paper"),
    ("pipelined", "paper"),
    ("bottleneck", "paper"),
    ("segments", "machine"),
    ("program", "paper"),
    ("relay", "machine"),
    ("exhaustive", "tested"),
    ("ilp-dual", "tested"),
];
const WORDS: [&str; 3] = ["tested", "paper", "machine"];

/// Judges the evidence named for both bounds, where the record names it. `worst` is the worst case, if it is known.
/// Whether the schedule takes `lower` cycles is verified elsewhere.
pub(super) fn judge(instance: &Instance, claims: &Claims, worst: Option<Cycles>) -> Vec<Judged> {
    each(claims, &strongest, &|end, name| upper(end, name, instance, claims, worst))
}

/// The same on a machine, where `recomputed` is the bound of the plain routes.
pub(super) fn on_machine(claims: &Claims, recomputed: PlainUpper) -> Vec<Judged> {
    // Parts of these bounds are on paper only, such as several paths and grids, and a record does not say whether its
    // bound uses one of them.
    let strongest = |name: &str| match strongest(name) {
        Some("machine") if name != "schedule" => Some("paper"),
        strongest => strongest,
    };
    each(claims, &strongest, &|end, name| match name {
        "critical-path" | "memory" if recomputed.cycles <= claims.upper => {
            Judged::confirmed(end, format!("the plain route gives {}", recomputed.cycles))
        }
        "critical-path" | "memory" => {
            let why = format!("the plain route gives {}, which need not be the smallest", recomputed.cycles);
            Judged::not_judged(end, why)
        }
        "lrr" | "oldest" | "gto" | "cggty" if claims.policy.map(Order::name) != Some(name) => {
            Judged::refuted(
                end,
                format!(
                    "{name}: it holds for this order of warps alone, which the record does not name as its policy"
                ),
            )
        }
        "reachable"
        | "lrr"
        | "oldest"
        | "gto"
        | "cggty"
        | "phase-width-latency"
        | "pipelined"
        | "segments"
        | "exhaustive"
        | "ilp-dual" => Judged::not_judged(end, "it rests on the engine"),
        _ => Judged::refuted(end, format!("{name}: it is no upper bound of straight lines on a machine")),
    })
}

/// Judges an upper bound by the route that it is said to follow from, alone: no schedule and no search is compared.
pub fn judge_upper(instance: &Instance, cycles: Cycles, evidence: &BasisClaim) -> Judged {
    let claims = Claims { upper: cycles, evidence: [None, Some(evidence.clone())], ..Claims::default() };
    let judged = judge(instance, &claims, None).pop();
    judged.unwrap_or_else(|| Judged::not_judged("evidence.upper", "it names no evidence"))
}

/// Judges the names and words of both bounds, and with `upper` the evidence of the upper one.
fn each(
    claims: &Claims,
    strongest: &dyn Fn(&str) -> Option<&'static str>,
    upper: &dyn Fn(&'static str, &str) -> Judged,
) -> Vec<Judged> {
    const ENDS: [&str; 2] = ["evidence.lower", "evidence.upper"];
    let mut judged = Vec::new();
    for ((end, claim), is_lower) in ENDS.into_iter().zip(&claims.evidence).zip([true, false]) {
        let Some(BasisClaim { name, checked }) = claim else { continue };
        judged.push(match strongest(name) {
            None => Judged::refuted(end, format!("{name:?} is no known evidence")),
            Some(most) if !at_most(checked, most) => {
                Judged::refuted(end, format!("{name} checked by {checked:?}: want at most {most:?}"))
            }
            Some(_) if is_lower => lower(end, name),
            Some(_) => upper(end, name),
        });
    }
    judged
}

/// The strongest check that evidence of this name may claim.
fn strongest(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == name).map(|&(_, most)| most)
}

fn at_most(word: &str, most: &str) -> bool {
    let place = |word: &str| WORDS.iter().position(|known| *known == word);
    place(word).is_some_and(|at| Some(at) <= place(most))
}

fn lower(end: &'static str, name: &str) -> Judged {
    match name {
        "schedule" => {
            Judged::confirmed(end, "the schedule is in the record; how long it takes is verified with lower")
        }
        "closed-form" | "bottleneck" | "segments" => {
            Judged::not_judged(end, "the record has a schedule, and that is verified instead")
        }
        _ => Judged::refuted(end, format!("{name} is no lower bound")),
    }
}

/// Recomputes the upper bound by the route that is named.
fn upper(
    end: &'static str,
    name: &str,
    instance: &Instance,
    claims: &Claims,
    worst: Option<Cycles>,
) -> Judged {
    let theta = claims.phase.as_ref().and_then(|phase| phase.theta());
    let one_block = instance.has_barriers() && instance.is_one_block();
    let none = |why: &str| Judged::refuted(end, format!("{name}: {why}"));
    let route: Option<PlainUpper> = match name {
        "critical-path" => {
            let eq_5_7 = pessimistic(instance).upper();
            Some(critical_path(instance))
                .into_iter()
                .chain(eq_5_7)
                .map(PlainUpper::from)
                .min_by_key(|upper| upper.cycles)
        }
        "phase" => Some(phases::upper(instance, theta)),
        "closed-form" => match labelling::upper(instance) {
            Some(upper) => Some(upper),
            None => return none("it is for one kernel at sigma 1 without barriers"),
        },
        "segments" if !one_block => return none("there are no barriers of one block"),
        "segments" => Some(plain_upper(instance, theta)),
        "exhaustive" => None,
        "ilp-dual" => None,
        _ => return none("it is no upper bound of a kernel string"),
    };
    match (route, worst) {
        (Some(route), _) if route.cycles <= claims.upper => {
            Judged::confirmed(end, format!("the plain route gives {}", route.cycles))
        }
        (Some(route), _) if name == "closed-form" && labelling::is_exact(instance) => {
            none(&format!("the plain route gives {}, not {}", route.cycles, claims.upper))
        }
        (Some(route), _) => {
            let why = format!("the plain route gives {}, which need not be the smallest", route.cycles);
            Judged::not_judged(end, why)
        }
        (None, Some(worst)) if worst == claims.upper => {
            Judged::confirmed(end, "the plain search over all states gives the same")
        }
        (None, _) => Judged::not_judged(end, "it rests on the engine"),
    }
}
