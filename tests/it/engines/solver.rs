//! The effects of the solver's options.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use warpspan::engines::portfolio::{EngineName, Progress};
use warpspan::prelude::*;

fn workload(code: &str, warps: u64, sigma_c: &str) -> Workload {
    let multiprocessor = Multiprocessor::new(Throughput::ONE, sigma_c.parse().unwrap());
    Workload::single(code.parse::<Code>().unwrap(), warps, multiprocessor).unwrap()
}

#[test]
fn a_second_engine_checks_unless_it_is_told_not_to() {
    let llcll = workload("LLCLL", 4, "1");
    let checked = Solver::new().threads(1).solve(&llcll).unwrap();
    assert!(!checked.checks().is_empty());
    let unchecked = Solver::new().threads(1).check(false).solve(&llcll).unwrap();
    assert!(unchecked.checks().is_empty());
    assert_eq!(checked.worst_case().upper(), unchecked.worst_case().upper());
}

#[test]
fn limits_and_progress_reach_the_engine() {
    let wide = workload("LLCCLLCCLLCC", 64, "2");
    let calls = AtomicUsize::new(0);
    let count = |progress: Progress| {
        assert!(matches!(progress, Progress::Beam { .. }));
        calls.fetch_add(1, Ordering::Relaxed);
    };
    let solver = Solver::new().engine(EngineChoice::Beam(1)).threads(1).on_progress(&count);
    let narrow = solver.solve(&wide).unwrap();
    assert_eq!((narrow.engine(), narrow.ending()), (EngineName::Beam, Ending::NotExact(NotExact::Beam)));
    assert!(calls.load(Ordering::Relaxed) > 0);
    let late = solver.clone().time_limit(Duration::ZERO).solve(&wide).unwrap();
    assert_eq!(late.ending(), Ending::Stopped(Stop::TimeLimit));
    let states = Solver::new().engine(EngineChoice::States).memory(1 << 16).threads(1).solve(&wide).unwrap();
    assert_eq!(states.ending(), Ending::Stopped(Stop::MemoryLimit));
}

#[test]
fn paths_have_a_bound_and_nothing_from_below() {
    let solution = Solver::new().solve(&workload("(LC)0..9", 4, "1")).unwrap();
    assert_eq!(solution.engine(), EngineName::Program);
    assert_eq!(solution.ending(), Ending::NotExact(NotExact::Paths));
    assert_eq!(solution.worst_case().lower().cycles(), Cycles(0));
    assert!(solution.witness().is_none());
}
