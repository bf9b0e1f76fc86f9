//! Where all blocks start together, the oracle finds what another brute force finds.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::gpu::Block;
use super::oracle::worst;
use super::random::{block, sigma, states};
use crate::brute::barriers;

#[test]
fn blocks_that_start_together() {
    let mut rng = ChaCha8Rng::seed_from_u64(9000);
    let mut judged = 0;
    while judged < 200 {
        let blocks: Vec<Block> = (0..rng.random_range(1..=3)).map(|_| block(&mut rng, 5, 3)).collect();
        if states(&blocks, blocks.len()) > 1000 {
            continue;
        }
        let sigma = sigma(&mut rng);
        let warps: Vec<barriers::Warp> = blocks
            .iter()
            .enumerate()
            .flat_map(|(number, block)| block.warps.iter().map(move |text| barriers::warp(number, text)))
            .collect();
        let found = worst(sigma, (1, 3), &blocks, false);
        assert_eq!(found, barriers::worst(&warps, sigma), "{sigma:?} {blocks:?}");
        judged += 1;
    }
}
