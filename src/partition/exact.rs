//! The fewest multiprocessors of any partitioning, for small sets, so that the loss of each heuristic is known.
//!
//! need(S) = the smallest size at which a partition of the tasks S meets all deadlines by the test. Then
//! best(S) = min over subsets R of S that hold the first task of S of need(R) + best(S - R), over all 2^n sets S, which
//! looks at every partitioning. n is at most [`MOST_TASKS`].

use crate::limits::Limits;
use crate::partition::heuristic::Ended;
use crate::partition::load::smallest;
use crate::partition::necessary;
use crate::partition::{Partition, TaskSet, Test};

/// The most tasks: 3^16/2 subsets of subsets are 21 million.
pub const MOST_TASKS: usize = 16;

/// Partitions in each of which all deadlines hold by the test and which together take the fewest multiprocessors, of all
/// partitions of at most M each; `None` if there are none. The sum may be above M.
///
/// # Errors
/// If no partitioning can exist, or a limit stops it.
///
/// # Panics
/// If there are more than [`MOST_TASKS`] tasks.
pub fn exact(set: &TaskSet, test: Test, limits: &Limits) -> Result<Option<Vec<Partition>>, Ended> {
    let count = set.tasks().len();
    assert!(count <= MOST_TASKS, "more than {MOST_TASKS} tasks");
    necessary::start(set)?;
    let all = (1_usize << count) - 1;
    let mut need: Vec<Option<usize>> = vec![Some(1); all + 1];
    for subset in 1..=all {
        if let Some(stop) = limits.stopped() {
            return Err(Ended::Stopped(stop));
        }
        // More tasks never need less: they add demand and conflict.
        let parts = tasks(subset).into_iter().map(|task| need[subset & !(1 << task)]);
        let least = parts.reduce(|one, other| Some(one?.max(other?))).flatten();
        need[subset] =
            least.and_then(|least| smallest(set, test, &tasks(subset), least.max(1), set.multiprocessors()));
    }
    // best[S] and the subset R that begins it
    let mut best: Vec<Option<(usize, usize)>> = vec![None; all + 1];
    best[0] = Some((0, 0));
    for whole in 1..=all {
        if let Some(stop) = limits.stopped() {
            return Err(Ended::Stopped(stop));
        }
        let first = whole & whole.wrapping_neg();
        let others = whole & !first;
        let mut rest = others;
        loop {
            let subset = whole & !rest;
            if let (Some(size), Some((left, _))) = (need[subset], best[rest]) {
                let found = (size + left, subset);
                if best[whole].is_none_or(|known| found < known) {
                    best[whole] = Some(found);
                }
            }
            if rest == 0 {
                break;
            }
            rest = (rest - 1) & others;
        }
    }
    let mut partitions = Vec::new();
    let mut left = all;
    while left != 0 {
        let Some((_, subset)) = best[left] else { return Ok(None) };
        let Some(multiprocessors) = need[subset] else { return Ok(None) };
        partitions.push(Partition { multiprocessors, tasks: tasks(subset) });
        left &= !subset;
    }
    Ok(Some(partitions))
}

/// The tasks of a subset.
fn tasks(subset: usize) -> Vec<usize> {
    (0..MOST_TASKS).filter(|&task| subset >> task & 1 == 1).collect()
}
