//! The closed form and the phase bound against the length of the kernel and the number of warps, the speed of
//! writing the schedule in issues a second, and whole solves beside those of the other engines.
//!
//! `cargo bench --bench phase`.

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput as Rate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::engines::ilp;
use warpspan::engines::phase::{bound, rate, straggler};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::model::{Instance, Multiprocessor};

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

    criterion.final_summary();
    if std::env::args().any(|argument| argument == "--bench") && std::env::args().count() < 3 {
        sizes();
    }
}

/// Solves LLCLL with each engine at sizes that it can handle, and prints the shortest of three times in
/// seconds.
fn sizes() {
    println!("\nLLCLL at sigma 1, seconds, two threads at most");
    println!("   W  closed form  states  ILP, aggregated  states / closed form  ILP / closed form");
    for warps in [6, 8, 20, 60, 100, 600] {
        let llcll = instance("LLCLL", warps, "1");
        let time = |engine: EngineChoice, largest| -> Option<f64> {
            let least = (0..3).map(|_| {
                let start = Instant::now();
                let solution = Solver::new().engine(engine.clone()).solve(&llcll);
                assert!(solution.is_ok_and(|solution| solution.worst_case().is_exact()));
                start.elapsed().as_secs_f64()
            });
            (warps <= largest).then(|| least.fold(f64::INFINITY, f64::min))
        };
        let closed = time(EngineChoice::Phase, u64::MAX).expect("any size");
        let ilp = ilp::AVAILABLE.then(|| time(EngineChoice::Ilp(ilp::Options::DEFAULT), 8)).flatten();
        let others = [time(EngineChoice::States, 100), ilp];
        let show = |value: Option<f64>, digits| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let [states, ilp] = others;
        println!(
            "{warps:>4} {closed:>12.6} {:>7} {:>16} {:>21} {:>18}",
            show(states, 4),
            show(ilp, 3),
            show(states.map(|states| states / closed), 0),
            show(ilp.map(|ilp| ilp / closed), 0),
        );
    }
}
