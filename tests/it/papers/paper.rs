//! The figures of [Be12], and the ILP where its formulation is wrong; tests/it/papers/errata.rs has all
//! errata.
#![cfg(feature = "highs")]

use crate::brute;
use warpspan::bound::Upper;
use warpspan::engines::ilp::{Formulation, Horizon, Options};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::limits::Stop;
use warpspan::model::device::Capability;
use warpspan::model::{Instance, Unit};
use warpspan::schedule::replay;

use crate::common::{by_ilp, limits, single};

/// Fig. 5: LLCLL at sigma = 1.
#[test]
fn llcll_in_each_formulation() {
    for formulation in Formulation::ALL {
        for (warps, makespan) in [(1, 5), (2, 9), (3, 13), (4, 17)] {
            let options = Options { formulation, ..Options::default() };
            let instance = single("LLCLL", warps, "1", "1");
            let solution = Solver::new()
                .engine(EngineChoice::Ilp(options.clone()))
                .limits(&limits())
                .solve(&instance)
                .unwrap();
            assert_eq!(solution.worst_case().lower().cycles().0, makespan, "{formulation:?} W={warps}");
            assert_eq!(solution.worst_case().upper().cycles().0, makespan, "{formulation:?} W={warps}");
        }
    }
}

/// Fig. 1: LC at compute capability 2.0 is LLC with sigma_L = 1.
#[test]
fn lc_at_compute_capability_2_0() {
    let fermi = "2.0".parse::<Capability>().unwrap().multiprocessor().unwrap();
    let instance = Instance::single("LC".parse().unwrap(), 4, fermi).unwrap();
    assert_eq!(instance.groups()[0].kernel.to_string(), "LLC");
    assert_eq!(Unit::ALL.map(|unit| instance.sigma(unit)), [1, 1]);
}

/// E3: over the paper's horizon the ILP loses the true worst case, and the solver says so.
#[test]
fn e3_the_papers_horizon_gives_an_interval() {
    let options = Options { horizon: Horizon::Paper, ..Options::default() };
    let instance = single("LL", 4, "2", "1");
    let solution =
        Solver::new().engine(EngineChoice::Ilp(options.clone())).limits(&limits()).solve(&instance).unwrap();
    assert!(!solution.worst_case().is_exact() || solution.worst_case().lower().cycles().0 == 5);
    assert_eq!(solution.worst_case().upper().cycles().0, 5);
    // A horizon that is too short for any schedule is infeasible, which is not an error.
    let options = Options { horizon: Horizon::Cycles(3), ..Options::default() };
    for formulation in Formulation::ALL {
        let outcome = by_ilp(&instance, &Options { formulation, ..options.clone() });
        assert!(outcome.infeasible && outcome.schedule.is_none(), "{formulation:?}");
    }
    let solution =
        Solver::new().engine(EngineChoice::Ilp(options.clone())).limits(&limits()).solve(&instance).unwrap();
    assert!(
        solution.notes().iter().any(|note| note.to_string().contains("no schedule ends within it")),
        "{:?}",
        solution.notes()
    );
    assert_eq!((solution.worst_case().upper().cycles().0, solution.witness().is_some()), (5, true));
}

/// E4: summed literally, the long constraints would give LC 4 instead of 3 and LCLC 8 instead of 5 on two
/// warps.
#[test]
fn e4_long_constraints() {
    for (kernel, makespan) in [("LC", 3), ("LCLC", 5)] {
        for plain in [false, true] {
            let options = Options { formulation: Formulation::Long, plain, ..Options::default() };
            let instance = single(kernel, 2, "1", "1");
            let outcome = by_ilp(&instance, &options);
            let witness = replay(&instance, outcome.schedule.unwrap()).unwrap();
            assert_eq!(witness.makespan().0, makespan);
            assert_eq!(outcome.upper.map(Upper::cycles), Some(witness.makespan()));
        }
    }
}

/// A limit leaves an interval that holds the worst case, with a schedule behind its lower end.
#[test]
fn limits_leave_a_valid_interval() {
    use std::time::Duration;
    let instance = single("LLCCLLCC", 7, "1", "2"); // The search over all states gives a worst case of 32.
    let holds = |solution: &warpspan::engines::portfolio::Solution| {
        let (lower, upper) =
            (solution.worst_case().lower().cycles().0, solution.worst_case().upper().cycles().0);
        assert!((lower..=upper).contains(&32), "{lower}..{upper}");
        assert_eq!(solution.witness().unwrap().makespan().0, lower);
    };
    let options = Options::default();
    let short = limits().within(Duration::from_millis(300));
    let solution =
        Solver::new().engine(EngineChoice::Ilp(options.clone())).limits(&short).solve(&instance).unwrap();
    holds(&solution);
    let stop = (!solution.worst_case().is_exact()).then_some(Stop::TimeLimit);
    assert_eq!(solution.ending(), stop.into());

    let small = warpspan::limits::Limits::new(None, 1 << 20, 1, std::sync::Arc::default());
    let solution =
        Solver::new().engine(EngineChoice::Ilp(options.clone())).limits(&small).solve(&instance).unwrap();
    holds(&solution);
    assert_eq!(solution.ending().stop(), Some(Stop::MemoryLimit));
    assert!(
        ["nonzeros", "MiB"].iter().all(|what| solution.notes()[0].to_string().contains(what)),
        "{:?}",
        solution.notes()
    );

    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let interrupted = warpspan::limits::Limits::new(None, 1 << 30, 1, flag);
    let solution = Solver::new()
        .engine(EngineChoice::Ilp(options.clone()))
        .limits(&interrupted)
        .solve(&instance)
        .unwrap();
    holds(&solution);
    assert_eq!(solution.ending().stop(), Some(Stop::Interrupted));
}

/// A model whose variables are all decided by the windows is an LP; HiGHS leaves the MIP's dual bound at 0
/// there, which once passed for an upper bound.
#[test]
fn one_warp_of_cccc_at_sigma_c_4() {
    let solution = Solver::new()
        .engine(EngineChoice::Ilp(Options::default()))
        .limits(&limits())
        .solve(&single("CCCC", 1, "1", "4"))
        .unwrap();
    assert!(solution.worst_case().is_exact());
    assert_eq!(solution.worst_case().upper().cycles().0, 4);
}

/// HiGHS 1.15 presolves this model to an infeasible point of five cycles and rejects it itself; without
/// presolve it finds the four that are right.
#[test]
fn highs_presolve_of_two_groups() {
    use warpspan::model::{Multiprocessor, WarpGroup};
    let group = |kernel: &str, warps| WarpGroup { kernel: kernel.parse().unwrap(), warps };
    let two = Multiprocessor::new("2".parse().unwrap(), "2".parse().unwrap());
    let instance = Instance::new(vec![group("CLL", 2), group("CL", 1)], two).unwrap();
    assert_eq!(brute::makespans(&instance).1, 4);
    for formulation in Formulation::ALL {
        let options = Options { formulation, ..Options::default() };
        let outcome = by_ilp(&instance, &options);
        assert_eq!(replay(&instance, outcome.schedule.unwrap()).unwrap().makespan().0, 4, "{formulation:?}");
        assert_eq!(outcome.upper.unwrap().cycles().0, 4, "{formulation:?}");
    }
}
