//! The guided search against the exhaustive one.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::engines::beam::{Breadth, Outcome, search};
use warpspan::engines::phase::{Remaining, bound};
use warpspan::engines::states;
use warpspan::limits::{Ending, Limits, Stop};
use warpspan::model::{Cycles, Instance, Multiprocessor, WarpGroup};
use warpspan::schedule::replay;

use crate::common::{limits, single};

fn beam(instance: &Instance, width: usize, threads: usize) -> Outcome {
    let remaining = Remaining::new(instance, bound(instance).theta);
    let limits = Limits::new(None, 1 << 30, threads, std::sync::Arc::default());
    search(instance, &remaining, Breadth { width, ways: 64 }, Cycles(0), &limits, &|_, _| ())
}

fn length(instance: &Instance, outcome: &Outcome) -> Cycles {
    replay(instance, outcome.schedule.clone().unwrap()).unwrap().makespan()
}

/// The schedules are valid and equally long on one thread and on two; a beam that is wide enough to leave
/// nothing out finds the worst case.
#[test]
fn beams() {
    for (kernel, warps, l, c) in
        [("LLCLL", 6, "1", "1"), ("LCCCLLCC", 4, "1", "2"), ("LLCCLLCCLLCC", 64, "1", "1")]
    {
        let instance = single(kernel, warps, l, c);
        let [one, two] = [1, 2].map(|threads| beam(&instance, 200, threads));
        assert_eq!(
            (length(&instance, &one), one.upper.cycles()),
            (length(&instance, &two), two.upper.cycles()),
            "{kernel}"
        );
        assert!(one.upper.cycles() >= length(&instance, &one));
        if warps < 64 {
            let wide = beam(&instance, 1 << 20, 2);
            let worst = states::solve(&instance, &limits(), &|_| ()).unwrap().worst.cycles();
            assert_eq!(
                (length(&instance, &wide), wide.upper.cycles(), wide.ending),
                (worst, worst, Ending::Proved)
            );
        }
    }
}

/// Where a unit has more choices than the search examines, or a front has more states than there is room for,
/// the states that were left out still count in the bounds.
#[test]
fn what_is_left_out_counts() {
    let narrower: usize = (0..20_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let (l, c) = [("4", "4"), ("1", "6"), ("2", "5")][rng.random_range(0..3)];
            let sigmas = Multiprocessor::new(l.parse().unwrap(), c.parse().unwrap());
            let kernel: String = (0..6).map(|_| if rng.random_bool(0.4) { 'L' } else { 'C' }).collect();
            let groups = vec![
                WarpGroup { kernel: kernel.parse().unwrap(), warps: 7 },
                WarpGroup { kernel: kernel[2..5].parse().unwrap(), warps: rng.random_range(1..=4) },
            ];
            let instance = Instance::new(groups, sigmas).unwrap();
            let worst = states::solve(&instance, &limits(), &|_| ()).unwrap().worst.cycles();
            let mut narrower = 0;
            for width in [1, 8, 64] {
                let found = beam(&instance, width, 1);
                let lower = length(&instance, &found);
                assert!(
                    lower <= worst && worst <= found.upper.cycles(),
                    "{instance:?}: {lower} {worst} {found:?}"
                );
                narrower += usize::from(lower < found.upper.cycles());
            }
            narrower
        })
        .sum();
    assert!(narrower > 10, "beams that leave something open: {narrower}");
}

/// Limits end the search, and what is known until then is kept.
#[test]
fn stopped() {
    let instance = single("LLCCLLCCLLCC", 64, "1", "2");
    let remaining = Remaining::new(&instance, bound(&instance).theta);
    let run = |limits: &Limits| {
        search(&instance, &remaining, Breadth { width: 1 << 16, ways: 64 }, Cycles(100), limits, &|_, _| ())
    };
    let late = run(&limits().within(std::time::Duration::ZERO));
    assert_eq!(
        (late.ending, late.upper.cycles(), late.schedule),
        (Ending::Stopped(Stop::TimeLimit), bound(&instance).makespan.cycles(), None)
    );
    let small = run(&Limits::new(None, 1 << 16, 1, std::sync::Arc::default()));
    assert_eq!((small.ending, small.schedule), (Ending::Stopped(Stop::MemoryLimit), None));
    assert!(
        small.upper.cycles() >= Cycles(390) && small.upper.cycles() <= bound(&instance).makespan.cycles()
    );
}
