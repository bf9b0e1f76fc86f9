//! The bounds by level of priority: examples by hand, and what their terms are for.

use warpspan::limits::Limits;
use warpspan::model::time::Duration;
use warpspan::realtime::rta::{bound, executions, explain, read_system};

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
    // Two multiprocessors of 4 warps. Less urgent: 100 blocks of 1 warp. At most 8 of them are there, for 10.
    let found = bounds(&text(2, 4, &[(2, 4, 3, 1000, 1), (100, 1, 10, 10_000, 0)]));
    assert_eq!(found[0], Some(13));
}

/// Blocks of 3 and of 2 warps on 4 warps: while one of 3 waits 2 warps are taken, and then one of 2 fills half of it. Heads
/// of 2 warps alone fill all of it.
#[test]
fn the_weights_are_those_of_the_heads_of_a_level() {
    let one = bounds(&text(1, 4, &[(4, 2, 5, 1000, 1)]));
    assert_eq!(one, [Some(10)]);
    // A less urgent kernel of 3 warps adds what is there, and no more: it does not make blocks of 2 warps wait for longer.
    let two = bounds(&text(1, 4, &[(4, 2, 5, 1000, 1), (1, 3, 1, 1000, 0)]));
    assert_eq!(two[0], Some(11));
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
