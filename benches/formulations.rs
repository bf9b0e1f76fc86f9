//! The solve times of the ILP's formulations against W, with their numbers of rows and columns, and their
//! ratios.
//!
//! With criterion, `cargo bench --bench formulations` measures the sizes that take about a second or less.
//! Then it solves every size once, for up to a minute each, and prints one table; `-- --quick` shortens the
//! first part. The ratios in the table compare times of the same run, on one thread.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion};
use warpspan::engines::ilp::{Formulation, Horizon, ModelSize, Options, solve};
use warpspan::engines::phase::bound;
use warpspan::limits::Limits;
use warpspan::model::{Instance, Multiprocessor, Throughput};

const LIMIT: Duration = Duration::from_secs(60);

/// The kernel, sigma_L, and the largest number of warps that each formulation is tried with.
const CASES: [(&str, &str, u64); 2] = [("LLCLL", "1", 8), ("LCLCL", "1/2", 4)];

fn instance(kernel: &str, sigma_l: &str, warps: u64) -> Instance {
    let sigma_l = sigma_l.parse().expect("a sigma");
    let multiprocessor = Multiprocessor::new(sigma_l, Throughput::ONE);
    Instance::single(kernel.parse().expect("a kernel"), warps, multiprocessor).expect("an instance")
}

fn run(instance: &Instance, formulation: Formulation, plain: bool) -> (Duration, ModelSize, bool) {
    let limits = Limits::new(Some(LIMIT), 8 << 30, 1, std::sync::Arc::default());
    let horizon = if plain { Horizon::Paper } else { Horizon::Safe }; // at sigma 1 the paper's is safe
    let options = Options { formulation, plain, horizon, ..Options::default() };
    let start = Instant::now();
    let longest = bound(instance).makespan;
    let outcome = solve(instance, longest, &options, &limits, None).expect("HiGHS runs");
    (start.elapsed(), outcome.size, outcome.stop.is_none())
}

fn variants() -> impl Iterator<Item = (String, Formulation, bool)> {
    Formulation::ALL.into_iter().flat_map(|formulation| {
        let name = formulation.name();
        [(format!("{name} plain"), formulation, true), (name.to_owned(), formulation, false)]
    })
}

fn measure(criterion: &mut Criterion) {
    for (kernel, sigma_l, _) in CASES {
        let mut group = criterion.benchmark_group(format!("{kernel}, sigma_L = {sigma_l}"));
        group.sample_size(10);
        for (name, formulation, plain) in variants().filter(|(_, _, plain)| !plain) {
            for warps in 1..=3 {
                let instance = instance(kernel, sigma_l, warps);
                group.bench_with_input(
                    BenchmarkId::new(name.clone(), warps),
                    &instance,
                    |bencher, instance| {
                        bencher.iter(|| run(black_box(instance), formulation, plain));
                    },
                );
            }
        }
        group.finish();
    }
}

/// Solves each size once, to show the growth with W.
fn table() {
    for (kernel, sigma_l, most) in CASES {
        println!(
            "\n{kernel}, sigma_L = {sigma_l}, sigma_C = 1, one thread; seconds (ratio to aggregated), rows x columns"
        );
        let variants: Vec<_> = variants().collect();
        let mut stopped = vec![false; variants.len()];
        for warps in 2..=most {
            let instance = instance(kernel, sigma_l, warps);
            let (base, ..) = run(&instance, Formulation::Aggregated, false);
            let mut line = format!("W = {warps:2}");
            for ((name, formulation, plain), stopped) in variants.iter().zip(&mut stopped) {
                if *stopped {
                    line += &format!(" | {name}: -");
                    continue;
                }
                let (time, size, proved) = run(&instance, *formulation, *plain);
                let ratio = time.as_secs_f64() / base.as_secs_f64();
                let mark = if proved { "" } else { ">" };
                let seconds = time.as_secs_f64();
                line +=
                    &format!(" | {name}: {mark}{seconds:.2} ({ratio:.1}), {} x {}", size.rows, size.columns);
                *stopped = !proved;
            }
            println!("{line}");
        }
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    if !std::env::args().any(|argument| argument == "--test") {
        table();
    }
}
