//! The exhaustive state-space engine against the table of exact values, brute force and figures known for
//! large W.

use crate::brute;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rayon::prelude::*;
use warpspan::engines::states::{Method, by, predict, solve};
use warpspan::limits::{Limits, Stop};
use warpspan::model::{Instance, Multiprocessor, WarpGroup};
use warpspan::schedule::replay;

use crate::common::{limits, oracle, single};

/// The worst makespan, whose schedule is replayed, and the best one.
fn extremes(method: Method, instance: &Instance, limits: &Limits) -> (u64, u64) {
    let outcome = by(method, instance, limits, &|_| ()).unwrap();
    let witness = replay(instance, outcome.schedule.unwrap()).unwrap();
    assert_eq!(witness.makespan(), outcome.worst.cycles());
    let witness = replay(instance, outcome.best_schedule.unwrap()).unwrap();
    assert_eq!(Some(witness.makespan()), outcome.best);
    (outcome.best.unwrap().0, outcome.worst.cycles().0)
}

const METHODS: [Method; 2] = [Method::Dense, Method::Levels];

#[test]
fn the_whole_table() {
    oracle().par_iter().for_each(|row| {
        for method in METHODS {
            let found = extremes(method, &row.instance(), &limits());
            assert_eq!(found, (row.best, row.worst), "{method:?} {row:?}");
        }
    });
}

#[test]
fn large_numbers_of_warps() {
    for (kernel, warps, worst) in
        [("LLCLL", 60, 241), ("LLCLLCLL", 16, 98), ("LCL", 300, 601), ("LLCCL", 40, 122), ("LC", 500, 501)]
    {
        let instance = single(kernel, warps, "1", "1");
        assert_eq!(extremes(Method::Dense, &instance, &limits()).1, worst, "{kernel} {warps}");
    }
    assert_eq!(extremes(Method::Dense, &single("CCCC", 8, "1", "4"), &limits()).1, 11);
}

/// I + (W-1) a for W >= 3, with the rate that other tests check; here the search judges it.
#[test]
fn long_kernels_with_few_warps() {
    for (kernel, warps) in [("(LLCLCCLC)12", 3), ("(LCCLL)8", 4), ("(LLC)8", 7)] {
        let instance = single(kernel, warps, "1", "1");
        let kernel = &instance.groups()[0].kernel;
        let worst = kernel.instructions() + (warps - 1) * warpspan::engines::phase::rate(kernel);
        assert_eq!(extremes(Method::Levels, &instance, &limits()).1, worst, "{kernel} {warps}");
    }
}

/// The result is the same for any number of threads.
#[test]
fn threads_do_not_matter() {
    let instance = single("LCCCLLCCLLL", 7, "2", "2");
    let with = |threads| Limits::new(None, 1 << 30, threads, std::sync::Arc::default());
    let one = extremes(Method::Dense, &instance, &with(1));
    assert_eq!(one, extremes(Method::Dense, &instance, &with(4)));
    assert_eq!(one, extremes(Method::Levels, &instance, &with(1)));
}

fn instance() -> impl Strategy<Value = Instance> {
    let sigma = || prop::sample::select(vec!["1", "2", "3", "4", "1/2"]);
    let groups = prop::collection::vec(("[LC]{1,5}", 1..=3_u64), 1..=3);
    (groups, sigma(), sigma()).prop_filter_map("small enough", |(groups, l, c)| {
        let group = |(kernel, warps): (String, u64)| WarpGroup { kernel: kernel.parse().unwrap(), warps };
        let multiprocessor = Multiprocessor::new(l.parse().unwrap(), c.parse().unwrap());
        let instance = Instance::new(groups.into_iter().map(group).collect(), multiprocessor).unwrap();
        (instance.total_warps() <= 6 && instance.total_issues() <= 24).then_some(instance)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(2012), ..ProptestConfig::default() })]

    #[test]
    fn brute_force_agrees(instance in instance()) {
        let brute = brute::makespans(&instance);
        for method in METHODS {
            prop_assert_eq!(extremes(method, &instance, &limits()), brute);
        }
    }
}

#[test]
fn limits_are_honoured() {
    let stop =
        |instance: &Instance, limits: &Limits| solve(instance, limits, &|_| ()).unwrap_err().ending.stop();
    // This is recognised before anything is allocated.
    let vast = single("LLCCLLCCLLCC", 64, "1", "1");
    assert_eq!(predict(&vast, &limits()).method, None);
    assert_eq!(stop(&vast, &limits()), Some(Stop::MemoryLimit));
    assert_eq!(predict(&single("(LLC)100", 1000, "1", "1"), &limits()).states, u64::MAX);
    // This is reached while the search runs.
    let none = limits().within(std::time::Duration::ZERO);
    assert_eq!(stop(&single("LLCLL", 60, "1", "1"), &none), Some(Stop::TimeLimit));
    assert_eq!(stop(&single("(LLC)40", 4, "1", "1"), &none), Some(Stop::TimeLimit));
    let small = Limits::new(None, 1 << 16, 1, std::sync::Arc::default());
    assert_eq!(stop(&single("(LLC)40", 4, "1", "1"), &small), Some(Stop::MemoryLimit));
}

/// Without memory to store the way back, the search by levels finds the same schedules by running the halves
/// again.
#[test]
fn the_way_back_without_memory_for_it() {
    let instance = single("(LLC)20", 4, "1", "1");
    let with = |memory, threads| {
        let limits = Limits::new(None, memory, threads, std::sync::Arc::default());
        let outcome = by(Method::Levels, &instance, &limits, &|_| ()).unwrap();
        assert_eq!(outcome.worst.cycles().0, 60 + 3 * 40);
        for (schedule, makespan) in
            [(&outcome.schedule, outcome.worst.cycles()), (&outcome.best_schedule, outcome.best.unwrap())]
        {
            assert_eq!(replay(&instance, schedule.clone().unwrap()).unwrap().makespan(), makespan);
        }
        (outcome.schedule.unwrap(), outcome.best_schedule.unwrap())
    };
    let tight = with(1 << 21, 1);
    assert_eq!(tight, with(1 << 21, 2));
    assert_eq!(with(1 << 30, 1), with(1 << 30, 2));
}

/// A search by levels that is stopped in the middle still bounds the makespan by what it has seen.
#[test]
fn what_a_stopped_search_excludes() {
    let instance = single("(LLC)40", 4, "1", "1");
    let critical = warpspan::bound::critical_path(&instance).cycles();
    for memory in [1 << 16, 1 << 18, 1 << 19] {
        let limits = Limits::new(None, memory, 1, std::sync::Arc::default());
        let Err(unfinished) = by(Method::Levels, &instance, &limits, &|_| ()) else { continue };
        let upper = unfinished.upper.unwrap().cycles();
        assert!(upper < critical && upper.0 >= 120 + 3 * 80, "{upper} at {memory} bytes, {critical}");
    }
}
