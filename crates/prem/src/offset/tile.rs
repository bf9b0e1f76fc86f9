//! Offsets where whole tiles are scheduled.

use crate::{Phase, Phases};
use warpspan_model::time::Nanoseconds;

/// The least distance of `slots` equal tiles of which no two may overlap (see the parent module).
pub(super) fn closed_form(phases: Phases, slots: u64, timer: Nanoseconds) -> Nanoseconds {
    if slots == 1 {
        return Nanoseconds::ZERO;
    }
    let tile = phases.tile().round_up_to(timer);
    let compute = phases.compute;
    let within = (tile - compute).round_up_to(timer);
    if within * (slots - 1) <= compute && within * slots < tile {
        return within;
    }
    let memory = phases.prefetch.max(phases.writeback);
    // Since (k - 1) d <= C and d >= memory, k cannot be larger than this.
    let last = slots.min(compute.0 / memory.0 + 1);
    let least = |k: u64| {
        let distance = memory.max(Nanoseconds(tile.0.div_ceil(k))).round_up_to(timer);
        (k == 1 || distance.signed() * i128::from(k - 1) <= compute.signed()).then_some(distance)
    };
    // d falls with k, and up to rounding of d, (k - 1) d <= C holds for all smaller k if it holds for k.
    (1..=last).rev().find_map(least).unwrap_or(tile)
}

/// The least distance of tiles, found by a search upwards.
pub(super) fn search(
    all: &[Phases],
    timer: Nanoseconds,
    apart: impl Fn(usize, usize) -> bool,
) -> Nanoseconds {
    let slots = all.len();
    let tile = all.iter().map(|phases| phases.tile().round_up_to(timer)).max().unwrap_or_default();
    let even = Nanoseconds(tile.0.div_ceil(slots.max(1) as u64)).round_up_to(timer); // From here on H = S d.
    let pairs: Vec<(usize, usize)> =
        (0..slots).flat_map(|i| (i + 1..slots).map(move |j| (i, j))).filter(|&(i, j)| apart(i, j)).collect();
    let mut distance = Nanoseconds::ZERO;
    loop {
        let hyperperiod = if distance < even { tile.signed() } else { distance.signed() * slots as i128 };
        let next = pairs
            .iter()
            .filter_map(|&(i, j)| end(&all[i], &all[j], (j - i) as i128, slots, distance, hyperperiod))
            .max();
        match next.map(|next| Nanoseconds(u64::try_from(next).unwrap_or(u64::MAX)).round_up_to(timer)) {
            None => return distance,
            Some(next) if distance < even => distance = next.min(even),
            Some(next) => distance = next,
        }
    }
}

/// The least distance at which memory phases of tiles at k times `distance` no longer overlap, if they
/// overlap now.
fn end(
    a: &Phases,
    b: &Phases,
    k: i128,
    slots: usize,
    distance: Nanoseconds,
    hyperperiod: i128,
) -> Option<i128> {
    let d = distance.signed();
    let grows = hyperperiod == d * slots as i128;
    let ceil = |p: i128, q: i128| -((-p).div_euclid(q));
    let mut next = None;
    for (low, high) in forbidden(a, b) {
        for turns in [0, 1] {
            let at = k * d - turns * hyperperiod;
            if low < at && at < high {
                // The position of the second tile is at = q d + r.
                let (q, r) = if grows { (k - turns * slots as i128, 0) } else { (k, -turns * hyperperiod) };
                let out = if q > 0 { ceil(high - r, q) } else { ceil(r - low, -q) };
                next = next.max(Some(out.max(d + 1)));
            }
        }
    }
    next
}

/// The open intervals of distances from tile a to tile b at which memory phases of the two overlap.
pub(crate) fn forbidden(a: &Phases, b: &Phases) -> [(i128, i128); 4] {
    let place = |phases: &Phases, phase| match phase {
        Phase::Writeback => ((phases.prefetch + phases.compute).signed(), phases.writeback.signed()),
        _ => (0, phases.prefetch.signed()),
    };
    let memory = [Phase::Prefetch, Phase::Writeback];
    let mut out = [(0, 0); 4];
    for (n, out) in out.iter_mut().enumerate() {
        let (a, length_a) = place(a, memory[n / 2]);
        let (b, length_b) = place(b, memory[n % 2]);
        *out = (a - b - length_b, a - b + length_a);
    }
    out
}
