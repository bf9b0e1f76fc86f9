//! All that may happen in one cycle of the oracle.

use std::collections::HashSet;

use warpspan::model::machine::LetterId;

use super::oracle::Search;
use super::state::{Pending, State, Warp, fresh};

/// A warp of a state: its multiprocessor, block and number.
type At = [usize; 3];

impl Search<'_> {
    /// Whether a warp has nothing left to issue.
    pub(super) fn has_ended(&self, warp: &Warp) -> bool {
        let line = &self.system.lines[warp.of.line];
        warp.at == line[warp.segment].len() && line[warp.segment + 1..].iter().all(Vec::is_empty)
    }

    /// The states after blocks have ended and begun and barriers have opened.
    pub(super) fn settled(&self, mut state: State) -> Vec<State> {
        for place in &mut state.places {
            place
                .blocks
                .retain(|block| !block.iter().all(|warp| self.has_ended(warp) && warp.pending.is_empty()));
            for block in &mut place.blocks {
                let line = |warp: &Warp| &self.system.lines[warp.of.line];
                let arrived = |warp: &Warp| {
                    warp.at == line(warp)[warp.segment].len() && warp.stall == 0 && warp.pending.is_empty()
                };
                while block.iter().all(|warp| arrived(warp) && warp.segment + 1 < line(warp).len()) {
                    for warp in block.iter_mut() {
                        warp.segment += 1;
                        warp.at = 0;
                    }
                }
            }
        }
        let room = |at: &usize| state.waiting > 0 && state.places[*at].blocks.len() < self.system.places;
        let places: Vec<usize> = (0..state.places.len()).filter(room).collect();
        if places.is_empty() {
            return vec![state];
        }
        let begun = places.into_iter().flat_map(|at| {
            let mut state = state.clone();
            state.waiting -= 1;
            state.places[at].blocks.push(fresh(&self.system.queue));
            self.settled(state)
        });
        begun.collect::<HashSet<_>>().into_iter().collect()
    }

    /// All states at the start of the next cycle, if that is not too much work.
    pub(super) fn cycle(&mut self, state: &State) -> Option<HashSet<State>> {
        let mut states = vec![state.clone()];
        for (server, numbers) in self.servers.iter().enumerate() {
            let spec = self.system.machine.servers()[server].pauses;
            let begun = |state: State| {
                let now = state.pools[server].pause.begins(spec).into_iter();
                let now = now.filter(|now| numbers.pauses.contains(&now.later())).collect::<Vec<_>>();
                now.into_iter().map(move |pause| {
                    let mut state = state.clone();
                    state.pools[server].pause = pause;
                    state.pools[server].waits += numbers.others;
                    state
                })
            };
            states = states.into_iter().flat_map(begun).collect();
        }
        for place in 0..state.places.len() {
            let sets = self.sets(state, place);
            let issued =
                |state: &State| sets.iter().flat_map(|set| self.issued(state, set)).collect::<Vec<_>>();
            states = states.iter().flat_map(issued).collect();
        }
        let mut found = HashSet::new();
        for state in &states {
            let served = self.served(state);
            self.work = self.work.checked_sub(served.len())?;
            found.extend(served);
        }
        Some(found)
    }

    fn ready(&self, warp: &Warp) -> Option<LetterId> {
        let step = self.system.lines[warp.of.line][warp.segment].get(warp.at)?;
        let needs = |pending: &Pending| {
            pending.in_order
                || step.waits.iter().any(|waits| waits.needs.iter().any(|need| pending.tokens.contains(need)))
        };
        (warp.stall == 0 && !warp.pending.iter().any(needs)).then_some(step.letter)
    }

    /// Where a scheduler finds the instances of the unit of a letter.
    fn instances(&self, letter: LetterId, scheduler: usize) -> usize {
        let unit = self.system.machine.letter(letter).unit;
        let schedulers = usize::try_from(self.system.machine.schedulers()).unwrap();
        unit * schedulers + if self.system.machine.units()[unit].shared { 0 } else { scheduler }
    }

    /// The sets of warps of a multiprocessor that may issue together, leaving nobody waiting for nothing.
    fn sets(&self, state: &State, place: usize) -> Vec<Vec<At>> {
        let machine = self.system.machine;
        let mut ready = vec![];
        for (block, warps) in state.places[place].blocks.iter().enumerate() {
            for (number, warp) in warps.iter().enumerate() {
                ready.extend(
                    self.ready(warp).map(|letter| ([place, block, number], letter, warp.of.scheduler)),
                );
            }
        }
        let fits = |set: &[usize], one: usize| {
            let (_, letter, scheduler) = ready[one];
            let at = self.instances(letter, scheduler);
            let same =
                set.iter().filter(|&&other| self.instances(ready[other].1, ready[other].2) == at).count();
            let slots = set.iter().filter(|&&other| ready[other].2 == scheduler).count() as u64;
            let held = (state.places[place].held[at].len() + same) as u64;
            held < machine.unit_of(letter).instances && machine.width().is_none_or(|width| slots < width)
        };
        let mut found = vec![];
        for mask in 0_u32..1 << ready.len() {
            let set: Vec<usize> = (0..ready.len()).filter(|at| mask >> at & 1 == 1).collect();
            let others = (0..ready.len()).filter(|one| !set.contains(one));
            if (0..set.len()).all(|at| fits(&set[..at], set[at]))
                && !others.into_iter().any(|one| fits(&set, one))
            {
                found.push(set.into_iter().map(|at| ready[at].0).collect());
            }
        }
        found
    }

    /// The states after these warps have issued, with every latency.
    fn issued(&self, state: &State, set: &[At]) -> Vec<State> {
        let mut states = vec![state.clone()];
        for &[place, block, number] in set {
            let warp = &state.places[place].blocks[block][number];
            let step = &self.system.lines[warp.of.line][warp.segment][warp.at];
            let letter = self.system.machine.letter(step.letter);
            let at = self.instances(step.letter, warp.of.scheduler);
            let of_memory = letter.requests.iter().any(|asked| asked.amount > 0 || asked.displaces > 0);
            let with = |state: State| {
                (letter.latency.least..=letter.latency.most).map(move |cycles| {
                    let mut state = state.clone();
                    self.ask(letter, &mut state.pools);
                    state.places[place].held[at].push(letter.occupancy);
                    let warp = &mut state.places[place].blocks[block][number];
                    warp.at += 1;
                    warp.stall = step.waits.as_ref().map_or(0, |waits| waits.stall.into());
                    let tokens = step.waits.as_ref().map_or(vec![], |waits| waits.sets.clone());
                    warp.pending.push(Pending { cycles, of_memory, in_order: step.waits.is_none(), tokens });
                    state
                })
            };
            states = states.into_iter().flat_map(with).collect();
        }
        states
    }
}
