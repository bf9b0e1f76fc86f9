//! The phase bound against the exhaustive search, which shares no code with it.

use crate::brute;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::bound::critical_path;
use warpspan::engines::phase::{Remaining, bound};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::engines::states::solve;
use warpspan::model::{Instance, Multiprocessor, WarpGroup};

use crate::common::{limits, single, strings};

fn exact(instance: &Instance) -> u64 {
    solve(instance, &limits(), &|_| ()).unwrap().worst.cycles().0
}

const SIGMAS: [(&str, &str); 10] = [
    ("1", "1"),
    ("1", "2"),
    ("2", "1"),
    ("2", "2"),
    ("1", "3"),
    ("2", "3"),
    ("1", "4"),
    ("4", "2"),
    ("3", "3"),
    ("1", "6"),
];

/// A random instance of one to three groups.
fn random(rng: &mut ChaCha8Rng) -> Instance {
    let (l, c) = SIGMAS[rng.random_range(0..SIGMAS.len())];
    let multiprocessor = Multiprocessor::new(l.parse().unwrap(), c.parse().unwrap());
    let groups = rng.random_range(1..=3);
    let (longest, most) = [(9, 6), (5, 3), (4, 2)][groups - 1];
    let group = |rng: &mut ChaCha8Rng| {
        let length = rng.random_range(1..=longest);
        let share = rng.random_range(0.2..0.8);
        let kernel: String = (0..length).map(|_| if rng.random_bool(share) { 'L' } else { 'C' }).collect();
        WarpGroup { kernel: kernel.parse().unwrap(), warps: rng.random_range(1..=most) }
    };
    Instance::new((0..groups).map(|_| group(rng)).collect(), multiprocessor).unwrap()
}

/// The bound is never too low on 100,000 random instances, and tight on most of them.
#[test]
fn never_below_the_worst_case() {
    let chunk = |seed: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut tight, mut slack) = ([0_u64; 2], [0_u64; 2]);
        let mut same = 0;
        for at in 0..1000 {
            let instance = random(&mut rng);
            let (worst, found) = (exact(&instance), bound(&instance));
            let upper = found.makespan.cycles().0;
            assert!(upper >= worst, "{instance:?}: {upper} < {worst}");
            assert!(upper <= critical_path(&instance).cycles().0, "{instance:?}");
            assert_eq!(found.finish.iter().max(), Some(&found.makespan.cycles()));
            // At its theta another computation gives the same value, or less where another end of theta is
            // better for another group.
            if at % 10 == 0 {
                let plain = warpspan::check::plain_upper(&instance, Some(found.theta)).cycles;
                assert!(plain.0 >= worst, "{instance:?}: {plain} < {worst}");
                same += u64::from(plain == found.makespan.cycles());
            }
            let several = usize::from(instance.groups().len() > 1);
            tight[several] += u64::from(upper == worst);
            slack[several] += upper - worst;
        }
        assert!(same >= 95, "the plain route agrees on {same} of 100");
        (tight, slack)
    };
    let all: Vec<_> = (0..100).into_par_iter().map(chunk).collect();
    let sum = |at: usize| all.iter().map(|(tight, _)| tight[at]).sum::<u64>();
    println!("exact: one kernel {}, several {}", sum(0), sum(1));
    assert!(sum(0) > 25_000 && sum(1) > 30_000, "{} {}", sum(0), sum(1));
}

/// The bound is never too low on all strings of up to seven letters.
#[test]
fn never_below_on_all_short_strings() {
    for (l, c) in [("1", "2"), ("2", "2"), ("1", "4"), ("2", "3")] {
        let strings: Vec<String> = (1..=7).flat_map(strings).collect();
        strings.par_iter().for_each(|kernel| {
            for warps in 1..=6 {
                let instance = single(kernel, warps, l, c);
                assert!(
                    bound(&instance).makespan.cycles().0 >= exact(&instance),
                    "{kernel} {warps} ({l}, {c})"
                );
            }
        });
    }
}

/// A bound without the term n c, or with a single c, would be too low for these instances.
#[test]
fn switches_count() {
    for (kernel, warps, worst) in [("LCCC", 4, 9), ("LCLLCCCLLLCCC", 5, 40)] {
        let instance = single(kernel, warps, "1", "2");
        assert_eq!(exact(&instance), worst);
        assert!(bound(&instance).makespan.cycles().0 >= worst);
    }
}

/// Only other warps that have two fast letters in a row lose by a switch, and a warp that begins with slow letters
/// pays for no switch before its first. Without the two the bound would be 17.
#[test]
fn the_price_of_a_switch_is_that_of_the_warps_that_lose() {
    let groups = [("CCCCCC", 3), ("LCCCCC", 6)];
    let group = |(kernel, warps): (&str, u64)| WarpGroup { kernel: kernel.parse().unwrap(), warps };
    let multiprocessor = Multiprocessor::new("1".parse().unwrap(), "4".parse().unwrap());
    let instance = Instance::new(groups.map(group).to_vec(), multiprocessor).unwrap();
    assert_eq!(bound(&instance).makespan.cycles().0, 16);
    let rest = Remaining::new(&instance, bound(&instance).theta);
    assert_eq!(rest.bound(&[0; 9]), 16);
    assert_eq!(warpspan::check::plain_upper(&instance, Some(bound(&instance).theta)).cycles.0, 16);
    assert!(exact(&instance) <= 16);
}

/// The bound is never too low from any state of a thousand small instances, whether the state can be reached
/// or not.
#[test]
fn never_below_what_is_left() {
    let states: usize = (0..50_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(1000 + seed);
            let mut states = 0;
            for _ in 0..20 {
                let instance = loop {
                    let instance = random(&mut rng);
                    let letters: u64 =
                        instance.groups().iter().map(|group| group.warps * group.kernel.instructions()).sum();
                    if letters <= 14 {
                        break instance;
                    }
                };
                let rest = Remaining::new(&instance, bound(&instance).theta);
                for (state, worst) in brute::all_states(&instance) {
                    let issued: Vec<u16> = state.iter().map(|&at| u16::try_from(at).unwrap()).collect();
                    let found = rest.bound(&issued);
                    assert!(found >= worst, "{instance:?} {state:?}: {found} < {worst}");
                    states += 1;
                }
            }
            states
        })
        .sum();
    println!("{states} states");
}

/// The search that the bound guides finds the exact worst case where it says so, and its intervals always
/// hold the worst case.
#[test]
fn the_guided_search_is_exact() {
    let chunk = |seed: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(2000 + seed);
        for _ in 0..25 {
            let instance = random(&mut rng);
            let worst = exact(&instance);
            let found = Solver::new().engine(EngineChoice::Phase).limits(&limits()).solve(&instance).unwrap();
            assert!(found.worst_case().is_exact(), "{instance:?}");
            assert_eq!(found.worst_case().upper().cycles().0, worst, "{instance:?}");
        }
    };
    (0..40).into_par_iter().for_each(chunk);
}

/// At sigma 1 the bound is the closed form.
#[test]
fn the_closed_form_is_a_special_case() {
    for length in 1..=9 {
        strings(length).collect::<Vec<_>>().par_iter().for_each(|kernel| {
            for warps in [1, 3, 48] {
                let instance = single(kernel, warps, "1", "1");
                let closed = warpspan::engines::phase::solve(&instance, &limits()).unwrap();
                assert_eq!(bound(&instance).makespan.cycles(), closed.upper.cycles(), "{kernel} {warps}");
            }
        });
    }
}
