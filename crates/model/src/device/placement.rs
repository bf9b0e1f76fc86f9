//! Whether all blocks fit on the multiprocessors at once.

use num_integer::Integer;
use thiserror::Error;

use crate::device::{Gpu, Resources};

/// The blocks do not all fit at once.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{placed} of {all} blocks fit on {} multiprocessors of {} threads, {} bytes of shared memory and {} blocks each: all \
     must run at once",
    gpu.multiprocessors, gpu.resources.threads, gpu.resources.shared_memory, gpu.resources.blocks
)]
#[doc(hidden)]
pub struct NoRoom {
    gpu: Gpu,
    placed: u64,
    all: u64,
}

/// Places all blocks, which are given as pairs of a number of blocks and the resources that each of them
/// takes. The largest go first, each to the multiprocessor that has room for it and the most threads left.
///
/// A GPU may place blocks of different kernels otherwise, so success shows only that some placement fits;
/// [`fit_anyhow`] says whether all do.
///
/// # Errors
/// If some block finds no room.
pub fn place_all(gpu: &Gpu, demands: &[(u64, Resources)]) -> Result<(), NoRoom> {
    let all = demands.iter().fold(0_u64, |sum, (blocks, _)| sum.saturating_add(*blocks));
    let no_room = |placed| NoRoom { gpu: gpu.clone(), placed, all };
    let most = gpu.multiprocessors.saturating_mul(gpu.resources.blocks);
    if all > most {
        return Err(no_room(most));
    }
    let mut free = vec![gpu.resources; usize::try_from(gpu.multiprocessors.min(all)).unwrap_or(usize::MAX)];
    let mut order: Vec<&(u64, Resources)> = demands.iter().collect();
    order.sort_by_key(|(_, block)| std::cmp::Reverse((block.threads, block.shared_memory)));
    let mut placed = 0;
    for (blocks, block) in order {
        for _ in 0..*blocks {
            let roomy = free.iter_mut().filter(|room| room.fits(block) > 0);
            let room = roomy.max_by_key(|room| room.threads).ok_or_else(|| no_room(placed))?;
            room.change(block, 1, true);
            placed += 1;
        }
    }
    Ok(())
}

/// Whether each block finds room together with all others, however a GPU places them.
///
/// A multiprocessor without room for a block is short of some resource r, of which others take K_r or more: the least
/// multiple of the common divisor of all needs that exceeds the rest besides the block. So with the weights w = max
/// over r of min(1, need / K_r), the others on it weigh 1 or more in all. Where those on all M multiprocessors weigh
/// less than M, one has room.
pub fn fit_anyhow(gpu: &Gpu, demands: &[(u64, Resources)]) -> bool {
    const WHOLE: u128 = 1 << 60;
    let has: Vec<u128> = gpu.resources.each().into_iter().map(u128::from).collect();
    let needs = |block: &Resources| block.each().map(u128::from);
    let steps = demands.iter().fold([0_u128; 4], |so_far, (_, block)| {
        let needs = needs(block);
        [0, 1, 2, 3].map(|r: usize| so_far[r].gcd(&needs[r]))
    });
    demands.iter().filter(|(blocks, _)| *blocks > 0).all(|(_, block)| {
        let own = needs(block);
        if (0..4).any(|r| own[r] > has[r]) {
            return false;
        }
        let weight = |other: &Resources| {
            let other = needs(other);
            let share = |r: usize| {
                let short = ((has[r] - own[r]) / steps[r] + 1) * steps[r];
                (other[r] * WHOLE).div_ceil(short).min(WHOLE)
            };
            (0..4).filter(|&r| own[r] > 0).map(share).max().unwrap_or(0)
        };
        let all = demands.iter().fold(0_u128, |sum, (blocks, other)| {
            sum.saturating_add(weight(other).saturating_mul(u128::from(*blocks)))
        });
        all - weight(block) < WHOLE.saturating_mul(u128::from(gpu.multiprocessors))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(threads: u64, shared_memory: u64) -> Resources {
        Resources { threads, shared_memory, registers: 0, blocks: 1 }
    }

    /// Places blocks in every order and on every multiprocessor with room; whether each finds some.
    fn every_way(free: &mut [Resources], left: &mut [(u64, Resources)]) -> bool {
        (0..left.len()).filter(|&kind| left[kind].0 > 0).collect::<Vec<_>>().into_iter().all(|kind| {
            let need = left[kind].1;
            let places: Vec<usize> = (0..free.len()).filter(|&at| free[at].fits(&need) > 0).collect();
            left[kind].0 -= 1;
            let fine = !places.is_empty()
                && places.into_iter().all(|at| {
                    free[at].change(&need, 1, true);
                    let fine = every_way(free, left);
                    free[at].change(&need, 1, false);
                    fine
                });
            left[kind].0 += 1;
            fine
        })
    }

    #[test]
    fn blocks_of_one_size_fit_as_often_as_there_is_room() {
        let gpu = Gpu::JETSON_TX2;
        assert!(fit_anyhow(&gpu, &[(8, block(512, 16384))]));
        assert!(!fit_anyhow(&gpu, &[(9, block(512, 16384))]));
        assert!(fit_anyhow(&gpu, &[]) && !fit_anyhow(&gpu, &[(1, block(4096, 0))]));
        // 40 and 24 KiB together, twice; but both of 24 KiB on one leave room for only one of 40.
        let mixed = [(2, block(32, 40960)), (2, block(32, 24576))];
        assert!(place_all(&gpu, &mixed).is_ok() && !fit_anyhow(&gpu, &mixed));
    }

    /// On two multiprocessors of 4 threads and 4 bytes: what is said to fit does in every order and place.
    #[test]
    fn what_fits_anyhow_fits_in_every_way() {
        let gpu = Gpu { resources: Resources { registers: 0, blocks: 3, ..block(4, 4) }, ..Gpu::JETSON_TX2 };
        let (mut fit, mut not) = (0, 0);
        for code in (0..5_u64.pow(4) * 16).step_by(3) {
            let [a, b, c, d] = [code, code / 5, code / 25, code / 125].map(|part| part % 5);
            let (one, other) = (code / 625 % 4, code / 2500);
            let demands = [(one, block(a, b)), (other, block(c, d))];
            let every = every_way(&mut [gpu.resources; 2], &mut demands.clone());
            assert!(every || !fit_anyhow(&gpu, &demands), "{demands:?}");
            *if fit_anyhow(&gpu, &demands) { &mut fit } else { &mut not } += 1;
        }
        assert!(fit > 100 && not > 100, "{fit} {not}");
    }
}
