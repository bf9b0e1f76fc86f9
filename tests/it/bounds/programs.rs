//! Bounds of structured programs against their unrolled paths and brute force.

use crate::brute::barriers;
use crate::brute::paths;
use crate::common::cases::{self, cases};
use rand::{Rng, RngExt};
use rayon::prelude::*;
use warpspan::bound::critical_path;
use warpspan::engines::phase;
use warpspan::engines::program::{ProgramError, bound};
use warpspan::model::program::Piece;
use warpspan::model::{Group, Kernel, Multiprocessor, Workload};

use crate::brute::barriers::{Warp, finishes, states};
use crate::brute::paths::{Path, Shape};
use crate::brute::theorem::{Number, Prices, critical};

const SIGMAS: [[usize; 2]; 10] =
    [[1, 1], [1, 2], [2, 1], [2, 2], [1, 3], [2, 3], [1, 4], [4, 2], [3, 3], [1, 6]];

fn multiprocessor(sigma: [usize; 2]) -> Multiprocessor {
    let [l, c] = sigma.map(|sigma| sigma.to_string().parse().unwrap());
    Multiprocessor::new(l, c)
}

fn in_blocks(workload: Workload, block: Option<u64>) -> Workload {
    match block {
        Some(block) => workload.in_blocks_of(block).unwrap(),
        None => workload,
    }
}

/// Gives each warp of a group, in blocks of some size, a path of its own; the warps of a block agree on the
/// rounds of loops with barriers.
fn assign(rng: &mut impl Rng, [all, size]: [u64; 2], paths: &[Path], first_block: usize) -> Vec<Warp> {
    let mut warps = Vec::new();
    let mut block: Vec<&Path> = Vec::new();
    for warp in 0..all {
        if warp % size == 0 {
            let tags = &paths[rng.random_range(0..paths.len())].1;
            block = paths.iter().filter(|path| path.1 == *tags).collect();
            if rng.random_bool(0.5) {
                // With only two paths, equal warps bring out the worst case.
                block = (0..2).map(|_| block[rng.random_range(0..block.len())]).collect();
            }
        }
        let segments = block[rng.random_range(0..block.len())].0.clone();
        warps.push(Warp { block: first_block + usize::try_from(warp / size).unwrap(), segments });
    }
    warps
}

/// A random program that the library accepts, and its paths.
fn program(rng: &mut impl Rng, shape: Shape, sigma: [usize; 2]) -> (Piece, Vec<Path>) {
    loop {
        let program = paths::random(rng, shape);
        let one = Workload::single(program.clone(), 1, multiprocessor(sigma)).unwrap();
        match bound(&one) {
            Ok(_) => {}
            Err(ProgramError::Arms(_) | ProgramError::Empty(_)) => continue,
            Err(other) => panic!("{program}: {other}"),
        }
        if let Some(paths) = paths::paths(&program) {
            return (program, paths.into_iter().collect());
        }
    }
}

fn shape(rng: &mut impl Rng) -> Shape {
    Shape { depth: rng.random_range(1..=2), barriers: rng.random_bool(0.7), straight: false }
}

/// The bound is never below the worst case of any assignment of paths, for one or two programs in one to
/// three blocks. `WARPSPAN_CASES` asks for more of them.
#[test]
fn never_below_the_worst_case() {
    let chunk = |seed: u64| {
        let mut rng = cases::random(5000 + seed);
        let (mut done, mut tight) = (0_u64, 0_u64);
        while done < 100 {
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let mut groups = Vec::new();
            let mut unrolled = Vec::new();
            for _ in 0..rng.random_range(1..=2) {
                let shape = shape(&mut rng);
                let (program, paths) = program(&mut rng, shape, sigma);
                groups.push(Group { code: program.into(), warps: rng.random_range(1..=4) });
                unrolled.push(paths);
            }
            let block = rng.random_bool(0.5).then(|| rng.random_range(1..=3));
            let workload = Workload::new(groups, multiprocessor(sigma)).unwrap();
            let workload = in_blocks(workload, block);
            let found = bound(&workload).unwrap();
            for _ in 0..4 {
                let mut warps = Vec::new();
                let mut of_block = Vec::new();
                for (at, (group, paths)) in workload.groups().iter().zip(&unrolled).enumerate() {
                    let sizes = [group.warps, block.unwrap_or(group.warps)];
                    warps.extend(assign(&mut rng, sizes, paths, of_block.len()));
                    of_block.resize(warps.last().unwrap().block + 1, at);
                }
                if states(&warps) > 10_000 {
                    continue;
                }
                let exact = finishes(&warps, sigma);
                for (block, &exact) in exact.iter().enumerate() {
                    let upper = found.finish[of_block[block]].0;
                    assert!(
                        exact <= upper,
                        "block {block}: {exact} > {upper}: {sigma:?} {workload:?} {warps:?}"
                    );
                    tight += u64::from(exact == upper);
                }
                done += 1;
            }
        }
        (done, tight)
    };
    let found: Vec<(u64, u64)> = (0..cases(5_000) / 100).into_par_iter().map(chunk).collect();
    let (done, tight) = found.into_iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    println!("{done} assignments of paths; {tight} finishes are as late as the bound");
}

/// The theorem for warps on known strings, at both ends of theta and at the theta where the program's bound
/// is smallest.
fn by_theorem(warps: &[Warp], sigma: [usize; 2], theta: Number) -> u64 {
    let mut prices = Prices::some(sigma, warps.len());
    prices.push(Prices { theta, ..prices[0] });
    let least = prices.iter().map(|prices| *prices.finishes(warps).iter().max().unwrap()).min().unwrap();
    least.min(*critical(warps, sigma).iter().max().unwrap())
}

/// The bound of a program is at least the bound of every assignment of its paths.
#[test]
fn never_below_the_bound_of_its_paths() {
    let chunk = |seed: u64| {
        let mut rng = cases::random(6000 + seed);
        let mut done = 0;
        while done < 50 {
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let shape = shape(&mut rng);
            let (program, paths) = program(&mut rng, shape, sigma);
            let block = rng.random_bool(0.5).then(|| rng.random_range(1..=3));
            let count = rng.random_range(1..=5);
            let workload = Workload::single(program, count, multiprocessor(sigma)).unwrap();
            let workload = in_blocks(workload, block);
            let found = bound(&workload).unwrap();
            for _ in 0..4 {
                let warps = assign(&mut rng, [count, block.unwrap_or(count)], &paths, 0);
                if warps.iter().flat_map(|warp| &warp.segments).any(|segment| segment.len() > 9) {
                    continue;
                }
                let paths = by_theorem(&warps, sigma, found.theta);
                assert!(
                    found.makespan.cycles().0 >= paths,
                    "{} < {paths}: {sigma:?} {workload:?} {warps:?}",
                    found.makespan.cycles()
                );
                done += 1;
            }
        }
        done
    };
    let done: u64 = (0..cases(2_000) / 50).into_par_iter().map(chunk).sum();
    println!("{done} assignments of paths");
}

/// For a program of one path, the bound is that of its string.
#[test]
fn one_path() {
    let chunk = |seed: u64| {
        let mut rng = cases::random(7000 + seed);
        let mut done = 0;
        while done < 50 {
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let shape = Shape { depth: 2, barriers: rng.random_bool(0.7), straight: true };
            let (program, paths) = program(&mut rng, shape, sigma);
            assert!(program.is_straight() && paths.len() == 1, "{program}");
            let block = rng.random_bool(0.5).then(|| rng.random_range(1..=3));
            let count = rng.random_range(1..=6);
            let workload = Workload::single(program, count, multiprocessor(sigma)).unwrap();
            let workload = in_blocks(workload, block);
            if paths[0].0.iter().any(|segment| segment.len() > 10) {
                continue;
            }
            let found = bound(&workload).unwrap();
            let warps = assign(&mut rng, [count, block.unwrap_or(count)], &paths, 0);
            assert_eq!(
                found.makespan.cycles().0,
                by_theorem(&warps, sigma, found.theta),
                "{sigma:?} {workload:?}"
            );
            if found.exact && states(&warps) < 10_000 {
                assert_eq!(barriers::worst(&warps, sigma), found.makespan.cycles().0, "{workload:?}");
            }
            done += 1;
        }
    };
    (0..cases(4_000) / 50).into_par_iter().for_each(chunk);
}

/// Different code computes the bound of strings and the bound of programs, so each judges the other. With
/// barriers they agree. Without barriers the bound of strings may be smaller, since it counts the changes of
/// the labels.
#[test]
fn two_bounds_of_straight_lines() {
    let mut rng = cases::random(8000);
    let mut smaller = 0;
    for _ in 0..cases(5_000) {
        let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
        let mut groups = Vec::new();
        for _ in 0..rng.random_range(1..=3) {
            let letters = if rng.random_bool(0.5) { "LC" } else { "LC|" };
            let text: String = (0..rng.random_range(1..=12))
                .map(|_| letters.as_bytes()[rng.random_range(0..letters.len())] as char)
                .collect();
            let Ok(kernel) = text.parse::<Kernel>() else { continue };
            groups.push(Group { code: kernel.into(), warps: rng.random_range(1..=6) });
        }
        let Ok(workload) = Workload::new(groups, multiprocessor(sigma)) else { continue };
        let size = rng.random_bool(0.5).then(|| rng.random_range(1..=3));
        let workload = in_blocks(workload, size);
        let instance = workload.instance().unwrap();
        let of_strings = phase::bound(instance);
        let of_programs = bound(&workload).unwrap();
        assert!(of_strings.makespan.cycles() <= of_programs.makespan.cycles(), "{workload:?}");
        assert!(of_programs.makespan.cycles() <= critical_path(instance).cycles(), "{workload:?}");
        if instance.has_barriers() {
            assert_eq!(of_strings.finish, of_programs.finish, "{workload:?}");
        } else {
            smaller += u64::from(of_strings.makespan.cycles() < of_programs.makespan.cycles());
        }
    }
    println!("the bound of strings is smaller {smaller} times");
}
