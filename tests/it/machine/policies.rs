//! Warp-scheduling policies on machines: orders worked out by hand, and every schedule of random machines
//! against the rules, which are checked here without code of the library.

use std::sync::Arc;

use assert_cmd::Command;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::engines::extremes::{holds, uppers};
use warpspan::engines::policy::{Draw, Policy, Run, RunError, Scenario, ScenarioError, simulate};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::model::Cycles;
use warpspan::model::machine::{LetterId, MOST, Machine, MachineGroup, MachineWorkload, Step, Unit, Waits};
use warpspan::model::program::Piece;
use warpspan::schedule::replay;

use super::known::{unit, workload};
use super::random;
use crate::common::limits;

/// The policies that play on every machine.
fn policies() -> impl Iterator<Item = Policy> {
    Policy::ALL.into_iter().filter(|&policy| policy != Policy::Worst)
}

fn run(workload: &MachineWorkload, policy: Policy, latency: Draw, seed: u64) -> Run {
    // Priorities matter to RT-PAWS alone: up to five different ones, 0 among them.
    let priority = (0..workload.groups().len() as u64).map(|group| (seed / 3 + 2 * group) % 5).collect();
    let scenario = Scenario { latency, seed, priority, ..Scenario::of(workload) };
    simulate(workload, policy, &scenario, &limits()).unwrap()
}

/// The warps issued, numbered from 0 through all groups, with a word for each cycle: several warps are joined,
/// and `-` stands for none.
fn issued(workload: &MachineWorkload, run: &Run) -> String {
    let mut words = vec![String::new(); usize::try_from(run.last_issue().0).unwrap()];
    for issue in &run.issues {
        let number = workload.warps_of(issue.group as usize).start + u64::from(issue.warp);
        words[usize::try_from(issue.cycle).unwrap() - 1] += &number.to_string();
    }
    words.iter().map(|word| if word.is_empty() { "-" } else { word }).collect::<Vec<_>>().join(" ")
}

fn order(workload: &MachineWorkload, policy: Policy) -> String {
    issued(workload, &run(workload, policy, Draw::Most, 0))
}

/// A warp of the check below.
struct Warp {
    line: Vec<Option<Step>>,
    block: (usize, u64),
    scheduler: u64,
    at: usize,
    /// The first cycle in which the stall is over, and that in which all results are there.
    ready: u64,
    results: u64,
    /// Tokens with the first cycle in which they are free.
    tokens: Vec<(u16, u64)>,
}

/// Checks the rules of machines, cycle by cycle: order, stalls, tokens, barriers, instances, width, latencies,
/// and that no ready warp waits for nothing.
fn check(workload: &MachineWorkload, run: &Run) -> Result<(), String> {
    let machine = workload.machine();
    let mut warps = Vec::new();
    for (group, members) in workload.groups().iter().enumerate() {
        let size = workload.warps_per_block().unwrap_or(members.warps);
        for index in 0..members.warps {
            warps.push(Warp {
                line: members.code.written_out().unwrap(),
                block: (group, index / size),
                scheduler: warps.len() as u64 % machine.schedulers(),
                at: 0,
                ready: 1,
                results: 1,
                tokens: Vec::new(),
            });
        }
    }
    // Each held instance: its unit, the scheduler if it is private, and the first cycle in which it is free.
    let mut held: Vec<((usize, Option<u64>), u64)> = Vec::new();
    let seat = |letter: LetterId, scheduler: u64| {
        let unit = machine.letter(letter).unit;
        (unit, (!machine.units()[unit].shared).then_some(scheduler))
    };
    for cycle in 1..=run.last_issue().0 {
        held.retain(|&(_, free)| free > cycle);
        // All warps of a block go through a barrier together.
        for number in 0..warps.len() {
            while let Some(None) = warps[number].line.get(warps[number].at) {
                let (block, at) = (warps[number].block, warps[number].at);
                let members = || warps.iter().filter(|warp| warp.block == block);
                if members().any(|warp| warp.at != at || warp.ready.max(warp.results) > cycle) {
                    break;
                }
                warps.iter_mut().filter(|warp| warp.block == block).for_each(|warp| warp.at += 1);
            }
        }
        let ready: Vec<Option<Step>> = warps
            .iter()
            .map(|warp| {
                let step = warp.line.get(warp.at)?.clone()?;
                let needs = step.waits.as_ref().map(|waits| waits.needs.clone()).unwrap_or_default();
                let waits = warp.tokens.iter().any(|(token, free)| needs.contains(token) && *free > cycle);
                (warp.ready <= cycle && !waits).then_some(step)
            })
            .collect();
        let mut slots = std::collections::BTreeMap::new();
        let mut has_issued = vec![false; warps.len()];
        for issue in run.issues.iter().filter(|issue| issue.cycle == cycle) {
            let number = workload.warps_of(issue.group as usize).start + u64::from(issue.warp);
            let number = usize::try_from(number).unwrap();
            let say = |what: &str| Err(format!("cycle {cycle}: warp {number} {what}"));
            let Some(step) = &ready[number] else { return say("issues, but is not ready") };
            if std::mem::replace(&mut has_issued[number], true) {
                return say("issues twice");
            }
            let warp = &mut warps[number];
            let before = warp.line[..warp.at].iter().flatten().count();
            let letter = machine.letter(step.letter);
            if before != issue.instruction as usize {
                return say("issues another instruction than its next");
            }
            if !(letter.latency.least..=letter.latency.most).contains(&issue.latency) {
                return say("has a latency outside the interval");
            }
            *slots.entry(warp.scheduler).or_insert(0_u64) += 1;
            held.push((seat(step.letter, warp.scheduler), cycle + letter.occupancy));
            warp.at += 1;
            let result = cycle + issue.latency;
            warp.results = warp.results.max(result);
            warp.ready = result;
            if let Some(waits) = &step.waits {
                warp.ready = cycle + u64::from(waits.stall);
                warp.tokens.extend(waits.sets.iter().map(|&token| (token, result)));
            }
        }
        let is_full = |seat: (usize, Option<u64>)| {
            let count = held.iter().filter(|(other, _)| *other == seat).count() as u64;
            (count > machine.units()[seat.0].instances, count >= machine.units()[seat.0].instances)
        };
        for (number, warp) in warps.iter().enumerate() {
            let used = slots.get(&warp.scheduler).copied().unwrap_or(0);
            if machine.width().is_some_and(|width| used > width) {
                return Err(format!("cycle {cycle}: scheduler {} issues {used}", warp.scheduler));
            }
            let Some(step) = &ready[number] else { continue };
            let (beyond, full) = is_full(seat(step.letter, warp.scheduler));
            if beyond {
                return Err(format!("cycle {cycle}: more instances are held than there are"));
            }
            if !has_issued[number] && !full && machine.width().is_none_or(|width| used < width) {
                return Err(format!("cycle {cycle}: warp {number} waits for nothing"));
            }
        }
    }
    match warps.iter().all(|warp| warp.line[warp.at..].iter().all(Option::is_none)) {
        true => Ok(()),
        false => Err("a warp has not finished".to_owned()),
    }
}

#[test]
fn every_schedule_keeps_the_rules() {
    for seed in 0..600 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = random::workload(&mut rng, random::shape_of(seed));
        for workload in [with_dependences(&mut rng, &plain), plain] {
            for (policy, draw) in policies().zip([Draw::Most, Draw::Least, Draw::Random].into_iter().cycle())
            {
                let run = run(&workload, policy, draw, seed);
                if let Err(what) = check(&workload, &run) {
                    panic!("{policy} {draw:?}: {what}: {}", random::text(&workload));
                }
            }
        }
    }
}

/// The verifier takes and refuses what the check above takes and refuses, when something is changed in a schedule that is right.
#[test]
fn the_verifier_and_the_check_agree() {
    let (mut kept, mut broken) = (0, 0);
    for seed in 0..1500 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = random::workload(&mut rng, random::shape_of(seed));
        let workload = with_dependences(&mut rng, &plain);
        let mut changed = run(&workload, Policy::Random, Draw::Random, seed);
        if changed.issues.is_empty() {
            continue;
        }
        let at = rng.random_range(0..changed.issues.len());
        let issue = &mut changed.issues[at];
        match rng.random_range(0..3) {
            0 => issue.latency = (issue.latency + rng.random_range(0..=2)).saturating_sub(1).max(1),
            1 => issue.cycle += rng.random_range(1..=3),
            _ => issue.cycle = issue.cycle.saturating_sub(rng.random_range(1..=3)).max(1),
        }
        changed.issues.sort_unstable();
        let found = replay(&workload, changed.schedule());
        let right = check(&workload, &changed);
        assert_eq!(found.is_ok(), right.is_ok(), "{found:?} {right:?}: {}", random::text(&workload));
        *(if found.is_ok() { &mut kept } else { &mut broken }) += 1;
    }
    assert!(kept >= 100 && broken >= 500, "{kept} {broken}");
}

/// A run of a policy is a lower end where nothing is searched, and never above what a search finds.
#[test]
fn runs_of_policies_are_lower_ends() {
    let solved = |workload: &MachineWorkload, engine| {
        let limits = limits();
        Solver::new().limits(&limits).engine(engine).solve(workload).unwrap()
    };
    // L takes 5 cycles, I 4, and holds its unit for 2.
    let units = vec![unit("A", 1, 1, [1, 1]), unit("I", 1, 2, [4, 4]), unit("L", 1, 1, [5, 5])];
    let tiny = Machine::new(1, Some(1), units, vec![]).unwrap();
    let large = solved(&workload(tiny, &[("LAIALI".repeat(20).as_str(), 8)]), EngineChoice::Auto);
    assert!(large.worst_case().lower().cycles() >= Cycles(1130), "{:?}", large.worst_case());
    assert_eq!(large.witness().unwrap().makespan(), large.worst_case().lower().cycles());
    let mut below = 0;
    for seed in 0..100 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = random::workload(&mut rng, random::shape_of(seed));
        let dependent = with_dependences(&mut rng, &plain);
        let lower = solved(&dependent, EngineChoice::Auto).worst_case().lower().cycles();
        let simple = policies().filter(|&policy| policy != Policy::RtPaws);
        let longest = simple.map(|policy| run(&dependent, policy, Draw::Most, 0).last_issue()).max().unwrap();
        assert!(lower >= longest || longest == Cycles(0), "{lower} {longest}: {}", random::text(&dependent));
        below += u64::from(solved(&dependent, EngineChoice::Auto).worst_case().is_exact());
    }
    assert!(below >= 5, "{below} exact");
}

/// The same workload where most instructions have a stall and tokens.
pub(crate) fn with_dependences(rng: &mut ChaCha8Rng, plain: &MachineWorkload) -> MachineWorkload {
    let mut group = |group: &MachineGroup| {
        let steps = group.code.written_out().unwrap().into_iter().map(|step| match step {
            None => Piece::Barrier { line: 0 },
            Some(Step { letter, .. }) => {
                let mut tokens = || (0..rng.random_range(0..=2)).map(|_| rng.random_range(0..3)).collect();
                let (needs, sets) = (tokens(), tokens());
                let waits = Arc::new(Waits { stall: rng.random_range(1..=4), needs, sets });
                let waits = rng.random_bool(0.8).then_some(waits);
                Piece::Letters { letter: Step { letter, waits }, count: 1, line: 0 }
            }
        });
        MachineGroup { code: Piece::Sequence(steps.collect()), warps: group.warps }
    };
    let groups = plain.groups().iter().map(&mut group).collect();
    let workload = MachineWorkload::new(plain.shared_machine(), groups).unwrap();
    match plain.warps_per_block() {
        Some(warps) => workload.in_blocks_of(warps).unwrap(),
        None => workload,
    }
}

/// No policy takes longer than the worst case that the oracle finds, neither to the last issue nor to the last
/// result.
#[test]
fn no_policy_exceeds_the_worst_case() {
    let mut attained = 0;
    for seed in 0..150 {
        let case = random::case(&mut ChaCha8Rng::seed_from_u64(seed), random::shape_of(seed));
        let runs: Vec<Run> = policies()
            .zip([Draw::Most, Draw::Random].into_iter().cycle())
            .map(|(policy, draw)| run(&case.workload, policy, draw, seed))
            .collect();
        for run in &runs {
            assert!(run.last_issue().0 <= case.worst.makespan(), "{}: {}", run.policy, case.text());
            assert!(run.makespan().0 <= case.worst.last_result(), "{}: {}", run.policy, case.text());
        }
        attained += u64::from(runs.iter().any(|run| run.last_issue().0 == case.worst.makespan()));
    }
    println!("some policy attains the worst case in {attained} of 150");
}

/// The bounds hold for every run, with dependences too, and are refused where they are of less work.
#[test]
fn no_policy_exceeds_the_bounds() {
    let mut tight = 0;
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = random::workload(&mut rng, random::shape_of(seed));
        for workload in [with_dependences(&mut rng, &plain), plain] {
            let bounds = uppers(&workload, &Scenario::of(&workload)).unwrap().unwrap();
            for (policy, draw) in policies().zip([Draw::Most, Draw::Least, Draw::Random].into_iter().cycle())
            {
                let run = run(&workload, policy, draw, seed);
                holds(&run, &bounds).unwrap_or_else(|what| panic!("{what}: {}", random::text(&workload)));
                tight += u64::from(run.last_issue() == bounds.makespan.cycles());
            }
        }
    }
    assert!(tight > 100, "{tight}");
    let machine = || Machine::new(1, Some(1), vec![unit("L", 1, 2, [4, 4])], vec![]).unwrap();
    let long = workload(machine(), &[("LLL", 2)]);
    let short = workload(machine(), &[("LL", 2)]);
    let bounds = uppers(&short, &Scenario::of(&short)).unwrap().unwrap();
    let what = holds(&run(&long, Policy::Oldest, Draw::Most, 0), &bounds).unwrap_err().to_string();
    assert!(
        what.starts_with("policy oldest: the last issue of group 1 is in cycle 11, which is after"),
        "{what}"
    );
    let mut late = run(&short, Policy::Oldest, Draw::Most, 0);
    holds(&late, &bounds).unwrap();
    late.completions[0] = Cycles(99);
    assert!(
        holds(&late, &bounds).unwrap_err().to_string().contains("the last result of group 1 is in cycle 99")
    );
    let later = Scenario { launch: vec![1], ..Scenario::of(&short) };
    assert!(uppers(&short, &later).unwrap().is_none());
}

#[test]
fn units_are_private_or_shared() {
    let machine =
        |shared| Machine::new(2, Some(1), vec![Unit { shared, ..unit("L", 1, 2, [1, 1]) }], vec![]).unwrap();
    let private = workload(machine(false), &[("LL", 2)]);
    assert_eq!(order(&private, Policy::Oldest), "01 - 01");
    // In cycles 1 and 3 scheduler 0 is the first to take, and each L holds the only instance for two cycles.
    let shared = workload(machine(true), &[("LL", 2)]);
    assert_eq!(order(&shared, Policy::Oldest), "0 - 0 - 1 - 1");
    let run = run(&shared, Policy::Oldest, Draw::Most, 0);
    assert_eq!(run.idle_slots, 2 * 7 - 4);
    let range = Policy::ALL.map(|policy| Scenario::of(&shared).suits(&shared, policy).is_ok());
    assert_eq!(range, [true, true, true, true, true, true, false]);
}

#[test]
fn idle_instances_of_a_machine_of_any_width() {
    let machine = Machine::new(2, None, vec![unit("L", 2, 3, [1, 1])], vec![]).unwrap();
    let load = workload(machine, &[("LLL", 2)]);
    let run = run(&load, Policy::Gto, Draw::Most, 0);
    assert_eq!(issued(&load, &run), "01 01 - 01");
    // 4 instances for 4 cycles, of which each warp holds 3 + 3 + 1.
    assert_eq!((run.makespan(), run.idle_slots), (Cycles(4), 16 - 14));
}

/// CLC on three warps, where an L takes three cycles.
#[test]
fn the_youngest_after_the_greedy_one() {
    let machine = Machine::new(1, Some(1), vec![unit("C", 1, 1, [1, 1]), unit("L", 1, 1, [3, 3])], vec![]);
    let workload = workload(machine.unwrap(), &[("CLC", 3)]);
    assert_eq!(order(&workload, Policy::Cggty), "2 2 1 1 2 0 0 1 - 0");
    assert_eq!(order(&workload, Policy::Gto), "0 0 1 1 0 2 2 1 - 2");
}

fn step(machine: &Machine, name: &str, waits: Option<(u32, &[u16], &[u16])>) -> Piece<Step> {
    let waits = waits
        .map(|(stall, needs, sets)| Arc::new(Waits { stall, needs: needs.to_vec(), sets: sets.to_vec() }));
    Piece::Letters { letter: Step { letter: machine.find(name).unwrap(), waits }, count: 1, line: 0 }
}

fn of_steps(machine: Machine, steps: Vec<Piece<Step>>, warps: u64) -> MachineWorkload {
    let group = MachineGroup { code: Piece::Sequence(steps.into()), warps };
    MachineWorkload::new(Arc::new(machine), vec![group]).unwrap()
}

/// Four instructions, the second of which stalls for four cycles, on four warps: the scheduler goes from warp 3
/// to 2 and to 1 and back, and has three cycles without an issue when warp 0 is left alone.
#[test]
fn stall_counts_guide_the_scheduler() {
    let machine = Machine::new(1, Some(1), vec![unit("C", 1, 1, [4, 4])], vec![]).unwrap();
    let steps = [1, 4, 1, 1].map(|stall| step(&machine, "C", Some((stall, &[], &[])))).to_vec();
    let workload = of_steps(machine, steps, 4);
    assert_eq!(order(&workload, Policy::Cggty), "3 3 2 2 1 1 3 3 2 2 1 1 0 0 - - - 0 0");
}

#[test]
fn tokens_and_barriers_wait_for_results() {
    let machine = || Machine::new(1, Some(1), vec![unit("L", 1, 1, [5, 5]), unit("C", 1, 1, [1, 1])], vec![]);
    type Line<'a> = [Option<(&'a str, u32, &'a [u16], &'a [u16])>];
    let of = |steps: &Line| {
        let machine = machine().unwrap();
        let piece = |one: &Option<(&str, u32, &[u16], &[u16])>| match *one {
            Some((name, stall, needs, sets)) => step(&machine, name, Some((stall, needs, sets))),
            None => Piece::Barrier { line: 0 },
        };
        let steps = steps.iter().map(piece).collect();
        let workload = of_steps(machine.clone(), steps, 1);
        let run = run(&workload, Policy::Gto, Draw::Most, 0);
        (issued(&workload, &run), run.makespan().0)
    };
    let (first, second) = (Some(("L", 1, &[][..], &[0][..])), Some(("L", 1, &[][..], &[1][..])));
    assert_eq!(of(&[first, second, Some(("C", 1, &[0], &[]))]), ("0 0 - - - 0".to_owned(), 6));
    assert_eq!(of(&[first, second, Some(("C", 1, &[0, 1], &[]))]), ("0 0 - - - - 0".to_owned(), 7));
    assert_eq!(of(&[first, second, Some(("C", 1, &[], &[]))]), ("0 0 0".to_owned(), 6));
    assert_eq!(of(&[first, second, None, Some(("C", 1, &[], &[]))]), ("0 0 - - - - 0".to_owned(), 7));
    // A token that two loads set is free when both results are there.
    assert_eq!(of(&[first, first, Some(("C", 1, &[0], &[]))]), ("0 0 - - - - 0".to_owned(), 7));
}

#[test]
fn latencies_are_drawn_from_their_intervals() {
    let machine = Machine::new(1, Some(1), vec![unit("L", 1, 1, [2, 900])], vec![]).unwrap();
    let workload = workload(machine, &[("L9", 1)]);
    let last = |draw, seed| run(&workload, Policy::Gto, draw, seed).last_issue().0;
    assert_eq!((last(Draw::Least, 0), last(Draw::Most, 0)), (1 + 8 * 2, 1 + 8 * 900));
    assert_eq!(last(Draw::Random, 3), last(Draw::Random, 3));
    assert!(last(Draw::Random, 3) != last(Draw::Random, 4));
}

/// Cycles without an issue are passed over: this would take hours otherwise.
#[test]
fn long_waits_take_no_time() {
    let machine = Machine::new(1, Some(1), vec![unit("L", 1, 1, [MOST, MOST])], vec![]).unwrap();
    let waits = workload(machine, &[("L40", 2), ("L30", 1)]);
    for policy in policies().filter(|&policy| policy != Policy::Random) {
        assert_eq!(run(&waits, policy, Draw::Most, 0).last_issue().0 / MOST, 39, "{policy}");
    }
    let machine = Machine::new(1, Some(1), vec![unit("L", 1, MOST, [1, 1])], vec![]).unwrap();
    let held = workload(machine, &[("L40", 2)]);
    assert_eq!(run(&held, Policy::Lrr, Draw::Most, 0).last_issue().0, 1 + 79 * MOST);
}

#[test]
fn what_does_not_suit_is_refused() {
    let machine = || Machine::new(1, Some(1), vec![unit("L", 1, 1, [1, MOST])], vec![]).unwrap();
    let refused = |workload: &MachineWorkload, policy| {
        let error = simulate(workload, policy, &Scenario::of(workload), &limits()).unwrap_err();
        match error {
            RunError::Scenario(error) => error,
            other => panic!("{other}"),
        }
    };
    let paths = workload(machine(), &[("L[L/]", 1)]);
    assert_eq!(refused(&paths, Policy::Lrr), ScenarioError::Paths);
    let many = workload(machine(), &[("L100000", 1 << 40)]);
    assert_eq!(refused(&many, Policy::Lrr), ScenarioError::MachineOverflow);
    let few = workload(machine(), &[("L", 1)]);
    assert_eq!(refused(&few, Policy::Worst), ScenarioError::NotTheModel);
    // A group may have no instructions; its warps have numbers all the same.
    let two = Machine::new(2, Some(1), vec![unit("L", 1, 1, [1, 1])], vec![]).unwrap();
    let group = |text: &str, warps| MachineGroup { code: two.code(text).unwrap(), warps };
    let none = MachineGroup { code: Piece::Sequence(vec![].into()), warps: 1 };
    let groups = vec![none, group("LL", 1), group("LL", 2)];
    let empty = MachineWorkload::new(Arc::new(two.clone()), groups).unwrap();
    let run = run(&empty, Policy::Oldest, Draw::Most, 0);
    assert_eq!(issued(&empty, &run), "12 12 3 3");
    assert_eq!(run.completions, [Cycles(0), Cycles(2), Cycles(4)]);
}

const FILE: &str = "[machine]\nname = \"two\"\nschedulers = 2\nissue_width = 1\n[[unit]]\nname = \"L\"\nshared = true\n\
                    occupancy = 2\nlatency = [3, 9]\n[[unit]]\nname = \"SFU\"\nlatency = 4\n";

fn command(args: &[&str]) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.toml"), FILE).unwrap();
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder.path()).timeout(std::time::Duration::from_secs(60));
    command.arg("simulate").args(args).output().unwrap()
}

#[test]
fn the_command_plays_machines() {
    let flags = ["--machine", "two.toml", "--kernel", "L2<SFU>", "--warps", "4"];
    let json = |more: &[&str]| -> serde_json::Value {
        let output = command(&[&flags[..], more, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let all = json(&[]);
    let names: Vec<_> = all["runs"].as_array().unwrap().iter().map(|run| run["policy"].clone()).collect();
    assert_eq!(names, ["lrr", "gto", "oldest", "rt-paws", "random", "cggty"]);
    assert_eq!(all["machine"]["latency"], "most");
    assert_eq!(all["machine"].get("latency_l"), None);
    assert_eq!(all["instance"]["machine"]["name"], "two");
    assert_eq!(all["upper"], 32);
    assert_eq!((&all["best"], &all["worst"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    let one = json(&["--policy", "cggty", "--latency", "least"]);
    let run = &one["runs"][0];
    // Shared L's of two cycles each, of the youngest warps first; then the special functions of four cycles.
    assert_eq!((&run["last_issue"], &run["makespan"]), (&18.into(), &21.into()));
    let text = String::from_utf8(command(&flags).stdout).unwrap();
    assert!(
        text.starts_with("LL<SFU>, 4 warps; machine two: 2 schedulers, 1 a cycle\n2 schedulers, issue width 1, greatest latencies,"),
        "{text}"
    );
    assert!(text.contains("longer than 32 cycles to the last issue, and 35 to the last result"), "{text}");
    for (more, message) in [
        (&["--latency-l", "3"][..], "--latency-l: the machine says it"),
        (&["--schedulers", "3"], "--schedulers: the machine says it"),
        (&["--policy", "worst"], "worst: not of this machine"),
        (&["--policy", "gto", "--schedule", "s.svg"], "s.svg: schedules on machines are not drawn"),
    ] {
        let output = command(&[&flags[..], more].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr.contains(message) && stderr.lines().count() == 1, "{stderr}");
    }
    let paper = command(&["--kernel", "LC", "--warps", "2", "--latency", "most"]);
    assert!(String::from_utf8(paper.stderr).unwrap().contains("--latency: L and C have one latency each"));
}
