//! The exact worst case of blocks that follow one another, by a search over all schedules and placements that
//! remembers what it has found.

use std::collections::HashMap;

use super::gpu::{Block, Gpu, State};

/// What a schedule earns. A theorem of the form "time <= sum of prices of the blocks that are present" holds
/// if and only if no schedule earns more than the rest of its right-hand side.
pub(crate) struct Earnings {
    /// Each cycle earns this, until the aim is reached.
    pub(crate) cycle: i64,
    /// The block at whose end the search stops; without one, it stops when all blocks have ended.
    pub(crate) aim: Option<u8>,
    /// What is paid for each kind of block that is present before the aim is reached.
    pub(crate) present: Vec<i64>,
    /// What is paid besides for each kind that is present while the aim waits for room.
    pub(crate) ahead: Vec<i64>,
    /// After so many blocks ahead, another price is paid.
    pub(crate) round: (u64, i64),
}

impl Earnings {
    /// The number of cycles, and nothing else.
    fn cycles(kinds: usize) -> Self {
        Self { cycle: 1, aim: None, present: vec![0; kinds], ahead: vec![0; kinds], round: (u64::MAX, 0) }
    }
}

/// The longest makespan.
pub(crate) fn worst(
    sigma: [usize; 2],
    (machines, capacity): (usize, u64),
    blocks: &[Block],
    any_order: bool,
) -> u64 {
    let (gpu, start) = Gpu::new(sigma, (machines, capacity), blocks, any_order);
    u64::try_from(most(&gpu, &Earnings::cycles(gpu.kinds.len()), &start)).unwrap()
}

/// The most that a schedule earns.
pub(crate) fn most(gpu: &Gpu, earnings: &Earnings, start: &State) -> i64 {
    Search { gpu, earnings, known: HashMap::new() }.most(start)
}

struct Search<'a> {
    gpu: &'a Gpu,
    earnings: &'a Earnings,
    /// The most that is earned from a state in which all blocks are placed.
    known: HashMap<State, i64>,
}

impl Search<'_> {
    fn most(&mut self, state: &State) -> i64 {
        if self.over(state) {
            return 0;
        }
        let placements = self.gpu.placements(state);
        let earned = placements.into_iter().map(|mut placed| {
            let paid = self.pay(state, &mut placed);
            self.placed(placed) - paid
        });
        earned.max().unwrap()
    }

    fn placed(&mut self, state: State) -> i64 {
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let after = self.gpu.cycle(&state);
        let most = self.earnings.cycle + after.iter().map(|next| self.most(next)).max().unwrap();
        self.known.insert(state, most);
        most
    }

    fn over(&self, state: &State) -> bool {
        let mut present = state.machines.iter().flatten();
        match self.earnings.aim {
            Some(aim) => !state.queue.contains(&aim) && present.all(|block| block.kind != aim),
            None => state.queue.is_empty() && present.next().is_none(),
        }
    }

    /// What is paid for the blocks that have just started.
    fn pay(&self, before: &State, after: &mut State) -> i64 {
        let mut started = before.queue.clone();
        for kind in &after.queue {
            let at = started.iter().position(|other| other == kind).unwrap();
            started.remove(at);
        }
        let waits = self.earnings.aim.is_some_and(|aim| after.queue.contains(&aim));
        let mut paid = 0;
        for kind in started {
            paid += self.earnings.present[usize::from(kind)];
            if waits {
                paid += self.earnings.ahead[usize::from(kind)];
                after.tally += 1;
                if after.tally == self.earnings.round.0 {
                    after.tally = 0;
                    paid += self.earnings.round.1;
                }
            }
        }
        paid
    }
}
