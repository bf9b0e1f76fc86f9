//! The forward run through the levels.

use std::collections::VecDeque;
use std::ops::Range;

use crate::states::Meter;
use crate::states::levels::arrival::Arrival;
use crate::states::levels::moves::{Moves, State};
use crate::states::levels::state_set::{Part, Reached, hash};
use warpspan_model::limits::{Limits, Stop};

/// The states of each level from the first, if there was memory to keep them.
pub(super) type Kept = Vec<Vec<Part>>;

/// The result of a run from one state to another.
pub(super) struct Run {
    /// The arrival at the other state. It is `None` if no state led that far.
    pub(super) arrival: Option<Arrival>,
    pub(super) kept: Option<Kept>,
    /// The middle states, by which arrivals beyond the middle are named.
    pub(super) middle: Vec<State>,
    pub(super) states: u64,
}

/// Why a run ended early.
pub(super) struct Halt {
    pub(super) stop: Stop,
    /// A bound on every schedule from start to end, since each goes through one of the states held.
    pub(super) upper: Option<u64>,
}

/// The number of states that each thread expands before it checks the limits again.
const STATES_A_LOOK: usize = 1 << 12;

/// A search with its limits.
pub(super) struct Forward<'a> {
    pub(super) moves: &'a Moves<'a>,
    pub(super) limits: &'a Limits,
    pub(super) meter: &'a Meter<'a>,
}

impl Forward<'_> {
    /// Runs from one state to another, and visits every state in between.
    pub(super) fn run(&self, from: &State, to: &State) -> Result<Run, Halt> {
        let empty = || (0..self.limits.threads).map(|_| Part::new(self.moves.warps())).collect::<Vec<_>>();
        let whole = *to == self.moves.end();
        let bound = (!whole).then_some(&**to);
        let (first, last) = (level(from), level(to));
        let mut live: VecDeque<Vec<Part>> = (0..=self.moves.most()).map(|_| empty()).collect();
        live[0][0].reach(hash(from), from, Arrival::START);
        let (mut kept, mut middle): (Option<Kept>, _) = (Some(Vec::new()), Vec::new());
        let mut states = 0;
        for at in first..last {
            if at == first.midpoint(last) {
                middle = name(&mut live);
            }
            let mut level = live.pop_front().expect("as many levels as a cycle can reach");
            live.push_back(empty());
            let chunks: Vec<(&Part, Range<usize>)> = level.iter().flat_map(chunks).collect();
            for chunks in chunks.chunks(self.limits.threads) {
                let held = live.iter().flatten().chain(&level);
                if let Err(stop) = self.look(held, &middle, &mut kept) {
                    let all = whole && *from == self.moves.start();
                    let held = live.iter().flatten().chain(&level);
                    let upper = || held.filter_map(|part| self.through(part)).max();
                    return Err(Halt { stop, upper: all.then(upper).flatten() });
                }
                let expand = |(part, range): (&Part, Range<usize>)| self.expand(part, range, bound);
                let reached = self.limits.side_by_side(chunks.to_vec(), expand);
                let parts: Vec<(usize, &mut Part)> = live.iter_mut().flatten().enumerate().collect();
                self.limits.side_by_side(parts, |(at, part)| {
                    reached.iter().filter_map(|of| of.get(at)).for_each(|reached| part.meet(reached));
                });
                states += chunks.iter().map(|(_, range)| range.len() as u64).sum::<u64>();
                self.meter.level(states, at + 1 - first, last - first);
            }
            if let Some(kept) = &mut kept {
                level.iter_mut().for_each(Part::close);
                kept.push(level);
            }
        }
        let end = live[0].iter().find_map(|part| part.iter().next());
        Ok(Run { arrival: end.map(|(_, &arrival)| arrival), kept, middle, states: states + 1 })
    }

    /// The successors of the states of a part of a level, by the number of issues and then by the part they
    /// belong to.
    fn expand(&self, part: &Part, range: Range<usize>, bound: Option<&[u16]>) -> Vec<Reached> {
        let parts = self.limits.threads;
        let mut reached: Vec<Reached> =
            (0..parts * self.moves.most()).map(|_| Reached::new(self.moves.warps())).collect();
        for (state, arrival) in part.range(range) {
            self.moves.each(state, &mut |next, count| {
                if bound.is_none_or(|bound| next.iter().zip(bound).all(|(a, b)| a <= b)) {
                    let hash = hash(next);
                    let part = usize::try_from((hash >> 32) % parts as u64).expect("fewer than threads");
                    reached[(count - 1) * parts + part].push(hash, next, arrival.next());
                }
            });
        }
        reached
    }

    /// Checks the limits, and gives up the path back if memory demands it.
    fn look<'p>(
        &self,
        live: impl Iterator<Item = &'p Part>,
        middle: &[State],
        kept: &mut Option<Kept>,
    ) -> Result<(), Stop> {
        if let Some(stop) = self.limits.stopped() {
            return Err(stop);
        }
        let live = live.map(Part::bytes).sum::<u64>() + 2 * (self.moves.warps() * middle.len()) as u64;
        let all = kept.iter().flatten().flatten().map(Part::bytes).sum::<u64>() + live;
        if all > self.limits.memory {
            *kept = None;
        }
        if live > self.limits.memory { Err(Stop::MemoryLimit) } else { Ok(()) }
    }

    /// The longest that a schedule through a state of the part can be.
    fn through(&self, part: &Part) -> Option<u64> {
        part.iter().map(|(state, arrival)| u64::from(arrival.latest.0) + self.moves.rest(state)).max()
    }
}

/// The pieces of a part for threads.
fn chunks(part: &Part) -> impl Iterator<Item = (&Part, Range<usize>)> {
    let last = part.len();
    (0..last).step_by(STATES_A_LOOK).map(move |first| (part, first..last.min(first + STATES_A_LOOK)))
}

/// Names the states at hand, one of which is on every path, in a fixed order.
fn name(live: &mut VecDeque<Vec<Part>>) -> Vec<State> {
    let mut middle: Vec<State> =
        live.iter().flatten().flat_map(Part::iter).map(|(state, _)| state.into()).collect();
    middle.sort_unstable();
    for part in live.iter_mut().flatten() {
        part.update(|state, arrival| {
            let name = middle.binary_search_by(|known| (**known).cmp(state)).expect("just put there");
            let name = u32::try_from(name).unwrap_or(u32::MAX);
            (arrival.latest.1, arrival.earliest.1) = (name, name);
        });
    }
    middle
}

/// The total number of instructions issued.
pub(super) fn level(state: &[u16]) -> u64 {
    state.iter().map(|&issued| u64::from(issued)).sum()
}
