//! Random kernels of SASS and PTX, run by 32 lanes of the interpreter of their text: no access touches more than is inferred of it, no block and
//! no launch more than their footprints, and no lane passes a loop more often than it is counted.

mod of_ptx;
mod of_sass;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use warpspan::input::find_machine;
use warpspan::listing::machine::{OnMachine, Touching};
use warpspan::listing::{Entry, Options, Text, extract};
use warpspan::model::machine::Machine as Hardware;

use crate::common::cases;
use crate::interpreter::memory::{Access, LANES, Touched};
use crate::interpreter::ptx::Registers;
use crate::interpreter::text::Code;
use crate::interpreter::thread::{Position, Thread};
use crate::interpreter::warp::{Machine, Passes, Watch, run};

/// A kernel and its launch.
struct Kernel {
    text: String,
    /// What is said of the launch.
    given: Vec<String>,
    block: [u32; 3],
    grid: u32,
}

/// The parameters of a run: a pointer, two numbers, and where shared memory begins.
#[derive(Debug, Clone, Copy)]
struct Values {
    pointer: u64,
    numbers: [u32; 2],
    shared: u32,
}

/// What the lanes of some warps did.
struct Seen<'c> {
    code: &'c Code<'c>,
    passes: Passes<'c>,
    touched: BTreeMap<usize, Touched>,
    /// The sectors of global memory of each access, each with its block.
    sectors: BTreeMap<usize, BTreeSet<(u32, u64)>>,
    block: u32,
}

impl Watch for Seen<'_> {
    fn step(&mut self, at: usize, here: &[usize], active: &[usize]) {
        self.passes.step(at, here, active);
    }

    fn access(&mut self, access: &Access) {
        let known = self.touched.entry(access.at).or_default();
        *known = known.max(access.touched());
        if !access.shared {
            let here = self.block;
            self.sectors.entry(access.at).or_default().extend(access.sectors().map(|sector| (here, sector)));
        }
    }

    /// Any function of the address.
    fn held(&mut self, address: u64, _: bool) -> u64 {
        address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17
    }
}

/// What a campaign has compared: accesses, those with less inferred than the worst case, and those of which exactly what ran was inferred;
/// and footprints.
#[derive(Debug, Default)]
struct Counts {
    accesses: u64,
    bounded: u64,
    exact: u64,
    footprints: u64,
    loops: u64,
}

impl Seen<'_> {
    fn instruction(&self, line: u32) -> usize {
        self.code.instructions.iter().position(|one| one.line == u64::from(line)).unwrap()
    }

    fn compare(&self, entry: &Entry, one_launch: bool, counts: &mut Counts) -> Result<(), String> {
        let on = entry.on_machine.as_ref().unwrap();
        self.accesses(on, counts)?;
        for one in &entry.loops {
            let Some(most) = one.most.filter(|_| self.code.labels.contains_key(one.label.as_str())) else {
                continue;
            };
            counts.loops += 1;
            if let Some(more) = self.passes.of(&one.label).iter().find(|&&passes| passes > most) {
                return Err(format!("{more} passes of {}, {most} at most", one.label));
            }
        }
        // Blocks of several launches have nothing in common.
        for one in on.footprints.iter().filter(|_| one_launch) {
            for (all, whole) in
                [(&one.block, false), (&one.cached, false), (&one.launch, true), (&one.moved, true)]
            {
                counts.footprints += u64::from(!all.lines.is_empty());
                self.footprint(all, whole)
                    .map_err(|what| format!("{what} of {}, a launch: {whole}", one.array))?;
            }
        }
        Ok(())
    }

    fn accesses(&self, on: &OnMachine, counts: &mut Counts) -> Result<(), String> {
        for line in &on.lines {
            let Some(&ran) = self.touched.get(&self.instruction(line.line)) else { continue };
            let parts = line.letters.as_ref().map_err(Clone::clone)?;
            let of = &self.code.instructions[self.instruction(line.line)];
            let Some(found) = parts.iter().find_map(|part| part.passes) else {
                return Err(format!("{} {} is no access", of.opcode, of.text));
            };
            let shared = !self.sectors.contains_key(&self.instruction(line.line));
            let most = found.most;
            let all = if shared { ran.wavefronts } else { ran.passes };
            let (wanted, inferred) = match shared {
                true => ([all, 0, 0], [most.all, 0, 0]),
                false => ([all, ran.sectors, ran.lines], [most.all, most.sectors, most.lines]),
            };
            counts.accesses += 1;
            counts.bounded += u64::from(inferred[usize::from(!shared)] < 32);
            counts.exact += u64::from(inferred == wanted);
            if inferred.iter().zip(wanted).any(|(inferred, ran)| *inferred < ran) {
                return Err(format!(
                    "{} {} touches {wanted:?}, and {inferred:?} is inferred",
                    of.opcode, of.text
                ));
            }
        }
        Ok(())
    }

    /// Compares what each block or all of them together have touched.
    fn footprint(&self, known: &Touching, whole: bool) -> Result<(), String> {
        let all =
            known.lines.iter().map(|&line| self.instruction(line)).filter(|at| self.sectors.contains_key(at));
        let all: Vec<usize> = all.collect();
        let stores = |at: &&usize| matches!(self.code.instructions[**at].name, "st" | "STG");
        let written: Vec<usize> = all.iter().filter(stores).copied().collect();
        for (all, most) in [(all, known.touched), (written, known.written)] {
            let mut sectors: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
            for &(block, sector) in all.iter().flat_map(|at| &self.sectors[at]) {
                sectors.entry(if whole { 0 } else { block }).or_default().insert(sector);
            }
            for sectors in sectors.into_values() {
                let lines: BTreeSet<u64> = sectors.iter().map(|sector| sector / 4).collect();
                let is = (sectors.len() as u64, lines.len() as u64);
                if most.sectors < is.0 || most.lines < is.1 {
                    return Err(format!("{is:?} is above {most:?}"));
                }
            }
        }
        Ok(())
    }
}

/// The threads of a warp.
fn positions(kernel: &Kernel, warp: u32, block: u32) -> impl Iterator<Item = Position> {
    let [x, y, z] = kernel.block;
    let (threads, grid) = ((x * y * z).min(32 * warp + 32), kernel.grid);
    (32 * warp..threads).zip(0..).map(move |(thread, lane)| Position {
        thread: [thread % x, thread / x % y, thread / x / y],
        block: [block, 0, 0],
        threads: [x, y, z],
        blocks: [grid, 1, 1],
        lane,
    })
}

/// Runs some warps of a kernel and compares what they do.
fn compare<M: Machine>(
    kernel: &Kernel,
    entry: &Entry,
    random: &mut ChaCha8Rng,
    values: &dyn Fn(&mut ChaCha8Rng) -> Values,
    lane: &dyn Fn(Position, Values) -> M,
    counts: &mut Counts,
) -> Result<(), String> {
    let code = Code::read(&kernel.text);
    let labels: Vec<&str> = entry.loops.iter().map(|one| one.label.as_str()).collect();
    let passes = Passes::new(&code, labels.into_iter().filter(|label| code.labels.contains_key(label)));
    let mut seen = Seen { code: &code, passes, touched: BTreeMap::new(), sectors: BTreeMap::new(), block: 0 };
    // All blocks of a launch have the same parameters, but for what one access touches all of them are worth a try.
    let one_launch = random.random_bool(0.3);
    let first = values(random);
    let threads: u32 = kernel.block.iter().product();
    for _ in 0..if one_launch { 10 } else { 4 } {
        let values = if one_launch { first } else { values(random) };
        let warp = random.random_range(0..threads.div_ceil(32));
        let any = random.random_range(0..kernel.grid);
        seen.block = *[0, kernel.grid - 1, any].choose(random).unwrap();
        let mut lanes: Vec<M> = positions(kernel, warp, seen.block).map(|at| lane(at, values)).collect();
        assert!(
            lanes.len() <= LANES && run(&code, &mut lanes, 20_000, &mut seen),
            "kernels end:\n{}",
            kernel.text
        );
        seen.passes.end();
    }
    seen.compare(entry, one_launch, counts)
}

fn entry(kernel: &Kernel, machine: &Arc<Hardware>) -> Entry {
    let text = Text::new("k", kernel.text.clone().into_bytes()).unwrap();
    let machine = Some(Arc::clone(machine));
    let mut options = Options { machine, explain: true, footprints: true, ..Options::default() };
    for one in &kernel.given {
        options.params.add(one).unwrap();
    }
    extract(&text, &options).unwrap_or_else(|error| panic!("{error}\n{}", kernel.text)).remove(0)
}

/// Sizes of a launch, and what is said of them.
fn sized(random: &mut ChaCha8Rng, blocks: &[[u32; 3]]) -> Kernel {
    let (block, grid) = (*blocks.choose(random).unwrap(), *[1, 4, 1000].choose(random).unwrap());
    let axes = ["x", "y", "z"].into_iter().zip(block);
    let mut given: Vec<String> = axes.map(|(axis, size)| format!("blockDim.{axis}={size}")).collect();
    if random.random() {
        given.extend(
            ["x", "y", "z"]
                .into_iter()
                .zip([grid, 1, 1])
                .map(|(axis, size)| format!("gridDim.{axis}={size}")),
        );
    }
    Kernel { text: String::new(), given, block, grid }
}

fn end(counts: &Counts) {
    println!("{counts:?}");
    // Most are bounded, and one less of some sectors would be found to be too few.
    let Counts { accesses, bounded, exact, footprints, loops } = *counts;
    assert!(bounded * 10 > accesses && exact * 20 > accesses && footprints > 0 && loops > 0, "{counts:?}");
}

#[test]
fn no_access_of_sass_touches_more_than_is_inferred() {
    let mut counts = Counts::default();
    let machines: BTreeMap<u32, Arc<Hardware>> = [75, 80, 87, 90, 120]
        .map(|arch| (arch, Arc::new(find_machine(&format!("sm_{arch}")).unwrap().machine)))
        .into();
    for seed in 0..cases::cases(36_000) {
        let random = &mut cases::random(seed);
        let arch = *[75, 80, 87, 90, 120].choose(random).unwrap();
        let mut kernel = sized(random, &[[32, 1, 1], [64, 1, 1], [8, 8, 1], [16, 4, 1]]);
        kernel.given.push("pointers=*256".to_owned());
        kernel.text = of_sass::kernel(random, arch);
        let values = |random: &mut ChaCha8Rng| {
            let small = random.random();
            let number = if small { random.random_range(0..100) } else { random.random() };
            let pointer = 0x7f00_1234_5600_u64 + 256 * random.random_range(0..1_u64 << 24);
            Values { pointer, numbers: [number, 0], shared: 0 }
        };
        let lane = |place: Position, values: Values| {
            let mut thread = Thread::new(place);
            let words = [values.pointer & 0xffff_ffff, values.pointer >> 32, values.numbers[0].into()];
            thread.give(of_sass::parameters(arch), &words.map(|word| u32::try_from(word).unwrap()));
            thread
        };
        let found = compare(&kernel, &entry(&kernel, &machines[&arch]), random, &values, &lane, &mut counts);
        found.unwrap_or_else(|what| panic!("case {seed}: {what}; {:?}\n{}", kernel.given, kernel.text));
    }
    end(&counts);
}

#[test]
fn no_access_of_ptx_touches_more_than_is_inferred() {
    const VALUES: [u32; 14] =
        [0, 1, 3, 17, 32, 33, 64, 121, 128, 1000, 0x7fff_fff0, 0x8000_0010, 0xffff_fff0, 77_777];
    const BLOCKS: [[u32; 3]; 8] =
        [[32, 1, 1], [64, 1, 1], [256, 1, 1], [16, 16, 1], [32, 8, 1], [8, 8, 4], [100, 1, 1], [5, 7, 3]];
    let mut counts = Counts::default();
    let machine = Arc::new(find_machine("sm_87").unwrap().machine);
    for seed in 0..cases::cases(6000) {
        let random = &mut cases::random(seed);
        let mut kernel = sized(random, &BLOCKS);
        let aligned = *[0, 2, 4, 8].choose(random).unwrap();
        kernel.given.push(format!("pointers=*{}", 1 << aligned));
        let numbers = [(); 2].map(|()| *VALUES.choose(random).unwrap());
        for (name, value) in ["b", "c"].into_iter().zip(numbers) {
            match random.random_range(0..3) {
                0 => kernel.given.push(format!("{name}={}", value.cast_signed())),
                1 => kernel.given.push(format!("{name}={}..{value}", value / 2)),
                _ => {}
            }
        }
        kernel.text = of_ptx::kernel(random);
        let values = |random: &mut ChaCha8Rng| {
            let shared = random.random_range(0..1 << 16);
            let pointer = (random.random::<u64>() >> 20) << aligned;
            Values { pointer, numbers, shared: if random.random() { shared } else { shared & !15 } }
        };
        let lane = |place: Position, values: Values| {
            let [b, c] = values.numbers.map(u64::from);
            Registers::new(place, &[("a", values.pointer), ("b", b), ("c", c), ("d", values.shared.into())])
        };
        let found = compare(&kernel, &entry(&kernel, &machine), random, &values, &lane, &mut counts);
        found.unwrap_or_else(|what| {
            panic!("case {seed}: {what}; {:?}, {numbers:?}\n{}", kernel.given, kernel.text)
        });
    }
    end(&counts);
}
