//! Kernels of a partition that run together, their warps in any work-conserving order.
//!
//! Si21 chapter 4 runs two kernels on the same multiprocessors, and its conclusion asks for partitions that do so.
//! RT-PAWS, like every policy of [`warpspan_solver::policy`], is work-conserving. So what holds in any
//! work-conserving order holds under RT-PAWS, and the bounds here are of that kind.
//!
//! # The model
//!
//! The tasks of the partition are given as code. On each of its m multiprocessors the kernel of task i has room
//! of its own for `r_i` = ceil(B/m) of its B blocks, which Si21 calls a budget of warps for each kernel. All these
//! rooms fit on a multiprocessor together. A job's blocks all start when it is released, since the room of its task
//! is empty then. Nothing else is known of where they go.
//!
//! # The bound
//!
//! A block of task j costs others `A_j` cycles, and the last block of a job of task i costs `C_i` on top
//! ([`relay`](warpspan_engines::relay), [`block_costs`](warpspan_engines::latency::block_costs)), whatever starts when. Let h be the cycles for which units
//! may still be held after a block has ended. The bounds `R_i` are the least with
//!
//! ```text
//! R_i = 1 + floor( C_i + r_i A_i (1 + e_i) + sum over the other tasks j of n_ij r_j A_j ) + S_i
//! n_ij = ceil((R_i + R_j + h) / T_j)        jobs of task j that may be there meanwhile
//! e_i  = ceil((R_i + h) / T_i) - 1          earlier jobs of task i that may still hold units
//! ```
//!
//! with `S_i` for how many cycles servers of the memory may keep results waiting of which the `n_ij` jobs of the others
//! and 1 + `e_i` of its own ask in a window of `R_i`. They hold if each is at most D. The first cycle is for a release between two edges of the clock. If tasks
//! are in conflict, all times are multiplied by the largest factor of one of them. `docs/partitions.md` has the
//! proof.

mod costs;
mod simulated;

use thiserror::Error;

use crate::effort::Effort;
use crate::load::smallest;
use crate::{Launch, TaskSet, Test, Undecided};
use warpspan_engines::latency::LatencyError;
use warpspan_engines::program::ProgramError;
use warpspan_model::WorkloadError;
use warpspan_model::device::Gpu;
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::time::Millionths;
use warpspan_solver::policy::RunError;

use costs::Costs;

pub use simulated::rt_paws;

/// What is known of tasks whose kernels run together on a number of multiprocessors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Together {
    /// All deadlines hold: each task with its bounds, in the order of the set.
    Schedulable(Vec<Beside>),
    /// Not all blocks are sure to find room at once on a multiprocessor.
    NoRoom,
    /// No bound within the deadline is found for this task. What was found for the others rests on it, so nothing
    /// is known of them either.
    Late(usize),
}

/// A task together with others, where all deadlines hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    /// The most blocks of a job on a multiprocessor.
    pub blocks: u64,
    /// A safe upper bound on the time from the release of a job to its end.
    pub response: Millionths,
}

/// Why nothing is known of kernels that run together.
#[derive(Debug, Error)]
pub enum TogetherError {
    /// Not every task is given as code.
    #[error(
        "{found} of {tasks} tasks are given as code: want code or ptx for each, as nothing is known of how others share"
    )]
    NotCode {
        /// The tasks that are.
        found: usize,
        /// All tasks.
        tasks: usize,
    },
    /// Some code is over letters of a machine, and some is not.
    #[error("tasks of different kinds of multiprocessor: want all on the same")]
    Mixed,
    /// Without a clock, cycles cannot be converted into a time.
    #[error("no clock: want [gpu] clock_mhz")]
    NoClock,
    /// The blocks on a multiprocessor are too many, or their cycles do not fit.
    #[error("numbers of blocks or cycles that do not fit: want fewer blocks")]
    TooLarge,
    /// The code has no bound.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The code makes no workload.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The code has no bound on its machine.
    #[error(transparent)]
    OnMachine(#[from] LatencyError),
    /// The bounds do not settle within the steps of a [`Test`], or a limit stopped it.
    #[error("{0}")]
    Undecided(#[from] Undecided),
    /// A simulated run is none of the machine, which is a bug.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Bounds the responses of all tasks of a set if their kernels run together on `multiprocessors` of a GPU.
/// `kernels` are the launches of the tasks, in their order.
///
/// # Errors
/// If a task is not given as code, some code has no bound, numbers do not fit, or a limit stops it.
pub fn together(
    set: &TaskSet,
    kernels: &[Launch],
    gpu: &Gpu,
    multiprocessors: usize,
    limits: &Limits,
) -> Result<Together, TogetherError> {
    let blocks = shares(set, kernels, multiprocessors)?;
    let demands: Vec<_> = kernels.iter().map(|kernel| kernel.block).zip(blocks.iter().copied()).collect();
    if !gpu.resources.holds(&demands) {
        return Ok(Together::NoRoom);
    }
    let costs = Costs::new(set, kernels, &blocks, gpu, multiprocessors)?;
    let effort = &mut Effort::new(Test::MOST_STEPS, limits);
    let mut responses = vec![Millionths(0); kernels.len()];
    loop {
        let mut is_settled = true;
        for task in 0..kernels.len() {
            effort.take(kernels.len())?;
            let response = costs.response(set, &responses, task)?;
            if response > set.tasks()[task].deadline() {
                return Ok(Together::Late(task));
            }
            is_settled &= response == responses[task];
            responses[task] = response;
        }
        if is_settled {
            let beside = |(&blocks, &response): (&u64, &Millionths)| Beside { blocks, response };
            return Ok(Together::Schedulable(blocks.iter().zip(&responses).map(beside).collect()));
        }
    }
}

/// The most blocks of each kernel on one of these multiprocessors: `r_i`.
fn shares(set: &TaskSet, kernels: &[Launch], multiprocessors: usize) -> Result<Vec<u64>, TogetherError> {
    let (found, tasks) = (kernels.len(), set.tasks().len());
    if found != tasks {
        return Err(TogetherError::NotCode { found, tasks });
    }
    let multiprocessors = multiprocessors.max(1) as u64;
    Ok(kernels.iter().map(|kernel| kernel.blocks.div_ceil(multiprocessors)).collect())
}

/// The fewest multiprocessors on which all tasks of a set are accepted in one partition that runs one kernel at a
/// time, for comparison; `None` if no number of them is.
///
/// # Errors
/// If a limit stops it.
pub fn one_at_a_time(set: &TaskSet, test: Test, limits: &Limits) -> Result<Option<usize>, Stop> {
    let tasks: Vec<usize> = (0..set.tasks().len()).collect();
    Ok(smallest(set, test, &tasks, [1, set.multiprocessors()], limits)?.accepted)
}
