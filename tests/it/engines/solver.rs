//! The effects of the solver's options.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use warpspan::bound::Theorem;
use warpspan::engines::portfolio::{EngineName, Note, Progress};
use warpspan::prelude::*;
use warpspan::schedule::replay;

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
    let count = |progress: Progress| match progress {
        Progress::Beam { .. } => _ = calls.fetch_add(1, Ordering::Relaxed),
        Progress::Known(_) => {}
        other => panic!("{other:?}"),
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
fn a_schedule_of_paths_stands_behind_the_lower_end() {
    let solution = Solver::new().solve(&workload("(LC)0..9", 4, "1")).unwrap();
    assert_eq!((solution.engine(), solution.ending()), (EngineName::Program, Ending::Proved));
    assert_eq!(solution.worst_case().lower().cycles(), Cycles(18 + 3 * 9));
    assert_eq!(solution.worst_case().lower().theorem(), Theorem::Schedule);
    let lines = solution.lines().unwrap();
    assert_eq!(lines.workload().groups()[0].code.to_string(), "LC".repeat(9));
    let again = replay(lines.instance(), solution.witness().unwrap().schedule().clone()).unwrap();
    assert_eq!(again.makespan(), Cycles(45));
    let wide = Solver::new().solve(&workload("[LCLCLC|LLLL/LLLL|LCLCLC]", 4, "1")).unwrap();
    assert_eq!(wide.ending(), Ending::NotExact(NotExact::Paths));
    assert_eq!(wide.worst_case().lower().cycles(), Cycles(31));
}

/// A path of a thousand million rounds is not written out: a theorem stands behind the lower end.
#[test]
fn long_paths_are_not_replayed() {
    let solution = Solver::new().solve(&workload("(LLC)0..1000000000[L/C]", 48, "1")).unwrap();
    assert!(solution.worst_case().is_exact());
    assert_eq!(solution.worst_case().lower().cycles(), Cycles(3_000_000_001 + 47 * 2_000_000_001));
    assert_eq!(solution.worst_case().lower().theorem(), Theorem::PathClosedForm);
    assert!(solution.notes().contains(&Note::UnreplayedPaths));
    assert!(solution.witness().is_none() && solution.lines().is_none());
    let wide = Solver::new().solve(&workload("(LLC)0..1000000000[L/C]", 48, "2")).unwrap();
    assert_eq!(wide.worst_case().lower().theorem(), Theorem::Bottleneck);
    assert!(wide.worst_case().lower().cycles() >= Cycles(48_000_000_000));
}
