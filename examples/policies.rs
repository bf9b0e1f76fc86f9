//! Response times of two instances of the same kernel under LRR, GTO and RT-PAWS, as in Si21 Fig. 4.2 and
//! 4.3. The kernels are synthetic replacements for those of Si21 Table 4.2. The program prints the tables of
//! docs/policies.md: those of the reading `text` of RT-PAWS, or those of the reading that is its argument.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use warpspan::engines::policy::{Policy, Reading, Scenario, on_units, simulate};
use warpspan::limits::Limits;
use warpspan::model::{Instance, Kernel, Multiprocessor, PerUnit, Unit, WarpGroup};

/// The name and the type of each kernel, the number of L's among its 64 letters, and the latency of an L. The
/// latency of a C is 4.
const KERNELS: [(&str, &str, usize, u64); 8] = [
    ("pc", "CI", 2, 200),
    ("pf", "CI", 8, 30),
    ("2dconv", "CI", 10, 60),
    ("dxtc", "CI", 6, 100),
    ("vadd", "MI", 32, 200),
    ("gemm", "MI", 20, 100),
    ("hist", "MI", 24, 150),
    ("atax", "MI", 28, 300),
];
/// The warps of each kernel: half of the 16 that a scheduler holds.
const WARPS: u64 = 8;

/// How many kernels of each kind are drawn at random, to see how far results depend on a single drawing.
const DRAWS: u64 = 200;

/// The response times of the first and the second kernel, and their mean.
#[derive(Clone, Copy)]
struct Response(f64, f64);

impl Response {
    fn mean(self) -> f64 {
        f64::midpoint(self.0, self.1)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked = std::env::args().nth(1).unwrap_or_else(|| Reading::Text.name().to_owned());
    let reading = Reading::ALL.into_iter().find(|reading| reading.name() == asked);
    let reading = reading.ok_or("want text or rotating")?;
    println!(
        "| kernel | type | L of 64 | latency of L | LRR K1 | LRR K2 | GTO K1 | GTO K2 | RT-PAWS K1 | RT-PAWS K2 | p |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let (mut means, mut draws) = (String::new(), String::new());
    for (at, (name, kind, loads, latency)) in (0..).zip(KERNELS) {
        let (lrr, gto, paws, urgent) = responses(&kernel(loads, at)?, latency, reading)?;
        let of = |time: f64| format!("{:.3}", time / lrr.0);
        let times = [lrr.0, lrr.1, gto.0, gto.1, paws.0, paws.1].map(of).join(" | ");
        println!("| {name} | {kind} | {loads} | {latency} | {times} | {urgent} |");
        let [gto, paws] = [gto, paws].map(|response| response.mean() / lrr.mean());
        means += &format!("| {name} | {kind} | 1.000 | {gto:.3} | {paws:.3} |\n");
        let mut count = [0; 4];
        for draw in 0..DRAWS {
            let (lrr, gto, paws, _) = responses(&kernel(loads, 1000 + draw)?, latency, reading)?;
            let facts =
                [paws.1 > lrr.1, paws.0 > lrr.0, paws.mean() > lrr.mean(), paws.mean() > 1.05 * gto.mean()];
            count.iter_mut().zip(facts).for_each(|(count, fact)| *count += u32::from(fact));
        }
        draws += &format!("| {name} | {} |\n", count.map(|count| count.to_string()).join(" | "));
    }
    println!("\n| kernel | type | LRR | GTO | RT-PAWS |\n|---|---|---|---|---|\n{means}");
    println!(
        "| kernel | K2 later than under LRR | K1 later than under LRR | mean above LRR | mean 5 % above GTO |"
    );
    println!("|---|---|---|---|---|\n{draws}");
    Ok(())
}

/// The response times under LRR, under GTO, and under RT-PAWS with the priority that serves the second kernel
/// best; and this priority.
fn responses(
    kernel: &Kernel,
    latency: u64,
    reading: Reading,
) -> Result<(Response, Response, Response, u64), Box<dyn std::error::Error>> {
    let of = |policy, priority| response(kernel, latency, policy, priority, reading);
    let (lrr, gto) = (of(Policy::Lrr, 1)?, of(Policy::Gto, 1)?);
    let (mut paws, mut urgent) = (of(Policy::RtPaws, 2)?, 2);
    for priority in [4, 8] {
        let found = of(Policy::RtPaws, priority)?;
        if found.1 < paws.1 {
            (paws, urgent) = (found, priority);
        }
    }
    Ok((lrr, gto, paws, urgent))
}

/// A kernel of 64 letters with the given number of L's, whose places are random; `number` is the seed.
fn kernel(loads: usize, number: u64) -> Result<Kernel, Box<dyn std::error::Error>> {
    let mut units: Vec<Unit> =
        (0..64).map(|at| if at < loads { Unit::LoadStore } else { Unit::CudaCore }).collect();
    units.shuffle(&mut ChaCha8Rng::seed_from_u64(number));
    Kernel::new(units).ok_or_else(|| "no letters".into())
}

/// Runs both instances on one scheduler that issues one instruction a cycle. The first starts at cycle 0, the
/// second at 1.
fn response(
    kernel: &Kernel,
    latency: u64,
    policy: Policy,
    urgent: u64,
    reading: Reading,
) -> Result<Response, Box<dyn std::error::Error>> {
    let group = || WarpGroup { kernel: kernel.clone(), warps: WARPS };
    let instance = Instance::new(vec![group(), group()], Multiprocessor::default())?;
    let latency = PerUnit::from_fn(|unit| if unit == Unit::LoadStore { latency } else { 4 });
    let workload = on_units(&instance, 1, Some(1), latency)?;
    let (launch, priority) = (vec![0, 1], vec![1, urgent]);
    let scenario = Scenario { launch, priority, reading, ..Scenario::of(&workload) };
    let run = simulate(&workload, policy, &scenario, &Limits::generous())?;
    let time = |group: usize| u32::try_from(run.completions[group].0 - scenario.launch[group]).map(f64::from);
    Ok(Response(time(0)?, time(1)?))
}
