//! Warp-scheduling policies: worked out by hand, against the exact best and worst case, and on the command
//! line.

use approx::assert_relative_eq;
use assert_cmd::Command;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use warpspan::engines::extremes::{range, worst};
use warpspan::engines::policy::{
    Policy, Reading, Run, RunError, Scenario, ScenarioError, instance_of, of_model, on_units,
};
use warpspan::engines::states;
use warpspan::limits::{Limits, Stop};
use warpspan::model::machine::MachineWorkload;
use warpspan::model::{Cycles, Instance, Multiprocessor, PerUnit, Unit, WarpGroup};
use warpspan::schedule::replay;

use crate::common::limits;

/// Groups as kernel and warps.
pub(super) fn instance(groups: &[(&str, u64)], sigma_l: &str, sigma_c: &str) -> Instance {
    let group = |&(kernel, warps): &(&str, u64)| WarpGroup { kernel: kernel.parse().unwrap(), warps };
    let multiprocessor = Multiprocessor::new(sigma_l.parse().unwrap(), sigma_c.parse().unwrap());
    Instance::new(groups.iter().map(group).collect(), multiprocessor).unwrap()
}

/// The machine of the flags `--issue-width`, `--latency-l`, `--latency-c`, `--schedulers`, `--launch`,
/// `--priority`, `--seed` and `--reading`.
#[derive(Clone)]
pub(super) struct Machine {
    width: Option<u64>,
    latency: PerUnit<u64>,
    schedulers: u64,
    pub(super) launch: Vec<u64>,
    pub(super) priority: Vec<u64>,
    seed: u64,
    pub(super) reading: Reading,
}

impl Machine {
    fn of_model(instance: &Instance) -> Self {
        let groups = instance.groups().len();
        let (launch, priority) = (vec![0; groups], vec![1; groups]);
        let (latency, reading) = (PerUnit::both(1), Reading::Text);
        Self { width: None, latency, schedulers: 1, launch, priority, seed: 0, reading }
    }

    fn play(&self, instance: &Instance) -> (MachineWorkload, Scenario) {
        let workload = on_units(instance, self.schedulers, self.width, self.latency).unwrap();
        let (launch, priority) = (self.launch.clone(), self.priority.clone());
        let (seed, reading) = (self.seed, self.reading);
        let scenario = Scenario { launch, priority, seed, reading, ..Scenario::of(&workload) };
        (workload, scenario)
    }
}

fn simulate(
    instance: &Instance,
    policy: Policy,
    machine: &Machine,
    limits: &Limits,
) -> Result<Run, RunError> {
    let (workload, scenario) = machine.play(instance);
    if policy == Policy::Worst && scenario.suits(&workload, policy).is_ok() {
        let range = range(&instance_of(&workload).unwrap(), limits, None).unwrap();
        return worst(&workload, &scenario, &range);
    }
    warpspan::engines::policy::simulate(&workload, policy, &scenario, limits)
}

/// One issue a cycle, with these latencies of L and C.
pub(super) fn narrow(instance: &Instance, latency_l: u64, latency_c: u64) -> Machine {
    let latency = PerUnit::from_fn(|unit| if unit == Unit::LoadStore { latency_l } else { latency_c });
    Machine { width: Some(1), latency, ..Machine::of_model(instance) }
}

pub(super) fn run(instance: &Instance, policy: Policy, machine: &Machine) -> Run {
    simulate(instance, policy, machine, &limits()).unwrap()
}

/// The warps issued, numbered from 0 through all groups, with a word for each cycle: several warps are
/// joined, and `-` stands for none.
pub(super) fn issued(instance: &Instance, run: &Run) -> String {
    let before =
        |group: u32| -> u64 { instance.groups()[..group as usize].iter().map(|group| group.warps).sum() };
    let last = run.issues.last().unwrap().cycle;
    let word = |cycle: u64| {
        let issues = run.issues.iter().filter(|issue| issue.cycle == cycle);
        let word: String =
            issues.map(|issue| (before(issue.group) + u64::from(issue.warp)).to_string()).collect();
        if word.is_empty() { "-".to_owned() } else { word }
    };
    (1..=last).map(word).collect::<Vec<_>>().join(" ")
}

/// Si21 section 4.4.3: under LRR all warps reach the long instruction at the same time, and no warp is left
/// to fill the wait.
#[test]
fn lrr_stalls_all_warps_together() {
    let instance = instance(&[("CCLCCC", 2), ("CCLCCC", 2)], "1", "1");
    let mut machine = narrow(&instance, 8, 1);
    (machine.launch, machine.priority) = (vec![0, 1], vec![1, 2]);
    let lrr = run(&instance, Policy::Lrr, &machine);
    assert_eq!(issued(&instance, &lrr), "0 1 2 3 0 1 2 3 0 1 2 3 - - - - 0 1 2 3 0 1 2 3 0 1 2 3");
    for (policy, idle) in [(Policy::Lrr, 4), (Policy::Gto, 0), (Policy::RtPaws, 1)] {
        assert_eq!(run(&instance, policy, &machine).idle_slots, idle, "{policy}");
    }
}

/// CCLC on two warps, where an L takes two cycles, with one issue a cycle.
#[test]
fn three_orders_by_hand() {
    let instance = instance(&[("CCLC", 2)], "1", "1");
    let machine = narrow(&instance, 2, 1);
    for (policy, expected, idle) in [
        (Policy::Lrr, "0 1 0 1 0 1 0 1", 0),
        (Policy::Gto, "0 0 0 1 1 1 0 1", 0), // In cycle 5 warp 0 is ready too, but warp 1 issued last, so GTO prefers it.
        (Policy::Oldest, "0 0 0 1 0 1 1 - 1", 1),
    ] {
        let run = run(&instance, policy, &machine);
        assert_eq!(issued(&instance, &run), expected, "{policy}");
        assert_eq!((run.idle_slots, run.within_model), (idle, false), "{policy}");
    }
}

/// Two kernels CCLC on two warps each, with priorities 1 and 2; the second is launched in cycle 2, and an L
/// takes four cycles.
#[test]
fn rt_paws_by_hand() {
    let instance = instance(&[("CCLC", 2), ("CCLC", 2)], "1", "1");
    let of = |reading| {
        let (launch, priority) = (vec![0, 1], vec![1, 2]);
        let machine = Machine { launch, priority, reading, ..narrow(&instance, 4, 1) };
        let run = run(&instance, Policy::RtPaws, &machine);
        (issued(&instance, &run), run.completions)
    };
    // In cycle 4 warp 0 stalls and 1 issues, so the budget of 1 is spent; 2 issues in cycle 5, as the head, so that
    // order is not kept, and the first group goes first again: in cycle 6 warp 0 still stalls and 1 issues, and so
    // on. In cycle 8 warp 0 is ready, and ends. Warp 1 is now the head and issues in cycle 9, which is counted, since
    // 0 is the head of the order that was kept; so 2 issues in cycle 10. From cycle 11 on warp 1 stalls and fills
    // nothing, and has its last instruction in cycle 13.
    let text = ("0 0 0 1 2 1 2 0 1 2 3 3 1 2 3 - - - 3".to_owned(), vec![Cycles(13), Cycles(19)]);
    assert_eq!(of(Reading::Text), text);
    // In cycle 4 warp 0 stalls and 1 issues, so the budget of 1 is spent. In cycles 5 and 6 there are two
    // issues while 0 counts as stalled, so the budget of 2 is spent. In cycle 7 warp 0 is first again and
    // does not stall; in cycle 8 warp 1 issues in its place. In cycles 9, 10, 12 and 13 there are two issues
    // of the urgent kernel for one of the other in cycle 11. In cycle 14 warp 1 stalls, which costs nothing.
    // In cycle 16 one warp is left.
    let rotating = ("0 0 0 1 2 2 0 1 2 3 1 3 3 2 1 - 3".to_owned(), vec![Cycles(15), Cycles(17)]);
    assert_eq!(of(Reading::Rotating), rotating);
}

/// With both kernels there at once, the more urgent one is first, and keeps its place until its head is
/// passed over.
#[test]
fn rt_paws_with_both_at_once() {
    let instance = instance(&[("CC", 1), ("CC", 1)], "1", "1");
    for reading in Reading::ALL {
        let of = |priority| {
            let machine = Machine { priority, reading, ..narrow(&instance, 1, 1) };
            issued(&instance, &run(&instance, Policy::RtPaws, &machine))
        };
        assert_eq!((of(vec![1, 2]).as_str(), of(vec![2, 1]).as_str()), ("1 1 0 0", "0 0 1 1"));
        assert_eq!(of(vec![3, 3]), "0 0 1 1", "one group: greedy, then oldest");
    }
}

/// With both units filled each cycle, the turn moves on after the first warp issued, so that no warp waits
/// for a kernel that keeps the other unit busy.
#[test]
fn the_turn_comes_to_every_warp() {
    let instance = instance(&[("LLLL", 2), ("CCCC", 1)], "1", "1");
    let run = run(&instance, Policy::Lrr, &Machine::of_model(&instance));
    // The turn is at 0, 1, 2, 0, then at 1, and then at 0 and 1 alone.
    assert_eq!(issued(&instance, &run), "02 12 02 02 1 0 1 1");
}

#[test]
fn units_take_the_first_that_want_them() {
    let instance = instance(&[("LC", 3)], "1", "2");
    let machine = Machine::of_model(&instance);
    let run = run(&instance, Policy::Gto, &machine);
    assert_eq!(issued(&instance, &run), "0 01 12 2");
    assert_eq!((run.makespan(), run.idle_slots, run.within_model), (Cycles(4), 3 * 4 - 6, true));
}

/// A launch is waited for: the second group starts in cycle 4, after the first one has finished.
#[test]
fn a_launch_is_waited_for() {
    let instance = instance(&[("L", 2), ("L", 1)], "1", "1");
    let machine = Machine { launch: vec![7, 3], ..Machine::of_model(&instance) };
    let run = run(&instance, Policy::Oldest, &machine);
    assert_eq!(run.completions, [Cycles(9), Cycles(4)]);
    assert_eq!(issued(&instance, &run), "- - - 2 - - - 0 1");
    assert!(!run.within_model);
    assert_relative_eq!(run.average(), 6.5);
}

/// Warp w belongs to scheduler w mod 2; each scheduler issues one instruction a cycle, and they take turns to
/// be first at the units.
#[test]
fn schedulers_share_the_units() {
    let instance = instance(&[("L", 2), ("C", 2)], "1", "1");
    let machine = Machine { schedulers: 2, ..narrow(&instance, 1, 1) };
    let run = run(&instance, Policy::Oldest, &machine);
    // In cycle 1 scheduler 0 takes L for warp 0, and scheduler 1 takes C for warp 3; in cycle 2 scheduler 1
    // is first.
    assert_eq!(issued(&instance, &run), "03 12");
    assert_eq!(run.idle_slots, 0);
}

#[test]
fn random_is_the_same_for_the_same_seed() {
    let instance = instance(&[("LLCLC", 6)], "1", "1");
    let with = |seed| run(&instance, Policy::Random, &Machine { seed, ..Machine::of_model(&instance) });
    assert_eq!(with(3), with(3));
    assert!((0..9).any(|seed| with(seed).issues != with(3).issues));
}

/// The random order is drawn in every cycle, also in those in which no warp can issue: the result is the one from
/// before such cycles were passed over.
#[test]
fn random_draws_in_idle_cycles_too() {
    let instance = instance(&[("LCCL", 2), ("LCLC", 2)], "1", "1");
    let machine = Machine { launch: vec![0, 9], ..narrow(&instance, 23, 4) };
    assert_eq!(run(&instance, Policy::Random, &machine).completions, [Cycles(56), Cycles(65)]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let three = instance(&[("L", 1), ("L", 1), ("L", 1)], "1", "1");
    let model = Machine::of_model(&three);
    let error = |machine: Machine, policy| simulate(&three, policy, &machine, &limits()).unwrap_err();
    let machine = Machine { launch: vec![0], ..model.clone() };
    assert!(matches!(error(machine, Policy::Lrr), RunError::Scenario(ScenarioError::Launches { .. })));
    let machine = Machine { launch: vec![0, 0, u64::MAX], ..model.clone() };
    assert!(matches!(error(machine, Policy::Lrr), RunError::Scenario(ScenarioError::Overflow)));
    assert!(on_units(&three, 0, None, PerUnit::both(1)).is_err());
    let machine = narrow(&three, 1, 1);
    assert!(matches!(error(machine, Policy::Worst), RunError::Scenario(ScenarioError::NotTheModel)));
    let large = instance(&[("L1000", 100_000_000)], "1", "1");
    let too_large = simulate(&large, Policy::Lrr, &Machine::of_model(&large), &limits()).unwrap_err();
    assert!(matches!(too_large, RunError::TooLarge(100_000_000_000)));
    let stopped = limits();
    stopped.interrupt();
    let long = instance(&[("L10000", 4)], "1", "1");
    let error = simulate(&long, Policy::Lrr, &Machine::of_model(&long), &stopped).unwrap_err();
    assert!(matches!(error, RunError::Stopped { stop: Stop::Interrupted, .. }));
}

fn small() -> impl Strategy<Value = Instance> {
    let group = || ("[LC]{1,6}", 1..=4_u64);
    let sigma = || prop::sample::select(vec!["1", "2", "3", "1/2"]);
    (prop::collection::vec(group(), 1..=2), sigma(), sigma()).prop_filter_map(
        "few states",
        |(groups, l, c)| {
            let groups: Vec<(&str, u64)> =
                groups.iter().map(|(kernel, warps)| (kernel.as_str(), *warps)).collect();
            let instance = instance(&groups, l, c);
            (states::predict(&instance, &limits()).states <= 200_000).then_some(instance)
        },
    )
}

/// The same instance, whose sigmas are no larger than the number of warps.
fn same_sigmas(instance: &Instance) -> Instance {
    let sigma = |unit| instance.sigma(unit).to_string().parse().unwrap();
    let multiprocessor = Multiprocessor::new(sigma(Unit::LoadStore), sigma(Unit::CudaCore));
    Instance::new(instance.groups().to_vec(), multiprocessor).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(2021), ..ProptestConfig::default() })]

    /// In the model every policy's schedule is work-conserving, so its length is between the best and the
    /// worst case.
    #[test]
    fn every_policy_is_between_best_and_worst(
        instance in small(), schedulers in 1..=3_u64, seed in any::<u64>(), priority in prop::collection::vec(0..=4_u64, 2)
    ) {
        let exact = states::solve(&instance, &limits(), &|_| ()).unwrap();
        let priority = priority[..instance.groups().len()].to_vec();
        let machine = Machine { schedulers, seed, priority, ..Machine::of_model(&instance) };
        for policy in Policy::ALL {
            let run = run(&instance, policy, &machine);
            prop_assert!(run.within_model);
            prop_assert_eq!(instance_of(&machine.play(&instance).0), Some(same_sigmas(&instance)));
            let witness = replay(&instance, run.schedule()).unwrap();
            prop_assert_eq!(witness.completions(), &run.completions[..]);
            let makespan = run.makespan();
            prop_assert!(exact.best.unwrap() <= makespan && makespan <= exact.worst.cycles(), "{} {}", policy, makespan);
            prop_assert!(policy != Policy::Worst || makespan == exact.worst.cycles());
        }
    }

    /// Whatever the machine, every instruction is issued once, in order and in time, and the issue width is
    /// kept.
    #[test]
    fn every_instruction_in_order_and_in_time(
        instance in small(), schedulers in 1..=3_u64, l in 1..=5_u64, c in 1..=5_u64, launch in prop::collection::vec(0..=9_u64, 2)
    ) {
        let launch = launch[..instance.groups().len()].to_vec();
        let machine = Machine { schedulers, launch, ..narrow(&instance, l, c) };
        for policy in Policy::ALL.into_iter().filter(|&policy| policy != Policy::Worst) {
            let run = run(&instance, policy, &machine);
            let mut due = std::collections::BTreeMap::new();
            for issue in &run.issues {
                let key = (issue.group, issue.warp);
                let group = issue.group as usize;
                let (next, ready) = due.get(&key).copied().unwrap_or((0, machine.launch[group] + 1));
                prop_assert!(issue.instruction == next && issue.cycle >= ready);
                let unit = instance.groups()[group].kernel.units()[next as usize];
                due.insert(key, (next + 1, issue.cycle + machine.latency[unit]));
                prop_assert!(Cycles(issue.cycle + machine.latency[unit] - 1) <= run.completions[group]);
            }
            prop_assert_eq!(run.issues.len() as u64, instance.total_issues());
            for cycle in run.issues.chunk_by(|a, b| a.cycle == b.cycle) {
                prop_assert!(cycle.len() as u64 <= schedulers);
            }
        }
    }
}

#[test]
fn the_range_holds_runs_and_refuses_others() {
    let instance = instance(&[("LLCLL", 4)], "1", "1");
    let workload = of_model(&instance).unwrap();
    let range = range(&instance, &Limits::generous(), None).unwrap();
    assert_eq!((range.best, range.worst.upper().cycles()), (Some(Cycles(16)), Cycles(17)));
    let adversary = worst(&workload, &Scenario::of(&workload), &range).unwrap();
    range.holds(&adversary).unwrap();
    let outside = Run { completions: vec![Cycles(18)], ..adversary };
    assert!(
        range
            .holds(&outside)
            .unwrap_err()
            .to_string()
            .starts_with("policy worst takes 18 cycles, not 16 to 17")
    );
}

fn warpspan(args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(std::time::Duration::from_secs(60));
    command.arg("simulate").args(args).output().unwrap()
}

pub(super) fn json(args: &[&str]) -> serde_json::Value {
    let output = warpspan(&[args, &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_record_is_the_contract() {
    let record = json(&["--group", "LLCLL:2", "--group", "LCL:2", "--policy", "lrr"]);
    assert_eq!(record["schema"], "warpspan/simulate/1");
    assert_eq!(record["instance"]["groups"][1], serde_json::json!({"kernel": "LCL", "warps": 2}));
    assert_eq!(
        record["runs"],
        serde_json::json!([{"policy": "lrr", "makespan": 12, "completions": [12, 8], "average": 10.0,
                            "idle_slots": 8, "within_model": true}])
    );
    assert_eq!((&record["best"], &record["worst"]), (&12.into(), &13.into()));
    assert_eq!(record["interval"], serde_json::json!([13, 13]));

    let record = json(&["--kernel", "LLCLL", "--warps", "4", "--latency-l", "3"]);
    assert_eq!(record["machine"]["latency_l"], 3);
    for key in ["best", "worst", "interval"] {
        assert_eq!(record.get(key), Some(&serde_json::Value::Null), "{key}");
    }
    let names: Vec<_> = record["runs"].as_array().unwrap().iter().map(|run| run["policy"].clone()).collect();
    assert_eq!(names, ["lrr", "gto", "oldest", "rt-paws", "random"]);
    assert_eq!(record["runs"][0]["within_model"], false);
}

#[test]
fn text_says_what_it_is_beside() {
    let text = |args: &[&str]| String::from_utf8(warpspan(args).stdout).unwrap();
    let inside = text(&["--kernel", "LLCLL", "--warps", "4"]);
    for line in [
        "| worst   |       17 |         14 | yes          |",
        "best case   16 cycles\nworst case  17 cycles, exact\n",
    ] {
        assert!(inside.contains(line), "{inside}");
    }
    let outside = text(&["--kernel", "LLCLL", "--warps", "4", "--issue-width", "1"]);
    assert!(outside.contains("no best and worst case: they are of the model"), "{outside}");
}

/// With too many states for one second and a gap between the bounds, the answer is an interval instead of a
/// worst case, and the exit code is 3.
#[test]
#[cfg_attr(feature = "highs", ignore = "the ILP would go on")]
fn a_limit_leaves_the_interval() {
    let flags =
        ["--kernel", "LLCCLLCC", "--sigma-c", "2", "--warps", "40", "--time-limit", "1s", "--format", "json"];
    let output = warpspan(&flags);
    assert_eq!(output.status.code(), Some(3));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&record["worst"], &record["best"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert!(record["interval"][0].as_u64() < record["interval"][1].as_u64());
    assert_eq!(record["runs"].as_array().unwrap().len(), 6);
}

#[test]
fn schedules_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let flags =
        ["--group", "LC:2", "--group", "CL:1", "--policy", "gto", "--latency-l", "4", "--launch", "0,9"];
    let drawn = |ending: &&str| *ending != "svg" || cfg!(feature = "figures");
    for ending in ["svg", "csv", "json"].into_iter().filter(drawn) {
        let path = folder.path().join(format!("s.{ending}"));
        let output = warpspan(&[&flags[..], &["--schedule", path.to_str().unwrap()]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(&path).unwrap();
        let issues = match ending {
            "svg" => text.matches(": instruction ").count(),
            "csv" => text.lines().count() - 1,
            _ => serde_json::from_str::<Vec<serde_json::Value>>(&text).unwrap().len(),
        };
        assert_eq!(issues, 6, "{ending}");
    }
}

#[test]
fn bad_input_gets_one_line() {
    let two = ["--group", "LC:2", "--group", "CL:1"];
    for (flags, message) in [
        (
            [&two[..], &["--priority", "1"]].concat(),
            "--priority: 1 for 2 group(s): want a priority for each group",
        ),
        (
            [&two[..], &["--launch", "0,1,2"]].concat(),
            "--launch: 3 for 2 group(s): want a cycle for each group",
        ),
        ([&two[..], &["--launch", "0,x"]].concat(), "--launch"),
        (
            [&two[..], &["--policy", "fifo"]].concat(),
            "possible values: lrr, gto, oldest, rt-paws, random, cggty, worst, all",
        ),
        (
            [&two[..], &["--policy", "worst", "--issue-width", "1"]].concat(),
            "worst: not of this machine: want --issue-width unlimited, latencies of 1",
        ),
        (
            [&two[..], &["--policy", "lrr", "--launch", "0,18446744073709551615"]].concat(),
            "--launch, --latency-l, --latency-c: cycle counts would overflow",
        ),
        ([&two[..], &["--issue-width", "2"]].concat(), "want 1 or unlimited"),
        ([&two[..], &["--latency-l", "0"]].concat(), "--latency-l"),
        ([&two[..], &["--schedulers", "0"]].concat(), "--schedulers"),
        ([&two[..], &["--schedule", "s.csv"]].concat(), "s.csv: one file for several policies"),
        (vec!["--kernel", "L1000", "--warps", "100000000000"], "a schedule larger than the memory limit"),
        (vec![], "no kernel is given"),
    ] {
        let output = warpspan(&flags);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{flags:?}");
        assert!(stderr.contains(message) && stderr.lines().count() == 1, "{flags:?}: {stderr}");
    }
}

/// With three priorities, `all` means all policies, RT-PAWS among them: with a list that rotates the most urgent kernel
/// is the first to be complete under it, and the last under GTO, since it comes last.
#[test]
fn three_priorities_are_served_in_their_order() {
    let flags = ["instances/si21-three.toml", "--issue-width", "1", "--latency-l", "3"];
    let scenario = ["--launch", "0,1,2", "--priority", "1,2,4", "--reading", "rotating"];
    let record = json(&[&flags[..], &scenario].concat());
    let of = |name: &str| -> Vec<u64> {
        let run = record["runs"].as_array().unwrap().iter().find(|run| run["policy"] == name).unwrap();
        serde_json::from_value(run["completions"].clone()).unwrap()
    };
    assert_eq!(record["runs"].as_array().unwrap().len(), 5);
    let (gto, paws) = (of("gto"), of("rt-paws"));
    assert!(gto[0] < gto[1] && gto[1] < gto[2], "{gto:?}");
    assert!(paws[2] < paws[1] && paws[1] < paws[0], "{paws:?}");
    assert!(paws[2] < of("lrr")[2]);
}
