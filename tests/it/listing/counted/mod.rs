//! Random loops with counters, in PTX and in SASS, run by the interpreter of their text: a loop
//! whose count the library gives is never passed more often, by any thread, whatever the launch has where the library was
//! told nothing.
//!
//! `WARPSPAN_CASES` says how many kernels of each language are judged, and `WARPSPAN_SEED` says which is the first.

mod emit;
mod generate;
mod run;

use crate::common::cases::{cases, first_seed};
use std::collections::HashSet;

use warpspan::entry::{bound, symbolic};
use warpspan::listing::{Entry, Options, Params, Range, Text, extract};

use super::executor::random::Random;
use emit::{ptx, sass, wide_sass};
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
        tally.exact += u32::from(one.most == Some(one.least));
    }
    if loops.iter().flatten().all(|one| one.most.is_none()) {
        return Ok(());
    }
    for _ in 0..12 {
        let launch = told.launch(random);
        let (found, ended) = passes((kernel, listing), &launch, random, LONGEST_RUN);
        for (number, comings) in found.iter().enumerate() {
            let Some(one) = loops[number] else { continue };
            let Some(most) = one.most else { continue };
            if let Some(more) = comings.iter().find(|passes| **passes > most) {
                return Err(format!("loop L{number}: {more} passes, {most} at most; {launch:?}"));
            }
            // The least count is that of each time that the loop is left by its own test.
            let (least, leaves_once) = (one.least, kernel.single_exit[number] && ended);
            if leaves_once && let Some(less) = comings.iter().find(|passes| **passes < least) {
                return Err(format!("loop L{number}: {less} passes, {least} at least; {launch:?}"));
            }
        }
    }
    Ok(())
}

/// What the definitions of a kernel come to: how many were compared with the count for the same values and how many of
/// these were the count itself, how many with what threads do, and how many whole expressions with bounds.
#[derive(Debug, Default)]
struct Defined {
    values: u32,
    equal: u32,
    runs: u32,
    bounds: u32,
}

/// How many warps the bounds are for.
const WARPS: u64 = 3;

/// Judges the definitions of the bounds of loops: for any values of the parameters in their ranges none is below the
/// count that these values give, nor below the passes of a thread, and with them the expression is no less than the bound.
fn judge_definitions(
    kernel: &Kernel,
    listing: &str,
    parameter: fn(usize) -> String,
    random: &mut Random,
    tally: &mut Defined,
) -> Result<(), String> {
    let text = Text::new("k", listing.as_bytes().to_vec()).unwrap();
    let branch = |line: &str| (line.contains("bra ") || line.contains("BRA")) && line.contains('@');
    let lines = listing.lines().zip(1..).filter(|(line, _)| branch(line));
    let uniform: HashSet<String> = lines.map(|(_, line): (&str, u32)| line.to_string()).collect();
    let options = Options { uniform, ..Options::default() };
    let one = |options: &Options| -> Result<Entry, String> {
        Ok(extract(&text, options).map_err(|error| error.to_string())?.remove(0))
    };
    let Ok(symbolic) = symbolic(&one(&options)?, &text, &options, WARPS, None) else { return Ok(()) };
    let sizes = [parameter(0), parameter(1), "blockDim.x".to_owned(), "gridDim.x".to_owned()];
    for symbol in &symbolic.symbols {
        let Some(definition) = &symbol.definition else { continue };
        for _ in 0..6 {
            let mut values = std::collections::BTreeMap::new();
            let mut options = options.clone();
            for (name, range) in &definition.holds {
                let most = range.high - range.low;
                let some = i128::from(random.below(60)).min(most);
                let value = match random.below(4) {
                    0 => range.high - some,
                    1 => range.low + i128::from(random.next() >> 2) % (most + 1),
                    _ => range.low + some,
                };
                values.insert(name.clone(), value);
                options.params.add(&format!("{name}={value}"))?;
            }
            // What threads do.
            let told = |which: usize, otherwise: i64| match values.get(&sizes[which]) {
                Some(&value) => i64::try_from(value).unwrap(),
                None => otherwise,
            };
            let defined = definition.formula.value(&|name| values.get(name).copied());
            let Some(defined) = defined else { return Err(format!("{} has no value", definition.formula)) };
            for _ in 0..3 {
                let long = random.next().cast_signed() >> random.below(60);
                let [threads, blocks] = [told(2, 64), told(3, 16)];
                let launch = Launch {
                    parameters: [told(0, long), told(1, random.next().cast_signed() >> random.below(60))],
                    threads,
                    blocks,
                    thread: if random.one_in(2) { 0 } else { threads - 1 },
                    block: if random.one_in(2) { 0 } else { blocks - 1 },
                };
                let which = (0..kernel.loops).find(|which| symbol.label == format!("L{which}"));
                let Some(which) = which else { continue };
                let (found, _) = passes((kernel, listing), &launch, random, LONGEST_RUN);
                tally.runs += u32::try_from(found[which].len()).unwrap().min(1);
                if let Some(more) = found[which].iter().find(|&&passes| i128::from(passes) > defined) {
                    let formula = &definition.formula;
                    return Err(format!("{formula} is {defined}, but {more} passes; {launch:?}"));
                }
            }
            let entry = one(&options)?;
            // The expression with all definitions that have a value here.
            let bounds: Vec<Option<u64>> = symbolic
                .symbols
                .iter()
                .map(|one| {
                    let definition = one.definition.as_ref()?;
                    let inside = |(name, range): (&String, &Range)| {
                        values.get(name).is_some_and(|value| (range.low..=range.high).contains(value))
                    };
                    let value = definition.formula.value(&|name| values.get(name).copied())?;
                    u64::try_from(value).ok().filter(|_| definition.holds.iter().all(inside))
                })
                .collect();
            if let Some(bounds) = bounds.into_iter().collect::<Option<Vec<u64>>>()
                && bounds.iter().all(|&bound| bound < 100_000)
                && let Ok(bound) = bound(&entry, WARPS, None)
                && let Some(value) = symbolic.expression.value(&bounds)
            {
                tally.bounds += 1;
                let warpspan::model::Cycles(cycles) = bound.makespan.cycles();
                if value < cycles {
                    let expression = &symbolic.expression;
                    return Err(format!("{expression} is {value}, below {cycles} cycles for {values:?}"));
                }
            }
            let found = entry.loops.iter().find(|one| one.line == symbol.line);
            let Some(count) = found.and_then(|one| Some((one.most?, one.least))) else { continue };
            tally.values += 1;
            tally.equal += u32::from(defined == i128::from(count.0));
            if defined < i128::from(count.0) {
                let formula = &definition.formula;
                return Err(format!("{formula} is {defined}, below {count:?} for {values:?}"));
            }
        }
    }
    Ok(())
}

fn random_definitions(language: &str) {
    let (first, mut tally) = (first_seed(), Defined::default());
    let all = 10_000;
    let now = cases(all);
    for seed in first..first + now {
        let mut random = Random::new(seed ^ 0x0def_14e5);
        let bits = bits(language, &mut random, &[32, 64]);
        let kernel = kernel(&mut random, bits);
        let text = write(language, &kernel, &mut random);
        let parameter = parameter(language);
        if let Err(what) = judge_definitions(&kernel, &text, parameter, &mut random, &mut tally) {
            panic!("seed {seed}: {what}\n{text}");
        }
    }
    println!("{language}: {tally:?}");
    assert!(tally.values > 20 && tally.equal * 2 > tally.values, "{tally:?}");
    // One case in ten has a whole expression, but those of a day may have none.
    assert!(tally.runs > 20 && (now < all || tally.bounds > 200), "{tally:?}");
}

#[test]
fn random_definitions_of_ptx() {
    random_definitions("ptx");
}

#[test]
fn random_definitions_of_sass() {
    random_definitions("sass");
}

#[test]
fn random_definitions_of_wide_sass() {
    random_definitions("wide sass");
}

/// How long the registers of a kernel are.
fn bits(language: &str, random: &mut Random, of_ptx: &[u32]) -> u32 {
    match language {
        "sass" => 32,
        "wide sass" => 64,
        _ => *random.pick(of_ptx),
    }
}

fn write(language: &str, kernel: &Kernel, random: &mut Random) -> String {
    match language {
        "sass" => sass(kernel, random),
        "wide sass" => wide_sass(kernel, random),
        _ => ptx(kernel, random),
    }
}

/// What users call a parameter.
fn parameter(language: &str) -> fn(usize) -> String {
    match language {
        "sass" => |which| format!("c[0x0][{:#x}]", 0x160 + 4 * which),
        "wide sass" => |which| format!("param_{which}"),
        _ => |which| format!("n{which}"),
    }
}

fn random_kernels(language: &str) {
    let first = first_seed();
    let mut tally = Tally::default();
    for seed in first..first + cases(8000) {
        let mut random = Random::new(seed ^ 0x5eed_c0de);
        let bits = bits(language, &mut random, &[32, 32, 64, 16]);
        let mut kernel = kernel(&mut random, bits);
        let seed_of_text = random.next();
        let told = Told::random(&mut random, parameter(language), bits);
        let text = |kernel: &Kernel| write(language, kernel, &mut Random::new(seed_of_text));
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
    // A form of 64 bits that SASS has not at once is read from memory, so fewer of its loops have counts.
    let share = if language == "wide sass" { 40 } else { 4 };
    assert!(tally.counted * share > tally.uncounted, "{tally:?}");
}

#[test]
fn random_counters_of_ptx() {
    random_kernels("ptx");
}

#[test]
fn random_counters_of_sass() {
    random_kernels("sass");
}

#[test]
fn random_counters_of_wide_sass() {
    random_kernels("wide sass");
}
