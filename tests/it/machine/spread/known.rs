//! Grids whose worst case is known, and what they refute.

use super::check;
use super::formulas::{Flaw, bounds};
use super::search::{Case, Letter, Step, Unit, worst};

/// A grid of `[b, R, N]` on two schedulers, without limits of issue. Each letter of the text is given as its name, the number of its
/// unit, its occupancy, its latencies, and what it asks of a server that does 1 a cycle.
fn case(
    text: &str,
    units: &[(bool, u8)],
    letters: &[(char, u8, u8, [u8; 2], u8)],
    [b, r, n]: [u8; 3],
) -> Case {
    let step = |name: char| -> Step {
        let number = letters.iter().position(|letter| letter.0 == name).unwrap();
        (u8::try_from(number).unwrap(), None)
    };
    let segments: Vec<Vec<Step>> = text.split('|').map(|part| part.chars().map(step).collect()).collect();
    let asks = letters.iter().any(|letter| letter.4 > 0);
    Case {
        schedulers: 2,
        width: 0,
        units: units.iter().map(|&(shared, instances)| Unit { shared, instances }).collect(),
        letters: letters
            .iter()
            .map(|&(_, unit, occupancy, latency, asks)| Letter { unit, occupancy, latency, asks: [asks, 0] })
            .collect(),
        paths: vec![segments],
        warps: b,
        resident: r,
        blocks: n,
        multiprocessors: 1,
        rates: if asks { vec![[1, 1]] } else { vec![] },
        before: if asks { vec![0] } else { vec![] },
    }
}

/// The last issue, or the last result of code with barriers, is this, and what is left out makes the bound too small.
fn refutes(case: &Case, exact: u16, flaws: &[Flaw]) {
    let found = worst(case, 3_000_000).unwrap();
    let end = if case.paths[0].len() == 1 { found.issued } else { found.done };
    assert_eq!(end, exact, "{case:?}");
    let all = bounds(case, Flaw::None);
    check(case, &found, &all);
    for &flaw in flaws {
        let flawed = bounds(case, flaw);
        let [one, two] = if case.paths[0].len() == 1 {
            [flawed.issued[1], flawed.issued[2]]
        } else {
            [flawed.done[1], flawed.done[2]]
        };
        let least = match flaw {
            Flaw::OneFollowed | Flaw::FollowedOfAPlace => two,
            _ => one,
        };
        assert!(i64::from(exact) > least, "{flaw:?}: {exact} against {least}, {case:?}");
    }
}

const PRIVATE: [(bool, u8); 1] = [(false, 1)];

/// A letter b of one cycle to `most`, and a of one, on one private unit.
fn of_two(text: &str, most: u8, sizes: [u8; 3]) -> Case {
    case(text, &PRIVATE, &[('b', 0, 1, [1, most], 0), ('a', 0, 1, [1, 1], 0)], sizes)
}

/// Other blocks run on the scheduler of the followed warp while it waits, and leave what they have on the other one for the next.
#[test]
fn changes_of_scheduler_cost() {
    refutes(&of_two("baaa", 6, [2, 2, 4]), 29, &[Flaw::Boundary, Flaw::OneBeside]);
    refutes(&of_two("bbb", 3, [2, 2, 4]), 23, &[Flaw::Boundary]);
}

#[test]
fn each_ingredient_is_needed() {
    // Warps on the other scheduler use the same unit.
    refutes(&case("a", &[(true, 1)], &[('a', 0, 1, [1, 2], 0)], [2, 2, 2]), 4, &[Flaw::Others]);
    // Of three warps two are on one scheduler.
    refutes(&case("a", &[(false, 2)], &[('a', 0, 1, [1, 1], 0)], [3, 3, 3]), 3, &[Flaw::ShareDown]);
    // One block after the other, each of which may take its longest.
    refutes(&of_two("b", 2, [2, 1, 3]), 5, &[Flaw::OneFollowed]);
}

/// The scheduler may change at each barrier, also where all blocks start together.
#[test]
fn barriers_are_changes_of_scheduler() {
    let of_a_block = [Flaw::Boundary, Flaw::BarrierChanges];
    refutes(&of_two("b|bbb", 2, [2, 3, 3]), 17, &of_a_block);
    refutes(&of_two("a|bb", 2, [2, 3, 3]), 12, &of_a_block);
    let letters = [('a', 0, 1, [1, 3], 0), ('b', 0, 1, [1, 2], 0)];
    let uneven = case("b|aa", &PRIVATE, &letters, [2, 2, 4]);
    refutes(&uneven, 23, &[Flaw::Boundary, Flaw::FollowedOfAPlace]);
    refutes(&of_two("ba|b|a", 2, [2, 2, 4]), 21, &[Flaw::Boundary, Flaw::OneBeside, Flaw::FollowedOfAPlace]);
}

/// What servers add counts once, for all blocks, and takes no place of anything else.
#[test]
fn memory_is_added_once_to_the_bounds() {
    let asks = [('b', 0, 1, [1, 3], 1), ('a', 0, 1, [1, 1], 0)];
    let flaws = [Flaw::Boundary, Flaw::Memory, Flaw::MemoryOfABlock];
    refutes(&case("ba", &PRIVATE, &asks, [2, 2, 4]), 21, &flaws);
}
