//! The exhaustive state-space engine against the table of exact values, brute force and figures known for large W.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod brute;
mod common;

use proptest::prelude::*;
use rayon::prelude::*;
use warpspan::limits::{Limits, Stop};
use warpspan::model::{Instance, Multiprocessor, WarpGroup};
use warpspan::schedule::replay;
use warpspan::states::{StatesError, size, solve};

use common::{limits, oracle, single};

/// Worst, replayed, and best.
fn extremes(instance: &Instance, limits: &Limits) -> (u64, u64) {
    let outcome = solve(instance, limits, &|_| ()).unwrap();
    let witness = replay(instance, outcome.schedule).unwrap();
    assert_eq!(witness.makespan(), outcome.worst);
    (outcome.best.unwrap().0, outcome.worst.0)
}

#[test]
fn the_whole_table() {
    let rows: Vec<_> =
        oracle().into_iter().filter(|row| size(&row.instance()).1 <= limits().memory).collect();
    assert_eq!(rows.len(), 1508);
    rows.par_iter().for_each(|row| {
        assert_eq!(extremes(&row.instance(), &limits()), (row.best, row.worst), "{row:?}");
    });
}

#[test]
fn large_numbers_of_warps() {
    for (kernel, warps, worst) in
        [("LLCLL", 60, 241), ("LLCLLCLL", 16, 98), ("LCL", 300, 601), ("LLCCL", 40, 122), ("LC", 500, 501)]
    {
        assert_eq!(extremes(&single(kernel, warps, "1", "1"), &limits()).1, worst, "{kernel} {warps}");
    }
    assert_eq!(extremes(&single("CCCC", 8, "1", "4"), &limits()).1, 11);
    assert_eq!(extremes(&single("LCCCLLCCLLL", 5, "2", "2"), &limits()), brute_by_one_thread());
}

/// The same instance once more, in another order of threads.
fn brute_by_one_thread() -> (u64, u64) {
    let four = Limits::new(None, 1 << 30, 4, std::sync::Arc::default());
    extremes(&single("LCCCLLCCLLL", 5, "2", "2"), &four)
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
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn brute_force_agrees(instance in instance()) {
        prop_assert_eq!(extremes(&instance, &limits()), brute::makespans(&instance));
    }
}

#[test]
fn limits_are_honoured() {
    let instance = single("LLCCLLCCLLCC", 64, "1", "1");
    assert!(matches!(solve(&instance, &limits(), &|_| ()), Err(StatesError::TooLarge { .. })));
    assert_eq!(size(&single("(LLC)100", 1000, "1", "1")).0, u64::MAX);
    let none = limits().within(std::time::Duration::ZERO);
    let stopped = solve(&single("LLCLL", 60, "1", "1"), &none, &|_| ());
    assert!(matches!(stopped, Err(StatesError::Stopped(Stop::TimeLimit))));
}
