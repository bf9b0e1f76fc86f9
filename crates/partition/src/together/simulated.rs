//! A simulated run of the kernels of a partition under RT-PAWS, to compare with the bounds.

use std::sync::Arc;

use crate::together::{TogetherError, shares};
use crate::{Launch, Runs, TaskSet};
use warpspan_model::limits::Limits;
use warpspan_model::machine::{MachineGroup, MachineWorkload};
use warpspan_model::time::Millionths;
use warpspan_model::{Code, Cycles, Group, Workload};
use warpspan_solver::policy::{Policy, Reading, RunError, Scenario, of_model, simulate};

/// The cycles that a job of each task takes on a multiprocessor with `r_i` blocks of each, released together and
/// run under RT-PAWS, as it is read, with deadline-monotonic priorities and the greatest latencies. It is one of the possible
/// runs: a response may be longer, and is at least as long in this run. It is `None` if the code has several
/// paths or is too large to be simulated, or if it has barriers and blocks of different sizes.
///
/// # Errors
/// If a task is not given as code, or the run is refused by the verifier of schedules, which is a bug.
pub fn rt_paws(
    set: &TaskSet,
    kernels: &[Launch],
    multiprocessors: usize,
    reading: Reading,
    limits: &Limits,
) -> Result<Option<Vec<Cycles>>, TogetherError> {
    let blocks = shares(set, kernels, multiprocessors)?;
    let Some(workload) = workload(kernels, &blocks) else { return Ok(None) };
    // The shortest deadline has the largest priority, and equal deadlines have equal ones.
    let mut deadlines: Vec<Millionths> = set.tasks().iter().map(|task| task.deadline()).collect();
    deadlines.sort_unstable_by(|a, b| b.cmp(a));
    deadlines.dedup();
    let rank = |deadline| deadlines.iter().position(|&other| other == deadline).unwrap_or(0) as u64 + 1;
    let priority = set.tasks().iter().map(|task| rank(task.deadline())).collect();
    let scenario = Scenario { priority, reading, ..Scenario::of(&workload) };
    match simulate(&workload, Policy::RtPaws, &scenario, limits) {
        Ok(run) => Ok(Some(run.completions)),
        Err(RunError::Scenario(_) | RunError::TooLarge(_) | RunError::Stopped { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The blocks of all kernels on one multiprocessor.
fn workload(kernels: &[Launch], blocks: &[u64]) -> Option<MachineWorkload> {
    let first = kernels.first()?;
    let size = first.block.warps();
    let is_one_size = kernels.iter().all(|kernel| kernel.block.warps() == size);
    let each = || kernels.iter().zip(blocks.iter().copied());
    let warps = |kernel: &Launch, blocks: u64| kernel.block.warps().checked_mul(blocks);
    match &first.runs {
        Runs::OnMachine(_, machine) => {
            let group = |(kernel, blocks): (&Launch, u64)| match &kernel.runs {
                Runs::OnMachine(code, _) => {
                    Some(MachineGroup { code: code.clone(), warps: warps(kernel, blocks)? })
                }
                Runs::Code(..) => None,
            };
            let groups: Vec<MachineGroup> = each().map(group).collect::<Option<_>>()?;
            let has_barrier = groups.iter().any(|group| group.code.has_barrier());
            let all = MachineWorkload::new(Arc::clone(machine), groups).ok()?;
            if has_barrier { is_one_size.then(|| all.in_blocks_of(size).ok())? } else { Some(all) }
        }
        Runs::Code(_, multiprocessor) => {
            let group = |(kernel, blocks): (&Launch, u64)| match &kernel.runs {
                Runs::Code(code, _) => Some(Group { code: code.clone(), warps: warps(kernel, blocks)? }),
                Runs::OnMachine(..) => None,
            };
            let groups: Vec<Group> = each().map(group).collect::<Option<_>>()?;
            let has_barrier = groups.iter().any(|group| Code::has_barrier(&group.code));
            let all = Workload::new(groups, *multiprocessor).ok()?;
            let all = if has_barrier { is_one_size.then(|| all.in_blocks_of(size).ok())?? } else { all };
            of_model(all.instance()?).ok()
        }
    }
}
