//! Checks whether C of kernel strings may be used: which kernels have co-runners, and which had to wait.
//!
//! C of a kernel string holds for blocks that start together on an empty multiprocessor and stay alone there.
//! Blocks that had to wait follow other blocks, and those end at different times if they take less than C, so
//! the blocks that waited do not start together either.
//!
//! One run of the simulator, in which all blocks take C, stands for all runs: where no block waits, each block starts
//! when it is released and has ended no later than in this run. Only the choice of multiprocessors may differ, since
//! the GPU may put a block wherever there is room. So blocks of different kernels that are on the GPU at the same time
//! count as co-runners, whichever multiprocessors they are on.

use std::collections::HashMap;

use crate::{Event, Execution, Job, System};
use warpspan_model::time::Duration;

/// Why C of a kernel string does not hold in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAlone {
    /// Blocks of another kernel are on the GPU at the same time, and may be on the same multiprocessor.
    Beside {
        /// The kernel.
        task: usize,
        /// The kernel that co-runs with it.
        beside: usize,
    },
    /// Blocks of a kernel waited until other blocks ended.
    Waited {
        /// The kernel.
        task: usize,
    },
}

/// The kernels for which C of kernel strings does not hold in a run of the simulator. Each kernel has at most
/// one entry of each kind.
pub(super) fn not_alone(system: &System, executions: &[Execution], events: &[Event]) -> Vec<NotAlone> {
    let solved = |task: usize| executions[task].solved.is_some();
    let mut running: Vec<(Duration, usize)> = Vec::new();
    let mut queued: HashMap<Job, Duration> = HashMap::new();
    let (mut beside, mut waited) = (vec![None; system.tasks().len()], vec![false; system.tasks().len()]);
    for event in events {
        match *event {
            Event::Released(_) => {}
            Event::Queued(job, time) => {
                queued.insert(job, time);
            }
            Event::Completed(job, _) => {
                queued.remove(&job);
            }
            Event::Placed(placed) => {
                let task = placed.job.task;
                running.retain(|&(end, _)| end > placed.start);
                for &(_, other) in running.iter().filter(|&&(_, other)| other != task) {
                    beside[task].get_or_insert(other);
                    beside[other].get_or_insert(task);
                }
                waited[task] |= queued.get(&placed.job).is_some_and(|&time| time < placed.start);
                running.push((placed.start + executions[task].time * placed.rounds, task));
            }
        }
    }
    let tasks = (0..system.tasks().len()).filter(|&task| solved(task));
    tasks
        .flat_map(|task| {
            let other = beside[task].map(|beside| NotAlone::Beside { task, beside });
            other.into_iter().chain(waited[task].then_some(NotAlone::Waited { task }))
        })
        .collect()
}
