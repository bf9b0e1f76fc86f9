//! The ILP for machines against the search over positions and the oracle. It is for small cases, each of
//! which takes less than a few seconds.

use std::sync::Arc;

use rayon::prelude::*;
use warpspan::bound::Theorem;
use warpspan::engines::ilp::IlpError;
use warpspan::engines::ilp::{LatencyOutcome, latency::solve};
use warpspan::engines::positions;
use warpspan::model::Cycles;
use warpspan::model::machine::{Latency, Machine, MachineGroup, MachineWorkload, Unit};
use warpspan::schedule::replay;

use crate::common::limits;
use crate::machine::oracle;
use crate::machine::random::text;

/// A unit of a name, with instances, an occupancy and latencies.
fn unit(name: &str, instances: u64, occupancy: u64, (least, most): (u64, u64)) -> Unit {
    Unit { instances, occupancy, latency: Latency { least, most }, ..Unit::simple(name) }
}

fn workload(schedulers: u64, width: Option<u64>, units: &[Unit], groups: &[(&str, u64)]) -> MachineWorkload {
    let machine = Arc::new(Machine::new(schedulers, width, units.to_vec(), vec![]).unwrap());
    let group = |&(code, warps): &(&str, u64)| MachineGroup { code: machine.code(code).unwrap(), warps };
    MachineWorkload::new(Arc::clone(&machine), groups.iter().map(group).collect()).unwrap()
}

/// Each rule of the semantics decides some of these.
fn cases() -> Vec<MachineWorkload> {
    let (l, c) = (unit("L", 1, 1, (1, 1)), unit("C", 1, 1, (1, 1)));
    let slow = unit("L", 1, 1, (1, 3));
    let held = |instances| unit("L", instances, 3, (1, 1));
    let shared = |unit| Unit { shared: true, ..unit };
    vec![
        workload(1, None, &[l.clone(), c.clone()], &[("LCL", 3)]),
        workload(1, Some(1), &[unit("L", 2, 1, (1, 1))], &[("L", 2)]),
        workload(1, Some(1), &[l.clone(), c.clone()], &[("LC", 2)]),
        workload(1, Some(2), &[l.clone(), unit("C", 2, 1, (1, 1))], &[("CL", 4)]),
        workload(1, Some(1), &[unit("L", 1, 1, (2, 2))], &[("LL", 3)]),
        workload(1, Some(1), &[unit("L", 1, 1, (3, 3))], &[("LL", 3)]),
        workload(1, Some(2), &[slow.clone(), c.clone()], &[("LCL", 2), ("CL", 1)]),
        workload(1, Some(2), &[held(2)], &[("L", 1), ("LL", 1)]),
        workload(1, None, &[held(1), c.clone()], &[("LC", 2), ("L", 1)]),
        workload(2, Some(1), &[shared(held(1)), c.clone()], &[("LC", 3)]),
        workload(2, Some(1), &[unit("L", 1, 2, (2, 3))], &[("LL", 3)]),
        workload(1, Some(1), &[held(1)], &[("L|L", 1)]),
        workload(1, Some(1), &[slow.clone(), c.clone()], &[("LC|L", 2)]),
        workload(1, None, &[slow, c.clone()], &[("L||LC|", 3)]).in_blocks_of(2).unwrap(),
        workload(2, Some(1), &[l], &[("LL|LL", 3), ("LL|LL", 1)]),
        workload(1, None, &[c], &[("|", 2)]),
    ]
}

/// The result over a horizon that is this much longer than the worst case.
fn solved(workload: &MachineWorkload, worst: warpspan::bound::Upper, more: i64) -> LatencyOutcome {
    let horizon = Cycles(worst.cycles().0.checked_add_signed(more).unwrap());
    solve(workload, horizon, worst, &limits()).unwrap()
}

/// The oracle, the search and the ILP agree on the worst case, and the judge on the ILP's schedule.
#[test]
fn three_ways_agree() {
    cases().into_par_iter().for_each(|workload| {
        let worst = positions::solve(&workload, &limits(), &|_| ()).unwrap().worst;
        let warps = oracle::warps(&workload);
        let expected = oracle::worst(workload.machine(), &warps, usize::MAX).unwrap().makespan();
        let outcome = solved(&workload, worst, 4);
        let name = text(&workload);
        assert_eq!(outcome.stop, None, "{name}");
        assert_eq!(worst.cycles(), Cycles(expected), "{name}");
        let witness = replay(&workload, outcome.schedule.unwrap()).unwrap();
        assert_eq!(witness.makespan(), Cycles(expected), "{name}");
        if expected > 0 {
            let upper = outcome.upper.unwrap();
            assert_eq!((upper.cycles(), upper.theorem()), (Cycles(expected), Theorem::DualLatency), "{name}");
        }
    });
}

/// In a horizon below the best case there is no schedule, and in one below the worst case no upper bound.
#[test]
fn short_horizons() {
    let units = [unit("L", 1, 1, (1, 3)), unit("C", 1, 1, (1, 1))];
    let workload = workload(1, Some(1), &units, &[("LCL", 2)]);
    let found = positions::solve(&workload, &limits(), &|_| ()).unwrap();
    assert_eq!((found.worst.cycles(), found.best), (Cycles(8), Cycles(6)));
    let outcome = solved(&workload, found.worst, -3);
    assert!(outcome.infeasible && outcome.upper.is_none() && outcome.schedule.is_none());
    let outcome = solved(&workload, found.worst, -2);
    assert!(!outcome.infeasible && outcome.upper.is_none());
    assert_eq!(replay(&workload, outcome.schedule.unwrap()).unwrap().makespan(), found.best);
}

#[test]
fn what_is_refused() {
    let units = [unit("L", 1, 1, (1, 3)), unit("C", 1, 1, (1, 1))];
    let worst = positions::solve(&workload(1, None, &units, &[("L", 1)]), &limits(), &|_| ()).unwrap().worst;
    let paths = workload(1, None, &units, &[("[L/C]", 1)]);
    assert_eq!(solve(&paths, Cycles(9), worst, &limits()).unwrap_err(), IlpError::Lines);
    let large = workload(1, None, &units, &[("LLLL", 1000)]);
    assert!(matches!(solve(&large, Cycles(9000), worst, &limits()), Err(IlpError::TooLarge { .. })));
}
