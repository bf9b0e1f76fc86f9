//! Multiprocessors that are machines with latency and issue width, for [`super::cycles`].

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use warpspan::model::machine::Machine;

use super::cycles::{Adversary, Block, open_barriers};

/// The instances of units that are held on a multiprocessor: the unit, the scheduler if it is private, and the
/// first cycle in which the instance is free.
#[derive(Default)]
pub(super) struct Held(Vec<(usize, u64, u64)>);

impl Held {
    fn is_free(&self, machine: &Machine, unit: usize, place: u64) -> bool {
        let held = self.0.iter().filter(|held| (held.0, held.1) == (unit, place)).count();
        u64::try_from(held).unwrap() < machine.units()[unit].instances
    }

    /// One cycle of a multiprocessor: measured blocks issue anything, and of the ready warps as many as can.
    pub(super) fn issue(
        &mut self,
        machine: &Machine,
        (multiprocessor, now): (usize, u64),
        adversary: &Adversary,
        rng: &mut ChaCha8Rng,
        blocks: &mut [Block],
    ) {
        self.0.retain(|held| held.2 > now);
        let schedulers = machine.schedulers();
        let mut slots = vec![machine.width().unwrap_or(u64::MAX); usize::try_from(schedulers).unwrap()];
        let place = |unit: usize, scheduler: u64| if machine.units()[unit].shared { 0 } else { scheduler };
        let here = |block: &Block| block.place == multiprocessor;
        for _ in blocks.iter().filter(|block| here(block) && block.warps.is_empty()) {
            for letter in machine.letters() {
                let scheduler = rng.random_range(0..schedulers);
                let at = usize::try_from(scheduler).unwrap();
                let place = place(letter.unit, scheduler);
                if slots[at] > 0 && rng.random_bool(0.5) && self.is_free(machine, letter.unit, place) {
                    slots[at] -= 1;
                    self.0.push((letter.unit, place, now + letter.occupancy));
                }
            }
        }
        for block in blocks.iter_mut().filter(|block| here(block)) {
            open_barriers(block, |warp| warp.ready <= now);
        }
        let mut ready = Vec::new();
        for (at, block) in blocks.iter().enumerate().filter(|(_, block)| here(block)) {
            for (number, warp) in block.warps.iter().enumerate() {
                let letter = warp.letters.get(warp.next).and_then(|letter| machine.find(&letter.to_string()));
                if let Some(letter) = letter.filter(|_| warp.ready <= now) {
                    ready.push((adversary.key(block.kernel, warp, rng), at, number, letter));
                }
            }
        }
        ready.sort_unstable();
        for (_, at, number, letter) in ready {
            let (letter, warp) = (machine.letter(letter), &mut blocks[at].warps[number]);
            let scheduler = warp.scheduler % schedulers;
            let slot = &mut slots[usize::try_from(scheduler).unwrap()];
            let place = place(letter.unit, scheduler);
            if *slot == 0 || !self.is_free(machine, letter.unit, place) {
                continue;
            }
            *slot -= 1;
            self.0.push((letter.unit, place, now + letter.occupancy));
            let latency = match rng.random_range(0..4) {
                0 => letter.latency.least,
                1 => rng.random_range(letter.latency.least..=letter.latency.most),
                _ => letter.latency.most,
            };
            warp.next += 1;
            warp.ready = now + latency;
        }
    }
}
