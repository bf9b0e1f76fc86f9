//! Bounds for a known order of warps against simulated policies, and what each part of them is for.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpspan::engines::latency::{bounds, bounds_under};
use warpspan::engines::policy::{Draw, Policy, Run, Scenario, simulate};
use warpspan::model::machine::{Latency, Letter, Machine, MachineWorkload, Order, Unit};

use super::known::{unit, workload};
use super::policies::with_dependences;
use super::random;
use crate::common::cases::{cases, first_seed};
use crate::common::limits;

/// The orders with the policies that keep them.
const KNOWN: [(Order, Policy); 4] = [
    (Order::RoundRobin, Policy::Lrr),
    (Order::Oldest, Policy::Oldest),
    (Order::GreedyOldest, Policy::Gto),
    (Order::GreedyYoungest, Policy::Cggty),
];

fn run(workload: &MachineWorkload, policy: Policy, latency: Draw, seed: u64) -> Run {
    let scenario = Scenario { latency, seed, ..Scenario::of(workload) };
    simulate(workload, policy, &scenario, &limits()).unwrap()
}

/// The last issue of a group.
fn finish(workload: &MachineWorkload, policy: Policy, latency: Draw, group: usize) -> u64 {
    run(workload, policy, latency, 0).last_issues()[group].0
}

fn bound(workload: &MachineWorkload, order: Order, group: usize) -> u64 {
    bounds_under(workload, order).unwrap().groups[group].cycles().0
}

/// Runs with the greatest, the least and many drawn latencies, of random machines with private and shared units, occupancies,
/// widths, several groups, scoreboards and barriers.
#[test]
fn no_run_of_a_policy_exceeds_its_bound() {
    let (mut attained, mut smaller) = (0, 0);
    for seed in first_seed()..first_seed() + cases(4000) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = random::workload(&mut rng, random::shape_of(seed));
        for workload in [with_dependences(&mut rng, &plain), plain] {
            let any = bounds(&workload).unwrap();
            for (order, policy) in KNOWN {
                let found = bounds_under(&workload, order).unwrap();
                let draws = [Draw::Most, Draw::Least].map(|draw| (draw, 0));
                let drawn = (0..20).map(|seed| (Draw::Random, seed));
                for (draw, seed) in draws.into_iter().chain(drawn) {
                    let run = run(&workload, policy, draw, seed);
                    let last = run.last_issues();
                    for (group, issue) in last.iter().enumerate() {
                        let [upper, result] =
                            [found.groups[group], found.group_completions[group]].map(|one| one.cycles());
                        let text = random::text(&workload);
                        assert!(*issue <= upper, "{order} group {group}: {issue} > {upper}: {text}");
                        let late = run.completions[group];
                        assert!(late <= result, "{order} group {group}: result {late} > {result}: {text}");
                        attained += u64::from(*issue == upper);
                    }
                }
                smaller += u64::from(
                    found.groups.iter().zip(&any.groups).any(|(one, any)| one.cycles() < any.cycles()),
                );
            }
        }
    }
    println!("{attained} finishes attain their bound, {smaller} workloads have a smaller one");
    assert!(attained >= 500 && smaller >= 30, "{attained} {smaller}");
}

/// A machine with one scheduler that issues one instruction a cycle.
fn narrow(units: Vec<Unit>) -> Machine {
    Machine::new(1, Some(1), units, vec![]).unwrap()
}

/// Loose round robin does not stop for a warp whose unit is held: another passes it, and those before it come again.
#[test]
fn a_held_unit_lets_the_turn_pass() {
    let machine = narrow(vec![unit("A", 1, 2, [1, 1]), unit("B", 1, 1, [1, 1])]);
    let three = workload(machine, &[("AA", 1), ("A", 1), ("B", 1)]);
    let found = finish(&three, Policy::Lrr, Draw::Most, 1);
    // With a letter of each other warp, and what holds the unit of A for the only cycle after an issue.
    let [without_turns, without_holds] = [1 + 2 + 1, 1 + 2];
    assert!(found > without_turns && found > without_holds, "{found}");
    assert!(found <= bound(&three, Order::RoundRobin, 1));
}

/// Letters of other schedulers keep a shared unit held while the turn passes.
#[test]
fn other_schedulers_use_a_shared_unit() {
    let shared = Unit { shared: true, ..unit("P", 1, 1, [1, 1]) };
    let machine = Machine::new(2, Some(1), vec![shared, unit("Q", 1, 1, [1, 1])], vec![]).unwrap();
    let groups = [("PPQ", 1), ("P", 1), ("P", 1), ("P", 1), ("QQ", 1)];
    let five = workload(machine, &groups);
    let found = finish(&five, Policy::Lrr, Draw::Most, 2);
    // One for each other warp of the scheduler, and the letters of the other one.
    let once = 1 + 2 + 2;
    assert!(found > once, "{found}");
    assert!(found <= bound(&five, Order::RoundRobin, 2));
    let shared = Unit { shared: true, ..unit("P", 1, 1, [1, 1]) };
    let two = workload(Machine::new(2, Some(1), vec![shared], vec![]).unwrap(), &[("P", 1), ("P", 1)]);
    // No warp of the own scheduler is older.
    assert!(finish(&two, Policy::Oldest, Draw::Most, 1) > 1);
    assert_eq!(bound(&two, Order::Oldest, 1), 2);
}

/// The oldest warp waits for an instance that a younger one took while it was not ready.
#[test]
fn younger_warps_hold_units() {
    let machine = narrow(vec![unit("A", 1, 2, [1, 1]), unit("B", 1, 1, [2, 2])]);
    let two = workload(machine, &[("BA", 1), ("A", 1)]);
    let found = finish(&two, Policy::Oldest, Draw::Most, 0);
    assert_eq!((found, bound(&two, Order::Oldest, 0)), (4, 4));
    // E alone is 3.
    assert!(found > 3);
}

/// The longest that a warp takes under greedy, then oldest, over latencies that are drawn; and its bound.
fn greedy(machine: Machine, groups: &[(&str, u64)], warp: usize) -> [u64; 2] {
    let all = workload(machine, groups);
    let found = (0..400).map(|seed| run(&all, Policy::Gto, Draw::Random, seed).last_issues()[warp].0).max();
    [found.unwrap(), bound(&all, Order::GreedyOldest, warp)]
}

/// A younger warp that issued last goes on as long as it can: the counterexamples of `docs/policy-bounds.md` to Theorem C with
/// something left out.
#[test]
fn a_greedy_younger_warp_goes_on() {
    let quick = |latency: [u64; 2]| narrow(vec![unit("A", 1, 1, latency)]);
    // What a younger warp may issue in a row.
    let [found, upper] = greedy(quick([1, 2]), &[("AA", 1), ("AA", 1)], 0);
    assert!(found > 3 && found <= upper, "{found} {upper}");
    // A latency that may be 1 ends no such row.
    let [found, upper] = greedy(quick([1, 3]), &[("AA", 1), ("AAA", 1)], 0);
    assert!(found > 5 && found <= upper, "{found} {upper}");
    // While a letter is held another warp may become the one that issued last.
    let held = narrow(vec![unit("A", 1, 2, [1, 2]), unit("B", 1, 1, [1, 1])]);
    let [found, upper] = greedy(held, &[("A", 1), ("A", 1), ("BA", 1)], 1);
    assert!(found > 3 && found <= upper, "{found} {upper}");
    // A younger warp holds the unit from before.
    let [found, upper] = greedy(narrow(vec![unit("A", 1, 3, [2, 4])]), &[("AA", 1), ("A", 1)], 0);
    assert!(found > 6 && found <= upper, "{found} {upper}");
    // Under greedy, then youngest, the same warps in the other order.
    let turned = workload(quick([1, 3]), &[("AAA", 1), ("AA", 1)]);
    let found = (0..400).map(|seed| run(&turned, Policy::Cggty, Draw::Random, seed).last_issues()[1].0);
    let upper = bound(&turned, Order::GreedyYoungest, 1);
    assert!((6..=upper).contains(&found.max().unwrap()), "{upper}");
}

/// Where each latency is above 1, a later warp issues once before each letter but the first.
#[test]
fn long_steps_end_greed() {
    let machine = |least| narrow(vec![unit("L", 1, 1, [1, 100]), unit("A", 1, 1, [least, 4])]);
    let groups = [("LLAAAAAALLAAAAAA", 1), (&*"LLAAAAAAAA".repeat(40), 15)];
    // E is 445.
    let exact = narrow(vec![unit("L", 1, 1, [100, 100]), unit("A", 1, 1, [4, 4])]);
    assert_eq!(bound(&workload(exact, &groups), Order::GreedyOldest, 0), 445 + 15);
    // The two L, and the A behind them, may follow one another.
    assert_eq!(bound(&workload(machine(4), &groups), Order::GreedyOldest, 0), 445 + 15 * 3);
    assert_eq!(bound(&workload(machine(1), &groups), Order::GreedyOldest, 0), 445 + 15 * 400);
}

/// The bound of equal warps is the largest over those that are older and those that are younger, counted one by one.
#[test]
fn the_worst_of_equal_warps_is_found() {
    let machine = narrow(vec![unit("A", 1, 3, [1, 4]), unit("B", 1, 1, [2, 9])]);
    for text in ["AAB", "BA", "ABBB", "BBAAB", "AB"] {
        let together = workload(machine.clone(), &[(text, 7), ("BAB", 2)]);
        let apart = workload(machine.clone(), &[[(text, 1); 7].as_slice(), &[("BAB", 2)]].concat());
        for order in [Order::GreedyOldest, Order::GreedyYoungest] {
            let of_order = |workload: &MachineWorkload, group: usize| {
                let found = bounds_under(workload, order).unwrap();
                found.applied.last().unwrap().groups[group].cycles().0
            };
            let each = (0..7).map(|group| of_order(&apart, group)).max();
            assert_eq!(Some(of_order(&together, 0)), each, "{text} {order}");
        }
    }
}

/// Under the greatest latencies a policy need not take longest: LA twice under GTO with L from 1 to 4, and strings that begin with L
/// under loose round robin.
#[test]
fn the_greatest_latencies_are_not_the_longest() {
    let machine = narrow(vec![unit("L", 1, 1, [1, 4]), unit("A", 1, 1, [1, 1])]);
    let two = workload(machine, &[("LA", 2)]);
    assert_eq!(run(&two, Policy::Gto, Draw::Most, 0).last_issue().0, 6);
    let drawn = (0..200).map(|seed| run(&two, Policy::Gto, Draw::Random, seed).last_issue().0).max();
    assert_eq!(drawn, Some(7));
    let longer = |most: u64, other: u64, text: &str| {
        let machine = narrow(vec![unit("L", 1, 1, [1, most]), unit("A", 1, 1, [1, other])]);
        let three = workload(machine, &[(text, 3)]);
        let greatest = run(&three, Policy::Lrr, Draw::Most, 0).last_issue();
        (0..200).any(|seed| run(&three, Policy::Lrr, Draw::Random, seed).last_issue() > greatest)
    };
    let found: Vec<_> = (2..=6)
        .flat_map(|most| (1..=3).map(move |other| (most, other)))
        .filter(|&(most, other)| ["LLA", "LALA"].iter().any(|text| longer(most, other, text)))
        .collect();
    assert!(!found.is_empty());
}

/// A warp with few letters beside many long ones: in any order it waits for all that they can have issued by then, in loose round
/// robin for as many letters of each as it has itself, and if it is the oldest for none.
#[test]
fn a_short_warp_beside_long_ones() {
    let machine = narrow(vec![unit("L", 1, 1, [100, 100]), unit("A", 1, 1, [4, 4])]);
    let one = workload(machine, &[("LLAAAAAALLAAAAAA", 1), (&"LLAAAAAAAA".repeat(40), 15)]);
    let groups = |order| bounds_under(&one, order).unwrap().groups[0].cycles().0;
    // E is 445; 15 warps of 400 letters would be 6445.
    assert_eq!(Order::ALL.map(groups), [1075, 685, 445, 460, 1075]);
    assert_eq!(bounds(&one).unwrap().applied[0].groups[0].cycles().0, 445 + 15 * 400);
    assert_eq!(finish(&one, Policy::Oldest, Draw::Most, 0), 445);
    assert!(finish(&one, Policy::Lrr, Draw::Most, 0) <= 685);
}

/// The letters of a warp that uses only half of the slots of a scheduler with two, where each letter is one that some other letter of
/// the same unit was: a wait of b cycles needs b + 1 different warps.
#[test]
fn two_slots_halve_what_few_warps_wait() {
    let machine = Machine::new(1, Some(2), vec![unit("A", 2, 1, [1, 1])], vec![]).unwrap();
    for warps in 1..=6 {
        let all = workload(machine.clone(), &[("AAA", warps)]);
        let found = finish(&all, Policy::Lrr, Draw::Most, 0);
        let upper = bound(&all, Order::RoundRobin, 0);
        assert!(found <= upper, "{warps}: {found} {upper}");
        if warps <= 2 {
            assert_eq!(upper, 3);
        }
    }
}

/// At width 1 a unit that is held while others issue delays less than its occupancy says.
#[test]
fn smaller_weights_at_width_one() {
    // H holds one of three instances for two cycles: at most two are held before a cycle, so none is ever waited for.
    let units = vec![unit("H", 3, 2, [1, 1]), unit("C", 1, 1, [1, 1])];
    let letters =
        vec![Letter { name: "K".into(), unit: 0, occupancy: 1, latency: Latency::ONE, requests: vec![] }];
    let machine = Machine::new(1, Some(1), units, letters).unwrap();
    let many = workload(machine, &[("HCHK", 6)]);
    let found = bounds(&many).unwrap();
    let path = found.applied[0].makespan.cycles().0;
    assert!(found.makespan.cycles().0 < path, "{path}");
    // One letter a cycle, and K alone waits for one H of its own warp.
    assert_eq!(found.makespan.cycles().0, 25);
}

/// Runs the program, with a text for its standard input.
fn warpspan(args: &str, input: &str) -> (Option<i32>, String) {
    let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args.split(' ')).write_stdin(input);
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// `check` takes the records that `solve` writes for an order, and does not take a schedule for one of that order.
#[test]
fn records_of_an_order_are_checked() {
    let file = "instances/machine-short-beside-long.toml";
    for policy in ["worst", "lrr", "oldest", "gto", "cggty"] {
        let (_, record) =
            warpspan(&format!("solve {file} --policy {policy} --with-schedule --format json"), "");
        let (code, said) = warpspan("check -", &record);
        assert!(matches!(code, Some(0 | 3)), "{policy}: {code:?} {said}");
        assert_eq!(
            said.contains("in which order it tries the warps is not verified"),
            policy != "worst",
            "{said}"
        );
        let (_, verified) = warpspan("verify -", &record);
        let assumed = match policy {
            "lrr" => "schedulers try their warps: in loose round robin",
            "oldest" => "schedulers try their warps: the oldest warp first",
            "gto" => "schedulers try their warps: greedy, then oldest first",
            "cggty" => "schedulers try their warps: greedy, then youngest first",
            _ => "",
        };
        assert!(verified.contains(assumed), "{verified}");
        assert_eq!(verified.contains("schedulers try their warps"), policy != "worst", "{verified}");
        // Without the policy the evidence of an order is none.
        let (_, bound) = warpspan(&format!("bound {file} --policy {policy}"), "");
        assert_eq!(bound.contains("schedulers try their warps"), policy != "worst", "{bound}");
        assert!(!bound.lines().next().unwrap().contains(" if "), "{bound}");
    }
    let (_, record) = warpspan(&format!("solve {file} --policy lrr --with-schedule --format json"), "");
    let (code, said) = warpspan("check -", &record.replace("\"policy\":\"lrr\"", "\"policy\":\"random\""));
    assert_eq!(code, Some(2), "{said}");
}

/// A bound that rests on the order in one of its groups names it.
#[test]
fn evidence_is_that_of_the_strongest_condition() {
    // The critical path alone says 10.
    let toml = "[[group]]\nstring = \"AAA\"\nwarps = 1\n[[group]]\nstring = \"BAAAA\"\nwarps = 1\n[machine]\nissue_width = 1\n\
                [[unit]]\nname = \"A\"\n[[unit]]\nname = \"B\"\nlatency = 2\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.toml");
    std::fs::write(&path, toml).unwrap();
    let place = path.display();
    let (_, solved) = warpspan(&format!("solve {place} --policy oldest"), "");
    let (_, bound) = warpspan(&format!("bound {place} --policy oldest --format json"), "");
    let bound: serde_json::Value = serde_json::from_str(&bound).unwrap();
    let rows = bound["bounds"].as_array().unwrap();
    let named =
        |name: &str| rows.iter().find(|row| row["name"] == name).map(|row| row["value"].as_u64().unwrap());
    let upper = bound["upper"].as_u64();
    if named("critical-path") > upper {
        assert!(solved.contains("oldest"), "{solved}");
    }
    assert!(upper.is_some() && named("oldest") == upper, "{bound}");
}

/// Blocks that follow one another have no bounds for an order, which is said.
#[test]
fn an_order_of_blocks_that_wait_is_no_use() {
    let args = "--machine 8.7 --kernel <INT><GLOBAL> --warps-per-block 1 --blocks 40 --resident 2 --multiprocessors 2 --policy lrr";
    for command in ["bound", "solve"] {
        let (_, said) = warpspan(&format!("{command} {args}"), "");
        assert!(said.contains("--policy changes nothing here") && !said.contains("round robin"), "{said}");
    }
}
