//! The worst and best makespan by brute force over named warps: it tries every choice of ready warps in every
//! cycle.
//!
//! It is written from the semantics alone and shares no code with the library except its model types.

pub(crate) mod barriers;
pub(crate) mod grids;
pub(crate) mod paths;
pub(crate) mod theorem;

use std::collections::HashMap;

use warpspan::model::{Instance, Unit};

/// Best and worst makespan.
pub(crate) fn makespans(instance: &Instance) -> (u64, u64) {
    let mut search = Search::new(instance);
    search.remaining(vec![0; search.kernels.len()])
}

/// The same, but the letters that the units take in a cycle are given and not read from the instance.
pub(crate) fn makespans_with(instance: &Instance, sigma: [u64; 2]) -> (u64, u64) {
    let mut search = Search { sigma, ..Search::new(instance) };
    search.remaining(vec![0; search.kernels.len()])
}

/// The most cycles left in every state, whether it can be reached or not: the instructions that each warp has
/// issued, and the cycles.
pub(crate) fn all_states(instance: &Instance) -> Vec<(Vec<usize>, u64)> {
    let mut search = Search::new(instance);
    let mut states = vec![Vec::new()];
    for kernel in search.kernels.clone() {
        let longer = |state: Vec<usize>| (0..=kernel.len()).map(move |at| [&state[..], &[at]].concat());
        states = states.into_iter().flat_map(longer).collect();
    }
    states
        .into_iter()
        .map(|state| {
            let (_, worst) = search.remaining(state.clone());
            (state, worst)
        })
        .collect()
}

struct Search {
    kernels: Vec<Vec<Unit>>,
    sigma: [u64; 2],
    known: HashMap<Vec<usize>, (u64, u64)>, // positions of all warps -> fewest and most cycles left
}

impl Search {
    fn new(instance: &Instance) -> Self {
        let mut kernels: Vec<Vec<Unit>> = Vec::new();
        for group in instance.groups() {
            kernels.extend((0..group.warps).map(|_| group.kernel.units().to_vec()));
        }
        let sigma = Unit::ALL.map(|unit| instance.sigma(unit));
        Self { kernels, sigma, known: HashMap::new() }
    }

    fn remaining(&mut self, positions: Vec<usize>) -> (u64, u64) {
        if positions.iter().zip(&self.kernels).all(|(&at, kernel)| at == kernel.len()) {
            return (0, 0);
        }
        if let Some(&known) = self.known.get(&positions) {
            return known;
        }
        let mut result = (u64::MAX, 0);
        let choices = Unit::ALL.map(|unit| self.choices(&positions, unit));
        for on_l in &choices[0] {
            for on_c in &choices[1] {
                let mut next = positions.clone();
                for &warp in on_l.iter().chain(on_c) {
                    next[warp] += 1;
                }
                let (best, worst) = self.remaining(next);
                result = (result.0.min(1 + best), result.1.max(1 + worst));
            }
        }
        self.known.insert(positions, result);
        result
    }

    /// Every set of ready warps that may issue on a unit: as many as it takes, or all of them.
    fn choices(&self, positions: &[usize], unit: Unit) -> Vec<Vec<usize>> {
        let ready: Vec<usize> = (0..positions.len())
            .filter(|&warp| self.kernels[warp].get(positions[warp]) == Some(&unit))
            .collect();
        let count = ready.len().min(usize::try_from(self.sigma[unit as usize]).unwrap());
        (0_u32..1 << ready.len())
            .filter(|set| set.count_ones() as usize == count)
            .map(|set| {
                ready.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1).map(|(_, &w)| w).collect()
            })
            .collect()
    }
}
