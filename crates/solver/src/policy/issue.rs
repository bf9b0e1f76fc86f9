//! The simulation: cycle after cycle, each scheduler in its turn.

use crate::policy::code::{Line, total_issues};
use crate::policy::pool::Pool;
use crate::policy::scheduler::Scheduler;
use crate::policy::{Policy, Run, RunError, Scenario, ScenarioError};
use warpspan_check::schedule::Issue;
use warpspan_engines::simulate::Meter;
use warpspan_model::Cycles;
use warpspan_model::limits::Limits;
use warpspan_model::machine::MachineWorkload;

/// Simulates a policy on a workload of straight lines. A cycle in which a warp issues takes time O(warps), so
/// this is not meant for many more warps than a multiprocessor holds. Cycles in which none can issue are
/// passed over, except under [`Policy::Random`], which draws in each.
///
/// # Errors
/// If the code has several paths, the scenario does not suit the workload or the policy, a limit is reached,
/// or the verifier refuses the schedule. [`Policy::Worst`] is not simulated: see [`crate::extremes`].
pub fn simulate(
    workload: &MachineWorkload,
    policy: Policy,
    scenario: &Scenario,
    limits: &Limits,
) -> Result<Run, RunError> {
    scenario.suits(workload, policy)?;
    let issues = total_issues(workload).unwrap_or(u64::MAX);
    let bytes = issues.saturating_mul(2 * size_of::<Issue>() as u64);
    if bytes > limits.memory || u32::try_from(workload.total_warps()).is_err() {
        return Err(RunError::TooLarge(issues));
    }
    let lines = Line::all(workload).ok_or(ScenarioError::Paths)?;
    let tokens = lines.iter().zip(workload.groups()).map(|(line, group)| (line.tokens as u64, group.warps));
    let tokens =
        tokens.fold(0_u64, |sum, (tokens, warps)| sum.saturating_add(warps.saturating_mul(8 * tokens)));
    if bytes.saturating_add(tokens) > limits.memory {
        return Err(RunError::TooLarge(issues));
    }
    let mut schedulers = Vec::new();
    for number in 0..workload.machine().schedulers().min(workload.total_warps()) {
        let order =
            policy.order(scenario.seed, number, scenario.reading).ok_or(ScenarioError::NotSimulated)?;
        schedulers.push(Scheduler::new(schedulers.len(), order));
    }
    let mut pool = Pool::new(workload, &lines, scenario, schedulers.len());
    let mut meter = Meter::new(limits);
    let mut cycle = 0;
    while let Some(next) = pool.next_cycle(cycle) {
        cycle = next;
        let stopped = |stop| RunError::Stopped { policy, cycle: Cycles(cycle), stop };
        meter.go_on(pool.len()).map_err(stopped)?;
        pool.arrive(cycle, |at, warp| schedulers[at].warps.push(warp));
        let first = pool.issues.len();
        let turn = usize::try_from((cycle - 1) % schedulers.len() as u64).unwrap_or(0);
        for number in (turn..schedulers.len()).chain(0..turn) {
            if pool.wakes[number] <= cycle {
                schedulers[number].cycle(cycle, workload.machine().width(), &mut pool);
            }
        }
        pool.issues[first..].sort_unstable();
    }
    Run::new(workload, policy, scenario, &lines, pool.issues)
}
