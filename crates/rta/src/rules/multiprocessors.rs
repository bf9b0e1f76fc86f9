//! The free resources of each multiprocessor, and the choice of the one that takes a block.

use warpspan_model::device::{Gpu, Resources};

/// The multiprocessors of a GPU.
#[derive(Debug)]
pub(super) struct Multiprocessors {
    free: Vec<Resources>,
}

impl Multiprocessors {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let count = usize::try_from(gpu.multiprocessors).unwrap_or(usize::MAX);
        Self { free: vec![gpu.resources; count] }
    }

    /// Takes the resources of blocks, or gives them back.
    pub(super) fn change(&mut self, multiprocessor: usize, block: &Resources, blocks: u64, take: bool) {
        self.free[multiprocessor].change(block, blocks, take);
    }

    /// Places at most `blocks`, each on the multiprocessor that has room for the most further ones, and on
    /// the first of several such; returns how many went to which multiprocessor.
    pub(super) fn place(&mut self, block: &Resources, blocks: u64) -> Vec<(usize, u64)> {
        let fits: Vec<u64> = self.free.iter().map(|free| free.fits(block)).collect();
        let most = fits.iter().fold(0_u64, |sum, &fit| sum.saturating_add(fit));
        if most == 0 {
            return Vec::new();
        }
        let placed = if blocks >= most { fits } else { spread(&fits, blocks) };
        let placed: Vec<(usize, u64)> =
            placed.into_iter().enumerate().filter(|&(_, blocks)| blocks > 0).collect();
        for &(multiprocessor, blocks) in &placed {
            self.change(multiprocessor, block, blocks, true);
        }
        placed
    }
}

/// How many of `blocks`, which are fewer than fit, go to each multiprocessor: the same as if they went one by
/// one to the multiprocessor where the most still fit.
///
/// In the end every multiprocessor has room for at most `low` more blocks, where `low` is as small as
/// possible without too many blocks; the first of those with that much room have taken one block more.
fn spread(fits: &[u64], blocks: u64) -> Vec<u64> {
    let above =
        |level: u64| fits.iter().fold(0_u64, |sum, &fit| sum.saturating_add(fit.saturating_sub(level)));
    let (mut low, mut high) = (0, fits.iter().copied().max().unwrap_or(0));
    while low < high {
        let middle = low + (high - low) / 2;
        if above(middle) <= blocks { high = middle } else { low = middle + 1 }
    }
    // After the multiprocessors are filled until they have room for `low` more, some blocks may be left. They
    // go to the first multiprocessors that have room for `low`, one to each.
    let mut rest = blocks - above(low);
    let one = |&fit: &u64| {
        let extra = u64::from(rest > 0 && fit >= low && low > 0);
        rest -= extra;
        fit.saturating_sub(low) + extra
    };
    fits.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_one_after_the_other() {
        for fits in [vec![4, 4], vec![4, 1], vec![0, 3, 5, 2], vec![1, 1, 1, 9], vec![7], vec![0, 0, 1]] {
            let most: u64 = fits.iter().sum();
            for blocks in 1..most {
                let (mut left, mut one_by_one) = (fits.clone(), vec![0; fits.len()]);
                for _ in 0..blocks {
                    let best = (0..fits.len()).rev().max_by_key(|&at| left[at]).unwrap();
                    left[best] -= 1;
                    one_by_one[best] += 1;
                }
                assert_eq!(spread(&fits, blocks), one_by_one, "{fits:?} {blocks}");
            }
        }
    }
}
