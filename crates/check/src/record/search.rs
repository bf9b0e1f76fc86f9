//! The best and the worst case of small instances by the plainest possible search.
//!
//! A position is a group and the number of instructions issued, and a state is the number of warps at each position.
//! From the start, in the order of the total number of issues, every work-conserving choice of every state is followed,
//! and the first and the last cycle in which a state is reached are kept. Unlike in the engine, no state is ranked or
//! cut off, and nothing runs in parallel.

use std::collections::{BTreeMap, HashMap};

use warpspan_model::{Cycles, Instance, Unit};

/// The smallest and the largest makespan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extremes {
    pub(super) best: Cycles,
    pub(super) worst: Cycles,
    /// The number of states visited.
    pub(super) states: u64,
}

/// The number of numbers that the search may write. Beyond it an instance is not small. They take about a
/// second.
const MOST_WORK: usize = 20_000_000;

/// The number of warps at each place.
type State = Vec<u32>;

/// Searches an instance. The result is `None` if the instance is not small, or if it has barriers and several
/// blocks.
pub(super) fn extremes(instance: &Instance) -> Option<Extremes> {
    if !instance.has_barriers() {
        return Search::new(instance)?.run();
    }
    let mut sum = Extremes { best: Cycles(0), worst: Cycles(0), states: 0 };
    for segment in instance.segments()? {
        let found = Search::new(&segment)?.run()?;
        sum.best = sum.best + found.best;
        sum.worst = sum.worst + found.worst;
        sum.states += found.states;
    }
    Some(sum)
}

struct Search {
    /// The unit that a warp at each place wants. There is none at the end of a kernel.
    wants: Vec<Option<Unit>>,
    sigma: [u64; 2],
    start: State,
    work: usize,
}

impl Search {
    fn new(instance: &Instance) -> Option<Self> {
        let (mut wants, mut start) = (Vec::new(), State::new());
        for group in instance.groups() {
            if group.kernel.len() > MOST_WORK {
                return None;
            }
            let here = start.len();
            wants.extend(group.kernel.units().iter().map(|&unit| Some(unit)).chain([None]));
            start.resize(wants.len(), 0);
            start[here] = u32::try_from(group.warps).ok()?;
        }
        Some(Self { wants, sigma: Unit::ALL.map(|unit| instance.sigma(unit)), start, work: 0 })
    }

    fn run(mut self) -> Option<Extremes> {
        type Arrivals = (u64, u64); // the first and the last cycle
        let mut levels: BTreeMap<u64, HashMap<State, Arrivals>> = BTreeMap::new();
        levels.insert(0, HashMap::from([(self.start.clone(), (0, 0))]));
        let mut states = 0;
        while let Some((level, front)) = levels.pop_first() {
            for (state, (first, last)) in front {
                states += 1;
                let [on_l, on_c] = [self.choices(&state, Unit::ALL[0])?, self.choices(&state, Unit::ALL[1])?];
                let issued =
                    |choice: &[(usize, u32)]| choice.iter().map(|take| u64::from(take.1)).sum::<u64>();
                let more = issued(&on_l[0]) + issued(&on_c[0]); // this is the same for every choice
                if more == 0 {
                    return Some(Extremes { best: Cycles(first), worst: Cycles(last), states });
                }
                let next_level = levels.entry(level + more).or_default();
                for l in &on_l {
                    for c in &on_c {
                        let mut next = state.clone();
                        for &(place, count) in l.iter().chain(c) {
                            next[place] -= count;
                            next[place + 1] += count;
                        }
                        self.spend(next.len())?;
                        let known = next_level.entry(next).or_insert((first + 1, last + 1));
                        *known = (known.0.min(first + 1), known.1.max(last + 1));
                    }
                }
            }
        }
        None
    }

    fn spend(&mut self, work: usize) -> Option<()> {
        self.work += work;
        (self.work <= MOST_WORK).then_some(())
    }

    /// All ways in which the unit is filled, or every warp that wants it issues, each as places and numbers
    /// of warps.
    fn choices(&mut self, state: &State, unit: Unit) -> Option<Vec<Vec<(usize, u32)>>> {
        let ready: Vec<(usize, u32)> = (0..state.len())
            .filter(|&place| state[place] > 0 && self.wants[place] == Some(unit))
            .map(|place| (place, state[place]))
            .collect();
        let all: u64 = ready.iter().map(|&(_, count)| u64::from(count)).sum();
        let issuing = u32::try_from(self.sigma[unit as usize].min(all)).ok()?;
        // for each place in turn: the warps taken so far, and how many are still to issue
        let mut ways = vec![(Vec::new(), issuing)];
        let mut later = all;
        for (place, count) in ready {
            later -= u64::from(count);
            let mut longer = Vec::new();
            for (taken, left) in ways {
                for here in 0..=count.min(left) {
                    if u64::from(left - here) > later {
                        continue;
                    }
                    self.spend(1 + taken.len())?;
                    let mut taken = taken.clone();
                    if here > 0 {
                        taken.push((place, here));
                    }
                    longer.push((taken, left - here));
                }
            }
            ways = longer;
        }
        Some(ways.into_iter().map(|(taken, _)| taken).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::Multiprocessor;

    #[test]
    fn values_of_the_papers_and_by_hand() {
        let of = |kernel: &str, warps, l: &str, c: &str| {
            let sigmas = Multiprocessor::new(l.parse().unwrap(), c.parse().unwrap());
            let instance = Instance::single(kernel.parse().unwrap(), warps, sigmas).unwrap();
            extremes(&instance).map(|found| (found.best.0, found.worst.0))
        };
        assert_eq!(of("LCL", 4, "1", "1"), Some((8, 9)));
        assert_eq!(of("LLCLL", 4, "1", "1"), Some((16, 17)));
        assert_eq!(of("LL", 4, "2", "1"), Some((4, 5))); // Erratum E2.
        assert_eq!(of("CCCC", 8, "1", "4"), Some((8, 11)));
        assert_eq!(of("LC|LC", 1, "1", "1"), Some((4, 4)));
        assert_eq!(of("(LC)40", 64, "1", "1"), None);
    }
}
