//! Weights that are full while a block of a kernel finds no room, of all that are as urgent as one kernel: those of
//! `proofs/Checker/ResponseWeights.v`.

use num_integer::Integer;

use crate::certificate::kernels::Windows;

/// The weights at the priority of one kernel.
pub(super) struct Level {
    /// Which kernels are as urgent.
    pub(super) heads: Vec<bool>,
    /// The weight of a block of each kernel, in parts of which `one` make 1.
    pub(super) weights: Vec<u128>,
    /// The weight of all blocks of a launch.
    pub(super) full: Vec<u128>,
    /// All multiprocessors.
    pub(super) capacity: u128,
    /// What is left besides those that are as urgent when a window begins; zero if nothing need be.
    gap: u128,
}

impl Level {
    /// The weights for a kernel, where a resource is measured by how many parts of a size a block takes, or by what it
    /// needs if the size is zero. Nothing if numbers are too large, or if a size is too small.
    pub(super) fn new(windows: &Windows, k: usize, sizes: [u128; 4]) -> Option<Self> {
        let kernels = &windows.kernels;
        let heads: Vec<bool> = kernels.iter().map(|kernel| kernel.priority >= kernels[k].priority).collect();
        let room = windows.room;
        let needs = |r: usize| kernels.iter().map(move |kernel| kernel.needs[r]);
        let equal = |r: usize| kernels[0].needs[r] > 0 && needs(r).all(|need| need == kernels[0].needs[r]);
        let mut scarce = Vec::new();
        for r in 0..4 {
            let largest = kernels
                .iter()
                .zip(&heads)
                .filter(|(_, head)| **head)
                .map(|(kernel, _)| kernel.needs[r])
                .max()?;
            if largest == 0 {
                continue;
            }
            let step = needs(r).fold(0, |step, need| need.gcd(&step));
            let needed = (room[r].checked_sub(largest)? / step + 1) * step;
            if equal(0) && needs(r).max()? * (room[0] / kernels[0].needs[0]) < needed {
                continue;
            }
            let taken = room[r].checked_div(sizes[r]).unwrap_or(needed);
            if taken == 0 || (sizes[r] > 0 && sizes[r] < largest) {
                return None;
            }
            scarce.push((r, taken));
        }
        let one =
            scarce.iter().try_fold(1_u128, |one, (_, taken)| (one / one.gcd(taken)).checked_mul(*taken))?;
        let weight = |needs: &[u128; 4]| {
            let share = |&(r, taken): &(usize, u128)| {
                let parts = if sizes[r] == 0 { needs[r] } else { needs[r].div_ceil(sizes[r]) };
                parts.min(taken).checked_mul(one / taken)
            };
            scarce.iter().map(share).try_fold(0, |most: u128, share| Some(most.max(share?)))
        };
        let weights: Vec<u128> = kernels.iter().map(|kernel| weight(&kernel.needs)).collect::<Option<_>>()?;
        let full = kernels.iter().zip(&weights).map(|(kernel, weight)| weight.checked_mul(kernel.blocks));
        let capacity = one.checked_mul(windows.multiprocessors).filter(|capacity| *capacity > 0)?;
        let no_more = |r: usize| {
            let slots = room[r].checked_div(kernels[0].needs[r]).unwrap_or(0);
            equal(r) && weights.iter().all(|weight| slots.checked_mul(*weight).is_some_and(|all| all <= one))
        };
        let gap = if weights.iter().all(|weight| *weight > 0) && (0..4).any(no_more) {
            weights.iter().fold(capacity, |gap, weight| gap.gcd(weight))
        } else {
            0
        };
        Some(Self { full: full.collect::<Option<_>>()?, heads, weights, capacity, gap })
    }

    /// What is left at most of the blocks that are on the multiprocessors when a window begins.
    pub(super) fn residents(&self, windows: &Windows) -> Option<u128> {
        let mut times: Vec<u128> = windows.kernels.iter().map(|kernel| kernel.time).collect();
        times.sort_unstable();
        let (mut all, mut from) = (0_u128, 0);
        for time in times {
            all = all.checked_add((time - from).checked_mul(self.still_there(windows, from)?)?)?;
            from = time;
        }
        Some(all)
    }

    /// What may still be there so long after it began.
    fn still_there(&self, windows: &Windows, after: u128) -> Option<u128> {
        let left = |counts: &dyn Fn(usize) -> bool| {
            let of_stream = |stream: usize| {
                let there = windows.kernels.iter().enumerate();
                let there =
                    there.filter(|(j, kernel)| counts(*j) && kernel.stream == stream && after < kernel.time);
                there.map(|(j, _)| self.full[j]).max().unwrap_or(0)
            };
            (0..windows.kernels.len()).try_fold(0_u128, |sum, stream| sum.checked_add(of_stream(stream)))
        };
        let all = left(&|_| true)?.min(self.capacity);
        if self.gap == 0 {
            return Some(all);
        }
        let urgent = left(&|j| self.heads[j])?.min(self.capacity - self.gap);
        Some(all.min(left(&|j| !self.heads[j])?.checked_add(urgent)?))
    }
}
