//! Random blocks, small enough for the oracle.

use rand::{Rng, RngExt};

use super::gpu::Block;

/// The sigma pairs of the campaigns.
pub(crate) const SIGMAS: [[usize; 2]; 5] = [[1, 1], [1, 2], [2, 2], [2, 3], [1, 3]];

pub(crate) fn sigma(rng: &mut impl Rng) -> [usize; 2] {
    let mut sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
    if rng.random_bool(0.5) {
        sigma.swap(0, 1);
    }
    sigma
}

/// At least one letter and at most `most`, in segments if there are to be barriers.
pub(crate) fn text(rng: &mut impl Rng, most: usize, segments: usize) -> String {
    let share = rng.random_range(0.15..0.85);
    let length = rng.random_range(1..=most);
    let mut text: String = (0..length).map(|_| if rng.random_bool(share) { 'C' } else { 'L' }).collect();
    for _ in 1..segments {
        text.insert(rng.random_range(0..=text.len()), '|');
    }
    text
}

/// A block whose warps run one string or several.
pub(crate) fn block(rng: &mut impl Rng, most: usize, warps: usize) -> Block {
    let segments = if rng.random_bool(0.3) { rng.random_range(2..=3) } else { 1 };
    let warps = rng.random_range(1..=warps);
    let one = text(rng, most, segments);
    let mut block = Block::of(&one, warps);
    if rng.random_bool(0.4) {
        block.warps.iter_mut().for_each(|warp| *warp = text(rng, most, segments));
    }
    block
}

/// What is left of a block some time after its start: each warp has issued some letters of one segment and all
/// of the segments before it.
pub(crate) fn half_done(rng: &mut impl Rng, block: &Block) -> Block {
    let warps = || block.warps.iter().map(|warp| warp.split('|').collect::<Vec<&str>>());
    let segment = rng.random_range(0..warps().map(|warp| warp.len()).max().unwrap());
    let left: Vec<String> = warps()
        .map(|warp| {
            let Some(now) = warp.get(segment) else { return String::new() };
            let now = &now[rng.random_range(0..=now.len())..];
            [&[now], &warp[segment + 1..]].concat().join("|")
        })
        .collect();
    if left.iter().any(|warp| warp.contains(['L', 'C'])) {
        Block { warps: left, ..block.clone() }
    } else {
        block.clone()
    }
}

/// How many states the blocks that are there at once can have, at most: it measures the oracle's work.
pub(crate) fn states(blocks: &[Block], at_once: usize) -> u64 {
    let mut sizes: Vec<u64> = blocks
        .iter()
        .map(|block| block.warps.iter().map(|warp| u64::try_from(warp.len()).unwrap() + 1).product())
        .collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.into_iter().take(at_once).fold(1, u64::saturating_mul)
}
