//! The bound with barriers against brute force: random warps in one to three blocks, on equal and on different strings.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "brute/barriers.rs"]
mod barriers;
#[path = "brute/theorem.rs"]
mod theorem;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::model::Unit;

use barriers::{Warp, finishes, warp, worst};
use theorem::Prices;

const SIGMAS: [[usize; 2]; 10] =
    [[1, 1], [1, 2], [2, 1], [2, 2], [1, 3], [2, 3], [1, 4], [4, 2], [3, 3], [1, 6]];

fn letters(rng: &mut impl Rng, most: usize) -> Vec<Unit> {
    let share = rng.random_range(0.2..0.8);
    let length = rng.random_range(0..=most);
    (0..length).map(|_| Unit::ALL[usize::from(rng.random_bool(share))]).collect()
}

/// Random warps: of each block all on one string, or each on one of a few; with a few letters in all.
fn random(rng: &mut impl Rng) -> Vec<Warp> {
    let blocks = rng.random_range(1..=3);
    loop {
        let mut warps = Vec::new();
        let count = rng.random_range(1..=4);
        let strings: Vec<Vec<Vec<Unit>>> = (0..count)
            .map(|_| {
                let segments = rng.random_range(1..=3);
                let most = [7, 4, 3][segments - 1];
                (0..segments).map(|_| letters(rng, most)).collect()
            })
            .collect();
        for block in 0..blocks {
            let mixed = rng.random_bool(0.5);
            let one = rng.random_range(0..count);
            for _ in 0..rng.random_range(1..=[5, 3, 2][blocks - 1]) {
                let which = if mixed { rng.random_range(0..count) } else { one };
                warps.push(Warp { block, segments: strings[which].clone() });
            }
        }
        let states: f64 = warps
            .iter()
            .map(|warp| 1.0 + warp.segments.iter().map(|s| s.len() as f64).sum::<f64>())
            .product();
        if states < 20_000.0 {
            return warps;
        }
    }
}

/// The theorem, on random warps. `WARPSPAN_CASES` asks for more of them.
#[test]
fn no_block_finishes_later() {
    let cases = std::env::var("WARPSPAN_CASES").map_or(20_000, |cases| cases.parse().unwrap());
    let chunk = |seed: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(3000 + seed);
        let (mut tight, mut all) = (0_u64, 0_u64);
        for _ in 0..100 {
            let warps = random(&mut rng);
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let exact = finishes(&warps, sigma);
            let bounds: Vec<Vec<u64>> =
                Prices::some(sigma, warps.len()).iter().map(|prices| prices.finishes(&warps)).collect();
            for bound in &bounds {
                for (block, (exact, bound)) in exact.iter().zip(bound).enumerate() {
                    assert!(exact <= bound, "block {block}: {exact} > {bound}: {sigma:?} {warps:?}");
                }
            }
            let best = (0..exact.len()).map(|b| bounds.iter().map(|bound| bound[b]).min().unwrap()).max();
            tight += u64::from(best == exact.iter().copied().max());
            all += 1;
        }
        (tight, all)
    };
    let found: Vec<(u64, u64)> = (0..cases / 100).into_par_iter().map(chunk).collect();
    let (tight, all) = found.into_iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    println!("{all} cases, the bound is the worst case in {tight}");
}

/// A block alone takes, in the worst case, what its segments take in theirs.
#[test]
fn segments_of_a_block_alone_add_up() {
    let chunk = |seed: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(4000 + seed);
        for _ in 0..50 {
            let warps: Vec<Warp> = random(&mut rng).into_iter().filter(|warp| warp.block == 0).collect();
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let segments = warps.iter().map(|warp| warp.segments.len()).max().unwrap();
            let only = |at: usize| -> Vec<Warp> {
                let segment = |warp: &Warp| warp.segments.get(at).cloned().unwrap_or_default();
                warps.iter().map(|warp| Warp { block: 0, segments: vec![segment(warp)] }).collect()
            };
            let sum: u64 = (0..segments).map(|at| worst(&only(at), sigma)).sum();
            assert_eq!(worst(&warps, sigma), sum, "{sigma:?} {warps:?}");
        }
    };
    (0..40).into_par_iter().for_each(chunk);
}

/// The largest value over whole paths does not do: it would say 3 here.
#[test]
fn warps_on_different_paths() {
    let warps = [warp(0, "LC|"), warp(0, "|LC")];
    assert_eq!(worst(&warps, [1, 1]), 4);
    for prices in Prices::some([1, 1], 2) {
        assert!(prices.finishes(&warps)[0] >= 4);
    }
}
