//! Warp-instructions a second of each policy on one thread, for 48 warps of 10,000 letters, half of them for
//! each unit.
//!
//! `cargo bench --bench policy`.

use std::hint::black_box;

use criterion::{Criterion, Throughput as Rate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::engines::policy::{Policy, Scenario, of_model, on_units, simulate};
use warpspan::limits::Limits;
use warpspan::model::{Instance, Kernel, Multiprocessor, PerUnit, Unit, WarpGroup};

fn main() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let units = (0..10_000).map(|_| Unit::ALL[usize::from(rng.random_bool(0.5))]).collect();
    let kernel = Kernel::new(units).expect("a kernel");
    let group = || WarpGroup { kernel: kernel.clone(), warps: 24 };
    let instance = Instance::new(vec![group(), group()], Multiprocessor::default()).expect("an instance");
    let latency = PerUnit::from_fn(|unit| if unit == Unit::LoadStore { 100 } else { 4 });
    let model = of_model(&instance).expect("a workload");
    let narrow = |schedulers| on_units(&instance, schedulers, Some(1), latency).expect("a workload");
    let mut criterion = Criterion::default().configure_from_args();
    for (name, workload, launch) in [
        ("model, replayed", model, vec![0, 0]),
        ("issue width 1, latencies 100, 4", narrow(1), vec![0, 1]),
        ("four schedulers", narrow(4), vec![0, 1]),
    ] {
        let scenario = Scenario { launch, priority: vec![1, 2], ..Scenario::of(&workload) };
        let mut group = criterion.benchmark_group(name);
        group.throughput(Rate::Elements(instance.total_issues()));
        group.sample_size(10);
        for policy in Policy::ALL.into_iter().filter(|&policy| policy != Policy::Worst) {
            group.bench_function(policy.name(), |bencher| {
                bencher.iter(|| simulate(black_box(&workload), policy, &scenario, &Limits::generous()));
            });
        }
        group.finish();
    }
    criterion.final_summary();
}
