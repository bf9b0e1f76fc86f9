//! A policy of random order.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::policy::{Candidate, Last, SortWarps};

/// An order drawn anew each cycle, the same for the same seed.
#[derive(Debug, Clone)]
pub struct Random {
    rng: ChaCha8Rng,
    /// Whether the last order had to be drawn.
    drawn: bool,
}

impl Random {
    /// The policy of one of the schedulers, each of which draws from a stream of its own.
    pub fn new(seed: u64, scheduler: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(scheduler);
        Self { rng, drawn: false }
    }
}

impl SortWarps for Random {
    fn sort(&mut self, _: Last, warps: &[Candidate], queue: &mut Vec<u32>) {
        queue.extend(warps.iter().map(|candidate| candidate.warp));
        queue.shuffle(&mut self.rng);
        self.drawn = queue.len() > 1;
    }

    fn is_settled(&self) -> bool {
        !self.drawn
    }
}
