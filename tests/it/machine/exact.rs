//! The search over positions against the oracle, the exact laws, the search over states, and figures known
//! from elsewhere. Each result comes with schedules that the judge has accepted.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::bound::Theorem;
use warpspan::engines::positions::{Solved, Unsolved, estimate, solve};
use warpspan::engines::states;
use warpspan::limits::{Limits, Stop};
use warpspan::model::machine::{Latency, Machine, MachineGroup, MachineWorkload, Unit};
use warpspan::model::{Instance, Multiprocessor, WarpGroup};

use crate::common::limits;
use crate::machine::oracle;
use crate::machine::random::{case, shape_of, text};

/// A unit of a name, with instances, an occupancy and latencies.
fn unit(name: &str, instances: u64, occupancy: u64, (least, most): (u64, u64)) -> Unit {
    Unit { instances, occupancy, latency: Latency { least, most }, ..Unit::simple(name) }
}

fn workload(machine: Machine, groups: &[(&str, u64)]) -> MachineWorkload {
    let machine = Arc::new(machine);
    let group = |&(code, warps): &(&str, u64)| MachineGroup { code: machine.code(code).unwrap(), warps };
    MachineWorkload::new(Arc::clone(&machine), groups.iter().map(group).collect()).unwrap()
}

fn solved(workload: &MachineWorkload) -> Solved {
    solve(workload, &limits(), &|_| ()).unwrap_or_else(|error| panic!("{}: {error}", text(workload)))
}

/// The worst and the best case.
fn extremes(workload: &MachineWorkload) -> (u64, u64) {
    let solved = solved(workload);
    assert_eq!(solved.worst.theorem(), Theorem::Exhaustive { states: solved.states });
    assert_eq!(solved.witness.makespan(), solved.worst.cycles());
    assert_eq!(solved.best_witness.makespan(), solved.best);
    (solved.worst.cycles().0, solved.best.0)
}

fn one_scheduler(width: Option<u64>, units: &[Unit], groups: &[(&str, u64)]) -> MachineWorkload {
    workload(Machine::new(1, width, units.to_vec(), vec![]).unwrap(), groups)
}

/// The numbers that docs/machines.md names, most of which refute a tempting formula.
#[test]
fn figures_of_the_documentation() {
    let sigma = |name, instances| unit(name, instances, 1, (1, 1));
    let worst =
        |width, units: &[Unit], groups: &[(&str, u64)]| extremes(&one_scheduler(width, units, groups)).0;
    let (l, c, s) = (simple("L"), simple("C"), simple("S"));
    assert_eq!(worst(Some(1), &[sigma("L", 2)], &[("L", 2)]), 2);
    assert_eq!(worst(Some(1), &[l.clone(), c.clone()], &[("LC", 2)]), 4);
    assert_eq!(worst(None, &[l.clone(), c.clone(), s], &[("LCLSC", 3)]), 10);
    assert_eq!(worst(Some(2), &[simple("L"), sigma("C", 2)], &[("CL", 4)]), 6);
    assert_eq!(worst(Some(2), &[unit("L", 2, 3, (1, 1))], &[("L", 1), ("LL", 1)]), 4);
    assert_eq!(worst(Some(2), &[unit("L", 1, 1, (10, 10)), c], &[("CCC", 1), ("L", 1)]), 3);
    for (latency, expected) in [(2, 7), (3, 6)] {
        assert_eq!(worst(Some(1), &[unit("L", 1, 1, (latency, latency))], &[("LL", 3)]), expected);
    }
    let slow =
        solved(&one_scheduler(Some(2), &[unit("L", 1, 1, (10, 10)), simple("C")], &[("L", 1), ("CCC", 1)]));
    assert_eq!((slow.witness.makespan().0, slow.witness.completion().0), (3, 10));
}

/// A unit with one instance, an occupancy and a latency of 1.
fn simple(name: &str) -> Unit {
    unit(name, 1, 1, (1, 1))
}

/// Where barriers defeat the sum over segments: an instance may be held across the barrier, and warps of
/// other blocks run past it.
#[test]
fn barriers() {
    let held = one_scheduler(Some(1), &[unit("L", 1, 5, (1, 1))], &[("L|L", 1)]);
    assert_eq!(extremes(&held), (6, 6));
    let machine = || Machine::new(2, Some(1), vec![simple("L")], vec![]).unwrap();
    let blocks = workload(machine(), &[("LL|LL", 3), ("LL|LL", 1)]);
    assert_eq!(extremes(&blocks).0, 10);
    let latency = one_scheduler(Some(1), &[unit("L", 1, 1, (1, 10))], &[("|LL||L|", 1)]);
    assert_eq!(extremes(&latency), (21, 3));
}

/// docs/machines.md, exact cases: occupancies of 1, one scheduler, an issue width of 1.
#[test]
fn exact_laws() {
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    for number in 0..300 {
        let kinds = rng.random_range(1..=3);
        let latency = |rng: &mut ChaCha8Rng| match number % 3 {
            0 => (1, 1),
            1 => (1, rng.random_range(1..=4)),
            _ => {
                let least = rng.random_range(1..=2);
                (least, least + rng.random_range(0..=2))
            }
        };
        let units: Vec<Unit> =
            ["L", "C", "S"][..kinds].iter().map(|name| unit(name, 1, 1, latency(&mut rng))).collect();
        let string = |rng: &mut ChaCha8Rng| -> String {
            (0..rng.random_range(1..=5)).map(|_| ["L", "C", "S"][rng.random_range(0..kinds)]).collect()
        };
        let strings: Vec<String> = (0..rng.random_range(1..=2)).map(|_| string(&mut rng)).collect();
        let mut groups: Vec<(&str, u64)> =
            strings.iter().map(|string| (string.as_str(), rng.random_range(1..=2))).collect();
        if number % 3 == 2 {
            groups = vec![(&strings[0], 3)];
        }
        let workload = one_scheduler(Some(1), &units, &groups);
        let most = |letter: char| {
            let letter = workload.machine().find(&letter.to_string()).unwrap();
            workload.machine().letter(letter).latency.most
        };
        let all: u64 = groups.iter().map(|(string, warps)| string.len() as u64 * warps).sum();
        let lambda =
            |string: &str| string[..string.len() - 1].chars().map(|letter| most(letter) - 1).sum::<u64>();
        let expected = match number % 3 {
            0 => all,
            // the other warps issue all their letters while one is ready, and its latencies are the longest
            1 => groups.iter().map(|(string, _)| all + lambda(string)).max().unwrap(),
            // (W-1) I + 1 + the sum over all but the last of hi; W - 1 = 2 is no less than every lo
            _ => 2 * strings[0].len() as u64 + 1 + (lambda(&strings[0]) + strings[0].len() as u64 - 1),
        };
        assert_eq!(extremes(&workload).0, expected, "{}", text(&workload));
    }
}

/// The multiprocessor of the paper is a machine, on which the search over states knows the answer.
#[test]
fn the_machine_of_the_paper() {
    (0..400_u64).into_par_iter().for_each(|seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let sigmas = [rng.random_range(1..=3_u64), rng.random_range(1..=3)];
        let groups = (0..rng.random_range(1..=2)).map(|_| {
            let string: String =
                (0..rng.random_range(1..=6)).map(|_| if rng.random_bool(0.5) { 'L' } else { 'C' }).collect();
            (string, rng.random_range(1..=4_u64))
        });
        let groups: Vec<(String, u64)> = groups.collect();
        let named: Vec<(&str, u64)> =
            groups.iter().map(|(string, warps)| (string.as_str(), *warps)).collect();
        let workload = workload(Machine::of_sigmas(sigmas[0], sigmas[1]).unwrap(), &named);
        let group =
            |(string, warps): &(String, u64)| WarpGroup { kernel: string.parse().unwrap(), warps: *warps };
        let sigma = |at: usize| sigmas[at].to_string().parse().unwrap();
        let multiprocessor = Multiprocessor::new(sigma(0), sigma(1));
        let instance = Instance::new(groups.iter().map(group).collect(), multiprocessor).unwrap();
        let outcome = states::solve(&instance, &limits(), &|_| ()).unwrap();
        let expected = (outcome.worst.cycles().0, outcome.best.unwrap().0);
        assert_eq!(extremes(&workload), expected, "{}", text(&workload));
    });
}

/// Worst and best case are those of the oracle, which names every warp and tries everything.
#[test]
fn the_oracle_agrees() {
    let cases = 0..1500_u64;
    cases.into_par_iter().for_each(|seed| {
        let case = case(&mut ChaCha8Rng::seed_from_u64(seed ^ 0x0005_0000), shape_of(seed));
        let best = oracle::best(case.workload.machine(), &case.warps, usize::MAX).unwrap();
        let found = solved(&case.workload);
        assert_eq!(found.worst.cycles().0, case.worst.makespan(), "{}", case.text());
        assert_eq!(found.best.0, best, "{}", case.text());
        let states = estimate(&case.workload, &limits()).unwrap();
        assert!(found.states <= states, "{} > {states}: {}", found.states, case.text());
    });
}

/// Workloads whose states need more than 64 and more than 128 bits.
#[test]
fn many_warps() {
    for warps in [30, 50, 100, 200] {
        let code = one_scheduler(Some(1), &[simple("L"), simple("C")], &[("LC", warps)]);
        assert_eq!(extremes(&code), (2 * warps, 2 * warps));
    }
    let four = Machine::new(4, Some(1), vec![unit("L", 1, 2, (2, 4))], vec![]).unwrap();
    let four = workload(four, &[("LL", 8)]);
    let one = one_scheduler(Some(1), &[unit("L", 1, 2, (2, 4))], &[("LL", 2)]);
    assert_eq!(extremes(&four), extremes(&one));
}

/// C(W + I + Lambda, W) states at most, on one scheduler with occupancies of 1.
#[test]
fn the_number_of_states() {
    let units = [unit("L", 1, 1, (1, 6)), unit("C", 1, 1, (3, 3))];
    let workload = one_scheduler(Some(1), &units, &[("LLCL", 8)]);
    assert_eq!(estimate(&workload, &limits()), Some(735_471)); // C(8 + 4 + 12, 8)
    let held = one_scheduler(Some(1), &[unit("L", 2, 3, (1, 1))], &[("LL", 3)]);
    assert_eq!(estimate(&held, &limits()), Some(10 * 10));
}

#[test]
fn limits_and_what_is_not_covered() {
    let machine = || Machine::new(1, Some(1), vec![unit("L", 1, 1, (1, 9)), simple("C")], vec![]).unwrap();
    let large = workload(machine(), &[("LCLLCLLL", 9)]);
    let stopped = |limits: &Limits| match solve(&large, limits, &|_| ()) {
        Err(Unsolved::Stopped { stop, .. }) => stop,
        other => panic!("{other:?}"),
    };
    assert_eq!(stopped(&limits().within(std::time::Duration::from_millis(20))), Stop::TimeLimit);
    let mut little = limits();
    little.memory = 1 << 20;
    assert_eq!(stopped(&little), Stop::MemoryLimit);
    let interrupted = limits();
    interrupted.interrupt();
    assert_eq!(stopped(&interrupted), Stop::Interrupted);
    // the first state alone has C(72, 8) choices
    let wide = unit("L", 64, 1, (1, 9));
    let wide = workload(Machine::new(1, None, vec![wide], vec![]).unwrap(), &[("LL", 64)]);
    let soon = limits().within(std::time::Duration::from_millis(20));
    for (limits, expected) in [(soon, Stop::TimeLimit), (little, Stop::MemoryLimit)] {
        let stopped = Unsolved::Stopped { states: 0, stop: expected };
        assert_eq!(solve(&wide, &limits, &|_| ()).unwrap_err(), stopped);
    }
    let paths = workload(machine(), &[("[L/C]", 1)]);
    assert_eq!(solve(&paths, &limits(), &|_| ()).unwrap_err(), Unsolved::Paths);
    assert_eq!(estimate(&paths, &limits()), None);
    let endless = unit("L", 1, 1, (1, 1 << 32));
    let endless = workload(Machine::new(1, None, vec![endless], vec![]).unwrap(), &[("LL", 2)]);
    assert!(matches!(solve(&endless, &limits(), &|_| ()), Err(Unsolved::Stopped { .. })));
    assert_eq!(extremes(&workload(machine(), &[("|", 3)])), (0, 0));
}
