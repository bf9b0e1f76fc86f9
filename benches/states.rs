//! The two searches over states: their states a second on one and two threads, their growth with W and I, and
//! a comparison with the ILP and with the simplest loop that does the same.
//!
//! With criterion, `cargo bench --bench states` measures what takes up to about a second. Then it solves
//! every size once and prints tables. Their ratios compare times of the same run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput as Rate};
use warpspan::engines::ilp::{Formulation, Options, solve};
use warpspan::engines::phase::bound;
use warpspan::engines::states::{Method, Outcome, by, predict};
use warpspan::limits::Limits;
use warpspan::model::{Instance, Multiprocessor};

fn limits(threads: usize, time: Option<Duration>) -> Limits {
    Limits::new(time, 8 << 30, threads, std::sync::Arc::default())
}

fn instance(kernel: &str, warps: u64) -> Instance {
    let kernel = kernel.parse().expect("a kernel");
    Instance::single(kernel, warps, Multiprocessor::default()).expect("an instance")
}

fn search(instance: &Instance, method: Method, threads: usize) -> Outcome {
    by(method, instance, &limits(threads, None), &|_| ()).expect("it fits")
}

fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = run();
    (start.elapsed().as_secs_f64(), result)
}

/// The simplest loop, on one thread: it visits every state in the order of its rank, at sigma = 1, with two
/// bytes a state.
fn plain(kernel: &str, warps: usize) -> u16 {
    let letters = kernel.as_bytes();
    let length = letters.len();
    let choose = |n: usize, k: usize| (1..=k).fold(1, |product, i| product * (n - k + i) / i);
    let fall: Vec<Vec<usize>> = (0..length)
        .map(|i| (0..=warps).map(|s| if s == 0 { 0 } else { choose(s + i - 1, i) }).collect())
        .collect();
    let mut longest = vec![0_u16; choose(warps + length, length)];
    let mut state = vec![0_usize; length];
    let mut steps = [Vec::with_capacity(length), Vec::with_capacity(length)];
    for rank in 1..longest.len() {
        let turn =
            (0..length).find(|&i| i + 1 == length || state[i] < state[i + 1]).expect("a position turns");
        state[turn] += 1;
        state[..turn].fill(0);
        steps.iter_mut().for_each(Vec::clear);
        for i in 0..length {
            if state[i] > if i == 0 { 0 } else { state[i - 1] } {
                steps[usize::from(letters[i] == b'C')].push(fall[i][state[i]]);
            }
        }
        for steps in &mut steps {
            if steps.is_empty() {
                steps.push(0);
            }
        }
        let mut most = 0;
        for a in &steps[0] {
            for b in &steps[1] {
                most = most.max(longest[rank - a - b]);
            }
        }
        longest[rank] = most + 1;
    }
    longest[longest.len() - 1]
}

/// Measures states a second. The dense sweep computes both the worst and the best case of each state.
fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("states a second");
    group.sample_size(10);
    let states = |instance: &Instance| predict(instance, &limits(1, None)).states;
    for (kernel, warps) in [("LLCLL", 60), ("LLCLLCLL", 20)] {
        let instance = instance(kernel, warps);
        group.throughput(Rate::Elements(states(&instance)));
        let warps = usize::try_from(warps).expect("few");
        group.bench_function(format!("plain loop, worst only, {kernel} W={warps}"), |bencher| {
            bencher.iter(|| plain(black_box(kernel), warps));
        });
        group.throughput(Rate::Elements(2 * states(&instance)));
        for threads in [1, 2] {
            let id = BenchmarkId::new(
                format!("dense sweep, worst and best, {kernel} W={warps}, threads"),
                threads,
            );
            group.bench_with_input(id, &instance, |bencher, instance| {
                bencher.iter(|| search(black_box(instance), Method::Dense, threads));
            });
        }
    }
    for (kernel, warps) in [("(LLC)8", 7), ("(LLCLCCLC)10", 4)] {
        let instance = instance(kernel, warps);
        group.throughput(Rate::Elements(search(&instance, Method::Levels, 2).states));
        for threads in [1, 2] {
            let id =
                BenchmarkId::new(format!("levels, reached states, {kernel} W={warps}, threads"), threads);
            group.bench_with_input(id, &instance, |bencher, instance| {
                bencher.iter(|| search(black_box(instance), Method::Levels, threads));
            });
        }
    }
    group.finish();
}

/// Measures the growth of the dense sweep with W and with I, beside the simplest loop.
fn growth() {
    println!(
        "\ndense sweep (worst and best, 2 threads) and the plain loop (worst only, 1 thread), each once"
    );
    println!(
        "{:<12} {:>4} {:>13} {:>9} {:>9} {:>9} {:>7}",
        "kernel", "W", "states", "B/state", "dense s", "loop s", "ratio"
    );
    let cases = [8, 16, 32, 60, 100, 128].map(|warps| ("LLCLL", warps)).into_iter();
    let lengths = ["LCL", "LLCL", "LLCLLC", "LLCLLCL", "LLCLLCLL"].map(|kernel| (kernel, 24));
    for (kernel, warps) in cases.chain(lengths).chain([("LCL", 600), ("LLCLLCLL", 32)]) {
        let instance = instance(kernel, warps);
        let prediction = predict(&instance, &limits(2, None));
        let (seconds, outcome) = timed(|| search(&instance, Method::Dense, 2));
        let (naive, longest) = timed(|| plain(kernel, usize::try_from(warps).expect("few")));
        assert_eq!(outcome.worst.cycles().0, u64::from(longest));
        let bytes = prediction.dense_bytes / prediction.states;
        println!(
            "{kernel:<12} {warps:>4} {:>13} {bytes:>9} {seconds:>9.3} {naive:>9.3} {:>7.1}",
            outcome.states,
            2.0 * naive / seconds
        );
    }
    println!("(ratio: states a second of the sweep over those of the loop)");
    println!("\nsearch by levels, 2 threads, each once");
    println!(
        "{:<14} {:>4} {:>13} {:>9} {:>9} {:>14}",
        "kernel", "W", "reached", "seconds", "Mstate/s", "worst, best"
    );
    for (kernel, warps) in [
        ("(LLCLC)200", 2),
        ("(LLCLCCLC)40", 2),
        ("(LLCLC)40", 3),
        ("(LLCLC)16", 4),
        ("(LLC)4", 7),
        ("(LLC)8", 7),
    ] {
        let instance = instance(kernel, warps);
        let (seconds, outcome) = timed(|| search(&instance, Method::Levels, 2));
        let rate = f64::from(u32::try_from(outcome.states).expect("few")) / seconds / 1e6;
        let best = outcome.best.expect("no limit");
        println!(
            "{kernel:<14} {warps:>4} {:>13} {seconds:>9.3} {rate:>9.2} {:>9}, {best}",
            outcome.states,
            outcome.worst.cycles()
        );
    }
}

/// Solves the largest W that each formulation of the ILP can solve within a minute, and searches the same
/// instances.
fn against_ilp() {
    println!("\nILP, one thread, at the largest W solved within a minute, and the dense sweep, one thread");
    for kernel in ["LLCLL", "LLCLLCLL"] {
        for formulation in Formulation::ALL {
            let mut largest = None;
            for warps in 2.. {
                let instance = instance(kernel, warps);
                let limits = limits(1, Some(Duration::from_secs(60)));
                let options = Options { formulation, ..Options::default() };
                let (ilp, outcome) = timed(|| {
                    let longest = bound(&instance).makespan;
                    solve(&instance, longest, &options, &limits, None).expect("HiGHS runs")
                });
                if outcome.stop.is_some() {
                    break;
                }
                let (states, _) = timed(|| search(&instance, Method::Dense, 1));
                largest = Some((warps, ilp, states));
            }
            if let Some((warps, ilp, states)) = largest {
                let name = formulation.name();
                let ratio = ilp / states;
                println!(
                    "{kernel:<9} {name:<10} W = {warps:>2}: {ilp:>7.2} s, states {states:.6} s, {ratio:.0} times"
                );
            }
        }
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    if !std::env::args().any(|argument| argument == "--test") {
        growth();
        against_ilp();
    }
}
