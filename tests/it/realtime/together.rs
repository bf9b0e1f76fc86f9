//! Kernels of a partition that run together: the bounds against a simulation that is written from the semantics
//! of machines alone, with arrivals and orders that work against them; and the command.

use std::sync::Arc;

use assert_cmd::Command;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::engines::policy::Reading;
use warpspan::model::device::{Between, Demand, Gpu, Resources};
use warpspan::model::machine::{Latency, Machine, Unit};
use warpspan::model::time::{Clock, Millionths};
use warpspan::model::{Code, Multiprocessor};
use warpspan::realtime::partition::{
    Execution, Kind, Launch, Runs, Task, TaskSet, Together, rt_paws, together,
};

use crate::common::limits;

/// A kind of unit that all schedulers see, with its one letter.
#[derive(Debug, Clone)]
struct Kept {
    instances: u64,
    occupancy: u64,
    latency: [u64; 2],
}

/// A multiprocessor with units L and C.
#[derive(Debug, Clone)]
struct Chip {
    units: [Kept; 2],
    width: Option<u64>,
    schedulers: usize,
}

/// A kernel that is released again and again.
#[derive(Debug, Clone)]
struct Kernel {
    /// The segments between barriers.
    code: String,
    blocks: u64,
    warps: u64,
    period: u64,
}

#[derive(Debug, Clone)]
struct Warp {
    task: usize,
    job: usize,
    block: u64,
    at: usize,
    ready: u64,
    scheduler: usize,
}

/// How the warps of jobs are ordered, in each cycle anew.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    /// Any.
    Random,
    /// This task last.
    Last(usize),
    /// Jobs of this task with odd numbers first, and those with even ones last, so that others are late when one
    /// of those comes.
    Turns(usize),
}

/// The longest response of each task in cycles, from the edge at which a job is released to the end of the cycle
/// of its last result, on one multiprocessor, over some jobs.
fn simulated(chip: &Chip, kernels: &[Kernel], order: Order, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let jobs = 12;
    let mut next: Vec<u64> = kernels.iter().map(|kernel| rng.random_range(0..kernel.period)).collect();
    let mut released = vec![0; kernels.len()];
    let mut running: Vec<Option<u64>> = vec![None; kernels.len()];
    let mut warps: Vec<Warp> = Vec::new();
    let mut held: Vec<(usize, u64)> = Vec::new();
    let mut longest = vec![0; kernels.len()];
    let letters: Vec<Vec<char>> = kernels.iter().map(|kernel| kernel.code.chars().collect()).collect();
    let dense = rng.random_bool(0.7);
    for cycle in 0.. {
        for (task, kernel) in kernels.iter().enumerate() {
            if next[task] == cycle && released[task] < jobs {
                assert_eq!(running[task], None, "the job before has ended");
                let job = released[task];
                released[task] += 1;
                running[task] = Some(cycle);
                next[task] = cycle + kernel.period + if dense { 0 } else { rng.random_range(0..4) };
                for block in 0..kernel.blocks {
                    for _ in 0..kernel.warps {
                        let scheduler = rng.random_range(0..chip.schedulers);
                        warps.push(Warp { task, job, block, at: 0, ready: cycle, scheduler });
                    }
                }
            }
        }
        if warps.is_empty() && released.iter().all(|&released| released == jobs) {
            break;
        }
        // A barrier opens when all warps of the block stand there and all their results are there.
        for at in 0..warps.len() {
            let of = warps[at].clone();
            if letters[of.task].get(of.at) != Some(&'|') {
                continue;
            }
            let same = |warp: &Warp| (warp.task, warp.job, warp.block) == (of.task, of.job, of.block);
            let stands = |warp: &Warp| warp.at == of.at && warp.ready <= cycle;
            if warps.iter().filter(|warp| same(warp)).all(stands) {
                warps.iter_mut().filter(|warp| same(warp)).for_each(|warp| warp.at += 1);
            }
        }
        held.retain(|&(_, free)| free > cycle);
        let mut turn: Vec<usize> = (0..warps.len()).collect();
        turn.shuffle(rng);
        turn.sort_by_key(|&at| match order {
            Order::Random => 1,
            Order::Last(task) => u64::from(warps[at].task == task),
            Order::Turns(task) if warps[at].task == task => {
                if warps[at].job % 2 == 1 {
                    0
                } else {
                    2
                }
            }
            Order::Turns(_) => 1,
        });
        let mut slots = vec![0; chip.schedulers];
        for at in turn {
            let warp = &mut warps[at];
            let Some(unit) = letters[warp.task].get(warp.at).and_then(|&letter| "LC".find(letter)) else {
                continue;
            };
            let Kept { instances, occupancy, latency: [least, most] } = chip.units[unit];
            let full = held.iter().filter(|(other, _)| *other == unit).count() as u64 >= instances;
            if warp.ready > cycle || full || chip.width.is_some_and(|width| slots[warp.scheduler] >= width) {
                continue;
            }
            let latency = if rng.random_bool(0.7) { most } else { rng.random_range(least..=most) };
            held.push((unit, cycle + occupancy));
            slots[warp.scheduler] += 1;
            warp.at += 1;
            warp.ready = cycle + latency;
        }
        // A block ends with all of its results, and a job with the last of its blocks.
        warps.retain(|warp| warp.at < letters[warp.task].len() || warp.ready > cycle + 1);
        for (task, released) in running.iter_mut().enumerate() {
            if warps.iter().all(|warp| warp.task != task)
                && let Some(released) = released.take()
            {
                longest[task] = longest[task].max(cycle + 1 - released);
            }
        }
    }
    longest
}

/// The task set and launches of kernels, whose times are in cycles.
fn of_library(chip: &Chip, kernels: &[Kernel], on_paper: bool, factor: u64) -> (TaskSet, Vec<Launch>, Gpu) {
    let unit = |(name, kept): (&str, &Kept)| Unit {
        instances: kept.instances,
        shared: true,
        occupancy: kept.occupancy,
        latency: Latency { least: kept.latency[0], most: kept.latency[1] },
        ..Unit::simple(name)
    };
    let units = ["L", "C"].into_iter().zip(&chip.units).map(unit).collect();
    let machine = Arc::new(Machine::new(chip.schedulers as u64, chip.width, units, vec![]).unwrap());
    let sigma = |unit: usize| chip.units[unit].instances.to_string().parse().unwrap();
    let launch = |kernel: &Kernel| Launch {
        runs: if on_paper {
            Runs::Code(kernel.code.parse::<Code>().unwrap(), Multiprocessor::new(sigma(0), sigma(1)))
        } else {
            Runs::OnMachine(machine.code(&kernel.code).unwrap(), Arc::clone(&machine))
        },
        blocks: kernel.blocks,
        block: Demand::new(32 * kernel.warps, 32, 0, Between { least: 0, most: 0 }),
    };
    let cycles = |cycles: u64| Millionths(cycles * 1_000_000);
    let task = |(at, kernel): (usize, &Kernel)| {
        let execution = Execution::new(vec![cycles(10)], vec![cycles(10 * factor)]).unwrap();
        let period = cycles(kernel.period);
        Task::new(format!("t{at}"), period, period, Kind::Memory, execution).unwrap()
    };
    let set = TaskSet::new(kernels.iter().enumerate().map(task).collect(), 1).unwrap();
    let resources =
        Resources { threads: 1 << 20, shared_memory: 1 << 40, registers: 1 << 40, blocks: 1 << 20 };
    let gpu = Gpu { multiprocessors: 1, resources, register_parts: 1, clock: Clock::from_hertz(1_000_000) };
    (set, kernels.iter().map(launch).collect(), gpu)
}

/// The bounds in cycles, from a release between two edges, if all deadlines hold.
fn bounds(chip: &Chip, kernels: &[Kernel], on_paper: bool) -> Option<Vec<u64>> {
    let (set, launches, gpu) = of_library(chip, kernels, on_paper, 1);
    match together(&set, &launches, &gpu, 1, &limits()).unwrap() {
        Together::Schedulable(beside) => Some(beside.iter().map(|one| one.response.0 / 1_000_000).collect()),
        _ => None,
    }
}

fn kernel(rng: &mut ChaCha8Rng, barriers: bool) -> Kernel {
    let mut code: String =
        (0..rng.random_range(1..=5)).map(|_| if rng.random_bool(0.5) { 'L' } else { 'C' }).collect();
    if barriers && code.len() > 1 && rng.random_bool(0.4) {
        code.insert(rng.random_range(1..code.len()), '|');
    }
    let (blocks, warps) = (rng.random_range(1..=2), rng.random_range(1..=2));
    Kernel { code, blocks, warps, period: 0 }
}

fn chip(rng: &mut ChaCha8Rng, on_paper: bool) -> Chip {
    if on_paper {
        let unit = |instances| Kept { instances, occupancy: 1, latency: [1, 1] };
        let units = [unit(rng.random_range(1..=2)), unit(rng.random_range(1..=2))];
        return Chip { units, width: None, schedulers: 1 };
    }
    let mut unit = || {
        let least = rng.random_range(1..=4);
        let latency = [least, least + rng.random_range(0..=6)];
        Kept { instances: rng.random_range(1..=2), occupancy: rng.random_range(1..=3), latency }
    };
    let units = [unit(), unit()];
    Chip { units, width: Some(rng.random_range(1..=2)), schedulers: rng.random_range(1..=2) }
}

/// No job of any run takes longer than its bound, and some take as long.
fn judged(on_paper: bool, cases: u64) -> [usize; 3] {
    let (mut schedulable, mut attained, mut nearly) = (0, 0, 0);
    for seed in 0..cases {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let chip = chip(&mut rng, on_paper);
        let mut kernels: Vec<Kernel> = (0..rng.random_range(1..=3)).map(|_| kernel(&mut rng, true)).collect();
        // Periods that are as short as the bounds allow are found step by step.
        let mut found = None;
        for size in [2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233] {
            kernels.iter_mut().for_each(|kernel| kernel.period = size + rng.random_range(0..=size));
            found = bounds(&chip, &kernels, on_paper);
            if found.is_some() {
                break;
            }
        }
        let Some(bounds) = found else { continue };
        schedulable += 1;
        let mut most = vec![0; kernels.len()];
        for round in 0..8 {
            let task = rng.random_range(0..kernels.len());
            let order = [Order::Random, Order::Last(task), Order::Turns(task), Order::Turns(task)][round % 4];
            let found = simulated(&chip, &kernels, order, &mut rng);
            for (task, (found, bound)) in found.iter().zip(&bounds).enumerate() {
                assert!(
                    found < bound,
                    "seed {seed}, {order:?}: task {task} takes {found}: {chip:?} {kernels:?} {bounds:?}"
                );
                most[task] = (*found).max(most[task]);
            }
        }
        // The bound counts a cycle for a release between two edges, which the simulation does not have.
        attained += usize::from(most.iter().zip(&bounds).any(|(found, bound)| found + 1 == *bound));
        nearly += usize::from(most.iter().zip(&bounds).all(|(found, bound)| 2 * found >= *bound));
    }
    [schedulable, attained, nearly]
}

#[test]
fn no_job_takes_longer_than_its_bound() {
    let machine = judged(false, 600);
    let paper = judged(true, 600);
    println!("schedulable, attained by a task, half of it by all: machines {machine:?}, L and C {paper:?}");
    assert!(machine[0] > 400 && machine[1] > 50 && paper[0] > 400 && paper[1] > 120, "{machine:?} {paper:?}");
}

/// The figures of a case by hand: LL and CC, one warp each, on one unit of each kind with one issue a cycle and
/// latencies of 1. Any other letter costs a cycle. A job of the first alone takes 2 cycles. With periods of 100,
/// one job of the other may be there: 2 + 2 cycles, and one for the edge.
#[test]
fn bounds_by_hand() {
    let unit = |latency| Kept { instances: 1, occupancy: 1, latency };
    let chip = Chip { units: [unit([1, 1]), unit([1, 1])], width: Some(1), schedulers: 1 };
    let of = |code: &str, period| Kernel { code: code.to_owned(), blocks: 1, warps: 1, period };
    assert_eq!(bounds(&chip, &[of("LL", 100)], false), Some(vec![3]));
    assert_eq!(bounds(&chip, &[of("LL", 100), of("CC", 100)], false), Some(vec![5, 5]));
    // Two jobs of CC may be there in 5 + 5 cycles if they come every 8: 2 + 2 * 2 + 1 = 7 cycles, and then
    // 7 + 5 = 12 cycles still see two.
    assert_eq!(bounds(&chip, &[of("LL", 100), of("CC", 8)], false), Some(vec![7, 5]));
    // A deadline of 4 is missed.
    assert_eq!(bounds(&chip, &[of("LL", 100), of("CC", 4)], false), None);
    // An L that holds its unit for 3 cycles, 2 beyond its end, costs 3. With a period of 5, the job before may still
    // hold the unit by 4 + 2 cycles after its release; with 6 it cannot.
    let long = Kept { occupancy: 3, ..unit([1, 1]) };
    let holding = Chip { units: [long, unit([1, 1])], width: Some(1), schedulers: 1 };
    assert_eq!(bounds(&holding, &[of("L", 5)], false), None);
    assert_eq!(bounds(&holding, &[of("L", 6)], false), Some(vec![4]));
    // On L and C of any width each unit serves its kernel.
    assert_eq!(bounds(&chip, &[of("LL", 100), of("CC", 100)], true), Some(vec![5, 5]));
}

/// Tasks of one kind are in conflict, and the largest factor lengthens all times: 5 cycles become 15.
#[test]
fn conflict_lengthens_all() {
    let unit = Kept { instances: 1, occupancy: 1, latency: [1, 1] };
    let chip = Chip { units: [unit.clone(), unit], width: Some(1), schedulers: 1 };
    let of = |code: &str| Kernel { code: code.to_owned(), blocks: 1, warps: 1, period: 100 };
    let (set, launches, gpu) = of_library(&chip, &[of("LL"), of("CC")], false, 3);
    let found = together(&set, &launches, &gpu, 1, &limits()).unwrap();
    let Together::Schedulable(beside) = found else { panic!("{found:?}") };
    assert_eq!(beside.iter().map(|one| one.response.0 / 1_000_000).collect::<Vec<_>>(), [15, 15]);
}

/// The run under RT-PAWS is one of those that the bounds are of, with the urgent task first.
#[test]
fn rt_paws_is_within_the_bounds() {
    let mut compared = 0;
    for seed in 0..400 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let on_paper = seed % 2 == 0;
        let chip = chip(&mut rng, on_paper);
        let mut kernels: Vec<Kernel> = (0..3).map(|_| kernel(&mut rng, false)).collect();
        kernels.iter_mut().for_each(|kernel| kernel.period = rng.random_range(200..400));
        let Some(bounds) = bounds(&chip, &kernels, on_paper) else { continue };
        let (set, launches, _) = of_library(&chip, &kernels, on_paper, 1);
        for reading in Reading::ALL {
            let found = rt_paws(&set, &launches, 1, reading, &limits()).unwrap().unwrap();
            for (found, bound) in found.iter().zip(&bounds) {
                assert!(found.0 < *bound, "seed {seed}: {found} {bound}");
            }
        }
        compared += 1;
    }
    assert!(compared > 300, "{compared}");
    let unit = Kept { instances: 1, occupancy: 1, latency: [1, 3] };
    let chip = Chip { units: [unit.clone(), unit], width: Some(1), schedulers: 1 };
    let of = |period| Kernel { code: "LCLC".to_owned(), blocks: 1, warps: 2, period };
    let times = |periods: [u64; 2], reading| {
        let (set, launches, _) = of_library(&chip, &periods.map(of), false, 1);
        rt_paws(&set, &launches, 1, reading, &limits()).unwrap().unwrap()
    };
    for reading in Reading::ALL {
        let (first, second) = (times([50, 90], reading), times([90, 50], reading));
        assert!(first[0] < first[1] && second[1] < second[0], "the shorter deadline is the more urgent");
    }
}

fn resources(threads: u64, registers: u64) -> Resources {
    Resources { threads, shared_memory: 48 << 10, registers, blocks: 8 }
}

/// Whether blocks find room is tried out: in any order, each warp takes its registers from any of four parts.
#[test]
fn rooms_are_sure() {
    let (mut surely, mut not_always) = (0, 0);
    for seed in 0..3000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let room = resources(1024, 4096 * rng.random_range(1..=4));
        let kinds: Vec<(u64, u64, u64, u64)> = (0..rng.random_range(1..=3))
            .map(|_| {
                let registers = 8 * rng.random_range(1..=32);
                (rng.random_range(1..=4), registers, rng.random_range(0..=20) << 10, rng.random_range(1..=4))
            })
            .collect();
        let demand = |&(warps, registers, shared, count): &(u64, u64, u64, u64)| {
            let registers = Between { least: registers, most: registers };
            (Demand::new(32 * warps, 32, shared, registers), count)
        };
        let holds = room.holds(&kinds.iter().map(demand).collect::<Vec<_>>());
        let mut always = true;
        for _ in 0..20 {
            let mut blocks: Vec<(u64, u64, u64)> = kinds
                .iter()
                .flat_map(|&(warps, registers, shared, count)| {
                    std::iter::repeat_n((warps, registers, shared), usize::try_from(count).unwrap())
                })
                .collect();
            blocks.shuffle(&mut rng);
            let (mut parts, mut threads, mut shared, mut slots) =
                ([room.registers / 4; 4], room.threads, room.shared_memory, room.blocks);
            always &= blocks.iter().all(|&(warps, registers, memory)| {
                // The largest units that are known, and what the system takes.
                let (a_warp, memory) =
                    ((32 * registers).div_ceil(256) * 256, (memory + 1024).div_ceil(256) * 256);
                if threads < 32 * warps || shared < memory || slots == 0 {
                    return false;
                }
                (threads, shared, slots) = (threads - 32 * warps, shared - memory, slots - 1);
                (0..warps).all(|_| {
                    let there: Vec<usize> = (0..4).filter(|&part| parts[part] >= a_warp).collect();
                    let Some(&part) = rand::seq::IndexedRandom::choose(&there[..], &mut rng) else {
                        return false;
                    };
                    parts[part] -= a_warp;
                    true
                })
            });
        }
        assert!(always || !holds, "seed {seed}: {kinds:?} in {room:?}");
        surely += u32::from(holds);
        not_always += u32::from(!always);
    }
    assert!(surely > 100 && not_always > 100, "{surely} {not_always}");
}

fn warpspan(folder: &std::path::Path, args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder).timeout(std::time::Duration::from_secs(60));
    command.arg("partition").args(args).output().unwrap()
}

#[test]
fn the_command_runs_kernels_together() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = "instances/si21-partition-co-located.toml";
    let output = warpspan(here, &[file, "--co-located", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&record["used"], &record["one_at_a_time"]), (&2.into(), &serde_json::Value::Null));
    for task in record["tasks"].as_array().unwrap() {
        let of = |key: &str| task[key].as_f64().unwrap();
        assert!(of("rt_paws") <= of("response") && of("response") <= of("deadline"), "{task}");
    }
    let csv = String::from_utf8(warpspan(here, &[file, "--co-located", "--format", "csv"]).stdout).unwrap();
    assert_eq!(csv.lines().count(), 4);
    // Half the multiprocessors hold the blocks no more, and then no deadline is claimed to hold.
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(here.join(file)).unwrap();
    let cases = [
        ("blocks = 16\n", "blocks = 2\n", 3, "not found: not all blocks are sure to find room"),
        ("deadline = 70", "deadline = 34", 3, "not found: task \"track\" has no bound within its deadline"),
        (
            "code = \"(L2C2)8\"\nblocks = 4\nthreads_per_block = 64",
            "execution = [9]",
            2,
            "2 of 3 tasks are given as code",
        ),
        ("code = \"(L2C2)8\"", "code = \"(L2S2)8\"", 2, "want a letter of the machine"),
    ];
    for (old, new, code, message) in cases {
        assert!(text.contains(old), "{old}");
        std::fs::write(folder.path().join("t.toml"), text.replace(old, new)).unwrap();
        let output = warpspan(folder.path(), &["t.toml", "--co-located"]);
        let said = String::from_utf8([output.stdout, output.stderr.clone()].concat()).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(message), "{said}");
        assert!(code == 3 || output.stderr.iter().filter(|&&byte| byte == b'\n').count() == 1, "{said}");
    }
    for flag in ["--exact", "--baseline", "--test=edf", "--order=bf", "--chart=x.svg"] {
        assert_eq!(warpspan(here, &[file, "--co-located", flag]).status.code(), Some(2), "{flag}");
    }
}
