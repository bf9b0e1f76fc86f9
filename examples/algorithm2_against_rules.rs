//! How far Algorithm 2 of Pa19 is from the scheduling rules where one of its assumptions does not hold.
//!
//! `cargo run --release --example algorithm2_against_rules` prints the table of docs/response-times.md.

use std::error::Error;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::device::{Gpu, Resources};
use warpspan::model::time::{Duration, TimeUnit};
use warpspan::realtime::rta::{Execution, Measured, Method, Source, Stream, System, Task, analyse};

const SYSTEMS: usize = 20_000;

#[derive(Clone, Copy, PartialEq)]
enum Broken {
    Nothing,
    Sizes,
    Remainder,
    Memory,
    Priorities,
    Streams,
    Copies,
}

fn system(broken: Broken, rng: &mut impl Rng) -> System {
    let kernels = rng.random_range(2..=8_usize);
    let one = [128, 256, 512, 1024][rng.random_range(0..4_usize)];
    let odd = [768, 384, 640, 896][rng.random_range(0..4_usize)];
    let streams = if broken == Broken::Streams { 2 } else { kernels };
    let stream = |index| Stream {
        name: format!("S{index}"),
        priority: if broken == Broken::Priorities { i64::from(index % 2 == 0) } else { 0 },
    };
    let streams: Vec<Stream> = (0..streams).map(stream).collect();
    let mut tasks: Vec<Task> = Vec::new();
    for index in 0..kernels {
        let threads = match broken {
            Broken::Sizes => [128, 256, 512, 1024][rng.random_range(0..4_usize)],
            Broken::Remainder => odd,
            _ => one,
        };
        let memory = if broken == Broken::Memory { rng.random_range(0..=32_u64) << 10 } else { 0 };
        let copy = |rng: &mut dyn Rng| if broken == Broken::Copies { rng.random_range(0..4_u64) } else { 0 };
        tasks.push(Task {
            name: format!("K{}", index + 1),
            period: None,
            sporadic: false,
            jitter: Duration(0),
            deadline: None,
            release: Duration(rng.random_range(0..10)),
            fixed: true,
            execution: Source::Given(Duration(rng.random_range(1..=12))),
            measured: Measured::BesideOthers,
            blocks: rng.random_range(1..=20),
            threads,
            block: Resources { threads, shared_memory: memory, registers: 0, blocks: 1 },
            least: Resources { threads, shared_memory: memory, registers: 0, blocks: 1 },
            stream: index % streams.len(),
            copy_in: Duration(copy(rng)),
            copy_out: Duration(copy(rng)),
            traffic: Vec::new(),
        });
    }
    System::new(Gpu::JETSON_TX2, TimeUnit::Ticks, streams, tasks).expect("blocks fit")
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| assumption broken | equal | too low (unsafe) | too high | mean difference | lowest | highest |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, broken) in [
        ("none", Broken::Nothing),
        ("blocks of one size", Broken::Sizes),
        ("whole blocks a multiprocessor", Broken::Remainder),
        ("threads alone limit (shared memory)", Broken::Memory),
        ("one priority", Broken::Priorities),
        ("a stream each", Broken::Streams),
        ("no copies", Broken::Copies),
    ] {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut equal, mut low, mut high, mut sum) = (0_u32, 0_u32, 0_u32, 0.0);
        let (mut lowest, mut highest) = (0.0_f64, 0.0_f64);
        for _ in 0..SYSTEMS {
            let system = system(broken, &mut rng);
            let given = |task: &Task| match task.execution {
                Source::Given(time) => Execution { time, solved: None },
                _ => unreachable!("all times are given"),
            };
            let executions: Vec<Execution> = system.tasks().iter().map(given).collect();
            let found = analyse(&system, &executions, Method::Algorithm2, None, &Limits::generous())?;
            let (rules, _) = found.simulated.ok_or("the simulator was stopped")?;
            for (one, other) in found.estimates.iter().zip(&rules) {
                let time = |response: &Option<warpspan::realtime::rta::Response>| {
                    response.map_or(0.0, |response| {
                        f64::from(u32::try_from(response.worst.0).unwrap_or(u32::MAX))
                    })
                };
                let apart = time(one) / time(other) - 1.0;
                equal += u32::from(apart == 0.0);
                low += u32::from(apart < 0.0);
                high += u32::from(apart > 0.0);
                sum += apart;
                (lowest, highest) = (lowest.min(apart), highest.max(apart));
            }
        }
        let all = f64::from(equal + low + high);
        let share = |count: u32| format!("{:.1} %", 100.0 * f64::from(count) / all);
        println!(
            "| {name} | {} | {} | {} | {:+.1} % | {:+.0} % | {:+.0} % |",
            share(equal),
            share(low),
            share(high),
            100.0 * sum / all,
            100.0 * lowest,
            100.0 * highest
        );
    }
    Ok(())
}
