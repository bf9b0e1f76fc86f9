//! The oracle notices what is left out: each wrong formula is too low for some case.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::draws::{Found, different, response};
use super::formulas;
use super::gpu::Block;
use super::oracle::worst;
use super::prices::{Flaw, Prices};
use super::relays::{Case, excess, prices};

/// Equal blocks: sigmas, string, warps, then blocks, multiprocessors and slots.
type Grid = ([usize; 2], &'static str, usize, [u64; 3]);

#[test]
fn grids() {
    let cases: [(Flaw, Grid); 7] = [
        (Flaw::NoSwitch, ([1, 2], "LCCC", 2, [2, 1, 2])),
        (Flaw::OneLess, ([1, 1], "LCCL", 1, [4, 1, 2])),
        (Flaw::NoCompany, ([1, 1], "LCCL", 1, [4, 1, 2])),
        (Flaw::OnlyTheLast, ([1, 1], "LCCL", 1, [4, 1, 2])),
        (Flaw::RoundedDown, ([2, 3], "C", 1, [3, 1, 2])),
        (Flaw::EvenRule, ([2, 3], "CC", 1, [6, 1, 2])),
        (Flaw::EvenShares, ([1, 1], "LL", 1, [12, 2, 3])),
    ];
    for (flaw, (sigma, text, warps, [blocks, machines, slots])) in cases {
        let block = Block::of(text, warps);
        let all = vec![block.clone(); usize::try_from(blocks).unwrap()];
        let exact = worst(sigma, (usize::try_from(machines).unwrap(), slots), &all, false);
        let bound = |flaw| formulas::several(sigma, &block, (blocks, machines, slots), flaw);
        assert!(exact <= bound(Flaw::None), "{text} {sigma:?}");
        assert!(exact > bound(flaw), "{flaw:?}: {text} {sigma:?}: {exact} <= {}", bound(flaw));
    }
}

/// The warp that is followed may change at each barrier.
#[test]
fn chains() {
    let block = Block { warps: vec!["LC|".to_owned(), "|LC".to_owned()], ..Block::of("L", 1) };
    let exact = worst([1, 1], (1, 1), std::slice::from_ref(&block), false);
    for (flaw, bound) in [(Flaw::None, 4), (Flaw::OneWarp, 3)] {
        let prices = &Prices::all([1, 1], 2, std::slice::from_ref(&block), flaw)[0];
        assert_eq!((exact, prices.a(&block) + prices.c(&block, false)), (4, bound.into()));
    }
}

/// Without the price of entering a block whose first letter is fast, and without the price of a switch, some
/// relay is longer than its price.
#[test]
fn relays() {
    let two = Block { warps: vec!["L".to_owned(), "LL".to_owned()], ..Block::of("L", 1) };
    let entered = vec![Block::of("LLCC", 1), two, Block::of("C", 2)];
    let switched = vec![Block::of("C", 1), Block::of("LCC", 2)];
    for (flaw, blocks) in [(Flaw::NoEntry, entered), (Flaw::NoSwitch, switched)] {
        let case = Case { sigma: [1, 2], blocks, at_once: 2 };
        let most = |flaw| prices(&case, flaw).iter().map(|prices| excess(&case, prices, 1)).max().unwrap();
        assert!(most(Flaw::None) <= 0 && most(flaw) > 0, "{flaw:?}: {} {}", most(Flaw::None), most(flaw));
    }
}

/// A kind of random case, and how often a flaw shows in it.
#[test]
fn random_blocks() {
    type Draw = fn(&mut ChaCha8Rng, Flaw) -> Found;
    let equal_slots: Draw = |rng, flaw| different(rng, false, flaw);
    let sizes: Draw = |rng, flaw| different(rng, true, flaw);
    let started: Draw = |rng, flaw| response(rng, false, flaw);
    let waiting: Draw = |rng, flaw| response(rng, true, flaw);
    let cases = [
        ("equal slots", equal_slots, Flaw::OneLess),
        ("equal slots", equal_slots, Flaw::NoCompany),
        ("equal slots", equal_slots, Flaw::OnlyTheLast),
        ("sizes", sizes, Flaw::WholeCapacity),
        ("sizes", sizes, Flaw::OnlyTheLast),
        ("started", started, Flaw::OneLess),
        ("started", started, Flaw::NoCompany),
        ("waiting", waiting, Flaw::OneLess),
        ("waiting", waiting, Flaw::NoCompany),
        ("waiting", waiting, Flaw::OnlyTheLast),
        ("waiting", waiting, Flaw::WholeCapacity),
    ];
    for (name, draw, flaw) in cases {
        let found = |seed: u64| draw(&mut ChaCha8Rng::seed_from_u64(8000 + seed), flaw);
        let violated = (0..200_u64).map(found).filter(|found| found.worst > found.bound).count();
        println!("{name}, {flaw:?}: {violated} of 200 violated");
        assert!(violated > 0, "{name}, {flaw:?}");
    }
}
