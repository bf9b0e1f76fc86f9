//! Three kernels in one partition, together or one at a time: how many task sets are schedulable, by the latency of
//! the load/store unit. This is the program behind the table in docs/partitions.md, section "Kernels that run together".

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::device::{Between, Demand, Gpu, Resources};
use warpspan::model::machine::{Latency, Machine, Unit};
use warpspan::model::time::{Clock, Millionths};
use warpspan::realtime::partition::{
    Execution, Factor, Kind, Launch, Runs, Task, TaskSet, Test, Together, exact, kernel_times, one_at_a_time,
    together,
};

const SETS: u64 = 200;
const MULTIPROCESSORS: usize = 2;
/// T of a task, in tenths of C(2), drawn from this range.
const PERIODS: [[u64; 2]; 3] = [[15, 25], [25, 40], [40, 80]];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| latency of L | T / C(2) | together | one at a time, one partition | one at a time, any partitions |"
    );
    println!("|---|---|---|---|---|");
    for latency in [1, 10, 50, 200] {
        for periods in PERIODS {
            let mut counts = [0; 3];
            for seed in 0..SETS {
                for (count, holds) in counts.iter_mut().zip(judged(latency, periods, seed)?) {
                    *count += u32::from(holds);
                }
            }
            let [least, most] = periods.map(|tenths| format!("{}.{}", tenths / 10, tenths % 10));
            let [together, one, any] = counts;
            println!("| {latency} | {least} to {most} | {together} | {one} | {any} |");
        }
    }
    Ok(())
}

/// Whether a random set of three tasks is schedulable on 2 multiprocessors in each of the three ways.
fn judged(latency: u64, [least, most]: [u64; 2], seed: u64) -> Result<[bool; 3], Box<dyn std::error::Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let load = Unit { latency: Latency { least: latency, most: latency }, ..Unit::simple("L") };
    let compute =
        Unit { latency: Latency { least: latency.min(4), most: latency.min(4) }, ..Unit::simple("C") };
    let machine = Arc::new(Machine::new(1, Some(1), vec![load, compute], vec![])?);
    let resources = Resources { threads: 1024, shared_memory: 1 << 40, registers: 1 << 40, blocks: 16 };
    let clock = Clock::from_megahertz("1000");
    let gpu = Gpu { multiprocessors: MULTIPROCESSORS as u64, resources, register_parts: 1, clock };
    let limits = Limits::generous();
    let (mut tasks, mut kernels) = (Vec::new(), Vec::new());
    for (number, kind) in [Kind::Memory, Kind::Compute, Kind::Memory].into_iter().enumerate() {
        let code: String = (0..64).map(|_| if rng.random_bool(0.3) { 'L' } else { 'C' }).collect();
        let block = Demand::new(64, 32, 0, Between { least: 0, most: 0 });
        let runs = Runs::OnMachine(machine.code(&code)?, Arc::clone(&machine));
        let kernel = Launch { runs, blocks: rng.random_range(2..=8), block };
        let times = kernel_times(&kernel, &gpu, &limits)?;
        let period = Millionths(times[MULTIPROCESSORS - 1].0 * rng.random_range(least..=most) / 10);
        let execution = Execution::with_factor(times, Factor::ONE)?;
        tasks.push(Task::new(format!("t{number}"), period, period, kind, execution)?);
        kernels.push(kernel);
    }
    let set = TaskSet::new(tasks, MULTIPROCESSORS)?;
    let beside = together(&set, &kernels, &gpu, MULTIPROCESSORS, &limits)?;
    let any = exact(&set, Test::NpEdf, &limits).ok().and_then(|optimum| optimum.partitions);
    let used = any.map(|partitions| partitions.iter().map(|one| one.multiprocessors).sum::<usize>());
    Ok([
        matches!(beside, Together::Schedulable(_)),
        one_at_a_time(&set, Test::NpEdf, &limits).is_ok_and(|fewest| fewest.is_some()),
        used.is_some_and(|used| used <= MULTIPROCESSORS),
    ])
}
