//! Response times that are safe where Algorithm 2 is not: blocks of any sizes, several multiprocessors, any placement, streams,
//! priorities, copies, and blocks that take less than C.
//!
//! Follow a launch from its release, R_k long. At each moment an operation of its stream runs, or waits in a queue. A copy waits
//! while the copy engine copies. A block at the head of a queue waits while no multiprocessor has room, so each has some resource
//! r of which at least K_r is taken, the room less the largest block's need, in steps of the greatest common divisor of the
//! needs, and one step more. A block of kernel j, which takes d_(j,r) for at most C_j, makes up at most C_j w_j of such a
//! multiprocessor's time, w_j the sum of d_(j,r) / K_r. With M multiprocessors, n_j launches of kernel j that are not complete at
//! the release or come before the completion, and G_j its blocks (for k itself one less: while the last one runs it does not
//! wait),
//!
//! ```text
//! R_k = sum over launches in the stream of k of (copies + C)
//!       + ceil(sum over j of n_j (G_j C_j w_j) / M) + sum over j of n_j (copies of j)
//! ```
//!
//! This is the argument of R. L. Graham, *Bounds on multiprocessing timing anomalies*, 1969, with resources. n_j is counted from
//! the periods and releases for response times R_j up to one period: a joint fixed point, from below. If a launch were the first
//! to exceed it, all others would have kept theirs so far, and the equation would hold for it: a contradiction.
//!
//! Kernels given as strings have no C that holds in company ([`execution`](super::execution)). Where all kernels are strings,
//! a block has S_j = [`Solved::serial`](super::Solved::serial) instead: a multiprocessor is never empty while a block waits, and
//! its busy time is at most the sum of S over its blocks. So blocks launched before ours count S_j / M each, the last block of
//! each launch that is followed counts what a multiprocessor can hold, and what is launched after ours counts fully (anything
//! else too, where streams, priorities or copies change the order of launch).

use std::collections::HashSet;

use num_integer::Integer;
use num_rational::Ratio;

use crate::rta::{Execution, System, Time, Unit};

/// Systems with more kernels are not looked at: the effort grows with the square of their number.
const MOST_KERNELS: usize = 1000;
/// Rounds of the iteration.
const MOST_ROUNDS: usize = 1000;

/// An upper bound on every response time of each kernel; `None` if there is none up to the periods, or none can be found:
/// strings beside given times, too many kernels.
pub fn bound(system: &System, executions: &[Execution]) -> Option<Vec<Time>> {
    let strings = executions.iter().filter(|execution| execution.solved.is_some()).count();
    let tasks = system.tasks.len();
    if tasks > MOST_KERNELS || (strings != 0 && strings != tasks) {
        return None;
    }
    let parts = if strings == 0 { given(system, executions)? } else { strings_only(system, executions)? };
    let mut responses: Vec<u128> = parts.iter().map(|part| part.own).collect();
    for _ in 0..MOST_ROUNDS {
        let next: Option<Vec<u128>> =
            (0..tasks).map(|task| response(system, &parts, &responses, task)).collect();
        let next = next?;
        if next == responses {
            return responses.into_iter().map(|time| u64::try_from(time).ok().map(Time)).collect();
        }
        responses = next;
    }
    None
}

/// What a launch of a kernel brings with it.
struct Part {
    /// Copies, and the time that its last block runs.
    own: u128,
    /// Copies.
    copies: u128,
    /// Time of one multiprocessor that its blocks make up, all of them.
    load: Ratio<u128>,
    /// That of its last block.
    last: Ratio<u128>,
    /// Which launches count with their load on one multiprocessor, not on all.
    alone: Alone,
}

/// Launches whose blocks may come to our multiprocessor after our last one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    /// It does not matter: the time of a block is given.
    Never,
    /// Those after ours: blocks are placed in the order of launch.
    Later,
    /// Any: streams, priorities or copies change the order.
    Any,
}

/// The right-hand side of the equation; `None` if it exceeds a period.
fn response(system: &System, parts: &[Part], responses: &[u128], k: usize) -> Option<u128> {
    let multiprocessors = u128::from(system.gpu.multiprocessors);
    let mut chain = parts[k].own;
    let mut copies = 0_u128;
    let (mut before, mut after) = (Ratio::from(0), 0_u128);
    for (j, part) in parts.iter().enumerate() {
        let (earlier, later) = launches(system, responses, k, j)?;
        let others = earlier + later - u128::from(j == k);
        if system.tasks[j].stream == system.tasks[k].stream {
            chain = chain.checked_add(part.own.checked_mul(others)?)?;
        }
        copies = copies.checked_add(part.copies.checked_mul(others)?)?;
        let own = if j == k { part.last } else { Ratio::from(0) };
        let load = |times: u128| Some(Ratio::new(part.load.numer().checked_mul(times)?, *part.load.denom()));
        let (shared, alone) = match part.alone {
            Alone::Never => (earlier + later, 0),
            Alone::Later => (earlier, later),
            Alone::Any => (u128::from(j == k), earlier + later - u128::from(j == k)),
        };
        before = sum(before, load(shared)? - own)?;
        after = after.checked_add(load(alone)?.ceil().to_integer())?;
    }
    let waits = (before / multiprocessors).ceil().to_integer();
    let response = chain.checked_add(copies)?.checked_add(waits)?.checked_add(after)?;
    let most = system.tasks[k].period.unwrap_or(Unit::MAX);
    (response <= u128::from(most.0)).then_some(response)
}

fn sum(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    let denominator = a.denom().lcm(b.denom());
    let scaled = |ratio: Ratio<u128>| ratio.numer().checked_mul(denominator / ratio.denom());
    Some(Ratio::new(scaled(a)?.checked_add(scaled(b)?)?, denominator))
}

/// Launches of j that can be incomplete when k is launched, or come while it is: those not after it, and those after it.
///
/// Seen from a launch of k, launches of j are at distances that are equal to that of the first releases up to a multiple of the
/// periods' greatest common divisor. They count from -R_j to R_k, both ends excluded.
fn launches(system: &System, responses: &[u128], k: usize, j: usize) -> Option<(u128, u128)> {
    let (ours, theirs) = (&system.tasks[k], &system.tasks[j]);
    let signed = |time: u128| i128::try_from(time).ok();
    let (own, other) = (signed(responses[k])?, signed(responses[j])?);
    let apart = i128::from(theirs.release.0) - i128::from(ours.release.0);
    // Distance 0 is not after ours where their line of the file comes first.
    let last_before = if j <= k { 0 } else { -1 };
    let count = |from: i128, to: i128| -> u128 {
        if to < from {
            return 0;
        }
        let (step, every) = match (ours.period, theirs.period) {
            (Some(a), Some(b)) => (i128::from(a.0.gcd(&b.0)), i128::from(b.0)),
            (None, Some(b)) => (i128::from(b.0), i128::from(b.0)),
            (Some(a), None) => (i128::from(a.0), i128::MAX),
            (None, None) => return u128::from((from..=to).contains(&apart)),
        };
        let first = from + (apart - from).mod_floor(&step);
        if first > to { 0 } else { u128::try_from((to - first) / every).unwrap_or(0) + 1 }
    };
    let (from, to) = (1 - other, own - 1);
    Some((count(from, to.min(last_before)), count(from.max(last_before + 1), to)))
}

/// The parts of kernels whose C is given.
fn given(system: &System, executions: &[Execution]) -> Option<Vec<Part>> {
    let room = system.gpu.room.each();
    let needs: Vec<[u64; 4]> = system.tasks.iter().map(|task| task.block.each()).collect();
    // K_r of each resource that can be what is missing.
    let taken: Vec<Option<u64>> = (0..room.len())
        .map(|r| {
            let step = needs.iter().fold(0, |step, need| need[r].gcd(&step));
            let largest = needs.iter().map(|need| need[r]).max()?;
            let taken = (room[r] - largest).checked_div(step)?.checked_add(1)?.checked_mul(step)?;
            // By threads alone no multiprocessor takes more of it than so much.
            let by_threads = needs
                .iter()
                .map(|need| u128::from(need[r]) * u128::from(room[0] / need[0]))
                .max()
                .filter(|_| needs.iter().all(|need| need[0] == needs[0][0]));
            let scarce = by_threads.is_none_or(|most| most >= u128::from(taken));
            (r == 0 || scarce).then_some(taken)
        })
        .collect();
    system
        .tasks
        .iter()
        .zip(executions)
        .zip(&needs)
        .map(|((task, execution), need)| {
            let weight = need.iter().zip(&taken).try_fold(Ratio::from(0), |weight, (&need, &taken)| {
                let Some(taken) = taken.filter(|_| need > 0) else { return Some(weight) };
                sum(weight, Ratio::new(need.into(), taken.into()))
            })?;
            let load = |blocks: u64| {
                let times = u128::from(blocks).checked_mul(execution.time.0.into())?;
                Some(Ratio::new(weight.numer().checked_mul(times)?, *weight.denom()))
            };
            let copies = u128::from(task.copy_in.0) + u128::from(task.copy_out.0);
            let own = copies + u128::from(execution.time.0);
            Some(Part { own, copies, load: load(task.blocks)?, last: load(1)?, alone: Alone::Never })
        })
        .collect()
}

/// The parts of kernels that are all strings.
fn strings_only(system: &System, executions: &[Execution]) -> Option<Vec<Part>> {
    let serial: Vec<u128> = executions
        .iter()
        .map(|one| one.solved.as_ref().map(|solved| solved.serial.0.into()))
        .collect::<Option<_>>()?;
    let room = system.gpu.room;
    let by_threads = serial
        .iter()
        .zip(&system.tasks)
        .map(|(&serial, task)| (u128::from(room.threads) * serial).div_ceil(u128::from(task.block.threads)));
    let by_slots = serial.iter().max()?.checked_mul(room.blocks.into())?;
    let all =
        serial.iter().zip(&system.tasks).map(|(&serial, task)| serial.saturating_mul(task.blocks.into()));
    let held = by_threads.max()?.min(by_slots).min(all.fold(0, u128::saturating_add));
    let distinct: HashSet<usize> = system.tasks.iter().map(|task| task.stream).collect();
    let in_order = distinct.len() == system.tasks.len()
        && system.streams.windows(2).all(|pair| pair[0].priority == pair[1].priority)
        && system.tasks.iter().all(|task| task.copy_in.max(task.copy_out) == Time(0));
    let alone = if in_order { Alone::Later } else { Alone::Any };
    let part = |(&serial, task): (&u128, &crate::rta::Task)| {
        let copies = u128::from(task.copy_in.0) + u128::from(task.copy_out.0);
        let load = Ratio::from(serial.checked_mul(task.blocks.into())?);
        Some(Part { own: copies + held.max(serial), copies, load, last: Ratio::from(serial), alone })
    };
    serial.iter().zip(&system.tasks).map(part).collect()
}
