//! Theorem R itself: the oracle chooses the schedule, the start times, the gaps and the relay, all at once,
//! so that the followed cycles exceed their price by as much as possible.

use std::collections::HashMap;

use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::formulas::most_warps;
use super::gpu::{Block, Gpu, State};
use super::prices::{Flaw, Number, Prices};
use super::random::{block, half_done, sigma, states};
use crate::common::cases::{self, cases};

/// The block is among those that are present in some followed cycle.
const COUNTED: u8 = 1;
/// The block has been followed before, or is.
const FOLLOWED: u8 = 2;
/// The block is the last that was followed.
const HELD: u8 = 4;

/// The tally of a state is the number of blocks that have been followed, up to this one.
const ENOUGH: u64 = 1;

/// Less than any relay earns.
const NEVER: i64 = -1_000_000_000;

/// What the theorem counts, in whole parts of a cycle.
struct Relay<'a> {
    gpu: &'a Gpu,
    cycle: i64,
    /// A of each kind.
    beside: Vec<i64>,
    /// C of each kind if it is followed first, and otherwise.
    first: Vec<i64>,
    next: Vec<i64>,
    /// For a block that is left before its end while another is followed next.
    left: i64,
    known: HashMap<State, i64>,
}

impl Relay<'_> {
    /// The most by which followed cycles can exceed their price, from a state before blocks start.
    fn most(&mut self, state: &State) -> i64 {
        self.gpu.starts(state, true).into_iter().map(|state| self.started(state)).max().unwrap()
    }

    fn started(&mut self, state: State) -> i64 {
        let stop = if state.tally == ENOUGH { 0 } else { NEVER };
        if state.machines[0].is_empty() {
            return stop; // A cycle in which nothing is present changes nothing.
        }
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        // The cycle is in a gap, or one of the blocks is followed in it.
        let mut most = self.after(&state).max(stop);
        for at in 0..state.machines[0].len() {
            if let Some((paid, followed)) = self.follow(&state, at) {
                most = most.max(self.cycle - paid + self.after(&followed));
            }
        }
        self.known.insert(state, most);
        most
    }

    fn after(&mut self, state: &State) -> i64 {
        self.gpu.cycle(state).iter().map(|state| self.most(state)).max().unwrap()
    }

    /// Follows a block in the cycle that comes, unless it was left before: the price, and the state with the
    /// marks that say so.
    fn follow(&self, state: &State, at: usize) -> Option<(i64, State)> {
        let mut state = state.clone();
        let mut paid = 0;
        let present = &mut state.machines[0];
        if present[at].mark & HELD == 0 {
            if present[at].mark & FOLLOWED != 0 {
                return None;
            }
            let kind = usize::from(present[at].kind);
            paid += if state.tally > 0 { self.next[kind] } else { self.first[kind] };
            paid += if present.iter().any(|block| block.mark & HELD != 0) { self.left } else { 0 };
            present.iter_mut().for_each(|block| block.mark &= !HELD);
            present[at].mark |= FOLLOWED | HELD;
            state.tally = ENOUGH.min(state.tally + 1);
        }
        for block in present.iter_mut().filter(|block| block.mark & COUNTED == 0) {
            block.mark |= COUNTED;
            paid += self.beside[usize::from(block.kind)];
        }
        present.sort_unstable();
        Some((paid, state))
    }
}

/// All prices are whole multiples of 1 over this.
const SCALE: i64 = 24;

/// Some blocks, and how many fit at once.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) sigma: [usize; 2],
    pub(crate) blocks: Vec<Block>,
    pub(crate) at_once: u64,
}

/// Draws blocks, some of them half-done.
pub(crate) fn draw(rng: &mut impl Rng) -> Case {
    loop {
        let count = rng.random_range(2..=4);
        let kinds: Vec<Block> = (0..2).map(|_| block(rng, 6, 2)).collect();
        let blocks: Vec<Block> = (0..count)
            .map(|_| {
                let kind = kinds[rng.random_range(0..2)].clone();
                if rng.random_bool(0.3) { half_done(rng, &kind) } else { kind }
            })
            .collect();
        if states(&blocks, count) <= 400 {
            return Case {
                sigma: sigma(rng),
                blocks,
                at_once: rng.random_range(2..=u64::try_from(count).unwrap()),
            };
        }
    }
}

/// By how many parts of a cycle the followed cycles exceed their price at most, over all relays. The price per
/// block that is left early is the theorem's, times `left`.
pub(crate) fn excess(case: &Case, prices: &Prices, left: i64) -> i64 {
    let (gpu, start) = Gpu::new(case.sigma, (1, case.at_once), &case.blocks, true);
    let scale = |number: Number| -> i64 {
        let scaled = number * SCALE;
        assert!(scaled.is_integer());
        scaled.to_integer()
    };
    let each = |price: &dyn Fn(&Block) -> Number| gpu.kinds.iter().map(|kind| scale(price(kind))).collect();
    let mut relay = Relay {
        gpu: &gpu,
        cycle: SCALE,
        beside: each(&|kind| prices.a(kind)),
        first: each(&|kind| prices.c(kind, false)),
        next: each(&|kind| prices.c(kind, true)),
        left: left * scale(prices.left_early()),
        known: HashMap::new(),
    };
    relay.most(&start)
}

/// The prices of a case at each theta.
pub(crate) fn prices(case: &Case, flaw: Flaw) -> Vec<Prices> {
    Prices::all(case.sigma, most_warps(&case.blocks, case.at_once), &case.blocks, flaw)
}

#[test]
fn followed_cycles_are_paid_for() {
    (0..cases(1000)).into_par_iter().for_each(|seed| {
        let mut rng = cases::random(7000 + seed);
        let case = draw(&mut rng);
        let prices = prices(&case, Flaw::None);
        let prices = &prices[rng.random_range(0..prices.len())];
        let excess = excess(&case, prices, 1);
        assert!(excess <= 0, "{excess}/{SCALE} cycles too many: {case:?}, {prices:?}");
    });
}
