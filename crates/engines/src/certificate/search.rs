//! The number of states that the checker's search visits, so that only certificates are written that it can check in
//! reasonable time.
//!
//! The search goes through all states that a schedule can reach, each at the latest cycle in which it is reached,
//! but for those from which the phase bound shows that every schedule ends in time. A state is the number of warps
//! at each place. States with as many letters issued form a level, and every cycle leads to a later level.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use crate::phase::{Rational, Remaining};
use warpspan_model::{Cycles, Instance, Unit};

/// The number of warps at each place.
type Counts = Vec<u64>;

/// The number of states that the search looks at to show that no schedule takes more than `cycles`, if it is at
/// most `most`.
pub(super) fn states(instance: &Instance, theta: Rational, cycles: Cycles, most: usize) -> Option<usize> {
    let remaining = Remaining::new(instance, theta);
    let mut places = Places::default();
    for group in instance.groups() {
        places.start.push(group.warps);
        places.segment(group.kernel.units());
    }
    let ends_in_time = |counts: &Counts, next: u64| {
        let held = || counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        let all = held().flat_map(|(place, &count)| (0..count).map(move |_| place));
        let all = all.map(|place| remaining.own(place)).reduce(|sum, own| sum + own).unwrap_or_default();
        let left = held().map(|(place, _)| remaining.cycles(remaining.parts(&all, place))).max().unwrap_or(0);
        left + next <= cycles.0 + 1
    };
    places.search(instance, most, ends_in_time)
}

/// The worst case of blocks that share barriers, if a search looks at no more than `most` states. This search uses
/// no bound, so it looks at every state, and no engine makes it for several blocks.
pub(super) fn worst_of_blocks(instance: &Instance, most: usize) -> Option<Cycles> {
    let mut places = Places::default();
    for group in instance.groups() {
        let size = instance.warps_per_block().unwrap_or(group.warps);
        let mut left = group.warps;
        while left > 0 {
            let warps = size.min(left);
            left -= warps;
            for (at, segment) in group.kernel.segments().enumerate() {
                if at > 0 {
                    places.barriers.push((places.letters.len() - 1, warps));
                }
                places.start.push(if at == 0 { warps } else { 0 });
                places.segment(segment);
                if places.letters.len() > most {
                    return None;
                }
            }
        }
    }
    let letters = places.letters.clone();
    let worst = Cell::new(0);
    let ended = |counts: &Counts, next: u64| {
        let idle = counts.iter().zip(&letters).all(|(&count, letter)| count == 0 || letter.is_none());
        if idle {
            worst.set(worst.get().max(next - 1));
        }
        idle
    };
    places.search(instance, most, ended).map(|_| Cycles(worst.get()))
}

/// The places at which a warp can be, and how many warps are at each in the beginning.
#[derive(Default)]
struct Places {
    /// The letter of each place, and nothing at the end of a segment.
    letters: Vec<Option<Unit>>,
    start: Counts,
    /// The position before each barrier, with the warps that must have reached it. The next position is after it.
    barriers: Vec<(usize, u64)>,
}

impl Places {
    /// Adds the places of a segment, of which the first has been counted already.
    fn segment(&mut self, units: &[Unit]) {
        self.start.extend(units.iter().map(|_| 0));
        self.letters.extend(units.iter().copied().map(Some));
        self.letters.push(None);
    }

    /// The number of states that a search looks at, which goes on from all but those that end in time.
    fn search(
        self,
        instance: &Instance,
        most: usize,
        ends_in_time: impl Fn(&Counts, u64) -> bool,
    ) -> Option<usize> {
        let Self { letters, start, barriers } = self;
        let mut levels: BTreeMap<u64, HashMap<Counts, u64>> =
            BTreeMap::from([(0, HashMap::from([(start, 1)]))]);
        let mut looked_at = 0;
        while let Some((level, states)) = levels.pop_first() {
            for (counts, next) in states {
                looked_at += 1;
                if looked_at > most {
                    return None;
                }
                if ends_in_time(&counts, next) {
                    continue;
                }
                let ready = |unit| -> u64 {
                    let at = counts.iter().zip(&letters).filter(|&(_, &letter)| letter == Some(unit));
                    at.map(|(count, _)| count).sum()
                };
                let issues = Unit::ALL.map(|unit| ready(unit).min(instance.sigma(unit)));
                if issues == [0, 0] {
                    return None; // this schedule is longer, so there is nothing to prove
                }
                let mut after = vec![counts.clone()];
                for (unit, issues) in Unit::ALL.into_iter().zip(issues) {
                    after =
                        after.iter().flat_map(|state| ways(&counts, state, &letters, unit, issues)).collect();
                    if after.len() > most {
                        return None;
                    }
                }
                let later = levels.entry(level + issues.iter().sum::<u64>()).or_default();
                for mut counts in after {
                    for &(place, warps) in &barriers {
                        if counts[place] == warps {
                            counts.swap(place, place + 1);
                        }
                    }
                    let latest = later.entry(counts).or_default();
                    *latest = (*latest).max(next + 1);
                }
            }
        }
        Some(looked_at)
    }
}

/// The states after `issues` warps have issued on the unit, of those that `counts` says are ready.
fn ways(counts: &Counts, state: &Counts, letters: &[Option<Unit>], unit: Unit, issues: u64) -> Vec<Counts> {
    let mut ways = vec![(state.clone(), issues)];
    for (place, _) in letters.iter().enumerate().filter(|&(_, &letter)| letter == Some(unit)) {
        let split = |(state, left): (Counts, u64)| {
            (0..=counts[place].min(left)).map(move |issued| {
                let mut state = state.clone();
                state[place] -= issued;
                state[place + 1] += issued;
                (state, left - issued)
            })
        };
        ways = ways.into_iter().flat_map(split).collect();
    }
    ways.into_iter().filter(|&(_, left)| left == 0).map(|(state, _)| state).collect()
}
