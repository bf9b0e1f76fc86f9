//! Random chains of host work, copies and kernels: how many sets are proved with multiprocessors of their own, shared or
//! searched, with one or two blocks on each, and where the host waits actively. This is the program behind the table in
//! docs/graphs.md, section "RTGPU".

use std::fmt::Write;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::realtime::graph::{analyse, read_graphs};
use warpspan::realtime::rta::{Verdict, executions};

const SETS: u64 = 100;
const CHAINS: usize = 5;
const MULTIPROCESSORS: u64 = 10;
/// A block takes so many tenths of its time alone if another one is on its multiprocessor.
const INTERLEAVED: u64 = 18;

/// A chain: host, then twice copy, kernel, copy, host. Times are tenths of a millisecond.
struct Chain {
    host: [u64; 3],
    copies: [u64; 4],
    /// The blocks of each kernel, and how long one takes alone on its multiprocessor.
    kernels: [(u64, u64); 2],
    period: u64,
}

/// How the multiprocessors are given to chains.
#[derive(Clone, Copy)]
enum Given {
    Searched,
    Even,
    Shared,
}

fn chain(rng: &mut ChaCha8Rng, percent: u64) -> Chain {
    let host: [u64; 3] = [(); 3].map(|()| rng.random_range(10..=100));
    let copies: [u64; 4] = [(); 4].map(|()| rng.random_range(10..=50));
    let kernels: [(u64, u64); 2] = [(); 2].map(|()| (rng.random_range(10..=40), rng.random_range(10..=40)));
    // What it takes alone on an even share of the multiprocessors, without interleaving.
    let share = MULTIPROCESSORS / CHAINS as u64;
    let of_kernels: u64 = kernels.iter().map(|(blocks, time)| blocks.div_ceil(share) * time).sum();
    let length = host.iter().sum::<u64>() + copies.iter().sum::<u64>() + of_kernels;
    Chain {
        host,
        copies,
        kernels,
        period: length * 100 / (percent * rng.random_range(70..=130) / 100).max(1),
    }
}

fn toml(chains: &[Chain], given: Given, interleaved: bool) -> String {
    let mut text = format!(
        "[gpu]\nmultiprocessors = {MULTIPROCESSORS}\nthreads = 2048\nshared_memory = 65536\nregisters = 65536\nblocks = 32\n\
         [cores]\npolicy = \"fixed-priority\"\n[copies]\nengines = [\"bus\"]\npolicy = \"fixed-priority\"\n"
    );
    let (threads, tenths) = if interleaved { (1024, INTERLEAVED) } else { (1024, 10) };
    // A block that has its multiprocessor for itself takes all of its shared memory.
    let shared = if interleaved { 32_768 } else { 65_536 };
    let mut graphs = String::new();
    for (number, chain) in chains.iter().enumerate() {
        let Chain { host, copies, kernels, period } = chain;
        for (kernel, (blocks, time)) in kernels.iter().enumerate() {
            let _ = write!(
                text,
                "[[kernel]]\nname = \"{number}-{kernel}\"\nblocks = {blocks}\nthreads_per_block = {threads}\nshared_memory = {shared}\nregisters_per_thread = 0\nexecution = {}\n",
                time * tenths / 10
            );
        }
        let _ = write!(graphs, "[[graph]]\nperiod = {period}\npriority = {}\n", CHAINS - number);
        graphs += match given {
            Given::Searched => "multiprocessors = \"search\"\n",
            Given::Even => "multiprocessors = 2\n",
            Given::Shared => "",
        };
        let works = [
            format!("host = {}", host[0]),
            format!("copy = {}", copies[0]),
            format!("kernel = \"{number}-0\""),
            format!("copy = {}", copies[1]),
            format!("host = {}", host[1]),
            format!("copy = {}", copies[2]),
            format!("kernel = \"{number}-1\""),
            format!("copy = {}", copies[3]),
            format!("host = {}", host[2]),
        ];
        for (node, work) in works.iter().enumerate() {
            let after = if node == 0 { String::new() } else { format!("after = [\"n{}\"]\n", node - 1) };
            let _ = write!(graphs, "[[graph.node]]\nname = \"n{node}\"\n{work}\n{after}");
        }
    }
    text + &graphs
}

fn is_proved(chains: &[Chain], given: Given, interleaved: bool) -> Result<bool, Box<dyn std::error::Error>> {
    let graphs = read_graphs("chains", &toml(chains, given, interleaved))?;
    let limits = Limits::generous();
    let executions = executions(graphs.system(), &limits)?;
    Ok(analyse(&graphs, &executions, &limits).verdict == Verdict::Proved)
}

/// Whether an allocation is proved where a job keeps its core while it copies and while its kernels run. Then it is one piece
/// of work, in which each of its copies may wait for a less urgent one that has begun.
fn is_proved_busy(chains: &[Chain]) -> bool {
    let work = |number: usize, multiprocessors: u64| {
        let Chain { host, copies, kernels, .. } = &chains[number];
        let less = chains[number + 1..].iter().flat_map(|chain| chain.copies).max().unwrap_or(0);
        // C + (g - 1) C / 2 m, rounded up.
        let kernel = |&(blocks, time): &(u64, u64)| {
            let time = time * INTERLEAVED / 10;
            time + ((blocks - 1) * time).div_ceil(2 * multiprocessors)
        };
        host.iter().sum::<u64>()
            + copies.iter().map(|copy| copy + less).sum::<u64>()
            + kernels.iter().map(kernel).sum::<u64>()
    };
    // More multiprocessors make all work shorter, so all of them are given away, in all ways.
    fn all(left: u64, number: usize, of: &mut Vec<u64>, proved: &dyn Fn(&[u64]) -> bool) -> bool {
        let others = (CHAINS - number - 1) as u64;
        if others == 0 {
            of.push(left);
            let found = proved(of);
            of.pop();
            return found;
        }
        (1..=left - others).any(|one| {
            of.push(one);
            let found = all(left - one, number + 1, of, proved);
            of.pop();
            found
        })
    }
    all(MULTIPROCESSORS, 0, &mut Vec::new(), &|of| {
        (0..CHAINS).all(|number| {
            let mut response = work(number, of[number]);
            loop {
                let urgent =
                    (0..number).map(|one| response.div_ceil(chains[one].period) * work(one, of[one]));
                let next = work(number, of[number]) + urgent.sum::<u64>();
                if next > chains[number].period {
                    return false;
                }
                if next == response {
                    return true;
                }
                response = next;
            }
        })
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| load of a chain | searched, interleaved | searched, one block each | even, interleaved | shared, interleaved | active waiting, searched |"
    );
    println!("|---|---|---|---|---|---|");
    for percent in [10, 15, 20, 25, 30, 35, 40, 45] {
        let mut counts = [0_u32; 5];
        for seed in 0..SETS {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut chains: Vec<Chain> = (0..CHAINS).map(|_| chain(&mut rng, percent)).collect();
            // The shortest period is the most urgent.
            chains.sort_by_key(|chain| chain.period);
            let found = [
                is_proved(&chains, Given::Searched, true)?,
                is_proved(&chains, Given::Searched, false)?,
                is_proved(&chains, Given::Even, true)?,
                is_proved(&chains, Given::Shared, true)?,
                is_proved_busy(&chains),
            ];
            counts.iter_mut().zip(found).for_each(|(count, found)| *count += u32::from(found));
        }
        let [searched, one, even, shared, busy] = counts;
        println!("| {percent} % | {searched} | {one} | {even} | {shared} | {busy} |");
    }
    Ok(())
}
