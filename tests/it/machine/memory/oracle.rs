//! The exact worst case of a few warps on multiprocessors that share servers, found by trying everything.
//!
//! Each cycle goes as follows. Blocks whose results are all there make room, waiting blocks take it where the adversary
//! likes, and barriers open. What others ask arrives. Warps issue as machines demand; each issue puts what its letter
//! asks into the pools of the servers, with what it displaces of what they owe from before. Then a server may take its
//! whole rate from its pool, and only a cycle in which one does, or in which one is paused, may freeze counters of
//! memory letters: any of them. All other counters fall by 1. A server that takes less, or takes all and freezes
//! nothing, only has less left for later, so [`System::every_service`] alone tries that too.

use std::collections::{HashMap, HashSet};

use num_integer::Integer;
use warpspan::model::machine::{Letter, Machine, Request, Step};

use super::pauses::{Pause, viable};
use super::state::{Place, Pool, State, fresh};

/// A warp's instructions between barriers.
pub(crate) type Line = Vec<Vec<Step>>;

/// A warp of a system: its line, the class whose ends are asked for, and its scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    pub(crate) line: usize,
    pub(crate) class: usize,
    pub(crate) scheduler: usize,
}

/// Equal multiprocessors with blocks that start at once and blocks that wait in one queue.
#[derive(Debug)]
pub(crate) struct System<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) lines: Vec<Line>,
    /// For each multiprocessor the blocks that start at once.
    pub(crate) start: Vec<Vec<Vec<Member>>>,
    /// A block that waits, how many do, and how many blocks a multiprocessor holds.
    pub(crate) queue: Vec<Member>,
    pub(crate) waiting: usize,
    pub(crate) places: usize,
    /// For how many cycles blocks that have ended before hold all units.
    pub(crate) held: u64,
    pub(crate) classes: usize,
    /// For each server the most that it is asked in all, if that is declared.
    pub(crate) declared: Vec<Option<u64>>,
    /// Whether services are tried that are no better for the adversary than others.
    pub(crate) every_service: bool,
}

/// For each class the most cycles until its last issue and until its last result.
pub(crate) type Ends = Vec<[u64; 2]>;

/// The numbers of a server in its parts.
pub(super) struct Numbers {
    parts: u64,
    pub(super) rate: u64,
    pub(super) others: u64,
    pub(super) pauses: HashSet<Pause>,
}

pub(super) struct Search<'a> {
    pub(super) system: &'a System<'a>,
    pub(super) servers: Vec<Numbers>,
    known: HashMap<State, Ends>,
    /// How many states may yet be made.
    pub(super) work: usize,
}

impl System<'_> {
    /// The worst ends of each class, or nothing if more than `most` steps would be tried.
    pub(crate) fn worst(&self, most: usize) -> Option<Ends> {
        let of = |server: &warpspan::model::machine::Server| {
            let parts = server.rate.denom().lcm(server.others.rate.denom());
            let whole = |rate: num_rational::Ratio<u64>| rate.numer() * (parts / rate.denom());
            Numbers {
                parts,
                rate: whole(server.rate),
                others: whole(server.others.rate),
                pauses: viable(server.pauses),
            }
        };
        let servers: Vec<Numbers> = self.machine.servers().iter().map(of).collect();
        let mut starts = vec![vec![]];
        for (number, (one, server)) in servers.iter().zip(self.machine.servers()).enumerate() {
            let pool = |&pause: &Pause| Pool {
                waits: server.others.burst * one.parts,
                owed: server.before * one.parts,
                left: self.declared.get(number).copied().flatten().map(|most| most * one.parts),
                pause,
            };
            let with =
                |before: Vec<Pool>| one.pauses.iter().map(move |at| [&before[..], &[pool(at)]].concat());
            starts = starts.into_iter().flat_map(with).collect();
        }
        let units = self.machine.units().iter().flat_map(|unit| {
            let held = if self.held > 0 { unit.instances } else { 0 };
            let held = vec![self.held; usize::try_from(held).unwrap()];
            vec![held; usize::try_from(self.machine.schedulers()).unwrap()]
        });
        let held: Vec<Vec<u64>> = units.collect();
        let place = |blocks: &Vec<Vec<Member>>| Place {
            blocks: blocks.iter().map(|block| fresh(block)).collect(),
            held: held.clone(),
        };
        let places: Vec<Place> = self.start.iter().map(place).collect();
        let mut search = Search { system: self, servers, known: HashMap::new(), work: most };
        let mut ends = vec![[0; 2]; self.classes];
        for pools in starts {
            let state = State { places: places.clone(), waiting: self.waiting, pools };
            raise(&mut ends, &search.worst(&state)?, |_| [0; 2]);
        }
        Some(ends)
    }
}

fn raise(ends: &mut Ends, by: &Ends, more: impl Fn(usize) -> [u64; 2]) {
    for (class, (end, by)) in ends.iter_mut().zip(by).enumerate() {
        let more = more(class);
        *end = [end[0].max(by[0] + more[0]), end[1].max(by[1] + more[1])];
    }
}

impl Search<'_> {
    fn worst(&mut self, state: &State) -> Option<Ends> {
        let mut ends = vec![[0; 2]; self.system.classes];
        for state in self.settled(state.clone()) {
            if let Some(known) = self.known.get(&state) {
                raise(&mut ends, known, |_| [0; 2]);
                continue;
            }
            // Whether a class has something to issue, and results to wait for.
            let mut goes_on = vec![[0; 2]; self.system.classes];
            let waiting = self.system.queue.iter().filter(|_| state.waiting > 0).map(|of| (of.class, [1, 1]));
            let there = state.places.iter().flat_map(|place| place.blocks.iter().flatten());
            let there = there.map(|warp| {
                let issues = u64::from(!self.has_ended(warp));
                (warp.of.class, [issues, issues.max(u64::from(!warp.pending.is_empty()))])
            });
            for (class, on) in waiting.chain(there) {
                goes_on[class] = [goes_on[class][0].max(on[0]), goes_on[class][1].max(on[1])];
            }
            let mut found = vec![[0; 2]; self.system.classes];
            if goes_on.iter().any(|on| on[1] > 0) {
                let next = self.cycle(&state)?;
                for after in next {
                    raise(&mut found, &self.worst(&after)?, |class| goes_on[class]);
                }
            }
            raise(&mut ends, &found, |_| [0; 2]);
            self.known.insert(state, found);
        }
        Some(ends)
    }

    /// What a letter puts into the pools of all servers.
    pub(super) fn ask(&self, letter: &Letter, pools: &mut [Pool]) {
        for (server, (pool, numbers)) in pools.iter_mut().zip(&self.servers).enumerate() {
            let Request { amount, displaces } = letter.request(server);
            let displaced = (displaces * numbers.parts).min(pool.owed);
            let mut asked = amount * numbers.parts + displaced;
            if let Some(left) = &mut pool.left {
                asked = asked.min(*left);
                *left -= asked;
            }
            pool.owed -= displaced;
            pool.waits += asked;
        }
    }
}
