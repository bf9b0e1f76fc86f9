//! Small cases that show what does not hold.

use warpspan::engines::relay;
use warpspan::model::{Code, Grid};

use super::formulas::{self, smallest, weight, weighted};
use super::gpu::Block;
use super::oracle::worst;
use super::prices::{Flaw, Prices};

/// The exact worst case of rounds does not add up: two LCL take 4 cycles together, and four in two slots 9.
#[test]
fn rounds_of_the_worst_case_are_too_short() {
    let together = |blocks| worst([1, 1], (1, 2), &vec![Block::of("LCL", 1); blocks], false);
    assert_eq!((together(2), together(4)), (4, 9));
}

/// On two multiprocessors rounds of any bound are too short: six cycles a round make twelve, and it is 14.
#[test]
fn rounds_on_two_multiprocessors_are_too_short() {
    let blocks = vec![Block::of("LL", 1); 12];
    assert_eq!(worst([1, 1], (1, 3), &blocks[..3], false), 6);
    assert_eq!(worst([1, 1], (2, 3), &blocks, false), 14);
    assert_eq!(formulas::several([1, 1], &blocks[0], (12, 2, 3), Flaw::None), 14);
}

/// Size over capacity is not the weight of a block that the head of the queue waits for.
#[test]
fn blocks_weigh_more_than_their_share_of_the_room() {
    let (c, l) = (Block::of("C", 1).sized(2), Block::of("L", 1).sized(2));
    let blocks = [vec![c; 3], vec![l; 2]].concat();
    assert_eq!(worst([2, 3], (1, 3), &blocks, false), 5);
    for (flaw, bound) in [(Flaw::WholeCapacity, 4), (Flaw::None, 5)] {
        let prices = Prices::all([2, 3], 1, &blocks, flaw);
        let weights = [weight(2, 2, 3, flaw); 5];
        assert_eq!(smallest(&prices, |prices| weighted(&prices.costs(&blocks), &weights, flaw)), bound);
    }
}

/// The rule for strings without an even alternating piece holds at sigma 1 alone.
#[test]
fn the_rule_on_even_pieces_is_false_above_sigma_one() {
    let block = Block::of("CC", 1);
    assert_eq!(worst([2, 3], (1, 2), &vec![block.clone(); 6], false), 6);
    assert_eq!(formulas::equal([2, 3], &block, 6, 2, Flaw::EvenRule), 5);
}

/// In a block with barriers, no warp ends within its own letters and the rates of all others: a warp may wait
/// for a straggler at each barrier.
#[test]
fn warps_with_barriers_wait_for_each_other() {
    let block = Block { warps: vec!["L|L".to_owned(), "LCLCLCLC|".to_owned()], ..Block::of("L", 1) };
    // L|L issues the last letter: 2 for its letters and 4 for the rate of the other.
    assert_eq!(worst([1, 1], (1, 1), std::slice::from_ref(&block), false), 10);
    let prices = &Prices::all([1, 1], 2, std::slice::from_ref(&block), Flaw::None)[0];
    assert_eq!(prices.rate("LCLCLCLC"), 4.into());
    assert_eq!(prices.a(&block) + prices.c(&block, false), 10.into());
}

/// LLCLL, 10 blocks of 8 warps, two at once, on one to five multiprocessors.
#[test]
fn odd_strings_on_several_multiprocessors() {
    let block = Block::of("LLCLL", 8);
    let found = [1, 2, 3, 4, 5].map(|m| formulas::several([1, 1], &block, (10, m, 2), Flaw::None));
    assert_eq!(found, [321, 193, 129, 129, 65]);
}

/// The library has the formula for odd strings, on every number of multiprocessors.
#[test]
fn the_library_has_the_rule_for_odd_strings() {
    for text in ["L", "LL", "LCL", "CLCCCLC", "LLCLL"] {
        for (warps, slots) in [(1, 2), (3, 2), (2, 4)] {
            for blocks in [5, 10, 17] {
                let block = Block::of(text, warps);
                let expected =
                    [1, 2, 3, 4].map(|m| formulas::several([1, 1], &block, (blocks, m, slots), Flaw::None));
                let grid = Grid::new(text.parse::<Code>().unwrap(), Default::default(), warps as u64, blocks);
                let grid = grid.unwrap().on(1, slots).unwrap();
                let found = relay::bounds(&grid, &[1, 2, 3, 4]).unwrap();
                assert_eq!(
                    found.iter().map(|upper| upper.cycles().0).collect::<Vec<_>>(),
                    expected,
                    "{text}"
                );
            }
        }
    }
}
