//! Few warps with long latencies: warps at different letters never compete.
//!
//! Let N be the largest occupancy, m the smaller of d and the fewest instances, and Q = N floor((W-1)/m),
//! where W is the number of warps of the scheduler. All warps run one kernel, or all letters have one interval
//! of latency. If each position p before the last one has
//! `lo_p >= Q + N + sum over p' < p of (hi - lo)`, then
//!
//! ```text
//! finish(w) <= 1 + (sum of hi over all letters of w but its last) + Q
//! ```
//!
//! The proof is in `docs/machines.md`.

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::error::{plus, times};
use warpspan_model::machine::{Latency, LetterId};

/// For each group the cycle by which its last warp has issued everything, or why the theorem does not apply.
pub(super) fn finishes(context: &Context<'_>) -> Result<Result<Vec<i128>, String>, LatencyError> {
    let (workload, machine) = (context.workload, context.machine());
    let no = |why: &str| Ok(Err(why.to_owned()));
    if workload.has_barriers() {
        return no("there is a barrier");
    }
    if workload.has_dependences() {
        return no("not every instruction waits for the one before");
    }
    let letters = context.all_letters();
    let unit = |letter: &LetterId| &machine.units()[machine.letter(*letter).unit];
    if machine.schedulers() > 1 && letters.iter().any(|letter| unit(letter).shared) {
        return no("several schedulers share a unit");
    }
    let Some(lines) = workload.lines() else {
        return no("the code has several paths, or is too long to be written out");
    };
    let lines: Vec<Vec<LetterId>> = lines.into_iter().map(|line| line.concat()).collect();
    let latency = |letter: &LetterId| machine.letter(*letter).latency;
    let one_kernel = lines.iter().all(|line| *line == lines[0]);
    let mut intervals: Vec<Latency> = letters.iter().map(latency).collect();
    intervals.dedup();
    if !one_kernel && intervals.len() > 1 {
        return no("several kernels run, and their letters do not have one interval of latency");
    }
    let occupancy = letters.iter().map(|letter| machine.letter(*letter).occupancy).max().unwrap_or(1);
    let instances = letters.iter().map(|letter| unit(letter).instances).min().unwrap_or(1);
    let rounds = (workload.total_warps().div_ceil(machine.schedulers()) - 1)
        / context.width.map_or(instances, |width| width.min(instances));
    let waits = times(occupancy.into(), rounds)?;
    // Where there are several kernels, all positions are alike, so the longest one is the strictest.
    let longest = lines.iter().max_by_key(|line| line.len()).map_or(&[][..], |line| &line[..]);
    let mut needed = plus(waits, occupancy.into())?;
    for (at, letter) in longest.iter().enumerate().take(longest.len().saturating_sub(1)) {
        let Latency { least, most } = latency(letter);
        if i128::from(least) < needed {
            return Ok(Err(format!("the least latency at letter {} is {least}, below {needed}", at + 1)));
        }
        needed = plus(needed, (most - least).into())?;
    }
    let finish = |line: &Vec<LetterId>| {
        let before = &line[..line.len().saturating_sub(1)];
        before.iter().try_fold(plus(1, waits)?, |sum, letter| plus(sum, latency(letter).most.into()))
    };
    lines.iter().map(finish).collect::<Result<_, _>>().map(Ok)
}
