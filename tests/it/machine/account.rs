//! What each line adds to the critical path: the numbers add up to the bound, and small cases by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use warpspan::engines::latency::{Account, Parts, account, bounds};
use warpspan::engines::phase::Rational;
use warpspan::model::machine::{
    Latency, Letter, LetterId, Machine, MachineGroup, MachineWorkload, Step, Unit, Waits,
};
use warpspan::model::program::{Divergence, Piece};

use super::known::unit;

fn step(letter: usize) -> Step {
    Step::of(LetterId::new(letter).unwrap())
}

fn letters(step: Step, count: u64, line: u32) -> Piece<Step> {
    Piece::Letters { letter: step, count, line }
}

fn of(issue: i64, latency: i64, unit: (i64, i64), slots: (i64, i64)) -> Parts {
    let whole = |number: i64| Rational::from(i128::from(number));
    let ratio = |(above, below): (i64, i64)| Rational::new(above.into(), below.into());
    Parts {
        own_issue: whole(issue),
        own_latency: whole(latency),
        others_unit: ratio(unit),
        others_slots: ratio(slots),
        memory: whole(0),
    }
}

/// What each line adds in all places together.
fn lines(account: &Account) -> BTreeMap<u32, Parts> {
    let mut lines: BTreeMap<u32, Parts> = BTreeMap::new();
    for (place, parts) in &account.places {
        lines.entry(place.line).or_default().add(parts).unwrap();
    }
    lines
}

/// A shared unit L of one instance, held for 4 cycles, with latency 10 at most, and a private unit C of two
/// instances, on two schedulers that issue one instruction a cycle.
fn two_schedulers() -> Arc<Machine> {
    let load = Unit { shared: true, ..unit("L", 1, 4, [1, 10]) };
    Arc::new(Machine::new(2, Some(1), vec![load, unit("C", 2, 3, [1, 2])], vec![]).unwrap())
}

#[test]
fn a_loop_by_hand() {
    // CC in line 1, then five rounds of L in line 3 and C in line 4, and one C in line 5.
    let body = Piece::Sequence(vec![letters(step(0), 1, 3), letters(step(1), 1, 4)].into());
    let code = Piece::Sequence(
        vec![
            letters(step(1), 2, 1),
            Piece::Loop { body: Box::new(body), least: 0, most: 5, line: 3 },
            letters(step(1), 1, 5),
        ]
        .into(),
    );
    let workload = MachineWorkload::new(two_schedulers(), vec![MachineGroup { code, warps: 8 }]).unwrap();
    let found = account(&workload).unwrap();
    // Three other warps are on the same scheduler and four on the other one. A C of the same scheduler is
    // worth 2/2 for its unit and one slot; an L is worth 4 for its unit on either, of which one cycle on the
    // same scheduler could be the slot as well.
    let expected = BTreeMap::from([
        (1, of(2, 4, (3 * 2, 1), (3 * 2, 1))),
        (3, of(5, 5 * 9, (7 * 5 * 4, 1), (0, 1))),
        (4, of(5, 5 * 2, (3 * 5, 1), (3 * 5, 1))),
        // Nothing waits for the last letter.
        (5, of(1, 0, (3, 1), (3, 1))),
    ]);
    assert_eq!(lines(&found), expected);
    let within = |line: u32| found.places.keys().find(|place| place.line == line).unwrap().loops.clone();
    assert_eq!([1, 3, 4, 5].map(within), [vec![], vec![3], vec![3], vec![]]);
    // A C waits 3 cycles for the unit of the C before it, and an L waits 2 for its result: of the 3 cycles that each
    // of the five C before an L has, one is too many.
    assert_eq!((found.own, found.overlap), (1 + 3 + 2 + 5 * 10 + 4 * 2 + 3, Rational::from(-5)));
    assert_eq!(found.rounding, Rational::from(0));
    let others = 3 * (2 * 8 + 20) + 4 * 20;
    assert_eq!(i128::from(found.bound.cycles().0), found.own + others);
}

#[test]
fn code_in_order_does_not_overlap() {
    let machine = Machine::new(1, Some(2), vec![unit("L", 3, 1, [1, 10]), Unit::simple("C")], vec![]);
    let code =
        Piece::Sequence(vec![letters(step(0), 2, 7), letters(step(1), 1, 8), letters(step(0), 1, 7)].into());
    let workload =
        MachineWorkload::new(Arc::new(machine.unwrap()), vec![MachineGroup { code, warps: 4 }]).unwrap();
    let found = account(&workload).unwrap();
    // An L is worth the larger of 1/3 for the unit and 1/2 for the slot.
    let expected = BTreeMap::from([(7, of(3, 2 * 9, (0, 1), (9, 2))), (8, of(1, 0, (3, 1), (0, 1)))]);
    assert_eq!(lines(&found), expected);
    assert_eq!((found.own, found.overlap), (22, Rational::from(0)));
    assert_eq!(found.rounding, Rational::new(-1, 2));
    assert_eq!(found.bound.cycles().0, 29);
}

#[test]
fn scoreboards_overlap() {
    let machine = Machine::new(1, Some(1), vec![unit("L", 1, 1, [1, 10]), Unit::simple("C")], vec![]);
    let waits = |needs: &[u16], sets: &[u16]| {
        Some(Arc::new(Waits { stall: 1, needs: needs.to_vec(), sets: sets.to_vec() }))
    };
    let load = |token: u16| Step { waits: waits(&[], &[token]), ..step(0) };
    let used = Step { waits: waits(&[0, 1], &[]), ..step(1) };
    let code =
        Piece::Sequence(vec![letters(load(0), 1, 1), letters(load(1), 1, 2), letters(used, 1, 3)].into());
    let workload =
        MachineWorkload::new(Arc::new(machine.unwrap()), vec![MachineGroup { code, warps: 1 }]).unwrap();
    let found = account(&workload).unwrap();
    // Both loads run at once, and the letter that uses them issues in cycle 12, not 21.
    assert_eq!((found.own, found.overlap), (12, Rational::from(-9)));
    assert_eq!(found.bound.cycles().0, 12);
}

#[test]
fn barriers_keep_the_latency_of_each_segment() {
    let machine = Machine::new(1, Some(1), vec![unit("L", 1, 1, [1, 10]), Unit::simple("C")], vec![]);
    let code = Piece::Sequence(
        vec![letters(step(0), 1, 1), Piece::Barrier { line: 2 }, letters(step(1), 1, 3)].into(),
    );
    let workload =
        MachineWorkload::new(Arc::new(machine.unwrap()), vec![MachineGroup { code, warps: 6 }]).unwrap();
    let found = account(&workload.in_blocks_of(4).unwrap()).unwrap();
    let expected = BTreeMap::from([(1, of(1, 9, (5, 1), (0, 1))), (3, of(1, 0, (5, 1), (0, 1)))]);
    assert_eq!(lines(&found), expected);
    assert_eq!((found.overlap, found.several_paths), (Rational::from(0), Rational::from(0)));
    assert_eq!(found.bound.cycles().0, 11 + 10);
}

fn machines() -> impl Strategy<Value = Machine> {
    let one = (1..4_u64, any::<bool>(), 1..5_u64, 1..8_u64);
    (1..4_u64, prop::option::of(1..4_u64), prop::collection::vec(one, 3)).prop_map(
        |(schedulers, width, units)| {
            let names = ["A", "B", "D"].into_iter();
            let units = names.zip(units).map(|(name, (instances, shared, occupancy, most))| Unit {
                shared,
                ..unit(name, instances, occupancy, [1, most])
            });
            let latency = Latency { least: 1, most: 20 };
            let wide = Letter { name: "W".to_owned(), unit: 0, occupancy: 7, latency, requests: vec![] };
            Machine::new(schedulers, width, units.collect(), vec![wide]).unwrap()
        },
    )
}

fn steps() -> impl Strategy<Value = Step> {
    let tokens = || prop::collection::vec(0..3_u16, 0..2);
    (0..4_usize, prop::option::weighted(0.3, (1..12_u32, tokens(), tokens()))).prop_map(|(letter, waits)| {
        let waits = waits.map(|(stall, needs, sets)| Arc::new(Waits { stall, needs, sets }));
        Step { waits, ..step(letter) }
    })
}

/// Programs; all warps of a block come to as many barriers.
fn programs() -> impl Strategy<Value = Piece<Step>> {
    let leaf = prop_oneof![
        6 => (steps(), 0..4_u64, 1..9_u32).prop_map(|(step, count, line)| letters(step, count, line)),
        1 => Just(Piece::Barrier { line: 0 }),
    ];
    let kinds = [Divergence::Uniform, Divergence::Uniform, Divergence::Divergent, Divergence::Interleaved];
    leaf.prop_recursive(4, 12, 4, move |inner| {
        let several = prop::collection::vec(inner.clone(), 1..4);
        let arms = prop::collection::vec(inner.clone(), 2..4);
        let line = 10..13_u32;
        prop_oneof![
            3 => several.prop_map(|pieces| Piece::Sequence(pieces.into())),
            2 => (arms, prop::sample::select(kinds.to_vec())).prop_map(|(arms, divergence)| {
                Piece::Branch { arms: arms.into(), divergence, line: 0 }
            }),
            1 => (inner, 0..4_u64, 0..4_u64, line).prop_map(|(body, least, more, line)| {
                Piece::Loop { body: Box::new(body), least, most: least + more, line }
            }),
        ]
    })
}

fn barrier_in_branch(piece: &Piece<Step>) -> bool {
    match piece {
        Piece::Letters { .. } | Piece::Barrier { .. } => false,
        Piece::Sequence(pieces) => pieces.iter().any(barrier_in_branch),
        Piece::Branch { .. } => piece.has_barrier(),
        Piece::Loop { body, .. } => barrier_in_branch(body),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_lines_add_up_to_the_bound(
        machine in machines(),
        codes in prop::collection::vec((programs(), 1..9_u64), 1..3),
        block in prop::option::of(1..5_u64),
    ) {
        let groups: Vec<MachineGroup> =
            codes.into_iter().map(|(code, warps)| MachineGroup { code, warps }).collect();
        let mut workload = MachineWorkload::new(Arc::new(machine), groups).unwrap();
        if let Some(block) = block {
            workload = workload.in_blocks_of(block).unwrap();
        }
        let (found, all) = (account(&workload), bounds(&workload));
        let (found, all) = match (found, all) {
            (Ok(found), Ok(all)) => (found, all),
            (Err(one), Err(other)) => {
                prop_assert_eq!(one, other);
                return Ok(());
            }
            (found, all) => return Err(TestCaseError::fail(format!("{found:?} {all:?}"))),
        };
        prop_assert_eq!(found.bound, all.applied[0].makespan);
        let zero = Rational::from(0);
        let mut sum = found.overlap + found.several_paths + found.rounding;
        for parts in lines(&found).values() {
            for part in [parts.own_issue, parts.own_latency, parts.others_unit, parts.others_slots] {
                prop_assert!(part >= zero);
                sum += part;
            }
        }
        prop_assert_eq!(sum, Rational::from(i128::from(found.bound.cycles().0)));
        prop_assert!(found.several_paths >= zero && found.rounding <= zero);
        prop_assert!(found.rounding > Rational::from(-1));
        if !workload.groups().iter().any(|group| barrier_in_branch(&group.code)) {
            prop_assert_eq!(found.several_paths, zero);
        }
    }
}
