//! The two readings of RT-PAWS: Algorithms 4 and 5 of Si21 written down a second time, the search for the example of its
//! section 4.4.3, and the two settings that the search finds.

use approx::assert_relative_eq;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use warpspan::engines::policy::{Policy, Reading, Scenario, on_units, simulate};
use warpspan::model::{PerUnit, Unit};

use super::policy::{instance, issued, json, narrow, run};
use crate::common::{self, limits};

/// Where Algorithm 5 has `g_0` from: as in a reading of the engine, or as its lines alone have it, which never change the
/// list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    Text,
    Rotating,
    Fixed,
}

impl From<Reading> for First {
    fn from(reading: Reading) -> Self {
        match reading {
            Reading::Text => Self::Text,
            Reading::Rotating => Self::Rotating,
        }
    }
}

/// Two kernels on one scheduler that issues one instruction a cycle: letters, number of warps, launch and priority of
/// each, and the latencies of L and C.
pub(crate) struct Pair<'a> {
    kernels: [(&'a str, usize, u64, u64); 2],
    latency: [u64; 2],
}

struct Warp {
    group: usize,
    priority: u64,
    at: usize,
    ready: u64,
    budget: u64,
}

impl<'a> Pair<'a> {
    /// The example of section 4.4.3: two warps of a kernel, and two more of it from cycle 1 on.
    pub(crate) fn example(kernel: &'a str, latency: [u64; 2], priority: [u64; 2]) -> Self {
        Self { kernels: [(kernel, 2, 0, priority[0]), (kernel, 2, 1, priority[1])], latency }
    }

    /// The issues as Algorithms 4 and 5 play them, each with its cycle and its warp. A warp is its number, and a queue is a
    /// list of numbers. Budgets are those of warps, as in Algorithm 5. `Q_prev` is kept by line 14 of Algorithm 4, or in
    /// every cycle.
    pub(crate) fn played(&self, from: First, every: bool) -> Vec<(u64, usize)> {
        let mut by_launch = [0, 1];
        by_launch.sort_by_key(|&group: &usize| self.kernels[group].2);
        let mut warps: Vec<Warp> = Vec::new();
        for group in by_launch {
            let (_, count, launch, priority) = self.kernels[group];
            let warp = || Warp { group, priority, at: 0, ready: launch + 1, budget: priority };
            warps.extend(std::iter::repeat_with(warp).take(count));
        }
        let (mut w_greedy, mut q_prev): (Option<usize>, Vec<usize>) = (None, Vec::new());
        let (mut list, mut issues) = (None, Vec::new());
        for cycle in 1.. {
            let letters = |warp: &Warp| self.kernels[warp.group].0.len();
            if warps.iter().all(|warp| warp.at == letters(warp)) {
                break;
            }
            let is_there = |warp: &Warp| warp.at < letters(warp) && self.kernels[warp.group].2 < cycle;
            let there: Vec<usize> = (0..warps.len()).filter(|&warp| is_there(&warps[warp])).collect();
            if there.is_empty() {
                continue;
            }
            let q_issue = sorted(from, &mut list, &mut warps, &there, w_greedy, &q_prev);
            for &warp in &q_issue {
                if warps[warp].ready <= cycle {
                    let letter = self.kernels[warps[warp].group].0.as_bytes()[warps[warp].at];
                    warps[warp].ready = cycle + self.latency[usize::from(letter == b'C')];
                    warps[warp].at += 1;
                    w_greedy = Some(warp);
                    issues.push((cycle, warp));
                    break;
                }
                q_prev.clone_from(&q_issue); // line 14 of Algorithm 4
            }
            if every {
                q_prev = q_issue;
            }
        }
        issues
    }

    /// The completions of both kernels.
    pub(crate) fn ends(&self, from: First, every: bool) -> [u64; 2] {
        let issues = self.played(from, every);
        let (mut at, mut ends) = (std::collections::BTreeMap::<usize, usize>::new(), [0, 0]);
        for (cycle, warp) in issues {
            let group = usize::from(warp >= self.kernels[0].1);
            let at = at.entry(warp).or_default();
            let letter = self.kernels[group].0.as_bytes()[*at];
            *at += 1;
            ends[group] = ends[group].max(cycle + self.latency[usize::from(letter == b'C')] - 1);
        }
        ends
    }

    fn sum(&self, from: First, every: bool) -> u64 {
        self.ends(from, every).iter().sum()
    }
}

/// Algorithm 5. `list` is the priority of the first of the list that rotates, which only that reading has.
fn sorted(
    from: First,
    list: &mut Option<u64>,
    warps: &mut [Warp],
    there: &[usize],
    w_greedy: Option<usize>,
    q_prev: &[usize],
) -> Vec<usize> {
    let of = |warps: &[Warp], priority: u64| -> Vec<usize> {
        there.iter().copied().filter(|&warp| warps[warp].priority == priority).collect()
    };
    let gto = |mut list: Vec<usize>| {
        if let Some(at) = list.iter().position(|&warp| Some(warp) == w_greedy) {
            list[..=at].rotate_right(1);
        }
        list
    };
    let mut groups: Vec<u64> = there.iter().map(|&warp| warps[warp].priority).collect();
    groups.sort_unstable();
    groups.dedup();
    let [low, high] = groups[..] else {
        *list = None;
        if from == First::Rotating {
            warps.iter_mut().for_each(|warp| warp.budget = warp.priority);
        }
        return gto(there.to_vec());
    };
    let known = |warp: Option<usize>| {
        warp.map(|warp| warps[warp].priority).filter(|priority| [low, high].contains(priority))
    };
    let head = q_prev.first().copied();
    let g_0 = match from {
        First::Text => known(head).or(known(w_greedy)).unwrap_or(high),
        First::Rotating => list.unwrap_or_else(|| known(head.or(w_greedy)).unwrap_or(high)),
        First::Fixed => warps[0].priority, // the group that came first
    };
    let g_1 = low + high - g_0;
    *list = Some(g_0);
    let mut is_spent = false;
    if head.is_some() && head != w_greedy {
        let of_first = w_greedy.is_some_and(|warp| warps[warp].priority == g_0);
        for warp in of(warps, g_0) {
            warps[warp].budget = warps[warp].budget.saturating_sub(u64::from(of_first));
            if warps[warp].budget == 0 {
                (is_spent, warps[warp].budget) = (true, g_0);
            }
        }
    }
    if is_spent {
        *list = Some(g_1);
        return [of(warps, g_1), of(warps, g_0)].concat();
    }
    [gto(of(warps, g_0)), of(warps, g_1)].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(443), ..ProptestConfig::default() })]

    /// The whole simulation with two kernels, in both readings, against the second writing. With `Q_prev` kept in every
    /// cycle the readings would be one.
    #[test]
    fn two_kernels_run_as_they_are_read(
        kernels in prop::collection::vec(("[LC]{1,8}", 1..=4_usize), 2), l in 1..=9_u64, c in 1..=9_u64,
        launch in [0..=6_u64, 0..=6_u64], priority in [0..=5_u64, 0..=5_u64]
    ) {
        let of = |at: usize| (kernels[at].0.as_str(), kernels[at].1, launch[at], priority[at]);
        let pair = Pair { kernels: [of(0), of(1)], latency: [l, c] };
        let groups = [0, 1].map(|at| (kernels[at].0.as_str(), kernels[at].1 as u64));
        let instance = instance(&groups, "1", "1");
        let latency = PerUnit::from_fn(|unit| if unit == Unit::LoadStore { l } else { c });
        let workload = on_units(&instance, 1, Some(1), latency).unwrap();
        for reading in Reading::ALL {
            let (launch, priority) = (launch.to_vec(), priority.to_vec());
            let second_is_older = launch[1] < launch[0];
            let scenario = Scenario { launch, priority, reading, ..Scenario::of(&workload) };
            let run = simulate(&workload, Policy::RtPaws, &scenario, &limits()).unwrap();
            let before = |group: u32| match (group, second_is_older) {
                (0, true) => kernels[1].1,
                (1, false) => kernels[0].1,
                _ => 0,
            };
            let issues: Vec<(u64, usize)> =
                run.issues.iter().map(|issue| (issue.cycle, before(issue.group) + issue.warp as usize)).collect();
            prop_assert_eq!(issues, pair.played(reading.into(), false), "{}", reading);
        }
        prop_assert_eq!(pair.played(First::Text, true), pair.played(First::Rotating, true));
    }
}

/// The completions of K1 and K2 under a policy.
fn completions(
    kernel: &str,
    [l, c]: [u64; 2],
    policy: Policy,
    priority: [u64; 2],
    reading: Reading,
) -> [u64; 2] {
    let instance = instance(&[(kernel, 2), (kernel, 2)], "1", "1");
    let mut machine = narrow(&instance, l, c);
    (machine.launch, machine.priority, machine.reading) = (vec![0, 1], priority.to_vec(), reading);
    let run = run(&instance, policy, &machine);
    [0, 1].map(|group| run.completions[group].0)
}

/// The search for the example of Si21 section 4.4.3: every kernel of six letters, latencies up to 15, and priorities 2, 4
/// and 8 of the second kernel. The means are 25 under LRR, 21.5 under GTO and 22.5 under RT-PAWS. Both readings find one
/// kernel with one pair of latencies, each also with the letters exchanged; for the text's reading the priority is any of the
/// three. With `Q_prev` kept in every cycle nothing is found. The lines of Algorithm 5 alone, with a list that stays as it is
/// and so K1 first for ever, find what the text's reading finds, whichever `Q_prev` is kept.
#[test]
fn si21_example_search() {
    let mut found = [Vec::new(), Vec::new()];
    let mut with_two = 0;
    for kernel in common::strings(6) {
        for latency in (1..=15).flat_map(|l| (1..=15).map(move |c| [l, c])) {
            let sum = |policy, urgent, reading| -> u64 {
                completions(&kernel, latency, policy, [1, urgent], reading).iter().sum()
            };
            let two = [Policy::Lrr, Policy::Gto].map(|policy| sum(policy, 2, Reading::Text));
            if two != [50, 43] {
                continue;
            }
            with_two += 1;
            for urgent in [2, 4, 8] {
                let pair = Pair::example(&kernel, latency, [1, urgent]);
                assert_ne!(pair.sum(First::Text, true), 45, "{kernel}");
                let is_found = pair.sum(First::Text, false) == 45;
                assert_eq!(is_found, sum(Policy::RtPaws, urgent, Reading::Text) == 45, "{kernel}");
                for every in [false, true] {
                    assert_eq!(pair.sum(First::Fixed, every) == 45, is_found, "{kernel}");
                }
            }
            for (found, reading) in found.iter_mut().zip(Reading::ALL) {
                for urgent in
                    [2, 4, 8].into_iter().filter(|&urgent| sum(Policy::RtPaws, urgent, reading) == 45)
                {
                    found.push(format!("{kernel}, L {}, C {}, priority {urgent}", latency[0], latency[1]));
                }
            }
        }
    }
    let [text, rotating] = found;
    assert_eq!(with_two, 8, "settings with the means of LRR and GTO");
    let any = |setting: &str| [2, 4, 8].map(|urgent| format!("{setting}, priority {urgent}"));
    assert_eq!(text, [any("LLLCLL, L 1, C 6"), any("CCCLCC, L 6, C 1")].concat());
    assert_eq!(rotating, ["LCCCCL, L 3, C 1, priority 2", "CLLLLC, L 1, C 3, priority 2"]);
}

/// What section 4.4.3 claims holds in the text's reading; of the other reading's example two claims do not.
#[test]
fn si21_example_claims() {
    for (kernel, latency, reading) in
        [("LLLCLL", [1, 6], Reading::Text), ("LCCCCL", [3, 1], Reading::Rotating)]
    {
        let of = |policy, priority| completions(kernel, latency, policy, priority, reading);
        let [lrr, gto, paws] = [Policy::Lrr, Policy::Gto, Policy::RtPaws].map(|policy| of(policy, [1, 2]));
        let latest = |both: [u64; 2]| both[0].max(both[1]);
        let is_text = reading == Reading::Text;
        assert!(gto[1] > gto[0], "GTO inverts the priorities");
        assert!(paws[1] < lrr[1] && paws[1] < gto[1], "K2 is earliest under RT-PAWS");
        assert!(paws[1] > gto[0], "but not as early as K1 under GTO");
        assert_eq!(latest(paws) < latest(lrr), is_text, "the later of both is least under RT-PAWS");
        assert!(latest(paws) < latest(gto));
        assert_eq!(of(Policy::RtPaws, [0, 2])[1] < paws[1], is_text, "K2 is earlier with priority 0 of K1");
        assert_eq!(paws[0] < lrr[0], is_text, "K1 is earlier than under LRR too (section 4.5)");
    }
}

/// The order of issues of the text's reading, worked out by hand.
#[test]
fn si21_example_by_hand() {
    let instance = instance(&[("LLLCLL", 2), ("LLLCLL", 2)], "1", "1");
    let mut machine = narrow(&instance, 1, 6);
    (machine.launch, machine.priority) = (vec![0, 1], vec![1, 2]);
    let of = |policy| issued(&instance, &run(&instance, policy, &machine));
    // All warps come to the long instruction at once, in cycles 13 to 16, and none is left for the next two.
    assert_eq!(of(Policy::Lrr), "0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3 - - 0 1 2 3 0 1 2 3");
    assert_eq!(of(Policy::Gto), "0 0 0 0 1 1 1 1 2 2 2 2 0 0 1 1 3 3 3 3 2 2 - - - 3 3");
    // Warp 0 goes on until it stalls. Then 1 issues in its place and the budget of 1 is spent, 2 issues as the head of an
    // order that is not kept, and so on in turn. In cycle 11 warp 0 is ready and ends; 1 issues its long instruction, which
    // is counted, and then 2. With 1 and 2 stalled, 3 fills the gap until 1 is ready in cycle 19.
    assert_eq!(of(Policy::RtPaws), "0 0 0 0 1 2 1 2 1 2 0 0 1 2 3 3 3 3 1 1 2 2 - 3 3");
}

/// Both examples from their files, by the command.
#[test]
fn si21_examples_of_the_files() {
    for (file, flags, expected) in [
        ("si21-example", ["--latency-c", "6", "--reading", "text"], [[24, 26], [16, 27], [20, 25]]),
        (
            "si21-example-rotating",
            ["--latency-l", "3", "--reading", "rotating"],
            [[24, 26], [15, 28], [26, 19]],
        ),
    ] {
        let path = format!("instances/{file}.toml");
        let all = [
            &path,
            "--issue-width",
            "1",
            "--launch",
            "0,1",
            "--priority",
            "1,2",
            "--policy",
            "lrr,gto,rt-paws",
        ];
        let record = json(&[&all[..], &flags].concat());
        let runs = record["runs"].as_array().unwrap();
        let found =
            runs.iter().map(|run| serde_json::from_value::<[u64; 2]>(run["completions"].clone()).unwrap());
        assert_eq!(found.collect::<Vec<_>>(), expected, "{file}");
        let means: Vec<f64> = runs.iter().map(|run| run["average"].as_f64().unwrap()).collect();
        assert_relative_eq!(means[..], [25.0, 21.5, 22.5][..]);
        let note = record["notes"][0].as_str().unwrap();
        assert!(note.starts_with(&format!("rt-paws, reading {}: ", flags[3])), "{note}");
    }
    let one = json(&["--kernel", "LC", "--warps", "2", "--policy", "rt-paws"]);
    assert_eq!(one.get("notes"), None, "one group is read in one way only");
    let others = json(&["--group", "LC:2", "--group", "CL:1", "--priority", "1,2", "--policy", "lrr,gto"]);
    assert_eq!(others.get("notes"), None);
}
