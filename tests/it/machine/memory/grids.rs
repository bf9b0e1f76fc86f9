//! No grid of tiny blocks exceeds a bound, and each ingredient of these is needed.

use std::collections::BTreeMap;
use std::sync::Mutex;

use rayon::prelude::*;

use super::blocks::Case;
use super::flaws::Flaw;
use super::random::Shape;
use crate::common::cases::cases;

fn campaign(shape: Shape, default: u64, flaws: &[Flaw]) {
    let table: Mutex<BTreeMap<Flaw, u64>> = Mutex::default();
    let number = cases(default);
    (0..number).into_par_iter().for_each(|seed| {
        let case = Case::new(9_000_000 + seed, shape, false);
        case.check();
        case.check_alone();
        for &flaw in flaws.iter().filter(|_| case.held == 0 && !case.code.has_barrier()) {
            let refuted = case.worst[0] > case.flawed(flaw);
            assert!(flaw != Flaw::None || !refuted, "the formula is refuted: {}", case.text());
            *table.lock().unwrap().entry(flaw).or_default() += u64::from(refuted);
        }
    });
    for (flaw, refuted) in table.into_inner().unwrap() {
        println!("grids, {shape:?} without {flaw:?}: refuted by {refuted} of {number} cases");
        let enough = number >= default;
        assert!(flaw == Flaw::None || refuted > 0 || !enough, "no case refutes {shape:?} without {flaw:?}");
    }
}

#[test]
fn no_plain_grid_exceeds_a_bound() {
    use Flaw::{FractionOfRate, None, OtherMultiprocessors, OtherWarps, SmallerServers, Term};
    let flaws = [None, Term, OtherMultiprocessors, OtherWarps, SmallerServers, FractionOfRate];
    campaign(Shape::Plain, 250, &flaws);
}

#[test]
fn nor_one_with_dependences() {
    campaign(Shape::Waits, 200, &[Flaw::None, Flaw::Term, Flaw::OtherMultiprocessors]);
}

#[test]
fn nor_one_with_barriers() {
    campaign(Shape::Barriers, 150, &[]);
}

#[test]
fn nor_one_beside_others_and_pauses() {
    campaign(Shape::Others, 80, &[Flaw::None, Flaw::Others, Flaw::Pauses]);
}

#[test]
fn nor_one_after_what_is_owed() {
    campaign(Shape::Before, 150, &[Flaw::None, Flaw::Before]);
}

/// Blocks that are dealt evenly keep to a bound that counts those of one multiprocessor and what all ask of the memory. Neither a block
/// of that multiprocessor may be left out, nor what the others ask.
#[test]
fn nor_one_that_is_dealt_evenly() {
    let found: Vec<[u64; 3]> = (0..cases(900))
        .into_par_iter()
        .filter_map(|seed| {
            let shape = [Shape::Plain, Shape::Waits, Shape::Barriers][usize::try_from(seed % 3).unwrap()];
            let case = Case::new(9_500_000 + seed, shape, false);
            if !case.is_dealt_evenly() {
                return None;
            }
            let [evenly, without_others] = case.dealt_evenly(case.resident);
            assert!(case.worst[1] <= evenly, "{} > {evenly}: {}", case.worst[1], case.text());
            let without_block = case.resident > 1 && case.worst[1] > case.dealt_evenly(case.resident - 1)[1];
            Some([1, (case.worst[1] > without_others).into(), without_block.into()])
        })
        .collect();
    let sums = [0, 1, 2].map(|at| found.iter().map(|one| one[at]).sum::<u64>());
    println!(
        "dealt evenly: of {} cases {} need what others ask, and {} each block",
        sums[0], sums[1], sums[2]
    );
    assert!(sums.iter().all(|&sum| sum > 0) || found.len() < 100, "{sums:?}");
}

/// Where less is declared than the code asks, no schedule that keeps to it exceeds the smaller bound.
#[test]
fn declared_traffic_is_enough() {
    (0..cases(200)).into_par_iter().for_each(|seed| {
        let shape = [Shape::Plain, Shape::Waits, Shape::Before][usize::try_from(seed % 3).unwrap()];
        Case::new(9_500_000 + seed, shape, true).check();
    });
}
