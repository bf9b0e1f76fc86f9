//! The bounds by level of priority: examples by hand, and what their terms are for.

use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::time::Duration;
use warpspan::realtime::rta::{bound, executions, explain, read_system};

use crate::realtime::gpu;

/// A kernel: blocks of so many warps, C, period, priority.
type Parts = (u64, u64, u64, u64, i64);

/// A system of sporadic kernels on multiprocessors of so many warps.
fn text(multiprocessors: u64, warps: u64, kernels: &[Parts]) -> String {
    let kernel = |&(blocks, block, c, period, priority): &Parts| {
        format!(
            "[[kernel]]\nblocks = {blocks}\nthreads_per_block = {}\nexecution = {c}\nperiod = {period}\n\
             sporadic = true\npriority = {priority}\n",
            32 * block
        )
    };
    let kernels: String = kernels.iter().map(kernel).collect();
    format!("[gpu]\nmultiprocessors = {multiprocessors}\nthreads = {}\n{kernels}", 32 * warps)
}

fn bounds(text: &str) -> Vec<Option<u64>> {
    let system = read_system("s.toml", text).unwrap();
    let executions = executions(&system, &Limits::generous()).unwrap();
    let found = bound(&system, &executions, &Limits::generous());
    found.iter().map(|bound| bound.response.ok().map(|response| response.0)).collect()
}

/// One block at a time, so that the known analysis of non-preemptive jobs applies: a launch waits for one less urgent
/// block, and for all that is more urgent until it starts.
#[test]
fn one_block_at_a_time_is_non_preemptive_scheduling() {
    // The first waits for one block of 4 or 5, which began just before: less than that, and so a whole 5 at most.
    let found = bounds(&text(1, 1, &[(1, 1, 2, 20, 3), (1, 1, 4, 30, 2), (1, 1, 5, 40, 1)]));
    // The second: 5 + 2 + 4. The third: 2 + 4 + 5.
    assert_eq!(found, [Some(7), Some(11), Some(11)]);
}

/// T = 5, 7, 7 and C = 2, the first and the last two of one priority each. Own launches before ours count: with one launch
/// of each the third would take 6, and a run takes 7.
#[test]
fn earlier_launches_of_a_kernel_count_in_its_window() {
    let found = bounds(&text(1, 1, &[(1, 1, 2, 5, 3), (1, 1, 2, 7, 2), (1, 1, 2, 7, 1)]));
    assert_eq!(found[2], Some(7));
}

/// Blocks of less urgent kernels that wait behind ours do not count, whatever their number.
#[test]
fn less_urgent_launches_count_with_the_blocks_that_are_there() {
    // Two multiprocessors of 4 warps. Less urgent: blocks of 1 warp, of which both may be full, for 10. One of ours takes
    // its whole multiprocessor for 3 while the other waits: (2 10 + 3) / 2, rounded up, and 3.
    for blocks in [8, 100, 10_000] {
        let found = bounds(&text(2, 4, &[(2, 4, 3, 1000, 1), (blocks, 1, 10, 1_000_000, 0)]));
        assert_eq!(found[0], Some(15));
    }
}

/// Blocks of 2 warps of 4 count half, since only they may be what waits: a less urgent kernel of 4 warps adds what is there, and
/// leaves the weights of the level as they are. Were its block a head too, one of 2 warps would count whole.
#[test]
fn the_weights_are_those_of_the_heads_of_a_level() {
    // 3 of 4 blocks, half of 5 each, rounded up, and 5.
    assert_eq!(bounds(&text(1, 4, &[(4, 2, 5, 1000, 1)])), [Some(13)]);
    let two = bounds(&text(1, 4, &[(4, 2, 5, 1000, 1), (1, 4, 1, 1000, 0)]));
    assert_eq!(two[0], Some(14));
}

/// What a kernel is delayed by adds up, and names the blocks that were there.
#[test]
fn a_window_names_what_it_consists_of() {
    let text = text(1, 1, &[(1, 1, 2, 20, 3), (1, 1, 4, 30, 2), (1, 1, 5, 40, 1)]);
    let system = read_system("s.toml", &text).unwrap();
    let executions = executions(&system, &Limits::generous()).unwrap();
    let found = explain(&system, &executions, &Limits::generous());
    let second = found[1].as_ref().unwrap();
    let of = |kernel: usize| second.shares.iter().find(|share| share.kernel == kernel).unwrap();
    assert_eq!([of(0).ahead_c, of(1).run, of(2).resident], [Duration(2), Duration(4), Duration(5)]);
    assert_eq!(second.total(), second.bound);
}

/// A kernel of which all releases are known: release, C, blocks, warps of a block, period, priority.
type Known = (u64, u64, u64, u64, u64, i64);

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    /// Windows of known releases, each kernel in a stream of its own: whatever blocks take, wherever they go, and whichever
    /// of an end and a release comes first, no launch takes longer than its bound.
    #[test]
    fn windows_of_known_releases_hold(
        multiprocessors in 1..3_u64,
        warps in 1..4_u64,
        kernels in prop::collection::vec(
            (0..30_u64, 1..7_u64, 1..4_u64, 1..4_u64, prop::sample::select(vec![10, 12, 15, 20, 25, 30]), -2..3_i64),
            2..6,
        ),
        seed in any::<u64>(),
    ) {
        let kernel = |&(release, c, blocks, block, period, priority): &Known| {
            format!(
                "[[kernel]]\nblocks = {blocks}\nthreads_per_block = {}\nexecution = {c}\nperiod = {period}\n\
                 release = {release}\npriority = {priority}\n",
                32 * block.min(warps)
            )
        };
        let kernels: String = kernels.iter().map(kernel).collect();
        let text = format!("[gpu]\nmultiprocessors = {multiprocessors}\nthreads = {}\n{kernels}", 32 * warps);
        let system = read_system("s.toml", &text).unwrap();
        let executions = executions(&system, &Limits::generous()).unwrap();
        let found = bound(&system, &executions, &Limits::generous());
        let times: Vec<Duration> = executions.iter().map(|execution| execution.time).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for (shorter, releases_first) in [(false, false), (false, true), (true, false), (true, true), (true, false)] {
            let mut freedom =
                gpu::Freedom { shorter, anywhere: true, later: false, releases_first, rng: &mut rng };
            let launches = gpu::play(&system, &times, 350, &mut freedom);
            for (index, launches) in launches.iter().enumerate() {
                let worst = launches.iter().map(|(release, completion)| completion - release).max();
                if let (Some(worst), Ok(bound)) = (worst, found[index].response) {
                    prop_assert!(worst <= bound.0, "kernel {index}: {worst} > {bound:?} in\n{text}");
                }
            }
        }
    }
}
