//! What servers take from their pools in a cycle, and which counters that freezes.

use super::oracle::Search;
use super::state::State;

impl Search<'_> {
    /// The states after servers have served, with every set of frozen counters.
    pub(super) fn served(&self, state: &State) -> Vec<State> {
        let paused = state.pools.iter().any(|pool| pool.pause.is_on());
        // What each server takes, and whether that may freeze counters.
        let mut taken: Vec<(Vec<u64>, bool)> = vec![(vec![0; state.pools.len()], paused)];
        for (server, (pool, numbers)) in state.pools.iter().zip(&self.servers).enumerate() {
            if pool.pause.is_on() {
                continue;
            }
            let amounts = if self.system.every_service {
                (1..=numbers.rate.min(pool.waits)).collect()
            } else if pool.waits >= numbers.rate && !paused {
                vec![numbers.rate]
            } else {
                vec![]
            };
            // Two servers that work at their rates freeze no more than one.
            let from = if self.system.every_service { taken.clone() } else { taken[..1].to_vec() };
            for (before, freezes) in from {
                taken.extend(amounts.iter().map(|&amount| {
                    let mut all = before.clone();
                    all[server] = amount;
                    (all, freezes || amount == numbers.rate)
                }));
            }
        }
        let warps = state.places.iter().flat_map(|place| place.blocks.iter().flatten());
        let counters = warps.flat_map(|warp| &warp.pending).filter(|pending| pending.of_memory).count();
        let mut found = vec![];
        for (amounts, freezes) in taken {
            for frozen in 0_u32..if freezes { 1 << counters } else { 1 } {
                found.push(after(state.clone(), &amounts, frozen));
            }
        }
        found
    }
}

/// The start of the next cycle, where the counters of a mask are frozen in this one.
fn after(mut state: State, taken: &[u64], frozen: u32) -> State {
    for (pool, taken) in state.pools.iter_mut().zip(taken) {
        pool.waits -= taken;
        pool.pause = pool.pause.later();
    }
    let mut number = 0;
    for place in &mut state.places {
        for warp in place.blocks.iter_mut().flatten() {
            warp.stall = warp.stall.saturating_sub(1);
            for pending in &mut warp.pending {
                pending.cycles -= u64::from(!pending.of_memory || frozen >> number & 1 == 0);
                number += u32::from(pending.of_memory);
            }
            warp.pending.retain(|pending| pending.cycles > 0);
            warp.pending.sort_unstable();
        }
        for held in &mut place.held {
            held.iter_mut().for_each(|cycles| *cycles -= 1);
            held.retain(|cycles| *cycles > 0);
            held.sort_unstable();
        }
    }
    state
}
