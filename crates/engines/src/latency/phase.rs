//! The phase bound with width and latency: one labelling a warp, with two kinds of price list.
//!
//! `finish(w) <= I_w + Lambda_w + floor(sum over other warps v of best(s_v))`. Warps of other schedulers add
//! the weights of the critical path instead. `docs/machines.md` has the proof.

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::critical::worth;
use crate::latency::error::{plus, times};
use crate::latency::most::{Count, whole};
use crate::latency::prices::{Prices, present};
use crate::latency::weights::Weights;

/// The largest number of units that a labelling distinguishes.
const MOST_UNITS: usize = 64;

/// Why no price list applies; nothing if the uniform one does.
pub(super) fn obstacle(context: &Context<'_>) -> Option<&'static str> {
    let machine = context.machine();
    if context.workload.has_barriers() {
        return Some("there is a barrier");
    }
    if context.workload.has_dependences() {
        return Some("not every instruction waits for the one before");
    }
    if context.all_letters().iter().any(|&letter| machine.letter(letter).occupancy > 1) {
        return Some("a letter holds its unit for more than a cycle");
    }
    (present(context).len() > MOST_UNITS).then_some("there are more than 64 kinds of unit")
}

/// Why no neutral price list applies where the uniform one does.
pub(super) fn obstacle_to_neutral(context: &Context<'_>) -> Option<&'static str> {
    let straight = context.groups().all(|group| context.code(group).is_straight());
    (!straight).then_some("the code has several paths")
}

/// For each group the cycle by which its last warp has issued everything, by one price list.
pub(super) fn finishes(context: &Context<'_>, prices: &Prices<'_>) -> Result<Vec<i128>, LatencyError> {
    let weights = Weights::new(context)?;
    // All sums are counted in parts of a cycle that suit both.
    let parts = times(prices.parts, weights.parts)?;
    let near = context
        .groups()
        .map(|group| times(prices.best(context.code(group))?, weights.parts))
        .collect::<Result<Vec<i128>, _>>()?;
    let finish = |group: usize| {
        let far = |other: usize| {
            let units = &context.units[group];
            let worth = worth(context.code(other), &weights, &context.letters[other], units)?;
            times(worth.other, prices.parts)
        };
        let far = context.groups().map(far).collect::<Result<Vec<i128>, _>>()?;
        let waits = context.others(group, &near, &far)?.0.div_euclid(parts);
        plus(last_issue(context, group)?, waits)
    };
    context.groups().map(finish).collect()
}

/// I + Lambda of a warp if each letter has the longest latency of all letters of its unit. With the latency of
/// each letter the theorem is false.
fn last_issue(context: &Context<'_>, group: usize) -> Result<i128, LatencyError> {
    let machine = context.machine();
    let mut longest = vec![1_u64; machine.units().len()];
    for letter in context.all_letters() {
        let letter = machine.letter(letter);
        longest[letter.unit] = longest[letter.unit].max(letter.latency.most);
    }
    let most = whole(context.code(group), &|step| {
        let inside = longest[machine.letter(step.letter).unit].into();
        Count { inside, issued: 1, done: inside }
    })?;
    Ok(most.ended()[0])
}
