//! Bounds for known policies of the warp schedulers, and a bound for every policy that counts only what others can have issued.
//!
//! Each of them is `finish(w) <= E(w) + B`, where B bounds the cycles in which w is ready, none of its own instances holds its
//! unit, and others keep it waiting:
//!
//! | order | B |
//! |---|---|
//! | any | the weights of all other warps (Theorem 1 of `docs/machines.md`), smaller ones at width 1 (F and G) |
//! | loose round robin | the letters of each other warp of the scheduler, but no more than w has waits, and what holds its units (A) |
//! | oldest first | the weights of older warps, and what younger ones hold when w gets ready (B) |
//! | greedy, then oldest or youngest | the weights of the warps before it by age, and of the others what each may issue in a row (C) |
//!
//! Others are cut to the letters that they can have issued by the cycle that is to be shown to be a bound (D), where their
//! code is a straight line of letters that ask for exactly so much: those of a listing are the worst that instructions may ask
//! for, and warps may be faster. `docs/policy-bounds.md` has all statements and proofs. There the pointer of loose round robin is at the
//! *first* warp that issued in a cycle, and a smaller number of a warp, counted over all groups, means older.

mod greedy;
mod others;
mod rules;
mod waits;

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::error::plus;
use crate::latency::memory::{Traffic, window};
use crate::own::own;
use others::Others;
use warpspan_model::machine::Order;

/// The most rounds in which others are cut anew, after which they count whole.
const MOST_ROUNDS: usize = 10_000;

/// For each group the cycle by which its last warp has issued everything, and that at whose end its last result is there; none
/// of a group with barriers.
pub(super) fn finishes(
    context: &Context<'_>,
    traffic: &Traffic,
    order: Order,
) -> Result<Vec<Option<[i128; 2]>>, LatencyError> {
    let others = Others::new(context)?;
    let finish = |group: usize| {
        if context.code(group).has_barrier() {
            return Ok(None);
        }
        let mut latest = [0; 2];
        for pinned in context.schedulers.iter().filter(|pinned| pinned[group] > 0) {
            let found = of_warp(context, traffic, order, &others, (group, pinned))?;
            latest = [latest[0].max(found[0]), latest[1].max(found[1])];
        }
        Ok(Some(latest))
    };
    context.groups().map(finish).collect()
}

/// The bounds of the last warp of a group on a scheduler with these numbers of warps.
fn of_warp(
    context: &Context<'_>,
    traffic: &Traffic,
    order: Order,
    others: &Others<'_>,
    (group, pinned): (usize, &[u64]),
) -> Result<[i128; 2], LatencyError> {
    let alone = own(context.code(group), context.machine())?;
    let [issued, completed] = [alone.last_issue, alone.completion].map(i128::from);
    let tables = waits::Tables::new(context, traffic, order, others, (group, pinned))?;
    let late = |base| window(context.machine(), traffic, base).map(|window| window.cycles);
    let mut reach = late(issued)?;
    for _ in 0..MOST_ROUNDS {
        let waits = tables.waits(Some(reach))?;
        let next = late(plus(issued, waits)?)?;
        if next <= reach {
            return Ok([next, late(plus(completed, waits)?)?]);
        }
        reach = next;
    }
    let waits = tables.waits(None)?;
    Ok([late(plus(issued, waits)?)?, late(plus(completed, waits)?)?])
}
