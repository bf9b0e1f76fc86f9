//! The closed form against the ILP and brute force on all small strings, and its schedule on larger ones.

use crate::brute;
use rayon::prelude::*;
use warpspan::check::plain_upper;
use warpspan::engines::phase;
use warpspan::schedule::replay;

use crate::common::{limits, single, strings};

/// Both sides of the closed form and its replayed schedule.
fn closed_form(kernel: &str, warps: u64) -> u64 {
    let instance = single(kernel, warps, "1", "1");
    let closed = phase::solve(&instance, &limits()).unwrap();
    let witness = replay(&instance, closed.schedule(&limits()).unwrap()).unwrap();
    assert_eq!(closed.lower.cycles(), closed.upper.cycles(), "{kernel} {warps}");
    assert_eq!(closed.lower.cycles(), witness.makespan(), "{kernel} {warps}");
    witness.makespan().0
}

#[test]
fn equals_brute_force_to_five_letters() {
    for kernel in (1..=5).flat_map(strings) {
        for warps in 1..=3 {
            let (_, worst) = brute::makespans(&single(&kernel, warps, "1", "1"));
            assert_eq!(closed_form(&kernel, warps), worst, "{kernel} {warps}");
        }
    }
}

#[cfg(feature = "highs")]
#[test]
fn equals_the_ilp_to_five_letters() {
    use crate::common::by_ilp;
    use warpspan::bound::Upper;
    use warpspan::engines::ilp;
    let all: Vec<String> = (1..=5).flat_map(strings).collect();
    all.par_iter().for_each(|kernel| {
        for warps in 1..=3 {
            let instance = single(kernel, warps, "1", "1");
            let outcome = by_ilp(&instance, &ilp::Options::DEFAULT);
            let witness = replay(&instance, outcome.schedule.unwrap()).unwrap();
            assert_eq!(outcome.upper.map(Upper::cycles), Some(witness.makespan()), "{kernel} {warps}");
            assert_eq!(closed_form(kernel, warps), witness.makespan().0, "{kernel} {warps}");
        }
    });
}

/// The schedule replays, and the upper bound agrees with a second computation, on all strings of up to 8
/// letters.
#[test]
fn schedule_is_valid_and_bound_recomputed_to_eight_letters() {
    let all: Vec<String> = (1..=8).flat_map(strings).collect();
    all.par_iter().for_each(|kernel| {
        for warps in 1..=6 {
            let makespan = closed_form(kernel, warps);
            assert_eq!(
                plain_upper(&single(kernel, warps, "1", "1"), None).cycles.0,
                makespan,
                "{kernel} {warps}"
            );
        }
    });
}

/// The labels describe a labelling whose value is a: agreements minus changes.
#[test]
fn labels_earn_the_rate() {
    for kernel in (1..=10).flat_map(strings) {
        let parsed = kernel.parse().unwrap();
        let labels = phase::labels(&parsed).to_string();
        let agreements = labels.chars().zip(kernel.chars()).filter(|(a, b)| a == b).count();
        let changes = labels.as_bytes().windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!(agreements - changes, usize::try_from(phase::rate(&parsed)).unwrap(), "{kernel} {labels}");
    }
}

/// Large instances of the papers and of real kernels have their worst cases.
#[test]
fn large_instances() {
    for (kernel, warps, makespan) in [
        ("LLCLL", 600, 2401),
        ("LLCLLCLL", 420, 2522),
        ("LLCCL", 600, 1802),
        ("LLLLCCCC", 64, 449),
        ("LLCCLCCCCLLL", 48, 435),
        ("CCCCCCLLCCLCCL", 48, 484),
        ("C6L4C2L2C2L2", 48, 629),
        ("C6L4CL2CL2C2L2", 48, 725),
    ] {
        assert_eq!(closed_form(kernel, warps), makespan, "{kernel} {warps}");
    }
}

/// Where the schedule does not fit into memory, the value is given without a schedule.
#[test]
fn a_thousand_million_warps_have_a_value_and_no_schedule() {
    let instance = single("LLCLL", 1_000_000_000, "1", "1");
    let closed = phase::solve(&instance, &limits()).unwrap();
    assert_eq!(closed.upper.cycles().0, 5 + 999_999_999 * 4);
    assert!(closed.schedule(&limits()).is_none());
}

/// Two warps beyond the limits leave an interval, not an error.
#[test]
fn two_warps_of_a_long_kernel_leave_an_interval() {
    use warpspan::engines::portfolio::{EngineChoice, Solver};
    use warpspan::limits::{Ending, Limits, Stop};
    let instance = single("(LLCLC)2000", 2, "1", "1");
    let small = Limits::new(None, 1 << 20, 1, std::sync::Arc::default());
    let solution = Solver::new().engine(EngineChoice::Phase).limits(&small).solve(&instance).unwrap();
    assert_eq!(solution.ending(), Ending::Stopped(Stop::MemoryLimit));
    let exact = phase::solve(&instance, &limits()).unwrap().upper.cycles();
    assert!(
        solution.worst_case().lower().cycles() <= exact && exact <= solution.worst_case().upper().cycles()
    );
    assert!(!solution.worst_case().is_exact());
}

/// The exhaustive search, which does not know the closed form, agrees with it on all strings of up to ten
/// letters.
#[test]
fn equals_the_exhaustive_search_to_ten_letters() {
    let all: Vec<String> = (1..=10).flat_map(strings).collect();
    all.par_iter().for_each(|kernel| {
        for warps in 1..=6 {
            let instance = single(kernel, warps, "1", "1");
            let closed = phase::solve(&instance, &limits()).unwrap();
            let outcome = warpspan::engines::states::solve(&instance, &limits(), &|_| ()).unwrap();
            assert_eq!(closed.upper.cycles(), outcome.worst.cycles(), "{kernel} {warps}");
        }
    });
}
