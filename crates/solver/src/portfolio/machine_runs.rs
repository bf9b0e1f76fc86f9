//! Schedules of policies on a machine, as lower ends.
//!
//! No policy is the worst case, but each is one schedule of the machine, and often a longer one than the fullest unit
//! needs. The greatest latencies are not always the longest either, so others are tried.

use crate::policy::{Draw, Policy, Run, RunError, Scenario, simulate, total_issues};
use crate::portfolio::Disagreement;
use warpspan_check::schedule::{Witness, replay};
use warpspan_model::limits::Limits;
use warpspan_model::machine::{MachineWorkload, Order};

/// How many instructions, times the warps among which each of them was chosen, all runs together may have: a tenth of a second.
const WORK: u64 = 20_000_000;

/// How many seeds are tried of what is drawn.
const SEEDS: u64 = 4;

/// The policies of an order, each with the latencies and the seed that it is tried with. What was longest most often comes first.
fn tries(workload: &MachineWorkload, order: Order) -> Vec<(Policy, Draw, u64)> {
    let any = [Policy::Gto, Policy::Cggty, Policy::Oldest, Policy::Lrr];
    let ordered: &[Policy] = match order {
        Order::Any => &any,
        Order::RoundRobin => &[Policy::Lrr],
        Order::Oldest => &[Policy::Oldest],
        Order::GreedyOldest => &[Policy::Gto],
        Order::GreedyYoungest => &[Policy::Cggty],
    };
    let fixed = workload.machine().letters().iter().all(|letter| letter.latency.least == letter.latency.most);
    let plain = ordered.iter().map(|&policy| (policy, Draw::Most, 0));
    let random = (0..SEEDS).map(|seed| (Policy::Random, Draw::Most, seed)).filter(|_| order == Order::Any);
    let least = ordered.iter().map(|&policy| (policy, Draw::Least, 0));
    let drawn = (0..SEEDS).flat_map(|seed| ordered.iter().map(move |&policy| (policy, Draw::Random, seed)));
    plain.chain(random).chain(least.chain(drawn).filter(|_| !fixed)).collect()
}

/// The longest schedule of all runs that fit into the work and the limits, replayed; none where no policy can run the code, which
/// has several paths, or where not even one run fits.
///
/// # Errors
/// If the verifier refuses a schedule.
pub(super) fn longest(
    workload: &MachineWorkload,
    order: Order,
    limits: &Limits,
) -> Result<Option<Witness>, Disagreement> {
    let mut longest: Option<Run> = None;
    let warps = workload.total_warps();
    let mut left = WORK;
    for (policy, latency, seed) in tries(workload, order) {
        let scenario = Scenario { latency, seed, ..Scenario::of(workload) };
        let work = total_issues(workload).and_then(|issues| issues.checked_mul(warps));
        let Some(rest) = work.and_then(|work| left.checked_sub(work)) else { break };
        left = rest;
        match simulate(workload, policy, &scenario, limits) {
            Ok(run) => {
                if longest.as_ref().is_none_or(|longest| run.last_issue() > longest.last_issue()) {
                    longest = Some(run);
                }
            }
            Err(RunError::Disagreement { violation, .. } | RunError::Refused { violation, .. }) => {
                return Err(Disagreement::Policy { policy: policy.name(), violation });
            }
            Err(_) => break,
        }
    }
    let Some(run) = longest else { return Ok(None) };
    let policy = run.policy.name();
    let witness = replay(workload, run.schedule());
    witness.map(Some).map_err(|violation| Disagreement::Policy { policy, violation: Box::new(violation) })
}
