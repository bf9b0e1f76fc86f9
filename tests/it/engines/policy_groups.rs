//! RT-PAWS with a list that rotates: with two priorities it is Algorithm 5 of Si21 so read, which is written down here a
//! second time; with more it keeps the properties that its documentation promises.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::engines::policy::{
    Candidate, Last, Policy, Reading, RtPawsRotating, Scenario, SortWarps, of_model, on_units, simulate,
};
use warpspan::engines::states;
use warpspan::model::{Instance, Multiprocessor, PerUnit, Unit, WarpGroup};
use warpspan::schedule::replay;

use crate::common::limits;

fn instance(groups: &[(&str, u64)], sigma_l: &str, sigma_c: &str) -> Instance {
    let group = |&(kernel, warps): &(&str, u64)| WarpGroup { kernel: kernel.parse().unwrap(), warps };
    let multiprocessor = Multiprocessor::new(sigma_l.parse().unwrap(), sigma_c.parse().unwrap());
    Instance::new(groups.iter().map(group).collect(), multiprocessor).unwrap()
}

/// Algorithm 5 with a list that rotates, as it was written for two groups, with nothing in it that knows of more.
#[derive(Default)]
struct TwoGroups {
    /// The priority and the budget of `g_0`.
    first: Option<(u64, u64)>,
}

impl TwoGroups {
    fn sort(&mut self, last: Last, warps: &[Candidate]) -> Vec<u32> {
        let gto = |greedy: Option<Candidate>, warps: Vec<Candidate>| -> Vec<u32> {
            let mut order: Vec<u32> = warps.iter().map(|warp| warp.warp).collect();
            if let Some(at) = warps.iter().position(|&warp| Some(warp) == greedy) {
                let greedy = order.remove(at);
                order.insert(0, greedy);
            }
            order
        };
        let priorities: BTreeSet<u64> = warps.iter().map(|warp| warp.priority).collect();
        assert!(priorities.len() <= 2);
        let [low, high] =
            [priorities.first().copied(), priorities.last().copied()].map(Option::unwrap_or_default);
        if low == high {
            self.first = None;
            return gto(last.greedy, warps.to_vec());
        }
        let (mut first, mut budget) = self.first.unwrap_or_else(|| {
            let ran = last.head.or(last.greedy).map_or(high, |warp| warp.priority);
            (ran, ran)
        });
        let stalled = last.head.is_some() && last.head != last.greedy;
        let of_first = last.greedy.is_some_and(|greedy| greedy.priority == first);
        if stalled && of_first && budget > 0 {
            budget -= 1;
        }
        let swap = stalled && budget == 0;
        if swap {
            first = low + high - first;
            budget = first;
        }
        self.first = Some((first, budget));
        let (ahead, behind): (Vec<Candidate>, Vec<Candidate>) =
            warps.iter().partition(|warp| warp.priority == first);
        let mut order = gto(last.greedy.filter(|_| !swap), ahead);
        order.extend(behind.iter().map(|warp| warp.warp));
        order
    }
}

/// A scheduler whose warps arrive, stall and end at random. Each cycle it calls `order`, and the first warp of
/// the order that does not stall issues.
fn scheduler(
    rng: &mut ChaCha8Rng,
    priorities: &[u64],
    cycles: usize,
    mut order: impl FnMut(Last, &[Candidate]) -> Vec<u32>,
) {
    let (mut warps, mut next, mut last): (Vec<Candidate>, u32, Last) = (Vec::new(), 0, Last::default());
    let stalls = rng.random_range(0.05..0.95);
    for _ in 0..cycles {
        if warps.len() < 12 && rng.random_bool(0.2) {
            for _ in 0..rng.random_range(1..=3) {
                warps.push(Candidate { warp: next, priority: *priorities.choose(rng).unwrap() });
                next += 1;
            }
        }
        if warps.is_empty() {
            continue;
        }
        let queue = order(last, &warps);
        let mut numbers: Vec<u32> = queue.clone();
        numbers.sort_unstable();
        assert!(numbers.iter().eq(warps.iter().map(|warp| &warp.warp)), "each warp is in the order once");
        let candidate = |warp: u32| *warps.iter().find(|candidate| candidate.warp == warp).unwrap();
        let issued = queue.iter().copied().find(|_| !rng.random_bool(stalls)).map(candidate);
        let head = queue.first().copied().map(candidate);
        if head != issued {
            last.head = head;
        }
        last.greedy = issued.or(last.greedy);
        if let Some(issued) = issued.filter(|_| rng.random_bool(0.1)) {
            warps.retain(|&warp| warp != issued);
        }
    }
}

fn sorted(policy: &mut RtPawsRotating, last: Last, warps: &[Candidate]) -> Vec<u32> {
    let mut queue = Vec::new();
    policy.sort(last, warps, &mut queue);
    queue
}

#[test]
fn with_two_priorities_it_is_algorithm_5() {
    for seed in 0..2000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let low = rng.random_range(0..=4);
        let priorities = [low, low + rng.random_range(1..=4)];
        let (mut ours, mut printed) = (RtPawsRotating::default(), TwoGroups::default());
        scheduler(&mut rng, &priorities, 120, |last, warps| {
            let queue = sorted(&mut ours, last, warps);
            assert_eq!(queue, printed.sort(last, warps), "seed {seed}");
            queue
        });
    }
}

/// The issues of two kernels on one scheduler, cycle by cycle, as Algorithm 4 plays the order of Algorithm 5
/// above: each as its cycle and its warp.
fn played(
    instance: &Instance,
    latency: PerUnit<u64>,
    launch: [u64; 2],
    priority: [u64; 2],
) -> Vec<(u64, u32)> {
    struct Warp {
        candidate: Candidate,
        units: Vec<Unit>,
        at: usize,
        ready: u64,
    }
    let mut groups = [0, 1];
    groups.sort_by_key(|&group: &usize| launch[group]);
    let (mut warps, mut number) = (Vec::new(), 0);
    for group in groups {
        for _ in 0..instance.groups()[group].warps {
            let units = instance.groups()[group].kernel.units().to_vec();
            let candidate = Candidate { warp: number, priority: priority[group] };
            warps.push(Warp { candidate, units, at: 0, ready: launch[group] + 1 });
            number += 1;
        }
    }
    let (mut policy, mut last, mut issues) = (TwoGroups::default(), Last::default(), Vec::new());
    for cycle in 1.. {
        let present: Vec<Candidate> = warps
            .iter()
            .filter(|warp| warp.at < warp.units.len() && (warp.at > 0 || warp.ready <= cycle))
            .map(|warp| warp.candidate)
            .collect();
        if warps.iter().all(|warp| warp.at == warp.units.len()) {
            break;
        }
        if present.is_empty() {
            continue;
        }
        let queue = policy.sort(last, &present);
        let candidate = |warp: u32| *present.iter().find(|candidate| candidate.warp == warp).unwrap();
        let issued = queue.iter().copied().find(|&warp| warps[warp as usize].ready <= cycle);
        if issued != Some(queue[0]) {
            last.head = Some(candidate(queue[0]));
        }
        if let Some(number) = issued {
            last.greedy = Some(candidate(number));
            let warp = &mut warps[number as usize];
            warp.ready = cycle + latency[warp.units[warp.at]];
            warp.at += 1;
            issues.push((cycle, number));
        }
    }
    issues
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, rng_seed: RngSeed::Fixed(45), ..ProptestConfig::default() })]

    /// The whole simulation with two kernels, against a second one. One instruction issues a cycle, so that the
    /// units never matter.
    #[test]
    fn two_kernels_run_as_printed(
        kernels in prop::collection::vec(("[LC]{1,8}", 1..=4_u64), 2), l in 1..=9_u64, c in 1..=9_u64,
        launch in [0..=6_u64, 0..=6_u64], priority in [0..=5_u64, 0..=5_u64]
    ) {
        let kernels: Vec<(&str, u64)> = kernels.iter().map(|(kernel, warps)| (kernel.as_str(), *warps)).collect();
        let instance = instance(&kernels, "1", "1");
        let latency = PerUnit::from_fn(|unit| if unit == Unit::LoadStore { l } else { c });
        let workload = on_units(&instance, 1, Some(1), latency).unwrap();
        let (launch_of, priority_of) = (launch.to_vec(), priority.to_vec());
        let reading = Reading::Rotating;
        let scenario = Scenario { launch: launch_of, priority: priority_of, reading, ..Scenario::of(&workload) };
        let run = simulate(&workload, Policy::RtPaws, &scenario, &limits()).unwrap();
        let first = usize::from(launch[1] < launch[0]);
        let before = |group: u32| if group as usize == first { 0 } else { instance.groups()[first].warps };
        let number = |group: u32, warp: u32| u32::try_from(before(group)).unwrap() + warp;
        let issues: Vec<(u64, u32)> =
            run.issues.iter().map(|issue| (issue.cycle, number(issue.group, issue.warp))).collect();
        prop_assert_eq!(issues, played(&instance, latency, launch, priority));
    }

    /// In the model, with up to four priorities: work-conserving, replayed, and between the best and the worst
    /// case.
    #[test]
    fn many_priorities_stay_within_the_model(
        kernels in prop::collection::vec(("[LC]{1,4}", 1..=2_u64), 3..=4), schedulers in 1..=2_u64,
        sigma in prop::sample::select(vec![["1", "1"], ["1", "2"], ["2", "1"], ["1/2", "1"]]),
        priority in prop::collection::vec(0..=4_u64, 4)
    ) {
        let kernels: Vec<(&str, u64)> = kernels.iter().map(|(kernel, warps)| (kernel.as_str(), *warps)).collect();
        let instance = instance(&kernels, sigma[0], sigma[1]);
        prop_assume!(states::predict(&instance, &limits()).states <= 100_000);
        let exact = states::solve(&instance, &limits(), &|_| ()).unwrap();
        let workload = if schedulers == 1 {
            of_model(&instance).unwrap()
        } else {
            on_units(&instance, schedulers, None, PerUnit::both(1)).unwrap()
        };
        for reading in Reading::ALL {
            let priority = priority[..kernels.len()].to_vec();
            let scenario = Scenario { priority, reading, ..Scenario::of(&workload) };
            let run = simulate(&workload, Policy::RtPaws, &scenario, &limits()).unwrap();
            prop_assert!(run.within_model);
            let witness = replay(&instance, run.schedule()).unwrap();
            prop_assert_eq!(witness.completions(), &run.completions[..]);
            prop_assert!(exact.best.unwrap() <= run.makespan() && run.makespan() <= exact.worst.cycles());
        }
    }
}

/// While a group has warps and waits for its turn, every other one begins one turn at most; and in a turn no more
/// issues are counted than the priority.
#[test]
fn every_group_has_its_turn() {
    let mut longest = 0;
    for seed in 0..2000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let priorities: Vec<u64> = (0..rng.random_range(3..=5)).map(|_| rng.random_range(0..=6)).collect();
        let mut policy = RtPawsRotating::default();
        // The group that has the turn, the issues that were counted in it, and for each group that waits the
        // turns that have begun meanwhile.
        let (mut turn, mut counted): (Option<u64>, u64) = (None, 0);
        let mut waiting: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        scheduler(&mut rng, &priorities, 400, |last, warps| {
            let queue = sorted(&mut policy, last, warps);
            let first = warps.iter().find(|warp| warp.warp == queue[0]).unwrap().priority;
            let groups: BTreeSet<u64> = warps.iter().map(|warp| warp.priority).collect();
            if groups.len() == 1 {
                (turn, counted) = (None, 0);
                waiting.clear();
                return queue;
            }
            waiting.retain(|group, _| groups.contains(group) && *group != first);
            for &group in groups.iter().filter(|&&group| group != first) {
                waiting.entry(group).or_default();
            }
            if turn == Some(first) {
                let stalled = last.head.is_some() && last.head != last.greedy;
                counted += u64::from(stalled && last.greedy.is_some_and(|greedy| greedy.priority == first));
                assert!(counted < first.max(1), "seed {seed}: the turn of {first} goes on");
            } else {
                (turn, counted) = (Some(first), 0);
                for (group, begun) in &mut waiting {
                    assert!(!begun.contains(&first), "seed {seed}: {group} waits, {first} has two turns");
                    begun.push(first);
                    longest = longest.max(begun.len());
                }
            }
            queue
        });
    }
    assert_eq!(longest, 4, "rounds of five groups occur, and none is longer");
}

/// Where the head always stalls and the next warp always issues, each group makes exactly its priority of the
/// issues of a round, and the rounds go from the most urgent group on.
#[test]
fn budgets_are_shares() {
    for priorities in [vec![3, 1, 2], vec![5, 8, 1, 2], vec![1, 4, 9, 2, 7]] {
        let round: u64 = priorities.iter().sum();
        let warps: Vec<Candidate> = (0..)
            .zip(priorities.iter().flat_map(|&priority| [priority; 2]))
            .map(|(warp, priority)| Candidate { warp, priority })
            .collect();
        let (mut policy, mut last) = (RtPawsRotating::default(), Last::default());
        let mut issues: Vec<u64> = Vec::new();
        for _ in 0..10 * round {
            let queue = sorted(&mut policy, last, &warps);
            let of = |at: usize| warps[queue[at] as usize];
            assert_eq!(of(0).priority, of(1).priority, "both warps of the first group stand in front");
            last = Last { greedy: Some(of(1)), head: Some(of(0)) };
            issues.push(of(1).priority);
        }
        let mut falling = priorities.clone();
        falling.sort_unstable_by(|a, b| b.cmp(a));
        let expected: Vec<u64> =
            falling.iter().flat_map(|&p| std::iter::repeat_n(p, usize::try_from(p).unwrap())).collect();
        for found in issues.chunks(usize::try_from(round).unwrap()) {
            assert_eq!(found, expected);
        }
    }
}

/// The warps of three groups with two warps each: 0 and 1 have priority 1, 2 and 3 have 2, 4 and 5 have 4.
fn three(numbers: &[u32]) -> Vec<Candidate> {
    numbers.iter().map(|&warp| Candidate { warp, priority: [1, 2, 4][warp as usize / 2] }).collect()
}

fn step(policy: &mut RtPawsRotating, head: Option<u32>, greedy: Option<u32>, warps: &[u32]) -> Vec<u32> {
    let of = |number: Option<u32>| number.map(|number| three(&[number])[0]);
    sorted(policy, Last { greedy: of(greedy), head: of(head) }, &three(warps))
}

#[test]
fn three_groups_by_hand() {
    let all = [0, 1, 2, 3, 4, 5];
    let mut policy = RtPawsRotating::default();
    assert_eq!(step(&mut policy, None, None, &[0, 1]), [0, 1], "one group");
    // Warp 0 ran when the others came. They stand behind its group, the most urgent one first.
    assert_eq!(step(&mut policy, None, Some(0), &all), [0, 1, 4, 5, 2, 3]);
    // Warps 0 and 1 stalled, and 4 issued, which costs its group nothing.
    assert_eq!(step(&mut policy, Some(0), Some(4), &all), [0, 1, 4, 5, 2, 3]);
    // Warp 0 stalled and 1 issued: the budget of 1 is spent.
    assert_eq!(step(&mut policy, Some(0), Some(1), &all), [4, 5, 2, 3, 0, 1]);
    for greedy in [5, 4, 5] {
        let first = step(&mut policy, Some(9 - greedy), Some(greedy), &all)[0];
        assert_eq!(first, greedy, "the group goes on with the warp issued last");
    }
    assert_eq!(step(&mut policy, Some(5), Some(4), &all), [2, 3, 0, 1, 4, 5], "four issues");
    // The group with the turn ends: the next one has it.
    assert_eq!(step(&mut policy, Some(2), Some(3), &[0, 1, 4, 5]), [0, 1, 4, 5]);
    // It comes back, and keeps its place, which is now the last.
    assert_eq!(step(&mut policy, Some(0), Some(0), &[0, 1, 2, 3, 4, 5]), [0, 1, 4, 5, 2, 3]);
    assert_eq!(step(&mut policy, Some(0), Some(1), &all), [4, 5, 2, 3, 0, 1]);
}

#[test]
fn a_group_enters_by_its_urgency() {
    let mut policy = RtPawsRotating::default();
    assert_eq!(step(&mut policy, None, None, &[0, 1, 4, 5]), [4, 5, 0, 1], "nothing ran: the most urgent");
    assert_eq!(step(&mut policy, Some(4), Some(4), &[0, 1, 2, 3, 4, 5]), [4, 5, 2, 3, 0, 1]);
    // The one that ran has ended when two others come.
    let mut policy = RtPawsRotating::default();
    assert_eq!(step(&mut policy, Some(0), Some(1), &[2, 4]), [4, 2]);
}
