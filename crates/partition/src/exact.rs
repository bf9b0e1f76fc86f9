//! The fewest multiprocessors of any partitioning, for small sets, so that the loss of each heuristic is
//! known.
//!
//! Let need(S) be the smallest size at which a partition of the tasks S meets all deadlines by the test. Then
//! best(S) is the minimum of need(R) + best(S - R) over the subsets R of S that hold the first task of S.
//! Computed for all 2^n sets S, this covers every partitioning. n is at most [`MOST_TASKS`].

use crate::exact_packed::packed;
use crate::load::{Smallest, smallest};
use crate::{Division, Ended, Partition, TaskSet, Test, necessary};
use warpspan_model::limits::Limits;

/// The most tasks: for 16 tasks there are 3^16/2, or 21 million, pairs of a set and such a subset.
pub const MOST_TASKS: usize = 16;

/// The fewest multiprocessors, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimum {
    /// The partitions that together take the fewest multiprocessors, among those with at most M each; they
    /// may take more than M together.
    pub partitions: Option<Vec<Partition>>,
    /// A proved lower bound: no partitioning takes fewer multiprocessors. `None` if it is proved that none
    /// exists with partitions of at most M each, or none that a mechanism can set up. It is below what the partitions take only where a test was
    /// undecided.
    pub at_least: Option<usize>,
}

/// Finds partitions that meet all deadlines by the test and together take the fewest multiprocessors.
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
    let first = set.sizes().first().copied().unwrap_or(1);
    let mut need = vec![Smallest { at_least: first, accepted: Some(first) }; 1 << count];
    for subset in 1..need.len() {
        limits.go_on()?;
        // A set of tasks never needs less than a part of it, since tasks add demand and conflict.
        let least = tasks(subset).into_iter().map(|task| need[subset & !(1 << task)].at_least).max();
        need[subset] = smallest(set, test, &tasks(subset), [least.unwrap_or(first), most], limits)?;
    }
    let accepted: Vec<Option<usize>> = need.iter().map(|need| need.accepted).collect();
    let possible: Vec<Option<usize>> =
        need.iter().map(|need| (need.at_least <= most).then_some(need.at_least)).collect();
    let sum = |subsets: &[usize], sizes: &[Option<usize>]| subsets.iter().filter_map(|&s| sizes[s]).sum();
    let fewest = |sizes: &[Option<usize>]| match set.division().and_then(Division::combinations) {
        Some(combinations) => packed(sizes, &combinations, limits),
        None => fewest(sizes, limits),
    };
    let found = fewest(&accepted)?;
    let bound = if accepted == possible { found.clone() } else { fewest(&possible)? };
    let partition =
        |subset: &usize| Some(Partition { multiprocessors: accepted[*subset]?, tasks: tasks(*subset) });
    Ok(Optimum {
        partitions: found.and_then(|subsets| subsets.iter().map(partition).collect()),
        at_least: bound.map(|subsets| sum(&subsets, &possible)),
    })
}

/// The subsets into which all tasks are divided so that the sum of their sizes is least; `None` if every
/// division has a subset without a size.
fn fewest(sizes: &[Option<usize>], limits: &Limits) -> Result<Option<Vec<usize>>, Ended> {
    // For each set S: best(S), and the subset R that attains it.
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
