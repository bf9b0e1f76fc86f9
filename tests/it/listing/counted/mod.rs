//! Random loops with counters, in PTX and in SASS, run by an executor that knows nothing of the library: a loop
//! whose count the library gives is never passed more often, by any thread, whatever the launch has where the library was
//! told nothing.
//!
//! `WARPSPAN_CASES` says how many kernels of each language are judged, and `WARPSPAN_SEED` says which is the first.

mod emit;
mod generate;
mod run;

use std::collections::HashSet;

use warpspan::listing::{Options, Params, Text, extract};

use super::executor::random::Random;
use emit::{ptx, sass};
use generate::{Kernel, kernel};
use run::{Launch, passes};

/// The steps of a run; what a thread has done up to then counts.
const LONGEST_RUN: usize = 4000;

/// What a case comes to: the loops that have a count, and those that do not.
#[derive(Debug, Default)]
struct Tally {
    counted: u32,
    exact: u32,
    uncounted: u32,
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Values that the library is told of, and launches that agree with them.
struct Told {
    params: Params,
    names: Vec<String>,
    /// By parameter, then the threads of a block and the blocks: the least and the largest value.
    ranges: [(i64, i64); 4],
}

impl Told {
    fn random(random: &mut Random, language: fn(usize) -> String, bits: u32) -> Self {
        let mut told = Self { params: Params::default(), names: vec![], ranges: [(0, 0); 4] };
        let most = if bits == 16 { 300 } else { 3000 };
        for which in 0..4 {
            let whole = (1, 1024);
            let value = match which {
                0 | 1 if random.one_in(4) => i64::from(random.below(3000)) % most - most / 4,
                0 | 1 => i64::from(random.below(40)) - 4,
                _ => [1, 2, 32, 96, 256, 1024][random.index(6)],
            };
            let high = value + i64::from(random.below(9));
            let high = if which < 2 { high } else { high.min(1024) };
            let name = match which {
                2 => "blockDim.x".to_owned(),
                3 => "gridDim.x".to_owned(),
                parameter => language(parameter),
            };
            let text = match random.below(4) {
                0 => {
                    // Of a parameter nothing is known then.
                    told.ranges[which] = if which < 2 { (i64::MIN, i64::MAX) } else { whole };
                    continue;
                }
                1 => {
                    told.ranges[which] = (value, high);
                    format!("{name}={value}..{high}")
                }
                _ => {
                    told.ranges[which] = (value, value);
                    format!("{name}={value}")
                }
            };
            told.names.push(text);
        }
        told
    }

    fn launch(&self, random: &mut Random) -> Launch {
        let mut pick = |which: usize| {
            let (low, high) = self.ranges[which];
            if low == i64::MIN {
                let long = random.next().cast_signed();
                return [long, i64::from(random.below(60)) - 9, long >> 52][random.index(3)];
            }
            match random.below(4) {
                0 => low,
                1 => high,
                _ => low + i64::from(random.below(u32::try_from(high - low + 1).unwrap())),
            }
        };
        let [first, second, threads, blocks] = [0, 1, 2, 3].map(&mut pick);
        let below = |random: &mut Random, most: i64| match random.below(3) {
            0 => 0,
            1 => most - 1,
            _ => i64::from(random.below(u32::try_from(most).unwrap())),
        };
        let (thread, block) = (below(random, threads), below(random, blocks));
        Launch { parameters: [first, second], threads, blocks, thread, block }
    }
}

/// Judges a kernel: what is wrong, or what was counted.
fn judge(
    kernel: &Kernel,
    listing: &str,
    told: &Told,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let text = Text::new("k", listing.as_bytes().to_vec()).unwrap();
    let mut params = told.params.clone();
    for text in &told.names {
        params.add(text).unwrap();
    }
    let branches = listing.lines().zip(1..).filter(|(line, _)| line.contains("bra ") || line.contains("BRA"));
    let uniform: HashSet<String> = branches.map(|(_, line): (&str, u32)| line.to_string()).collect();
    let options = Options { params, ..Options::default() };
    // Only branches under a predicate may be declared.
    let uniform = uniform.into_iter().filter(|line| {
        let text = listing.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
        text.contains('@')
    });
    let options = Options { uniform: uniform.collect(), ..options };
    let entry = match extract(&text, &options) {
        Ok(mut entries) => entries.remove(0),
        Err(error) => return Err(format!("{error}")),
    };
    let loops: Vec<_> = (0..kernel.loops)
        .map(|number| entry.loops.iter().find(|one| one.label == format!("L{number}")))
        .collect();
    for one in loops.iter().flatten() {
        match one.most {
            Some(_) => tally.counted += 1,
            None => tally.uncounted += 1,
        }
        tally.exact += u32::from(one.exact);
    }
    if loops.iter().flatten().all(|one| one.most.is_none()) {
        return Ok(());
    }
    for _ in 0..12 {
        let launch = told.launch(random);
        let (found, ended) = passes(kernel, &launch, random, LONGEST_RUN);
        for (number, comings) in found.iter().enumerate() {
            let Some(one) = loops[number] else { continue };
            let Some(most) = one.most else { continue };
            if let Some(more) = comings.iter().find(|passes| **passes > most) {
                return Err(format!("loop L{number}: {more} passes, {most} at most; {launch:?}"));
            }
            // An exact count is that of each time that the loop is left by its own test.
            let leaves_once = one.exact && kernel.single_exit[number] && ended;
            if leaves_once && let Some(less) = comings.iter().find(|passes| **passes < most) {
                return Err(format!("loop L{number}: {less} passes, exactly {most}; {launch:?}"));
            }
        }
    }
    Ok(())
}

fn random_kernels(language: &str) {
    let first = number("WARPSPAN_SEED", 0);
    let mut tally = Tally::default();
    for seed in first..first + number("WARPSPAN_CASES", 3000) {
        let mut random = Random::new(seed ^ 0x5eed_c0de);
        let bits = if language == "sass" { 32 } else { *random.pick(&[32, 32, 64, 16]) };
        let mut kernel = kernel(&mut random, bits);
        let seed_of_text = random.next();
        let names: fn(usize) -> String = match language {
            "sass" => |which| format!("c[0x0][{:#x}]", 0x160 + 4 * which),
            _ => |which| format!("n{which}"),
        };
        let told = Told::random(&mut random, names, bits);
        let text = |kernel: &Kernel| match language {
            "sass" => sass(kernel, &mut Random::new(seed_of_text)),
            _ => ptx(kernel, &mut Random::new(seed_of_text)),
        };
        let fails = |kernel: &Kernel, tally: &mut Tally| {
            judge(kernel, &text(kernel), &told, &mut Random::new(seed), tally)
        };
        let Err(mut what) = fails(&kernel, &mut tally) else { continue };
        // The smallest kernel that fails as well is shown.
        let mut at = 0;
        while at < kernel.code.len() {
            let mut less = kernel.clone();
            if !less.remove(at) {
                at += 1;
                continue;
            }
            match fails(&less, &mut Tally::default()) {
                Err(found) if found.starts_with("loop") => (kernel, what) = (less, found),
                _ => at += 1,
            }
        }
        panic!("seed {seed}: {what}; told {:?}\n{}", told.names, text(&kernel));
    }
    println!("{language}: {tally:?}");
    assert!(tally.counted * 4 > tally.uncounted, "{tally:?}");
}

#[test]
fn random_counters_of_ptx() {
    random_kernels("ptx");
}

#[test]
fn random_counters_of_sass() {
    random_kernels("sass");
}
