//! The fewest multiprocessors of any partitioning, for small sets, so that the loss of each heuristic is known.
//!
//! need(S) = the smallest size at which a partition of the tasks S meets all deadlines by the test. Then
//! best(S) = min over subsets R of S that hold the first task of S of need(R) + best(S - R), over all 2^n sets S, which
//! looks at every partitioning. n is at most [`MOST_TASKS`].

use crate::limits::Limits;
use crate::realtime::partition::load::{Smallest, smallest};
use crate::realtime::partition::necessary;
use crate::realtime::partition::{Ended, Partition, TaskSet, Test};

/// The most tasks: 3^16/2 subsets of subsets are 21 million.
pub const MOST_TASKS: usize = 16;

/// The fewest multiprocessors, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimum {
    /// The fewest that were found, of all partitions of at most M each; their sum may be above M.
    pub partitions: Option<Vec<Partition>>,
    /// No partitioning takes fewer multiprocessors, which is proved; `None` if there is none with partitions of at most M
    /// each. Less than the partitions take only where a test was undecided.
    pub at_least: Option<usize>,
}

/// Partitions in each of which all deadlines hold by the test and which together take the fewest multiprocessors.
///
/// # Errors
/// If no partitioning can exist, or a limit stops it.
///
/// # Panics
/// If there are more than [`MOST_TASKS`] tasks.
pub fn exact(set: &TaskSet, test: Test, limits: &Limits) -> Result<Optimum, Ended> {
    let count = set.tasks().len();
    assert!(count <= MOST_TASKS, "more than {MOST_TASKS} tasks");
    necessary::start(set)?;
    let most = set.multiprocessors();
    let mut need = vec![Smallest { at_least: 1, accepted: Some(1) }; 1 << count];
    for subset in 1..need.len() {
        limits.go_on()?;
        // More tasks never need less: they add demand and conflict.
        let least = tasks(subset).into_iter().map(|task| need[subset & !(1 << task)].at_least).max();
        need[subset] = smallest(set, test, &tasks(subset), [least.unwrap_or(1), most], limits)?;
    }
    let accepted: Vec<Option<usize>> = need.iter().map(|need| need.accepted).collect();
    let possible: Vec<Option<usize>> =
        need.iter().map(|need| (need.at_least <= most).then_some(need.at_least)).collect();
    let sum = |subsets: &[usize], sizes: &[Option<usize>]| subsets.iter().filter_map(|&s| sizes[s]).sum();
    let found = fewest(&accepted, limits)?;
    let bound = if accepted == possible { found.clone() } else { fewest(&possible, limits)? };
    let partition =
        |subset: &usize| Some(Partition { multiprocessors: accepted[*subset]?, tasks: tasks(*subset) });
    Ok(Optimum {
        partitions: found.and_then(|subsets| subsets.iter().map(partition).collect()),
        at_least: bound.map(|subsets| sum(&subsets, &possible)),
    })
}

/// The subsets into which all tasks are cut so that the sum of their sizes is least; `None` if each way has one without a size.
fn fewest(sizes: &[Option<usize>], limits: &Limits) -> Result<Option<Vec<usize>>, Ended> {
    // best[S] and the subset R that begins it
    let mut best: Vec<Option<(usize, usize)>> = vec![None; sizes.len()];
    best[0] = Some((0, 0));
    for whole in 1..sizes.len() {
        limits.go_on()?;
        let first = whole & whole.wrapping_neg();
        let others = whole & !first;
        let mut rest = others;
        loop {
            let subset = whole & !rest;
            if let (Some(size), Some((left, _))) = (sizes[subset], best[rest]) {
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
    let mut subsets = Vec::new();
    let mut left = sizes.len() - 1;
    while left != 0 {
        let Some((_, subset)) = best[left] else { return Ok(None) };
        subsets.push(subset);
        left &= !subset;
    }
    Ok(Some(subsets))
}

/// The tasks of a subset.
fn tasks(subset: usize) -> Vec<usize> {
    (0..MOST_TASKS).filter(|&task| subset >> task & 1 == 1).collect()
}
