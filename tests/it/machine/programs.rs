//! Random small programs on random machines: no choice of paths exceeds a bound.

use std::sync::Arc;

use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::engines::latency::bounds;
use warpspan::model::Unit as Of;
use warpspan::model::machine::{LetterId, Machine, MachineGroup, MachineWorkload, Step};
use warpspan::model::program::Piece;

use super::known::unit;
use super::oracle::{self, Warp};
use super::random::text;
use crate::brute::paths::{Path, Shape, paths, random};
use crate::common::cases::{self, cases};

fn step(unit: Of) -> Step {
    Step::of(LetterId::new(usize::from(unit == Of::CudaCore)).unwrap())
}

fn machine(rng: &mut impl Rng) -> Machine {
    let occupied = rng.random_bool(0.4);
    let mut kind = |name: &str| {
        let least = rng.random_range(1..=2_u64);
        let most = least + rng.random_range(0..=1_u64);
        let occupancy = if occupied { rng.random_range(1..=2) } else { 1 };
        let shared = rng.random_bool(0.5);
        warpspan::model::machine::Unit {
            shared,
            ..unit(name, rng.random_range(1..=2), occupancy, [least, most])
        }
    };
    let units = vec![kind("L"), kind("C")];
    let width = [Some(1), Some(2), None][rng.random_range(0..3_usize)];
    let schedulers = if rng.random_bool(0.3) { 2 } else { 1 };
    Machine::new(schedulers, width, units, vec![]).unwrap()
}

#[test]
fn no_choice_of_paths_exceeds_a_bound() {
    let found: Vec<(u64, bool, bool)> = (0..cases(600))
        .into_par_iter()
        .map(|seed| {
            let mut rng = cases::random(9_000_000 + seed);
            loop {
                if let Some(found) = draw(&mut rng) {
                    return found;
                }
            }
        })
        .collect();
    let exact = found.iter().filter(|case| case.0 == 0).count();
    let barriers = found.iter().filter(|case| case.1).count();
    let several = found.iter().filter(|case| case.2).count();
    println!(
        "{} programs, {several} with several paths, {barriers} with barriers, {exact} exact",
        found.len()
    );
    assert!(exact * 4 > found.len() && barriers * 10 > found.len() && several * 3 > found.len());
}

/// The slack of a random case, whether it has barriers, and several paths; nothing if it is too large.
fn draw(rng: &mut ChaCha8Rng) -> Option<(u64, bool, bool)> {
    let machine = machine(rng);
    let shape = Shape { depth: 2, barriers: rng.random_bool(0.6), straight: false };
    let program: Piece = random(rng, shape);
    // Most small programs have one path only, and few have barriers.
    if program.is_straight() && rng.random_bool(0.7) || !program.has_barrier() && rng.random_bool(0.5) {
        return None;
    }
    let all: Vec<Path> = paths(&program)?.into_iter().collect();
    let longest = all.iter().map(|(path, _)| path.iter().map(Vec::len).sum::<usize>()).max()?;
    let number = rng.random_range(1..=3_usize);
    if longest == 0 || longest > 6 || all.len().pow(u32::try_from(number).unwrap()) > 60 {
        return None;
    }
    let code = program.map(&mut |unit: &Of| step(*unit));
    let group = MachineGroup { code, warps: number as u64 };
    let mut workload = MachineWorkload::new(Arc::new(machine.clone()), vec![group]).unwrap();
    let block = rng.random_range(1..=number);
    workload = workload.in_blocks_of(block as u64).unwrap();
    let found = bounds(&workload).ok()?;
    let (mut makespan, mut completion) = (0, 0);
    for code in 0..all.len().pow(u32::try_from(number).unwrap()) {
        let of = |warp: usize| &all[code / all.len().pow(u32::try_from(warp).unwrap()) % all.len()];
        // The warps of a block go round loops with barriers equally often.
        if (0..number).any(|warp| of(warp).1 != of(warp - warp % block).1) {
            continue;
        }
        let warps: Vec<Warp> = (0..number)
            .map(|warp| Warp {
                scheduler: warp as u64 % machine.schedulers(),
                block: warp / block,
                segments: of(warp)
                    .0
                    .iter()
                    .map(|line| line.iter().map(|&unit| step(unit)).collect())
                    .collect(),
            })
            .collect();
        let worst = oracle::worst(&machine, &warps, 1500)?;
        makespan = makespan.max(worst.makespan());
        completion = completion.max(worst.last_result());
    }
    for bound in &found.applied {
        let upper = bound.makespan.cycles().0;
        assert!(makespan <= upper, "{makespan} > {upper}: {bound:?} of {}", text(&workload));
    }
    let upper = found.completion.cycles().0;
    assert!(completion <= upper, "last result {completion} > {upper} of {}", text(&workload));
    Some((found.makespan.cycles().0 - makespan, workload.has_barriers(), all.len() > 1))
}
