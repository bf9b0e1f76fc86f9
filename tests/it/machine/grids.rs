//! Blocks that follow one another on machines, against everything that can happen.
//!
//! A block starts as soon as a multiprocessor has room for it, and frees its place when its last result is
//! there. Where several multiprocessors have room the adversary chooses. All warps are on one scheduler, the
//! worst way to pin them.

use std::collections::HashMap;
use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::engines::latency::{Block, Blocks, completion, grid};
use warpspan::model::machine::{Machine, Step, Waits};

use super::known::unit;
use super::oracle::{Runner, State, Warp, has_ended, next};
use crate::common::cases::{self, cases};

/// A grid of blocks of `warps` warps that run one string.
struct Grid<'a> {
    machine: &'a Machine,
    string: &'a [Step],
    warps: usize,
    resident: usize,
    /// Whether the cycles count until the last result, not only until the last issue.
    until_results: bool,
}

/// What is going on at the start of a cycle: for each multiprocessor its warps and units, and the number of
/// blocks that have not started.
type Now = (Vec<(usize, State)>, usize);

impl Grid<'_> {
    /// Warps of this many blocks, all on one scheduler.
    fn some(&self, blocks: usize) -> Vec<Warp> {
        let segments = vec![self.string.to_vec()];
        let warp =
            |number: usize| Warp { scheduler: 0, block: number / self.warps, segments: segments.clone() };
        (0..blocks * self.warps).map(warp).collect()
    }

    /// The multiprocessor without the blocks whose last results are there.
    fn without_ended(&self, (blocks, mut state): (usize, State)) -> (usize, State) {
        let warps = self.some(blocks);
        let ended = |block: usize| {
            (block * self.warps..(block + 1) * self.warps).all(|number| {
                let runner = &state.warps[number];
                has_ended(&warps[number], runner) && runner.running.is_empty()
            })
        };
        let left: Vec<usize> = (0..blocks).filter(|&block| !ended(block)).collect();
        let of_block = |&block: &usize| state.warps[block * self.warps..(block + 1) * self.warps].to_vec();
        state.warps = left.iter().flat_map(of_block).collect();
        (left.len(), state)
    }

    /// All ways to start the blocks that wait.
    fn started(&self, now: Now) -> Vec<Now> {
        let room = |at: &usize| now.1 > 0 && now.0[*at].0 < self.resident;
        let places: Vec<usize> = (0..now.0.len()).filter(room).collect();
        if places.is_empty() {
            return vec![now];
        }
        let start = |at: usize| {
            let mut after = now.clone();
            let fresh = State::start(self.machine, &self.some(1));
            after.0[at].0 += 1;
            after.0[at].1.warps.extend(fresh.warps);
            after.1 -= 1;
            self.started(after)
        };
        places.into_iter().flat_map(start).collect()
    }

    /// The most cycles until the last issue; nothing if there are too many states.
    fn worst(&self, now: Now, known: &mut HashMap<Now, u64>, most: usize) -> Option<u64> {
        let now = (now.0.into_iter().map(|one| self.without_ended(one)).collect(), now.1);
        let mut longest = 0;
        for now in self.started(now) {
            longest = longest.max(match known.get(&now) {
                Some(&cycles) => cycles,
                None => self.after(&now, known, most)?,
            });
        }
        Some(longest)
    }

    fn after(&self, now: &Now, known: &mut HashMap<Now, u64>, most: usize) -> Option<u64> {
        let ended = |(blocks, state): &(usize, State)| {
            let ended = |(warp, runner): (&Warp, &Runner)| {
                has_ended(warp, runner) && (!self.until_results || runner.running.is_empty())
            };
            self.some(*blocks).iter().zip(&state.warps).all(ended)
        };
        let mut cycles = 0;
        if now.1 > 0 || !now.0.iter().all(ended) {
            let mut all = vec![(vec![], now.1)];
            for (blocks, state) in &now.0 {
                let next = next(self.machine, &self.some(*blocks), state);
                let with = |(others, waiting): Now| {
                    next.iter().map(move |state| {
                        let one = (*blocks, state.clone());
                        ([&others[..], &[one]].concat(), waiting)
                    })
                };
                all = all.into_iter().flat_map(with).collect();
            }
            for next in all {
                cycles = cycles.max(1 + self.worst(next, known, most)?);
            }
        }
        if known.len() >= most {
            return None;
        }
        known.insert(now.clone(), cycles);
        Some(cycles)
    }
}

/// The step with a random stall, and random tokens that it needs and sets.
fn with_waits(step: &Step, rng: &mut ChaCha8Rng) -> Step {
    let mut tokens = || (0..2_u16).filter(|_| rng.random_bool(0.5)).collect::<Vec<u16>>();
    let (needs, sets) = (tokens(), tokens());
    let waits = Waits { stall: rng.random_range(1..=2), needs, sets };
    Step { letter: step.letter, waits: Some(Arc::new(waits)) }
}

#[test]
fn no_grid_exceeds_its_bound() {
    let count = cases(1000);
    let found: Vec<(u64, u64, bool, bool)> = (0..count)
        .into_par_iter()
        .map(|seed| {
            let mut rng = cases::random(7_000_000 + seed);
            loop {
                let occupied = rng.random_bool(0.4);
                let mut kind = |name: &str| {
                    let least = rng.random_range(1..=2_u64);
                    let most = least + rng.random_range(0..=1_u64);
                    let occupancy = if occupied { rng.random_range(1..=3) } else { 1 };
                    unit(name, rng.random_range(1..=2), occupancy, [least, most])
                };
                let units = vec![kind("L"), kind("C")];
                let width = [Some(1), Some(2), None][rng.random_range(0..3_usize)];
                let machine = Arc::new(Machine::new(1, width, units, vec![]).unwrap());
                let length = rng.random_range(1..=3);
                let text: String =
                    (0..length).map(|_| if rng.random_bool(0.4) { 'C' } else { 'L' }).collect();
                let mut code = machine.code(&text).unwrap();
                if rng.random_bool(0.5) {
                    code = code.map(&mut |step: &Step| with_waits(step, &mut rng));
                }
                let multiprocessors = if rng.random_bool(0.4) { 2 } else { 1 };
                let (warps, resident) = (rng.random_range(1..=2_usize), rng.random_range(1..=2_usize));
                let blocks = rng.random_range(1..=4_usize) + (multiprocessors - 1);
                let string: Vec<Step> = code.written_out().unwrap().into_iter().flatten().collect();
                let plain =
                    Grid { machine: &machine, string: &string, warps, resident, until_results: false };
                let empty = (0, State { warps: vec![], ..State::start(&machine, &[]) });
                let start = (vec![empty; multiprocessors], blocks);
                let Some(worst) = plain.worst(start.clone(), &mut HashMap::new(), 3000) else { continue };
                let whole = Grid { until_results: true, ..plain };
                let done = whole.worst(start, &mut HashMap::new(), 6000);
                let queue = Blocks {
                    block: Block { code: &code, warps: warps as u64 },
                    number: blocks as u64,
                    resident: resident as u64,
                    multiprocessors: multiprocessors as u64,
                    spread: false,
                };
                let upper = grid(&machine, &queue).unwrap().cycles().0;
                assert!(worst <= upper, "{worst} > {upper}: {text}, {machine:?}, {queue:?}");
                let whole = completion(&machine, &queue, 0).unwrap().cycles().0;
                assert!(
                    done.is_none_or(|done| done <= whole),
                    "{done:?} > {whole}: {text}, {machine:?}, {queue:?}"
                );
                let waits = blocks > resident * multiprocessors;
                return (worst, upper, multiprocessors > 1 && waits, waits);
            }
        })
        .collect();
    let several = found.iter().filter(|case| case.2).count();
    let waiting = found.iter().filter(|case| case.3).count();
    let exact = found.iter().filter(|case| case.0 == case.1).count();
    println!(
        "{count} grids, {waiting} with waiting blocks, {several} of these on two multiprocessors, {exact} exact"
    );
    assert!(waiting * 3 > found.len() && several * 20 > found.len() && exact * 3 > found.len());
}

#[test]
fn waiting_blocks_need_more_than_rounds() {
    let upper = |machine: Machine, text: &str, warps, blocks, resident, multiprocessors| {
        let machine = Arc::new(machine);
        let code = machine.code(text).unwrap();
        let block = Block { code: &code, warps };
        let queue = Blocks { block, number: blocks, resident, multiprocessors, spread: false };
        grid(&machine, &queue).map(|upper| upper.cycles().0)
    };
    let slow = || Machine::new(1, Some(1), vec![unit("L", 1, 1, [1, 10])], vec![]).unwrap();
    // One block after the other: each but the last takes 10 cycles for each letter.
    assert_eq!(upper(slow(), "LL", 1, 3, 1, 1).unwrap(), 20 + 20 + 11);
    // Two places, three blocks: two are followed, and the third is beside them.
    assert_eq!(upper(slow(), "LL", 1, 3, 2, 1).unwrap(), 20 + 11 + 2);
    // Room for all: no block waits.
    assert_eq!(upper(slow(), "LL", 1, 4, 2, 2).unwrap(), 11 + 2);
    // Several multiprocessors end no later than one.
    let ends: Vec<u64> = (1..=5).map(|many| upper(slow(), "LL", 2, 40, 2, many).unwrap()).collect();
    assert!(ends.is_sorted_by(|a, b| a >= b), "{ends:?}");
    let most = upper(slow(), "L1000000000", 1 << 60, 1 << 60, 1 << 20, 80);
    assert_eq!(most.unwrap_err().to_string(), "the bound exceeds 2^63 cycles: want fewer warps or rounds");
    assert!(upper(slow(), "L|L", 1, 2, 1, 1).unwrap_err().to_string().contains("barriers"));
    assert_eq!(upper(slow(), "L", 1, 0, 1, 1).unwrap_err().to_string(), "blocks: want 1 or more");
}
