//! Conditions that any partitioning must satisfy, and the partitions that the heuristics start from (Si21
//! Lemmas 1 and 2).

use thiserror::Error;

use crate::sporadic::real;
use crate::{Task, TaskSet, write_time};
use warpspan_model::time::Millionths;

/// A proof that no partitioning at all can meet all deadlines, whatever the heuristic and the policy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Impossible {
    /// Lemma 2: a task is too long even alone on the whole GPU.
    #[error(
        "{name} takes {} alone on all {multiprocessors} multiprocessors, its deadline is {}",
        write_time(*execution), write_time(*deadline)
    )]
    Task {
        /// The task.
        name: String,
        /// C(M) without conflict.
        execution: Millionths,
        /// M, the number of multiprocessors.
        multiprocessors: usize,
        /// D, its deadline.
        deadline: Millionths,
    },
    /// Lemma 1: the tasks need more than all multiprocessors.
    #[error("the tasks need {needed:.3} multiprocessors' time, there are {multiprocessors} (Si21 Lemma 1)")]
    Utilisation {
        /// The sum of the least m C(m) / T, rounded down.
        needed: f64,
        /// M, the number of multiprocessors.
        multiprocessors: usize,
    },
}

/// Si21 Lemma 1: the set is not schedulable if the sum of `C_i`(1)/`T_i` is above M.
///
/// The tasks of a partition of m multiprocessors have a sum of `C_i`(m)/`T_i` of at most 1, so the sum of m
/// `C_i`(m)/`T_i` over all tasks is at most M. For C(m) = a/m + b, m C(m) is least at the lemma's m = 1; for
/// any other C(m), and where not all sizes can be had, the least value over all m that a partition can have is taken.
fn lemma_1(set: &TaskSet) -> Result<(), Impossible> {
    let multiprocessors = set.multiprocessors();
    let share = |task: &Task| {
        let work = |m: usize| u128::from(task.execution().on(m, false).0) * m as u128;
        let least = set.sizes().iter().copied().map(work).min().unwrap_or(0);
        (least << 40) / u128::from(task.period().0) // This is in units of 2^-40, rounded down.
    };
    let needed: u128 = set.tasks().iter().map(share).sum();
    if needed <= (multiprocessors as u128) << 40 {
        return Ok(());
    }
    let needed = real(u64::try_from(needed >> 20).unwrap_or(u64::MAX)) / 1_048_576.0;
    Err(Impossible::Utilisation { needed, multiprocessors })
}

/// Si21 Lemma 2: the size of each task's own partition, the smallest m with C(m) <= D.
fn lemma_2(set: &TaskSet) -> Result<Vec<usize>, Impossible> {
    let multiprocessors = set.multiprocessors();
    let size = |task: &Task| {
        set.sizes().iter().copied().find(|&m| task.execution().on(m, false) <= task.deadline()).ok_or_else(
            || Impossible::Task {
                name: task.name().to_owned(),
                execution: task.execution().on(multiprocessors, false),
                multiprocessors,
                deadline: task.deadline(),
            },
        )
    };
    set.tasks().iter().map(size).collect()
}

/// The size of each task's own partition, if the set passes Lemma 1.
///
/// # Errors
/// The reason why no partitioning can meet all deadlines.
pub(super) fn start(set: &TaskSet) -> Result<Vec<usize>, Impossible> {
    let sizes = lemma_2(set)?;
    lemma_1(set)?;
    Ok(sizes)
}
