//! Whether blocks whose C was solved for them alone are alone: which kernels have co-runners, and which
//! waited.
//!
//! C of a kernel string holds for blocks that start together on an empty multiprocessor and stay by
//! themselves. Blocks that had to wait follow others, which end at different times if they take less than C,
//! so they do not start together either.
//!
//! One run of the simulator, in which all blocks take C, speaks for all runs: where no block waits, each
//! starts when it is released and is gone no later than in this run. Only the multiprocessors may be others,
//! since the GPU may put a block wherever there is room; so blocks of different kernels that are on the GPU
//! at the same time count as co-runners, whichever multiprocessors they are on.

use std::collections::HashMap;

use crate::model::time::Duration;
use crate::realtime::rta::{Event, Execution, Job, System};

/// Why C of a kernel string does not hold in a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAlone {
    /// Blocks of another kernel are on the GPU at the same time, and may be on the same multiprocessor.
    Beside {
        /// The kernel.
        task: usize,
        /// The one beside it.
        beside: usize,
    },
    /// Blocks waited until others ended.
    Waited {
        /// The kernel.
        task: usize,
    },
}

/// What in a run of the simulator C of kernel strings does not hold for: at most one thing of each kind a
/// kernel.
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
