//! The upper bound of the phase theorem, from its definition.
//!
//! Each instruction gets a label L or C. A label that agrees with its letter earns 1, and a change of label
//! between neighbours costs 1. Let a be the most that a labelling earns. Then T(W) <= I + (W - 1) a for one
//! kernel at sigma = 1. For two warps the bound is the longest path over pairs of positions, searched from
//! the start forwards.

use crate::record::{PlainUpper, Route};
use warpspan_model::{Cycles, Instance, Kernel, Unit};

/// The length of the longest kernel for which all pairs of positions are searched.
const PAIRS: usize = 4_096;

/// The bound for one kernel at `sigma_L = sigma_C = 1`.
pub(super) fn upper(instance: &Instance) -> Option<PlainUpper> {
    let [group] = instance.groups() else { return None };
    if !instance.has_unit_sigma() || instance.has_barriers() {
        return None;
    }
    let kernel = &group.kernel;
    if group.warps == 2 && kernel.len() <= PAIRS {
        return Some(PlainUpper { cycles: longest_pair(kernel), route: Route::Pairs });
    }
    let cycles = kernel.instructions() + (group.warps - 1) * best_labelling(kernel);
    Some(PlainUpper { cycles: Cycles(cycles), route: Route::Labelling })
}

/// Whether [`upper`] is the worst case itself, and not merely a bound on it.
pub(super) fn is_exact(instance: &Instance) -> bool {
    instance.groups().iter().all(|group| group.warps != 2 || group.kernel.len() <= PAIRS)
}

/// The most that any labelling earns.
fn best_labelling(kernel: &Kernel) -> u64 {
    // by the label of the last instruction; before the first there is no change to pay for
    let mut best = Unit::ALL.map(|_| 0_i64);
    let mut first = true;
    for &letter in kernel.units() {
        let before = best;
        for (label, value) in Unit::ALL.iter().zip(&mut best) {
            let from = |(at, &earned): (usize, &i64)| earned - i64::from(!first && Unit::ALL[at] != *label);
            *value = before.iter().enumerate().map(from).max().unwrap_or(0) + i64::from(*label == letter);
        }
        first = false;
    }
    best.into_iter().max().and_then(|earned| u64::try_from(earned).ok()).unwrap_or(0)
}

/// The longest path from (0, 0) to (I, I). Both warps begin at position 0.
fn longest_pair(kernel: &Kernel) -> Cycles {
    let units = kernel.units();
    let length = units.len();
    let reach =
        |value: &mut Option<u64>, cycles: u64| *value = Some(value.map_or(cycles, |old| old.max(cycles)));
    let mut row: Vec<Option<u64>> = vec![None; length + 1]; // the most cycles to reach (i, j), for j < I
    row[0] = Some(0);
    for i in 0..=length {
        let mut next = vec![None; length + 1];
        for j in 0..=length {
            let Some(cycles) = row[j] else { continue };
            match (units.get(i), units.get(j)) {
                (Some(a), Some(b)) if a == b => {
                    reach(&mut next[j], cycles + 1);
                    reach(&mut row[j + 1], cycles + 1);
                }
                (Some(_), Some(_)) => reach(&mut next[j + 1], cycles + 1),
                (Some(_), None) => reach(&mut next[j], cycles + 1),
                (None, Some(_)) => reach(&mut row[j + 1], cycles + 1),
                (None, None) => return Cycles(cycles),
            }
        }
        row = next;
    }
    Cycles(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labelling_by_hand() {
        for (kernel, a) in [("LLCLL", 4), ("LCL", 2), ("LLCCL", 3), ("LLLLCCCC", 7), ("L", 1), ("LC", 1)] {
            assert_eq!(best_labelling(&kernel.parse().unwrap()), a, "{kernel}");
        }
    }

    #[test]
    fn pairs_by_hand() {
        // These values are from the table of exact values: LC, LCL, LCLCL and LLCLL with two warps.
        for (kernel, cycles) in [("LC", 3), ("LCL", 4), ("LCLCL", 6), ("LLCLL", 9)] {
            assert_eq!(longest_pair(&kernel.parse().unwrap()), Cycles(cycles), "{kernel}");
        }
    }
}
