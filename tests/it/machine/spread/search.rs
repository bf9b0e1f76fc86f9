//! The exact worst case of a tiny grid whose warps are spread over schedulers, found by trying everything.
//!
//! Everything that may happen is tried in each cycle: where blocks start and which warps of them are on which scheduler (no
//! more than each may have), every set of issues that a work-conserving schedule may make, every latency, and, where a server
//! may work at its full rate, every set of results that it keeps waiting. It has types of its own and shares nothing with the
//! library, nor with the other oracles of these tests.

use std::collections::{HashMap, HashSet};

/// A kind of unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) shared: bool,
    pub(crate) instances: u8,
}

/// An instruction: its unit, for how long it holds an instance, its latencies, and what it asks of each server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letter {
    pub(crate) unit: u8,
    pub(crate) occupancy: u8,
    pub(crate) latency: [u8; 2],
    pub(crate) asks: [u8; 2],
}

/// What an instruction waits for if not for the one before: its stall, the tokens that it needs and those that it sets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waits {
    pub(crate) stall: u8,
    pub(crate) needs: u8,
    pub(crate) sets: u8,
}

/// A letter by its number, with what it waits for.
pub(crate) type Step = (u8, Option<Waits>);

/// A tiny grid.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) schedulers: u8,
    /// The most instructions that a scheduler issues in a cycle; 0 for any number.
    pub(crate) width: u8,
    pub(crate) units: Vec<Unit>,
    pub(crate) letters: Vec<Letter>,
    /// The paths that a warp may take, each as its segments. All have as many segments.
    pub(crate) paths: Vec<Vec<Vec<Step>>>,
    pub(crate) warps: u8,
    pub(crate) resident: u8,
    pub(crate) blocks: u8,
    pub(crate) multiprocessors: u8,
    /// The rates of the servers, as numerator and denominator, and what is in their pools at the start.
    pub(crate) rates: Vec<[u16; 2]>,
    pub(crate) before: Vec<u16>,
}

/// The most cycles until the last issue, the last result, the last unit is free, and the last block has started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Worst {
    pub(crate) issued: u16,
    pub(crate) done: u16,
    pub(crate) freed: u16,
    pub(crate) started: u16,
}

/// The mark of a result for which its warp waits before anything else.
const KEEPS: u8 = 128;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Warp {
    scheduler: u8,
    path: u8,
    at: u8,
    stall: u8,
    /// The tokens that each result sets and the cycles until it is there.
    pending: Vec<(u8, u8)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Block {
    segment: u8,
    warps: Vec<Warp>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
struct Processor {
    blocks: Vec<Block>,
    /// Unit, scheduler (0 if shared), and for how many cycles an instance is held.
    held: Vec<(u8, u8, u8)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    processors: Vec<Processor>,
    waiting: u8,
    pools: Vec<u16>,
}

struct Search<'a> {
    case: &'a Case,
    /// All ways to spread a block: the scheduler and the path of each warp.
    fresh: Vec<Vec<Warp>>,
    known: HashMap<State, Worst>,
    /// How many steps may yet be tried.
    work: usize,
}

/// The worst case, or nothing if more than `most` steps would be tried.
pub(crate) fn worst(case: &Case, most: usize) -> Option<Worst> {
    let processor = Processor::default();
    let start = State {
        processors: vec![processor; usize::from(case.multiprocessors)],
        waiting: case.blocks,
        pools: case.before.iter().zip(&case.rates).map(|(before, rate)| before * rate[1]).collect(),
    };
    let mut search = Search { case, fresh: spreads(case), known: HashMap::new(), work: most };
    search.worst(start)
}

/// All ways to give the warps of a block to schedulers and paths, each scheduler no more than its share rounded up.
fn spreads(case: &Case) -> Vec<Vec<Warp>> {
    let share = case.warps.div_ceil(case.schedulers);
    let mut all: Vec<Vec<Warp>> = vec![vec![]];
    for _ in 0..case.warps {
        let mut next = Vec::new();
        for block in &all {
            for scheduler in 0..case.schedulers {
                let there = block.iter().filter(|warp| warp.scheduler == scheduler).count();
                if there >= usize::from(share) {
                    continue;
                }
                for path in 0..u8::try_from(case.paths.len()).unwrap() {
                    let warp = Warp { scheduler, path, at: 0, stall: 0, pending: vec![] };
                    // In order, so that no way comes twice.
                    if block.last().is_none_or(|last| *last <= warp) {
                        next.push([&block[..], &[warp]].concat());
                    }
                }
            }
        }
        all = next;
    }
    all
}

impl Search<'_> {
    fn segment(&self, block: &Block, warp: &Warp) -> &[Step] {
        &self.case.paths[usize::from(warp.path)][usize::from(block.segment)]
    }

    fn has_ended(&self, block: &Block, warp: &Warp) -> bool {
        let rest = &self.case.paths[usize::from(warp.path)][usize::from(block.segment)..];
        usize::from(warp.at) >= rest[0].len() && rest[1..].iter().all(Vec::is_empty)
    }

    /// Opens barriers, takes away blocks that are over, and gives free places to blocks that wait, in all ways.
    fn settled(&self, mut state: State) -> Vec<State> {
        let segments = self.case.paths[0].len();
        for processor in &mut state.processors {
            for block in &mut processor.blocks {
                self.open(block, segments);
            }
            let ended = |block: &Block| {
                block.warps.iter().all(|warp| self.has_ended(block, warp) && warp.pending.is_empty())
            };
            processor.blocks.retain(|block| !ended(block));
        }
        self.start(state).into_iter().map(|state| self.alike(state)).collect()
    }

    fn open(&self, block: &mut Block, segments: usize) {
        while usize::from(block.segment) + 1 < segments {
            let arrived = block.warps.iter().all(|warp| {
                usize::from(warp.at) == self.segment(block, warp).len()
                    && warp.stall == 0
                    && warp.pending.is_empty()
            });
            if !arrived {
                return;
            }
            block.segment += 1;
            block.warps.iter_mut().for_each(|warp| warp.at = 0);
        }
    }

    fn start(&self, state: State) -> Vec<State> {
        let room = |processor: &Processor| processor.blocks.len() < usize::from(self.case.resident);
        if state.waiting == 0 || !state.processors.iter().any(room) {
            return vec![state];
        }
        let mut all = Vec::new();
        for at in (0..state.processors.len()).filter(|&at| room(&state.processors[at])) {
            for warps in &self.fresh {
                let mut next = state.clone();
                let mut block = Block { segment: 0, warps: warps.clone() };
                self.open(&mut block, self.case.paths[0].len());
                next.processors[at].blocks.push(block);
                next.waiting -= 1;
                all.extend(self.start(next));
            }
        }
        all
    }

    /// One of the states that differ in names only: equal warps, blocks, multiprocessors, and the two schedulers if there are two.
    fn alike(&self, mut state: State) -> State {
        for processor in &mut state.processors {
            sort(processor);
            if self.case.schedulers == 2 {
                let mut other = processor.clone();
                for warp in other.blocks.iter_mut().flat_map(|block| &mut block.warps) {
                    warp.scheduler = 1 - warp.scheduler;
                }
                for (unit, scheduler, _) in &mut other.held {
                    if !self.case.units[usize::from(*unit)].shared {
                        *scheduler = 1 - *scheduler;
                    }
                }
                sort(&mut other);
                if other < *processor {
                    *processor = other;
                }
            }
        }
        state.processors.sort_unstable();
        state
    }

    fn worst(&mut self, state: State) -> Option<Worst> {
        let mut most = Worst::default();
        let all: HashSet<State> = self.settled(state).into_iter().collect();
        for state in all {
            let one = match self.known.get(&state) {
                Some(&known) => known,
                None => self.after(state)?,
            };
            most = most.or(one);
        }
        Some(most)
    }

    fn after(&mut self, state: State) -> Option<Worst> {
        let there = || state.processors.iter().flat_map(|processor| &processor.blocks);
        let mut found = Worst::default();
        if state.waiting == 0 && there().next().is_none() {
            let held = state.processors.iter().flat_map(|processor| &processor.held);
            found.freed = held.map(|held| u16::from(held.2)).max().unwrap_or(0);
        } else {
            let issues = state.waiting > 0
                || there().any(|block| block.warps.iter().any(|warp| !self.has_ended(block, warp)));
            let next = self.cycle(&state);
            self.work = self.work.checked_sub(next.len())?;
            for next in next {
                let then = self.worst(next)?;
                found = found.or(Worst {
                    issued: if issues { then.issued + 1 } else { 0 },
                    done: then.done + 1,
                    freed: then.freed + 1,
                    started: if state.waiting > 0 { then.started + 1 } else { 0 },
                });
            }
        }
        self.known.insert(state, found);
        Some(found)
    }

    /// All states at the end of this cycle.
    fn cycle(&self, state: &State) -> HashSet<State> {
        let mut all: Vec<(Vec<Processor>, Vec<u16>)> = vec![(vec![], state.pools.clone())];
        for processor in &state.processors {
            let issued = self.issues(processor);
            all = all
                .into_iter()
                .flat_map(|(before, pools)| {
                    issued.iter().map(move |(after, asks)| {
                        let mut pools = pools.clone();
                        for (at, pool) in pools.iter_mut().enumerate() {
                            *pool += asks[at] * self.case.rates[at][1];
                        }
                        ([&before[..], std::slice::from_ref(after)].concat(), pools)
                    })
                })
                .collect();
        }
        let mut found = HashSet::new();
        for (processors, pools) in all {
            // Without a full cycle nothing is frozen, and what a server does not take can only be of use later.
            found.insert(self.passed(&processors, &pools, state.waiting, 0));
            let counters: usize = processors
                .iter()
                .flat_map(|one| &one.blocks)
                .flat_map(|block| &block.warps)
                .map(|warp| warp.pending.len())
                .sum();
            for (server, rate) in
                self.case.rates.iter().enumerate().filter(|(at, rate)| pools[*at] >= rate[0])
            {
                let mut pools = pools.clone();
                pools[server] -= rate[0];
                for frozen in 1..1_u32 << counters {
                    found.insert(self.passed(&processors, &pools, state.waiting, frozen));
                }
            }
        }
        found
    }

    /// The end of the cycle, in which these counters stand still.
    fn passed(&self, processors: &[Processor], pools: &[u16], waiting: u8, frozen: u32) -> State {
        let mut processors = processors.to_vec();
        let mut counter = 0;
        for processor in &mut processors {
            for warp in processor.blocks.iter_mut().flat_map(|block| &mut block.warps) {
                warp.stall = warp.stall.saturating_sub(1);
                for (_, left) in &mut warp.pending {
                    *left -= u8::from(frozen >> counter & 1 == 0);
                    counter += 1;
                }
                warp.pending.retain(|(_, left)| *left > 0);
            }
            processor.held.iter_mut().for_each(|held| held.2 -= 1);
            processor.held.retain(|held| held.2 > 0);
        }
        State { processors, waiting, pools: pools.to_vec() }
    }

    fn ready(&self, block: &Block, warp: &Warp) -> Option<Step> {
        let step = *self.segment(block, warp).get(usize::from(warp.at))?;
        let needs = KEEPS | step.1.map_or(0, |waits| waits.needs);
        (warp.stall == 0 && warp.pending.iter().all(|(sets, _)| sets & needs == 0)).then_some(step)
    }

    /// All ways to issue in a cycle and to draw latencies, with what is asked of the servers.
    fn issues(&self, processor: &Processor) -> Vec<(Processor, [u16; 2])> {
        let mut ready = Vec::new();
        for (at, block) in processor.blocks.iter().enumerate() {
            for (number, warp) in block.warps.iter().enumerate() {
                if let Some(step) = self.ready(block, warp) {
                    ready.push((at, number, warp.scheduler, step));
                }
            }
        }
        let mut found = HashSet::new();
        for set in 0_u32..1 << ready.len() {
            let is_in = |at: usize| set >> at & 1 == 1;
            let place = |unit: u8, scheduler: u8| {
                if self.case.units[usize::from(unit)].shared { 0 } else { scheduler }
            };
            let unit_of = |step: Step| self.case.letters[usize::from(step.0)].unit;
            let taken = |unit: u8, scheduler: u8| {
                let held = processor.held.iter().filter(|held| (held.0, held.1) == (unit, scheduler)).count();
                let issued = ready.iter().enumerate().filter(|(at, (_, _, on, step))| {
                    is_in(*at) && unit_of(*step) == unit && place(unit, *on) == scheduler
                });
                held + issued.count()
            };
            let slots = |scheduler: u8| {
                ready.iter().enumerate().filter(|(at, one)| is_in(*at) && one.2 == scheduler).count()
            };
            let (width, none) = (usize::from(self.case.width), self.case.width == 0);
            let may = ready.iter().enumerate().all(|(at, &(_, _, on, step))| {
                let unit = unit_of(step);
                let instances = usize::from(self.case.units[usize::from(unit)].instances);
                let (taken, slots) = (taken(unit, place(unit, on)), slots(on));
                if is_in(at) {
                    taken <= instances && (none || slots <= width)
                } else {
                    taken >= instances || !none && slots >= width
                }
            });
            if !may {
                continue;
            }
            let mut all = vec![(processor.clone(), [0; 2])];
            for (_, &(block, number, on, (letter, waits))) in
                ready.iter().enumerate().filter(|(at, _)| is_in(*at))
            {
                let letter = self.case.letters[usize::from(letter)];
                all = all
                    .into_iter()
                    .flat_map(|(before, asks)| {
                        (letter.latency[0]..=letter.latency[1]).map(move |latency| {
                            let mut after = before.clone();
                            let warp = &mut after.blocks[block].warps[number];
                            warp.at += 1;
                            warp.stall = waits.map_or(0, |waits| waits.stall);
                            warp.pending.push((waits.map_or(KEEPS, |waits| waits.sets), latency));
                            after.held.push((letter.unit, place(letter.unit, on), letter.occupancy));
                            (after, [0, 1].map(|at| asks[at] + u16::from(letter.asks[at])))
                        })
                    })
                    .collect();
            }
            found.extend(all);
        }
        found.into_iter().collect()
    }
}

fn sort(processor: &mut Processor) {
    for block in &mut processor.blocks {
        block.warps.iter_mut().for_each(|warp| warp.pending.sort_unstable());
        block.warps.sort_unstable();
    }
    processor.blocks.sort_unstable();
    processor.held.sort_unstable();
}

impl Worst {
    fn or(self, other: Self) -> Self {
        Self {
            issued: self.issued.max(other.issued),
            done: self.done.max(other.done),
            freed: self.freed.max(other.freed),
            started: self.started.max(other.started),
        }
    }
}
