//! Workloads on which a bound is exact, and workloads that refute what looks like a bound.

use warpspan::engines::latency::{LatencyError, MachineBounds, PriceList, bounds};
use warpspan::engines::own::OwnError;
use warpspan::model::machine::{Latency, Letter, Machine, MachineWorkload, Unit};

use super::formulas::{Flaw, chains, critical, phases, pipelined};
use super::known::{unit, workload, worst, worst_of};
use super::oracle;

const ONE: [u64; 2] = [1, 1];

fn machine(width: u64, units: Vec<Unit>) -> Machine {
    Machine::new(1, Some(width), units, vec![]).unwrap()
}

fn found(machine: &Machine, groups: &[(&str, u64)]) -> MachineBounds {
    bounds(&workload(machine.clone(), groups)).unwrap()
}

/// The smallest bound and the exact makespan.
fn both(machine: &Machine, groups: &[(&str, u64)]) -> [u64; 2] {
    let exact = worst(&workload(machine.clone(), groups)).makespan();
    [found(machine, groups).makespan.cycles().0, exact]
}

/// The bound of a theorem, if it applies.
fn of(found: &MachineBounds, name: &str, prices: Option<PriceList>) -> Option<u64> {
    let one = |bound: &&_| -> bool {
        let bound: &warpspan::engines::latency::Applied = bound;
        bound.makespan.theorem().name() == name && bound.prices == prices
    };
    found.applied.iter().find(one).map(|bound| bound.makespan.cycles().0)
}

/// Why a theorem does not apply.
fn why<'a>(found: &'a MachineBounds, name: &str) -> Option<&'a str> {
    found.skipped.iter().find(|skipped| skipped.theorem.name() == name).map(|skipped| skipped.why.as_str())
}

/// Whether the largest bound of any warp, by a formula with a flaw, is below the exact makespan.
fn refuted(workload: &MachineWorkload, formula: &dyn Fn(&Machine, &[oracle::Warp], usize) -> i128) -> bool {
    let (machine, warps) = (workload.machine(), oracle::warps(workload));
    let finish = worst(workload).finish;
    (0..warps.len()).any(|w| formula(machine, &warps, w) < i128::from(finish[w]))
}

#[test]
fn results_come_after_the_last_issue() {
    let slow = machine(2, vec![unit("L", 1, 1, [1, 10]), unit("C", 1, 1, ONE)]);
    let found = found(&slow, &[("L", 1), ("CCC", 1)]);
    assert_eq!((found.makespan.cycles().0, found.completion.cycles().0), (3, 10));
}

#[test]
fn neighbours_on_two_units() {
    let two = machine(2, vec![unit("L", 1, 1, [1, 10]), unit("C", 1, 1, ONE)]);
    let found = found(&two, &[("LCCL", 8)]);
    assert_eq!((found.makespan.cycles().0, found.completion.cycles().0), (4 + 9 + 7 * 2, 4 + 9 + 7 * 2 + 9));
}

#[test]
fn what_the_width_costs() {
    let one = machine(1, vec![unit("L", 2, 1, ONE)]);
    assert_eq!(both(&one, &[("L", 2)]), [2, 2]);
    let wide = workload(one, &[("L", 2)]);
    assert!(refuted(&wide, &|machine, warps, w| critical(machine, warps, w, Flaw::NoWidth)));
    let two = machine(1, vec![unit("L", 1, 1, ONE), unit("C", 1, 1, ONE)]);
    assert_eq!(both(&two, &[("LC", 2)]), [4, 4]);
    // With the price list for a width that never limits it would be 3.
    assert_eq!(both(&Machine::of_sigmas(1, 1).unwrap(), &[("LC", 2)]), [3, 3]);
}

/// Two unequal neighbours are not both taken, and that is not the same as a change of label that costs 1.
#[test]
fn three_kinds_of_unit() {
    let three = machine(3, vec![unit("L", 1, 1, ONE), unit("C", 1, 1, ONE), unit("S", 1, 1, ONE)]);
    assert_eq!(worst(&workload(three.clone(), &[("LCLSC", 3)])).makespan(), 10);
    assert!(found(&three, &[("LCLSC", 3)]).makespan.cycles().0 >= 10);
    let labels = workload(three, &[("LCLSC", 3)]);
    assert!(refuted(&labels, &|machine, warps, w| phases(machine, warps, w, Flaw::Labels)[1]));
}

/// Neutral units share what the other units leave of the width.
#[test]
fn the_rate_of_neutral_letters() {
    let units = vec![unit("L", 1, 1, ONE), unit("C", 1, 1, ONE), unit("F", 2, 1, ONE)];
    let case = workload(machine(2, units), &[("FLCLCC", 3), ("LC", 3)]);
    assert!(!refuted(&case, &|machine, warps, w| phases(machine, warps, w, Flaw::None)[1]));
    assert!(refuted(&case, &|machine, warps, w| phases(machine, warps, w, Flaw::NeutralRate)[1]));
}

/// A letter X of L's unit with a latency of its own: while the first warp waits for the unit, the other one
/// issues an X, is ready together with the first one and is in its way once more. The own time of a warp must
/// count the longest latency of the unit.
#[test]
fn several_latencies_of_one_unit() {
    let latency = Latency { least: 2, most: 2 };
    let long = Letter { name: "X".to_owned(), unit: 0, occupancy: 1, latency, requests: vec![] };
    let units = vec![unit("L", 1, 1, ONE), unit("C", 1, 1, ONE)];
    let two = Machine::new(1, Some(2), units, vec![long]).unwrap();
    let case = workload(two.clone(), &[("LC", 1), ("XC", 1)]);
    assert_eq!(both(&two, &[("LC", 1), ("XC", 1)]), [4, 4]);
    for list in [0, 1] {
        // Here the width never limits, so both lists are the same.
        assert!(!refuted(&case, &|machine, warps, w| phases(machine, warps, w, Flaw::None)[list]));
        assert!(refuted(&case, &|machine, warps, w| phases(machine, warps, w, Flaw::OwnLatency)[list]));
    }
}

/// With a smaller number of instances the phase bound can be lower, so that must not be rounded.
#[test]
fn instances_must_not_be_rounded_down() {
    let of = |c| machine(2, vec![unit("L", 1, 1, ONE), unit("C", c, 1, ONE)]);
    assert_eq!(worst(&workload(of(2), &[("CL", 4)])).makespan(), 6);
    assert!(found(&of(2), &[("CL", 4)]).makespan.cycles().0 >= 6);
    assert_eq!(found(&of(1), &[("CL", 4)]).makespan.cycles().0, 5);
}

#[test]
fn few_warps_need_long_latencies() {
    let of = |latency| machine(1, vec![unit("L", 1, 1, [latency, latency])]);
    let short = workload(of(2), &[("LL", 3)]);
    assert_eq!(worst(&short).makespan(), 7);
    assert_eq!(
        why(&bounds(&short).unwrap(), "pipelined"),
        Some("the least latency at letter 1 is 2, below 3")
    );
    let flawed = |machine: &Machine, warps: &[oracle::Warp], w| {
        pipelined(machine, warps, w, Flaw::NoCondition).unwrap()
    };
    assert!(refuted(&short, &flawed));
    // A latency of 3 is long enough, so latencies must not be rounded up either.
    assert_eq!(of_name(&found(&of(3), &[("LL", 3)]), "pipelined"), Some(6));
    assert_eq!(both(&of(3), &[("LL", 3)]), [6, 6]);
}

fn of_name(found: &MachineBounds, name: &str) -> Option<u64> {
    of(found, name, None)
}

#[test]
fn barriers_have_no_shortcut() {
    let slow = machine(2, vec![unit("L", 1, 1, [1, 10])]);
    let block = |machine: &Machine, texts: &[&str], others: &[&str]| -> Vec<oracle::Warp> {
        let number = texts.len();
        let warps = texts.iter().chain(others).enumerate().map(|(at, text)| {
            let one = oracle::warps(&workload(machine.clone(), &[(text, 1)])).remove(0);
            let scheduler = u64::try_from(at).unwrap() % machine.schedulers();
            oracle::Warp { scheduler, block: at.saturating_sub(number - 1), ..one }
        });
        warps.collect()
    };
    // Two warps of one block on different paths.
    let warps = block(&slow, &["LL|", "|LL"], &[]);
    assert_eq!(worst_of(&slow, &["LL|", "|LL"], &[]).makespan(), 31);
    assert_eq!(chains(&slow, &warps, 0, Flaw::None), 31);
    assert!(chains(&slow, &warps, 0, Flaw::WholePath) < 31);
    assert!(found(&slow, &[("[LL|/|LL]", 2)]).makespan.cycles().0 >= 31);
    // Equal strings, but warps of the block on two schedulers.
    let two = Machine::new(2, Some(1), vec![unit("L", 1, 1, ONE)], vec![]).unwrap();
    let warps = block(&two, &["LL|LL"; 3], &["LL|LL"]);
    let finish = worst_of(&two, &["LL|LL"; 3], &["LL|LL"]).finish;
    assert_eq!(finish.iter().max(), Some(&10));
    let largest = |flaw| (0..4).map(|w| chains(&two, &warps, w, flaw)).max().unwrap();
    assert!(largest(Flaw::None) >= 10 && largest(Flaw::WholePath) < 10);
    // A unit that is held across a barrier.
    let held = machine(1, vec![unit("L", 1, 5, ONE)]);
    assert_eq!(both(&held, &[("L|L", 1)]), [6, 6]);
    let held = found(&held, &[("L|L", 1)]);
    assert_eq!(
        why(&held, "segments"),
        Some("a letter may hold its unit for longer than its latency, so across a barrier")
    );
    assert_eq!(why(&held, "phase-width-latency"), Some("there is a barrier"));
    // One block alone is the sum of its segments.
    let alone = machine(1, vec![unit("L", 1, 1, [1, 3])]);
    assert_eq!(of_name(&found(&alone, &[("LL|L|", 3)]), "segments"), Some(1 + 3 + 2 * 2 + 2 + 3));
}

#[test]
fn several_paths() {
    let two = machine(2, vec![unit("L", 1, 1, ONE), unit("C", 1, 1, ONE)]);
    // One path is the longest alone, and another one is in the way of the other warp.
    assert_eq!(worst(&workload(two.clone(), &[("L", 1), ("L10", 1)])).makespan(), 11);
    let found = found(&two, &[("[CC/L]", 1), ("L10", 1)]);
    assert!(found.makespan.cycles().0 >= 11);
    let neutral = found.skipped.iter().find(|skipped| skipped.prices == Some(PriceList::Neutral));
    assert_eq!(neutral.unwrap().why, "the code has several paths");
    assert!(of(&found, "phase-width-latency", Some(PriceList::Uniform)).is_some());
}

/// One scheduler, issue width 1, occupancies of 1: the exact laws.
#[test]
fn exact_laws() {
    let kernels = ["L", "LL", "LC", "LLC", "CLC", "LCLC"];
    for latencies in [[ONE, ONE], [[1, 2], [1, 3]], [[1, 3], [1, 1]]] {
        let machine = machine(1, vec![unit("L", 1, 1, latencies[0]), unit("C", 2, 1, latencies[1])]);
        for first in kernels {
            for second in kernels {
                let groups = [(first, 2), (second, 1)];
                let [bound, exact] = both(&machine, &groups);
                assert_eq!(bound, exact, "{latencies:?}: {groups:?}");
                if latencies == [ONE, ONE] {
                    assert_eq!(exact, (2 * first.len() + second.len()) as u64);
                }
            }
        }
    }
    // One kernel with W - 1 warps or more for each least latency.
    for latency in [[2, 2], [2, 3]] {
        let machine = machine(1, vec![unit("L", 1, 1, latency)]);
        for (text, length) in [("L", 1), ("LL", 2), ("LLL", 3)] {
            assert_eq!(both(&machine, &[(text, 3)]), [2 * length + 1 + (length - 1) * latency[1]; 2]);
        }
    }
}

/// Four schedulers that issue one instruction a cycle, private cores, a shared load and store unit.
#[test]
fn four_partitions() {
    let load = Unit { shared: true, ..unit("L", 1, 2, [20, 400]) };
    let units = vec![load, unit("C", 1, 2, [4, 6]), unit("F", 1, 16, [8, 12])];
    let machine = Machine::new(4, Some(1), units, vec![]).unwrap();
    for warps in [4_u64, 5, 32, 1_000_000_000] {
        // F holds its unit longer than its latency, but no other F comes after it.
        let own = 7 + 399 + 3 * 5 + 11 + 399;
        let beside = (warps.div_ceil(4) - 1) * (3 * 2 + 3 * 2 + 16);
        let far = (warps - warps.div_ceil(4)) * 3 * 2;
        let found = found(&machine, &[("LCCFLCL", warps)]);
        assert_eq!(of_name(&found, "critical-path"), Some(own + beside + far), "{warps}");
        assert_eq!(why(&found, "phase-width-latency"), Some("a letter holds its unit for more than a cycle"));
        assert_eq!(why(&found, "pipelined"), Some("several schedulers share a unit"));
    }
}

#[test]
fn large_numbers_overflow_in_words() {
    let one = machine(2, vec![unit("L", 3, 1, [1, 1 << 32]), unit("C", 7, 1, ONE)]);
    let large = |text: &str, warps| bounds(&workload(one.clone(), &[(text, warps)]));
    assert!(large("(L1000000C)0..1000", 1).is_ok());
    for (text, warps) in [("L1000000000", 1 << 60), ("((L1000000000)1000000000)1000000000", 1)] {
        assert_eq!(large(text, warps).unwrap_err(), LatencyError::Overflow);
    }
    let loops = "((((C1000000)1000000)1000000)1000000)1000000";
    assert_eq!(large(loops, 1 << 60).unwrap_err(), LatencyError::Overflow);
    assert_eq!(large("[/]", 1).unwrap_err(), LatencyError::Empty(1));
    assert!(matches!(large("{L|/C}", 2).unwrap_err(), LatencyError::Own(OwnError::Barrier { .. })));
    assert!(matches!(large("[L|/C]C", 2).unwrap_err(), LatencyError::Arms(_)));
}
