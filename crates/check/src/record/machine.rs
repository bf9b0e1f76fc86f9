//! Verifies claims about machines with latency and issue width, without any engine.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::bound::Theorem;
use crate::record::{
    Claims, Judged, Known, PlainUpper, Report, Route, evidence, memory, not_valid, of_numbers,
};
use crate::schedule::{Schedule, replay};
use warpspan_model::Cycles;
use warpspan_model::machine::{Letter, LetterId, MachineGroup, MachineWorkload, Step};

/// Why claims about a workload on a machine cannot be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CannotJudge {
    /// Some code has several paths, or one that is too long to be written out.
    #[error("the code is no straight line, so there is no one schedule of it to replay")]
    Paths,
    /// The recomputed bound does not fit into 64 bits.
    #[error("no bound below 2^64 cycles: want smaller latencies, or fewer warps or instructions")]
    TooLarge,
}

/// Judges a schedule on a machine and the claims made with it.
///
/// # Errors
/// If the code has several paths, or numbers do not fit.
pub fn judge_on_machine(
    workload: &MachineWorkload,
    schedule: Schedule,
    claims: Option<&Claims>,
) -> Result<Report, CannotJudge> {
    let line = |group: &MachineGroup| Some(group.code.written_out()?.into_iter().flatten().collect());
    let lines: Vec<Vec<Step>> =
        workload.groups().iter().map(line).collect::<Option<_>>().ok_or(CannotJudge::Paths)?;
    let base = plain_upper(workload, &lines).ok_or(CannotJudge::TooLarge)?;
    let late = |cycles: Cycles| memory::late(workload, &lines, cycles).ok_or(CannotJudge::TooLarge);
    let recomputed = PlainUpper { cycles: late(base.cycles)?, ..base };
    let witness = match replay(workload, schedule) {
        Ok(witness) => witness,
        Err(violation) => return Ok(not_valid(violation.to_string(), recomputed, claims)),
    };
    let makespan = witness.makespan();
    let mut judged = vec![Judged::confirmed("schedule", format!("{makespan} cycles"))];
    if let Some(claims) = claims {
        let least = least(workload, &lines);
        let known = Known { makespan: Some(makespan), least, extremes: None, recomputed };
        of_numbers(claims, &known, &mut judged);
        let last = last_latency(workload, &lines);
        if let Some(claim) = claims.completion {
            let plain = late(Cycles(base.cycles.0.saturating_add(last - 1)))?;
            judged.push(completion(claim, witness.completion(), plain, [recomputed.cycles.0, last]));
        }
        judged.extend(evidence::on_machine(claims, recomputed));
        let block = workload.warps_per_block().unwrap_or(u64::MAX);
        let several = workload.groups().len() > 1 || workload.total_warps() > block;
        judged.extend(claims.outcome.judge(workload.has_barriers() && several, claims.lower < claims.upper));
    }
    Ok(Report { makespan: Some(makespan), recomputed, judged })
}

/// Judges the cycle at whose end every result is said to be there. By the plain route it is that of the last
/// issue and the longest latency of a last letter.
fn completion(claim: Cycles, found: Cycles, plain: Cycles, [recomputed, last]: [u64; 2]) -> Judged {
    if claim < found {
        let why = format!("completion_upper is {claim}, but a schedule has its last result in cycle {found}");
        Judged::refuted("completion_upper", why)
    } else if claim >= plain {
        let why = format!("{claim} cycles, {last} for the result of the last of {recomputed} cycles");
        Judged::confirmed("completion_upper", why)
    } else {
        Judged::not_judged("completion_upper", format!("{claim} cycles rest on the engine"))
    }
}

/// The cycles that some warp takes with the least latencies even if it never waits for others.
fn least(workload: &MachineWorkload, lines: &[Vec<Step>]) -> Cycles {
    let latency = |step: &Step| match &step.waits {
        None => workload.machine().letter(step.letter).latency.least,
        Some(waits) => u64::from(waits.stall).max(1),
    };
    let alone = |line: &Vec<Step>| {
        let (_, before) = line.split_last()?;
        Some(before.iter().map(latency).fold(1, u64::saturating_add))
    };
    Cycles(lines.iter().filter_map(alone).max().unwrap_or(0))
}

/// The longest latency of a letter that is the last one of a group, or after which the next one need not wait for the result.
fn last_latency(workload: &MachineWorkload, lines: &[Vec<Step>]) -> u64 {
    let latency = |step: &Step| workload.machine().letter(step.letter).latency.most;
    let of_dependent = |step: &&Step| step.waits.is_some();
    let last = lines.iter().flat_map(|line| line.last().into_iter().chain(line.iter().filter(of_dependent)));
    last.map(latency).max().unwrap_or(1)
}

/// The smaller of the plain routes. It is `None` if a number does not fit.
fn plain_upper(workload: &MachineWorkload, lines: &[Vec<Step>]) -> Option<PlainUpper> {
    let sum = PlainUpper { cycles: one_after_another(workload, lines)?, route: Route::OneAfterAnother };
    if workload.has_barriers() {
        return Some(sum);
    }
    let path = PlainUpper {
        cycles: critical_path(workload, lines)?,
        route: Route::Formula(Theorem::CriticalPathOnMachine),
    };
    Some(if path.cycles < sum.cycles { path } else { sum })
}

/// All latencies, occupancies and stalls one after the other. In each cycle before the last issue, a letter issues, a
/// latency or a stall is not over, or an instance is held: otherwise every warp that is not at a barrier is ready and may
/// issue, and a barrier that all have come to is open. So each cycle is one of max(latency, occupancy, stall)
/// cycles of some letter, and the last letter adds only the cycle of its issue.
fn one_after_another(workload: &MachineWorkload, lines: &[Vec<Step>]) -> Option<Cycles> {
    let longest = |step: &Step| u128::from(longest(workload, step));
    let mut sum = 0_u128;
    for (line, group) in lines.iter().zip(workload.groups()) {
        let of_warp: u128 = line.iter().map(longest).sum();
        sum = sum.checked_add(of_warp.checked_mul(group.warps.into())?)?;
    }
    let last = lines.iter().filter_map(|line| line.last()).map(longest).min().unwrap_or(1);
    u64::try_from((sum + 1).saturating_sub(last)).ok().map(Cycles)
}

/// The cycles for which an instruction may keep its warp: the longest latency, its occupancy, or its stall.
fn longest(workload: &MachineWorkload, step: &Step) -> u64 {
    let stall = step.waits.as_ref().map_or(1, |waits| u64::from(waits.stall));
    workload.machine().letter(step.letter).longest().max(stall)
}

/// Parts of a cycle in which weights are counted. Every weight is rounded up to such a part, and only their sum
/// down to a cycle.
const PARTS: u128 = 1 << 40;

/// The critical path of every warp (`docs/machines.md`): its own time, and the weights of the letters of all others.
/// Warp i of all has scheduler i mod S, so of the warps of a group at most one in S, rounded up, has the scheduler of a
/// given warp; a letter weighs no less there than on another scheduler.
fn critical_path(workload: &MachineWorkload, lines: &[Vec<Step>]) -> Option<Cycles> {
    let machine = workload.machine();
    let counts: Vec<BTreeMap<LetterId, u64>> = lines.iter().map(|line| count(line)).collect();
    let slot = machine.width().map_or(0, |width| PARTS.div_ceil(width.into()));
    let mut latest = 0_u128;
    for (own, line) in lines.iter().enumerate() {
        let Some(last) = line.last() else { continue };
        let longest = |step: &Step| u128::from(longest(workload, step));
        let alone = line.iter().map(longest).sum::<u128>() + 1 - longest(last);
        let occurs = |unit| counts[own].keys().any(|&letter| machine.letter(letter).unit == unit);
        let mut weights = 0_u128;
        for (other, (counts, group)) in counts.iter().zip(workload.groups()).enumerate() {
            let beside = group.warps.div_ceil(machine.schedulers());
            let of_scheduler = u128::from(beside - u64::from(other == own));
            let of_others = u128::from(group.warps - beside);
            for (&letter, &count) in counts {
                let Letter { unit, occupancy, .. } = *machine.letter(letter);
                let held = |cycles: u64| {
                    Some((PARTS * u128::from(cycles)).div_ceil(machine.units()[unit].instances.into()))
                };
                let (near, far) = if occurs(unit) {
                    let shared = if machine.units()[unit].shared { held(occupancy)? } else { 0 };
                    (held(occupancy - 1)? + held(1)?.max(slot), shared)
                } else {
                    (slot, 0)
                };
                let each = near.checked_mul(of_scheduler)?.checked_add(far.checked_mul(of_others)?)?;
                weights = weights.checked_add(each.checked_mul(count.into())?)?;
            }
        }
        latest = latest.max(alone.checked_add(weights / PARTS)?);
    }
    u64::try_from(latest).ok().map(Cycles)
}

fn count(line: &[Step]) -> BTreeMap<LetterId, u64> {
    let mut counts = BTreeMap::new();
    for step in line {
        *counts.entry(step.letter).or_default() += 1;
    }
    counts
}
