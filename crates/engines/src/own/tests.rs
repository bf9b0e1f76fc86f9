//! E against its definition on every path of random programs.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use warpspan_model::machine::{Latency, LetterId, Unit, Waits};
use warpspan_model::program::Divergence;

/// A path: steps, and `None` for a barrier.
type Steps = Vec<Option<Step>>;

fn machine(numbers: &[(u64, u64, u64)]) -> Machine {
    let units = ["A", "B", "D"].into_iter().zip(numbers).map(|(name, &(instances, occupancy, most))| Unit {
        instances,
        occupancy,
        latency: Latency { least: 1, most },
        ..Unit::simple(name)
    });
    Machine::new(1, None, units.collect(), vec![]).unwrap()
}

fn step(letter: usize, waits: Option<(u32, Vec<u16>, Vec<u16>)>) -> Step {
    let waits = waits.map(|(stall, needs, sets)| Arc::new(Waits { stall, needs, sets }));
    Step { letter: LetterId::new(letter).unwrap(), waits }
}

fn letters(step: Step, count: u64) -> Piece<Step> {
    Piece::Letters { letter: step, count, line: 0 }
}

fn branch(arms: Vec<Piece<Step>>, divergence: Divergence) -> Piece<Step> {
    Piece::Branch { arms: arms.into(), divergence, line: 0 }
}

/// All paths of a piece.
fn paths(piece: &Piece<Step>) -> Vec<Steps> {
    let after = |before: Vec<Steps>, next: &[Steps]| -> Vec<Steps> {
        before.iter().flat_map(|one| next.iter().map(|two| [&one[..], two].concat())).collect()
    };
    match piece {
        Piece::Letters { letter, count, .. } => vec![(0..*count).map(|_| Some(letter.clone())).collect()],
        Piece::Barrier { .. } => vec![vec![None]],
        Piece::Sequence(pieces) => {
            pieces.iter().fold(vec![vec![]], |before, piece| after(before, &paths(piece)))
        }
        Piece::Branch { arms, divergence: Divergence::Uniform, .. } => arms.iter().flat_map(paths).collect(),
        Piece::Branch { arms, divergence, .. } => {
            let arms: Vec<Vec<Steps>> = arms.iter().map(paths).collect();
            let mut found = vec![];
            for set in 1..1_usize << arms.len() {
                let taken: Vec<_> = (0..arms.len()).filter(|at| set >> at & 1 == 1).collect();
                let mut choices: Vec<Vec<Steps>> = vec![vec![]];
                for &at in &taken {
                    let longer = choices.iter().flat_map(|choice| {
                        arms[at].iter().map(|path| [&choice[..], std::slice::from_ref(path)].concat())
                    });
                    choices = longer.collect();
                }
                for choice in choices {
                    merge(&choice, *divergence == Divergence::Interleaved, &mut vec![], &mut found);
                }
            }
            found
        }
        &Piece::Loop { ref body, least, most, .. } => {
            let body = paths(body);
            let rounds = |rounds| (0..rounds).fold(vec![vec![]], |before, _| after(before, &body));
            (least..=most).flat_map(rounds).collect()
        }
    }
}

/// All orders of the parts: letter by letter, or each part as a whole.
fn merge(parts: &[Steps], alternate: bool, before: &mut Steps, found: &mut Vec<Steps>) {
    if parts.iter().all(Vec::is_empty) {
        found.push(before.clone());
    }
    for at in (0..parts.len()).filter(|&at| !parts[at].is_empty()) {
        let mut rest = parts.to_vec();
        let taken = if alternate { 1 } else { rest[at].len() };
        let length = before.len();
        before.extend(rest[at].drain(..taken));
        merge(&rest, alternate, before, found);
        before.truncate(length);
    }
}

/// E of a path by its definition, letter by letter. Nothing is pending behind a barrier.
fn plain(path: &Steps, machine: &Machine) -> Own {
    let (mut start, mut last, mut over, mut next) = (1, 0, 1, 1);
    let mut segment: Vec<(u64, &Step)> = vec![];
    for step in path {
        let Some(step) = step else {
            start = over.max(next);
            next = start;
            segment.clear();
            continue;
        };
        let letter = machine.letter(step.letter);
        let mut issue = start;
        let needs = step.waits.as_ref().map_or(vec![], |waits| waits.needs.clone());
        for (at, (issued, earlier)) in segment.iter().enumerate() {
            let of = machine.letter(earlier.letter);
            let sets = earlier.waits.as_ref().map_or(vec![], |waits| waits.sets.clone());
            let stall = earlier.waits.as_ref().map_or(of.latency.most, |waits| waits.stall.max(1).into());
            if at + 1 == segment.len() {
                issue = issue.max(issued + stall);
            }
            if sets.iter().any(|token| needs.contains(token)) {
                issue = issue.max(issued + of.latency.most);
            }
            if of.unit == letter.unit {
                issue = issue.max(issued + of.occupancy);
            }
        }
        last = issue;
        over = over.max(issue + letter.longest());
        next = issue + step.waits.as_ref().map_or(letter.latency.most, |waits| waits.stall.max(1).into());
        segment.push((issue, step));
    }
    Own { last_issue: last, completion: over - 1, arrival: over.max(next) - 1 }
}

fn worst(piece: &Piece<Step>, machine: &Machine) -> Own {
    let owns: Vec<Own> = paths(piece).iter().map(|path| plain(path, machine)).collect();
    let most = |value: fn(&Own) -> u64| owns.iter().map(value).max().unwrap_or_default();
    Own {
        last_issue: most(|own| own.last_issue),
        completion: most(|own| own.completion),
        arrival: most(|own| own.arrival),
    }
}

fn steps() -> impl Strategy<Value = Step> {
    let tokens = || prop::collection::vec(0..3_u16, 0..3);
    (0..3_usize, prop::option::weighted(0.8, (0..4_u32, tokens(), tokens())))
        .prop_map(|(letter, waits)| step(letter, waits))
}

fn pieces(barriers: bool) -> impl Strategy<Value = Piece<Step>> {
    let leaf = prop_oneof![
        8 => (steps(), 0..3_u64).prop_map(|(step, count)| letters(step, count)),
        u32::from(barriers) => Just(Piece::Barrier { line: 0 }),
    ];
    leaf.prop_recursive(4, 9, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 1..4);
        let arms = prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            3 => several.prop_map(|pieces| Piece::Sequence(pieces.into())),
            2 => (arms, kinds()).prop_map(|(arms, kind)| branch(arms, kind)),
            1 => (inner, 0..2_u64, 0..4_u64).prop_map(|(body, least, more)| Piece::Loop {
                body: Box::new(body), least, most: least + more, line: 0
            }),
        ]
    })
}

fn kinds() -> impl Strategy<Value = Divergence> {
    prop_oneof![Just(Divergence::Uniform), Just(Divergence::Divergent), Just(Divergence::Interleaved)]
}

/// Programs with the same code in several places, which share it. What is beside it differs.
pub(crate) fn shared() -> impl Strategy<Value = Piece<Step>> {
    let pieces = || pieces(true);
    (pieces(), pieces(), pieces(), kinds(), kinds()).prop_map(|(one, other, third, inner, outer)| {
        let both = branch(vec![one.clone(), other.clone()], inner);
        let arms = [one, third].map(|beside| branch(vec![both.clone(), beside], outer));
        let again = Piece::Loop { body: Box::new(arms[0].clone()), least: 1, most: 3, line: 0 };
        Piece::Sequence([&arms[..], &[both, other, again]].concat().into())
    })
}

pub(crate) fn machines() -> impl Strategy<Value = Machine> {
    prop::collection::vec((1..3_u64, 1..6_u64, 1..8_u64), 3).prop_map(|numbers| machine(&numbers))
}

/// The number of paths, roughly, and their length.
fn size(piece: &Piece<Step>) -> (u64, u64) {
    let power = |base: u64, exponent: u64| base.saturating_pow(exponent.try_into().unwrap_or(u32::MAX));
    match piece {
        Piece::Letters { count, .. } => (1, *count),
        Piece::Barrier { .. } => (1, 1),
        Piece::Sequence(pieces) => pieces
            .iter()
            .map(size)
            .fold((1, 0), |all: (u64, u64), one| (all.0.saturating_mul(one.0), all.1 + one.1)),
        Piece::Branch { arms, divergence, .. } => {
            let all: Vec<(u64, u64)> = arms.iter().map(size).collect();
            let length = all.iter().map(|one| one.1).sum();
            let paths = all.iter().fold(1_u64, |paths, one| paths.saturating_mul(one.0));
            match divergence {
                Divergence::Uniform => {
                    (all.iter().fold(0, |sum: u64, one| sum.saturating_add(one.0)), length)
                }
                Divergence::Divergent => (paths.saturating_mul(15), length),
                Divergence::Interleaved => (paths.saturating_mul(power(3, length)), length),
            }
        }
        Piece::Loop { body, most, .. } => {
            let (paths, length) = size(body);
            (power(paths, *most).saturating_mul(*most), length * most)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn as_defined_on_every_path(piece in pieces(true), machine in machines()) {
        prop_assume!(size(&piece).0 < 20_000);
        match own(&piece, &machine) {
            Err(OwnError::Barrier { .. }) => {}
            found if piece.is_interleaved() => {
                let (found, worst) = (found.unwrap(), worst(&piece, &machine));
                prop_assert!(found.last_issue >= worst.last_issue, "{found:?} {worst:?}");
                prop_assert!(found.completion >= worst.completion, "{found:?} {worst:?}");
                prop_assert!(found.arrival >= worst.arrival, "{found:?} {worst:?}");
            }
            found => prop_assert_eq!(found.unwrap(), worst(&piece, &machine)),
        }
    }

    #[test]
    fn code_in_several_places_counts_as_copies_of_it(shared in shared(), machine in machines()) {
        let copied = shared.map(&mut Step::clone);
        prop_assert_eq!(format!("{:?}", own(&shared, &machine)), format!("{:?}", own(&copied, &machine)));
    }

    #[test]
    fn more_letters_take_no_less(
        before in pieces(false), more in pieces(false), after in pieces(false), machine in machines()
    ) {
        let without = own(&Piece::Sequence(vec![before.clone(), after.clone()].into()), &machine).unwrap();
        let with = own(&Piece::Sequence(vec![before, more, after].into()), &machine).unwrap();
        prop_assert!(with.last_issue >= without.last_issue && with.completion >= without.completion);
    }
}

#[test]
fn a_unit_keeps_its_own_warp_waiting_though_it_has_several_instances() {
    let machine = machine(&[(2, 3, 1)]);
    let free = || letters(step(0, Some((1, vec![], vec![]))), 1);
    let found = own(&Piece::Sequence(vec![free(), free()].into()), &machine).unwrap();
    assert_eq!(found, Own { last_issue: 4, completion: 6, arrival: 6 });
}

#[test]
fn loops_of_many_rounds() {
    let machine = machine(&[(1, 1, 100), (1, 1, 4)]);
    // A load, whose result is used in the next round.
    let body = Piece::Sequence(
        vec![
            letters(step(1, Some((1, vec![0], vec![]))), 1),
            letters(step(0, Some((2, vec![], vec![0]))), 1),
            letters(step(1, Some((1, vec![], vec![]))), 20),
        ]
        .into(),
    );
    let many = |most| Piece::Loop { body: Box::new(body.clone()), least: 0, most, line: 0 };
    let found = own(&many(1_000_000_000), &machine).unwrap();
    assert_eq!(found.last_issue, 101 * 1_000_000_000 - 101 + 23);
    let nested = Piece::Loop { body: Box::new(many(1 << 40)), least: 0, most: 1 << 40, line: 3 };
    assert_eq!(own(&nested, &machine), Err(OwnError::Overflow));
    let turned = Piece::Loop { body: Box::new(many(1)), least: 2, most: 1, line: 3 };
    assert_eq!(
        own(&turned, &machine).unwrap_err().to_string(),
        "line 3: a loop of at least 2 and at most 1 rounds: want least..most"
    );
}

#[test]
fn arms_that_share_no_token_add_their_own_times() {
    let machine = machine(&[(1, 1, 100), (1, 1, 4)]);
    let arm = |token: u16| {
        Piece::Sequence(
            vec![
                letters(step(0, Some((1, vec![], vec![token]))), 5),
                letters(step(1, Some((1, vec![token], vec![]))), 1),
            ]
            .into(),
        )
    };
    let interleaved = |arms| own(&branch(arms, Divergence::Interleaved), &machine).unwrap().completion;
    assert_eq!(interleaved(vec![arm(0), arm(1)]), 2 * (4 + 100 + 4));
    // One token for both: the arm that waits for it may wait for the other arm's loads each time.
    assert_eq!(interleaved(vec![arm(0), arm(0)]), 2 * (500 + 4));
}

#[test]
fn arms_that_share_a_unit_may_wait_for_each_other() {
    let machine = machine(&[(1, 5, 1), (1, 1, 10)]);
    let arm = Piece::Sequence(
        vec![letters(step(0, Some((1, vec![], vec![]))), 1), letters(step(1, None), 1)].into(),
    );
    // Each alone takes 11 cycles, but with both A first, the second one issues in cycle 6.
    let both = branch(vec![arm.clone(), arm.clone()], Divergence::Interleaved);
    assert_eq!(own(&arm, &machine).unwrap().completion, 11);
    assert_eq!(worst(&both, &machine).completion, 26);
    assert_eq!(own(&both, &machine).unwrap().completion, 30);
}

#[test]
fn chains_of_code_without_barriers_in_branches() {
    let machine = machine(&[(1, 1, 3)]);
    let one = || letters(step(0, None), 2);
    let segments = Piece::Sequence(
        vec![one(), Piece::Barrier { line: 0 }, branch(vec![one()], Divergence::Uniform)].into(),
    );
    let found = chain(&segments, &machine).unwrap();
    assert_eq!(found, Some(Own { last_issue: 10, completion: 12, arrival: 12 }));
    let inside = branch(vec![segments.clone(), segments], Divergence::Uniform);
    assert_eq!(chain(&inside, &machine), Ok(None));
}

#[test]
fn a_segment_begins_with_nothing_pending() {
    let machine = machine(&[(1, 1, 100), (1, 1, 4)]);
    let load = letters(step(0, Some((1, vec![], vec![7]))), 1);
    let used = letters(step(1, Some((1, vec![7], vec![]))), 1);
    let code = Piece::Sequence(vec![load, Piece::Barrier { line: 0 }, used.clone()].into());
    // Where the barrier opens in cycle 2, the load is still pending there, and is over with cycle 100 all the same.
    assert_eq!(own(&used, &machine).unwrap(), Own { last_issue: 1, completion: 4, arrival: 4 });
    assert_eq!(own(&code, &machine).unwrap(), Own { last_issue: 101, completion: 104, arrival: 104 });
}

#[test]
fn code_of_many_registers_in_nested_loops() {
    let machine = machine(&[(1, 4, 600), (1, 2, 20)]);
    // Instructions that read two registers and write a third of 250.
    let block = |seed: u16| {
        let one = |at: u16| {
            let register = |factor: u16| (seed + at * factor) % 250;
            let (needs, sets) = (vec![register(7), register(11), register(3)], vec![register(3)]);
            letters(step(usize::from(!at.is_multiple_of(9)), Some((1, needs, sets))), 1)
        };
        Piece::Sequence((0..1000).map(one).collect())
    };
    let many = |body, most| Piece::Loop { body: Box::new(body), least: 0, most, line: 0 };
    let arms = branch(vec![block(3), block(4)], Divergence::Divergent);
    let inner = many(Piece::Sequence(vec![block(0), arms].into()), 1_000_000_000);
    let code = many(Piece::Sequence(vec![block(1), inner, block(2)].into()), 1000);
    let found = own(&code, &machine).unwrap();
    assert!(found.last_issue > 3_000_000_000_000 && found.completion > found.last_issue);
}
