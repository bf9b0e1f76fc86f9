//! The judge of claims on machines against the oracle: its own upper bound is never below the worst case.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpspan::check::{Claims, Judgement, judge_on_machine};
use warpspan::engines::latency::bounds;
use warpspan::engines::policy::{Policy, Scenario, simulate};
use warpspan::model::Cycles;

use super::random;
use crate::common::limits;

#[test]
fn the_plain_routes_are_safe() {
    let (mut tight, mut confirmed) = (0, 0);
    for seed in 0..400 {
        let case = random::case(&mut ChaCha8Rng::seed_from_u64(seed), random::shape_of(seed));
        let scenario = Scenario::of(&case.workload);
        let run = simulate(&case.workload, Policy::Gto, &scenario, &limits()).unwrap();
        let (worst, last) = (Cycles(case.worst.makespan()), Cycles(case.worst.last_result()));
        let judge = |claims: &Claims| judge_on_machine(&case.workload, run.schedule(), Some(claims)).unwrap();
        let bounds = bounds(&case.workload).unwrap();
        let report = judge(&Claims {
            lower: run.last_issue(),
            upper: bounds.makespan.cycles(),
            completion: Some(bounds.completion.cycles()),
            ..Claims::default()
        });
        assert_eq!(report.makespan, Some(run.last_issue()), "{}", case.text());
        assert!(report.recomputed.cycles >= worst, "{:?} < {worst}: {}", report.recomputed, case.text());
        tight += u64::from(report.recomputed.cycles == worst);
        // The bounds of the engine are true claims, which may be confirmed but never refuted.
        let of = |name| report.judged.iter().find(|judged| judged.claim == name).unwrap().judgement;
        assert!(of("lower") == Judgement::Confirmed && of("upper") != Judgement::Refuted, "{}", case.text());
        assert!(of("completion_upper") != Judgement::Refuted, "{}", case.text());
        confirmed += u64::from(of("upper") == Judgement::Confirmed);
        // No claim below the truth is confirmed.
        let low = Claims {
            upper: Cycles(worst.0 - 1),
            completion: Some(Cycles(last.0 - 1)),
            best_case: Some(Cycles(run.last_issue().0 + 1)),
            ..Claims::default()
        };
        let judged = judge(&low).judged;
        let confirmed = |name| {
            judged.iter().any(|judged| judged.claim == name && judged.judgement == Judgement::Confirmed)
        };
        assert!(!confirmed("upper") && !confirmed("completion_upper"), "{judged:?}: {}", case.text());
        assert!(!confirmed("best_case"), "{judged:?}: {}", case.text());
    }
    assert!(tight > 40 && confirmed > 100, "{tight} {confirmed}");
    println!(
        "{tight} of 400 plain bounds are the worst case, {confirmed} bounds of the engine are confirmed"
    );
}
