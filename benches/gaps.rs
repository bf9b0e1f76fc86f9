//! How wide intervals remain above sigma 1: the sum of upper - lower after some seconds, for 200 fixed random
//! instances.
//!
//! `cargo bench --bench gaps` gives ten seconds to each instance and takes half an hour at most; `-- 2` gives
//! two seconds to each. The instances have strings of 10 to 40 letters, 8 to 64 warps in all, one to three
//! groups, and sigma pairs of which some are those of real compute capabilities.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::engines::phase::bound;
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::limits::{Limits, default_memory, default_threads};
use warpspan::model::{Instance, Multiprocessor, WarpGroup};

const INSTANCES: usize = 200;
/// The sigma pairs. Only mixes use (1, 1), since a single kernel is always solved there.
const SIGMAS: [(&str, &str); 7] =
    [("1", "1"), ("1", "2"), ("1", "4"), ("1", "6"), ("2", "2"), ("2", "4"), ("4", "4")];

fn random(rng: &mut ChaCha8Rng) -> Instance {
    let groups = rng.random_range(1..=3);
    let (l, c) = SIGMAS[rng.random_range(usize::from(groups == 1)..SIGMAS.len())];
    let multiprocessor = Multiprocessor::new(l.parse().expect("a sigma"), c.parse().expect("a sigma"));
    let total = rng.random_range(8..=64_u64);
    let group = |rng: &mut ChaCha8Rng, warps| {
        let (length, share) = (rng.random_range(10..=40), rng.random_range(0.2..0.7));
        let kernel: String = (0..length).map(|_| if rng.random_bool(share) { 'L' } else { 'C' }).collect();
        WarpGroup { kernel: kernel.parse().expect("a kernel"), warps }
    };
    let mut left = total;
    let mut members = Vec::new();
    for at in 0..groups {
        let more = groups - at - 1;
        let warps = if more == 0 { left } else { rng.random_range(1..=left - more) };
        left -= warps;
        members.push(group(rng, warps));
    }
    Instance::new(members, multiprocessor).expect("an instance")
}

fn main() {
    let seconds = std::env::args().filter_map(|argument| argument.parse().ok()).next_back().unwrap_or(10);
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(2012);
    println!("sigmas  groups  warps  letters  lower  upper    gap  per cent  phase bound  seconds");
    let (mut exact, mut small, mut gaps) = (0, 0, Vec::new());
    let (mut exact_bound, mut time) = (0, Duration::ZERO);
    for _ in 0..INSTANCES {
        let instance = random(&mut rng);
        let limits = Limits::new(
            Some(Duration::from_secs(seconds)),
            default_memory(),
            default_threads(),
            std::sync::Arc::default(),
        );
        let start = Instant::now();
        let solution =
            Solver::new().engine(EngineChoice::Phase).limits(&limits).solve(&instance).expect("an interval");
        time += start.elapsed();
        let (lower, upper) =
            (solution.worst_case().lower().cycles().0, solution.worst_case().upper().cycles().0);
        let first = bound(&instance).makespan.cycles().0;
        let share = 100.0 * f64::from(u32::try_from(upper - lower).expect("few"))
            / f64::from(u32::try_from(upper).expect("few"));
        exact += usize::from(upper == lower);
        exact_bound += usize::from(first == lower);
        small += usize::from(share <= 2.0);
        gaps.push(share);
        let sigma = |unit| instance.sigma(unit).to_string();
        println!(
            "{:>3},{:<3} {:>6} {:>6} {:>8} {lower:>6} {upper:>6} {:>6} {share:>9.2} {first:>12} {:>8.2}",
            sigma(warpspan::model::Unit::LoadStore),
            sigma(warpspan::model::Unit::CudaCore),
            instance.groups().len(),
            instance.total_warps(),
            instance.groups().iter().map(|group| group.kernel.len()).sum::<usize>(),
            upper - lower,
            start.elapsed().as_secs_f64(),
        );
    }
    gaps.sort_by(f64::total_cmp);
    println!(
        "\n{INSTANCES} instances, {seconds} s each at most, {:.0} s in all: {exact} exact (for {exact_bound} of them the phase bound alone is the worst case), \
         {small} within 2 per cent; median gap {:.2} per cent, largest {:.2}",
        time.as_secs_f64(),
        gaps[INSTANCES / 2],
        gaps[INSTANCES - 1]
    );
}
