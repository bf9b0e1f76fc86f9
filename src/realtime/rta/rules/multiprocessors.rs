//! What is free on each multiprocessor, and which of them takes a block.

use crate::model::device::{Gpu, Resources};

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

    /// Takes or gives back the room of blocks.
    pub(super) fn change(&mut self, multiprocessor: usize, block: &Resources, blocks: u64, take: bool) {
        self.free[multiprocessor].change(block, blocks, take);
    }

    /// Places at most `blocks`, each on the multiprocessor that has room for most further ones, the first of equals; tells how
    /// many went where.
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

/// How many of `blocks`, fewer than fit, go to each: as if one after the other went to where most still fit.
///
/// In the end every multiprocessor has room for at most `level` more, or one more than that for the last of those that had.
fn spread(fits: &[u64], blocks: u64) -> Vec<u64> {
    let above =
        |level: u64| fits.iter().fold(0_u64, |sum, &fit| sum.saturating_add(fit.saturating_sub(level)));
    let (mut low, mut high) = (0, fits.iter().copied().max().unwrap_or(0));
    while low < high {
        let middle = low + (high - low) / 2;
        if above(middle) <= blocks { high = middle } else { low = middle + 1 }
    }
    // Down to `low` are fewer blocks than there are; the rest goes to the first that have `low` left, one to each.
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
