//! The time to partition a task set that is drawn as in Si21's experiments, against the tasks and the
//! multiprocessors.
//!
//! `cargo bench --bench partition`.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::realtime::partition::{Generator, Heuristic, Parameters, TaskSet, Test, exact};

/// A task set whose utilisation is the given fraction of the multiprocessors.
fn set(tasks: usize, multiprocessors: u32, part: f64) -> TaskSet {
    let utilisation = part * f64::from(multiprocessors);
    let multiprocessors = usize::try_from(multiprocessors).expect("a few");
    let parameters = Parameters { multiprocessors, ..Parameters::default() };
    let generator = Generator { tasks, utilisation, parameters: &parameters };
    generator.draw(&mut ChaCha8Rng::seed_from_u64(7)).expect("a set")
}

fn main() {
    let limits = Limits::new(None, 1 << 30, 1, std::sync::Arc::default());
    let mut criterion = Criterion::default().configure_from_args();
    let mut measure = |name: &str, sets: Vec<(String, TaskSet)>| {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for (parameter, set) in &sets {
            for heuristic in Heuristic::ALL {
                let id = BenchmarkId::new(heuristic.name(), parameter);
                // The heuristic merges to its end, even if fewer merges would suffice.
                group.bench_function(id, |bencher| {
                    bencher.iter(|| heuristic.partition(black_box(set), Test::Edf, 0, &limits));
                });
            }
        }
        group.finish();
    };
    let tasks = [25, 50, 100, 200, 400];
    measure("tasks, M = 68", tasks.map(|n| (n.to_string(), set(n, 68, 0.4))).to_vec());
    let multiprocessors = [17, 34, 68, 136, 272];
    measure("M, 200 tasks", multiprocessors.map(|m| (m.to_string(), set(200, m, 0.4))).to_vec());
    let mut group = criterion.benchmark_group("exact, M = 16");
    group.sample_size(10);
    for tasks in [4, 8, 12, 16] {
        let set = set(tasks, 16, 0.4);
        group.bench_function(BenchmarkId::from_parameter(tasks), |bencher| {
            bencher.iter(|| exact(black_box(&set), Test::Edf, &limits));
        });
    }
    group.finish();
    criterion.final_summary();
}
