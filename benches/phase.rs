//! The closed form and the phase bound against the length of the kernel and the number of warps, the schedule's writer in issues
//! a second, and a whole solve beside the exhaustive search.
//!
//! `cargo bench --bench phase`.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput as Rate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::{Instance, Multiprocessor};
use warpspan::phase::{bound, rate, straggler};
use warpspan::solve::{Engine, IlpOptions, solve};
use warpspan::states;

fn kernel(length: usize) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    (0..length).map(|_| if rng.random_bool(0.5) { 'L' } else { 'C' }).collect()
}

fn instance(kernel: &str, warps: u64, sigma_c: &str) -> Instance {
    let multiprocessor =
        Multiprocessor::new("1".parse().expect("a sigma"), sigma_c.parse().expect("a sigma"));
    Instance::single(kernel.parse().expect("a kernel"), warps, multiprocessor).expect("an instance")
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("letters");
    for length in [1_000, 10_000, 100_000, 1_000_000] {
        let instances = ["1", "4"].map(|sigma| instance(&kernel(length), 48, sigma));
        group.throughput(Rate::Elements(length as u64));
        group.sample_size(10);
        group.bench_with_input(
            BenchmarkId::new("closed form, rate", length),
            &instances[0],
            |bencher, instance| {
                bencher.iter(|| rate(&black_box(instance).groups()[0].kernel));
            },
        );
        group.bench_with_input(
            BenchmarkId::new("phase bound, sigma 1, 4", length),
            &instances[1],
            |bencher, instance| {
                bencher.iter(|| bound(black_box(instance)));
            },
        );
    }
    group.finish();

    let mut group = criterion.benchmark_group("warps");
    for warps in [8, 800, 80_000, 8_000_000] {
        let instance = instance(&kernel(100), warps, "4");
        group.bench_with_input(
            BenchmarkId::new("phase bound, 100 letters", warps),
            &instance,
            |bencher, instance| {
                bencher.iter(|| bound(black_box(instance)));
            },
        );
    }
    group.finish();

    let mut group = criterion.benchmark_group("schedule");
    let long = instance(&kernel(1000), 480, "1");
    group.throughput(Rate::Elements(long.total_issues()));
    group.bench_function("issues written by rule, 1000 letters, 480 warps", |bencher| {
        bencher.iter(|| {
            straggler(&black_box(&long).groups()[0].kernel, 480).fold(0, |sum, issue| sum ^ issue.cycle)
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("LLCLL, W = 60");
    group.sample_size(10);
    let llcll = instance("LLCLL", 60, "1");
    group.bench_function("closed form, schedule and replay", |bencher| {
        let limits = Limits::generous();
        bencher.iter(|| solve(black_box(&llcll), Engine::Phase, &IlpOptions::default(), &limits, None));
    });
    group.bench_function("exhaustive search, worst and best case", |bencher| {
        let limits = Limits::generous();
        bencher.iter(|| states::solve(black_box(&llcll), &limits, &|_| ()));
    });
    group.finish();
    criterion.final_summary();
}
