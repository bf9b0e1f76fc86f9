//! How many states the checker's search looks at, so that only certificates are written that it can check in
//! reasonable time.
//!
//! The search goes through all states that a schedule can reach, each at the latest cycle in which it is reached,
//! but for those from which the phase bound shows that every schedule ends in time. A state is the number of warps
//! at each place. States with as many letters issued form a level, and every cycle leads to a later level.

use std::collections::{BTreeMap, HashMap};

use crate::engines::phase::{Rational, Remaining};
use crate::model::{Cycles, Instance, Unit};

/// The number of warps at each place.
type Counts = Vec<u64>;

/// The number of states that the search looks at to show that no schedule takes more than `cycles`, if it is at
/// most `most`.
pub(super) fn states(instance: &Instance, theta: Rational, cycles: Cycles, most: usize) -> Option<usize> {
    let remaining = Remaining::new(instance, theta);
    let mut letters = Vec::new(); // of each place, and nothing where a warp has finished
    let mut start = Counts::new();
    for group in instance.groups() {
        start.push(group.warps);
        start.extend(group.kernel.units().iter().map(|_| 0));
        letters.extend(group.kernel.units().iter().copied().map(Some));
        letters.push(None);
    }
    let ends_in_time = |counts: &Counts, next: u64| {
        let held = || counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        let all = held().flat_map(|(place, &count)| (0..count).map(move |_| place));
        let all = all.map(|place| remaining.own(place)).reduce(|sum, own| sum + own).unwrap_or_default();
        let left = held().map(|(place, _)| remaining.cycles(remaining.parts(&all, place))).max().unwrap_or(0);
        left + next <= cycles.0 + 1
    };
    let mut levels: BTreeMap<u64, HashMap<Counts, u64>> = BTreeMap::from([(0, HashMap::from([(start, 1)]))]);
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
                counts
                    .iter()
                    .zip(&letters)
                    .filter(|&(_, &letter)| letter == Some(unit))
                    .map(|(count, _)| count)
                    .sum()
            };
            let issues = Unit::ALL.map(|unit| ready(unit).min(instance.sigma(unit)));
            if issues == [0, 0] {
                return None; // this schedule is longer, so there is nothing to prove
            }
            let mut after = vec![counts.clone()];
            for (unit, issues) in Unit::ALL.into_iter().zip(issues) {
                after = after.iter().flat_map(|state| ways(&counts, state, &letters, unit, issues)).collect();
                if after.len() > most {
                    return None;
                }
            }
            let later = levels.entry(level + issues.iter().sum::<u64>()).or_default();
            for counts in after {
                let latest = later.entry(counts).or_default();
                *latest = (*latest).max(next + 1);
            }
        }
    }
    Some(looked_at)
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
