//! Random programs of PTX, executed lane by lane: what accesses touch is never above what is inferred.
//!
//! The programs are made as trees and written as PTX for the analysis; the executor here goes through the trees and shares no
//! code with it. Lanes that take different paths reconverge behind the branch, and lanes that leave a loop wait behind it, as the analysis
//! assumes.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "registers of 32 bits, as the hardware has them"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::*;
use crate::affine::footprint::{Places, Scope};
use crate::params::Params;
use crate::{Options, Text};

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 11) % end
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }
}

/// A register, or a number.
#[derive(Debug, Clone, Copy)]
enum Operand {
    Register(usize),
    Number(i64),
}

#[derive(Debug, Clone)]
enum Statement {
    /// An operation on registers of 32 bits.
    Compute(&'static str, usize, Vec<Operand>),
    /// `p = a < b`, and what it is combined with.
    Compare(&'static str, usize, Operand, Operand),
    /// `r = p ? a : b`.
    Select(usize, Operand, Operand, usize),
    /// An access: whether it is a store; whether memory is shared; bytes; the array; register; bytes of an element; offset;
    /// whether the index has a sign; where the result goes, and the predicate.
    Access {
        shared: bool,
        bytes: u32,
        index: usize,
        scale: i64,
        offset: i64,
        signed: bool,
        to: usize,
        guard: Option<usize>,
    },
    /// Under a predicate.
    Guarded(usize, bool, usize, Operand),
    If(usize, Vec<Statement>, Vec<Statement>),
    /// A loop: the counter, its first value, step and end, and whether a register ends it earlier.
    Loop(usize, Operand, i64, Operand, Vec<Statement>),
}

const REGISTERS: usize = 10;
const PREDICATES: usize = 3;

fn operand(random: &mut Random) -> Operand {
    const NUMBERS: [i64; 16] = [0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, -1, -4, 255, 1_000_000];
    if random.below(3) == 0 {
        Operand::Number(random.of(&NUMBERS))
    } else {
        Operand::Register(register(random))
    }
}

fn register(random: &mut Random) -> usize {
    usize::try_from(random.below(REGISTERS as u64)).unwrap()
}

fn predicate(random: &mut Random) -> usize {
    usize::try_from(random.below(PREDICATES as u64)).unwrap()
}

fn statements(random: &mut Random, depth: u32, counters: &mut usize) -> Vec<Statement> {
    let length = 2 + random.below(7);
    (0..length).map(|_| statement(random, depth, counters)).collect()
}

fn statement(random: &mut Random, depth: u32, counters: &mut usize) -> Statement {
    const TWO: [&str; 16] = [
        "add.s32",
        "sub.s32",
        "add.s32",
        "mul.lo.s32",
        "shl.b32",
        "shr.u32",
        "shr.s32",
        "and.b32",
        "or.b32",
        "xor.b32",
        "min.s32",
        "max.s32",
        "min.u32",
        "div.u32",
        "rem.u32",
        "mul.hi.u32",
    ];
    match random.below(if depth == 0 { 12 } else { 16 }) {
        0..=5 => {
            let name = random.of(&TWO);
            let two = match name {
                "shl.b32" => Operand::Number(i64::try_from(random.below(7)).unwrap()),
                "shr.u32" | "shr.s32" => Operand::Number(i64::try_from(random.below(9)).unwrap()),
                "div.u32" | "rem.u32" => Operand::Number(random.of(&[1, 2, 3, 4, 8, 10, 16, 32, 100])),
                "and.b32" | "or.b32" | "xor.b32" if random.below(3) > 0 => {
                    Operand::Number(random.of(&[1, 3, 7, 15, 31, 255, -2, -32, 24, 5]))
                }
                _ => operand(random),
            };
            Statement::Compute(name, register(random), vec![Operand::Register(register(random)), two])
        }
        6 => Statement::Compute(
            "mad.lo.s32",
            register(random),
            vec![operand(random), operand(random), operand(random)],
        ),
        7 => {
            let name = random.of(&["lt.s32", "ge.s32", "eq.s32", "gt.u32", "ne.s32", "le.s32"]);
            Statement::Compare(name, predicate(random), Operand::Register(register(random)), operand(random))
        }
        8 => Statement::Select(register(random), operand(random), operand(random), predicate(random)),
        9 => Statement::Guarded(predicate(random), random.below(2) == 0, register(random), operand(random)),
        10 | 11 => {
            let bytes = random.of(&[1, 2, 4, 4, 4, 8, 16]);
            Statement::Access {
                shared: random.below(3) == 0,
                bytes,
                index: register(random),
                scale: random.of(&[1, 2, i64::from(bytes), i64::from(bytes), i64::from(bytes), 12, 64]),
                offset: random.of(&[0, 0, 0, 4, -4, 16, 32, 1]),
                signed: random.below(3) > 0,
                to: register(random),
                guard: (random.below(4) == 0).then(|| predicate(random)),
            }
        }
        12 | 13 => {
            let p = predicate(random);
            let other = if random.below(2) == 0 { vec![] } else { statements(random, depth - 1, counters) };
            Statement::If(p, statements(random, depth - 1, counters), other)
        }
        _ => {
            *counters += 1;
            let counter = REGISTERS + *counters;
            let begin = if random.below(2) == 0 { Operand::Number(0) } else { operand(random) };
            let end = if random.below(2) == 0 {
                Operand::Number(random.of(&[1, 3, 5, 8]))
            } else {
                operand(random)
            };
            Statement::Loop(
                counter,
                begin,
                random.of(&[1, 1, 2, 3]),
                end,
                statements(random, depth - 1, counters),
            )
        }
    }
}

struct Writer {
    text: String,
    labels: usize,
    /// The line of each access, in the order of the tree.
    lines: Vec<u32>,
}

impl Writer {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").unwrap();
    }

    fn of(one: Operand) -> String {
        match one {
            Operand::Register(register) => format!("%r{register}"),
            Operand::Number(number) => number.to_string(),
        }
    }

    fn all(&mut self, statements: &[Statement]) {
        for one in statements {
            match one {
                Statement::Compute(name, to, from) => {
                    let from: Vec<String> = from.iter().map(|&one| Self::of(one)).collect();
                    self.line(&format!("{name} %r{to}, {};", from.join(", ")));
                }
                Statement::Compare(name, to, one, two) => {
                    self.line(&format!("setp.{name} %p{to}, {}, {};", Self::of(*one), Self::of(*two)));
                }
                Statement::Select(to, one, two, p) => {
                    self.line(&format!("selp.b32 %r{to}, {}, {}, %p{p};", Self::of(*one), Self::of(*two)));
                }
                Statement::Guarded(p, negated, to, from) => {
                    let not = if *negated { "!" } else { "" };
                    self.line(&format!("@{not}%p{p} mov.u32 %r{to}, {};", Self::of(*from)));
                }
                Statement::Access { shared, bytes, index, scale, offset, signed, to, guard } => {
                    let guard = guard.map_or(String::new(), |p| format!("@%p{p} "));
                    let (kind, result) = match bytes {
                        1 => ("u8", "%rs0"),
                        2 => ("u16", "%rs0"),
                        4 => ("u32", "%r9999"),
                        8 => ("v2.u32", "{%r9999, %r9998}"),
                        _ => ("v4.u32", "{%r9999, %r9998, %r9997, %r9996}"),
                    };
                    let kind = kind.replace("9999", &to.to_string());
                    let result =
                        if *bytes < 4 { result.to_owned() } else { result.replace("9999", &to.to_string()) };
                    let number = self.lines.len() + 1;
                    self.line(&format!(".loc 1 {number} 0"));
                    if *shared {
                        self.line(&format!("mul.lo.u32 %r900, %r{index}, {scale};"));
                        self.line("add.u32 %r901, %r900, %r902;");
                        self.line(&format!("{guard}ld.shared.{kind} {result}, [%r901+{offset}];"));
                    } else {
                        let sign = if *signed { "s32" } else { "u32" };
                        self.line(&format!("mul.wide.{sign} %rd2, %r{index}, {scale};"));
                        self.line("add.s64 %rd3, %rd1, %rd2;");
                        self.line(&format!("{guard}ld.global.nc.{kind} {result}, [%rd3+{offset}];"));
                    }
                    self.lines.push(u32::try_from(self.text.lines().count()).unwrap());
                    self.line(".loc 1 9999 0");
                    if *bytes < 4 {
                        let size = if *bytes == 1 { "u8" } else { "u16" };
                        self.line(&format!("{guard}cvt.u32.{size} %r{to}, %rs0;"));
                    }
                }
                Statement::If(p, then, other) => {
                    self.labels += 1;
                    let label = self.labels;
                    self.line(&format!("@!%p{p} bra L{label}_ELSE;"));
                    self.all(then);
                    self.line(&format!("bra L{label}_END;\nL{label}_ELSE:"));
                    self.all(other);
                    self.line(&format!("L{label}_END:"));
                }
                Statement::Loop(counter, begin, step, end, body) => {
                    self.labels += 1;
                    let label = self.labels;
                    self.line(&format!("mov.u32 %r{counter}, {};", Self::of(*begin)));
                    self.line(&format!("mov.u32 %r{}, 0;\nL{label}_LOOP:", counter + 100));
                    self.all(body);
                    self.line(&format!("add.s32 %r{counter}, %r{counter}, {step};"));
                    self.line(&format!("add.s32 %r{0}, %r{0}, 1;", counter + 100));
                    self.line(&format!("setp.lt.s32 %p8, %r{counter}, {};", Self::of(*end)));
                    // No loop of the executor has more passes.
                    self.line(&format!("setp.lt.and.s32 %p9, %r{}, 6, %p8;", counter + 100));
                    self.line(&format!("@%p9 bra L{label}_LOOP;"));
                }
            }
        }
    }
}

/// What lanes hold while the tree is executed.
struct Executor<'e> {
    registers: Vec<[u32; 32]>,
    predicates: [[bool; 32]; PREDICATES],
    global: u64,
    shared: u32,
    next: usize,
    /// For each access what its executions touched: sectors, lines, passes, wavefronts.
    touched: &'e mut BTreeMap<usize, [u64; 4]>,
    /// For each access the sectors of global memory, each time with the block.
    sectors: &'e mut BTreeMap<usize, BTreeSet<(u32, u64)>>,
    block: u32,
}

impl Executor<'_> {
    fn value(&self, one: Operand, lane: usize) -> u32 {
        match one {
            Operand::Register(register) => self.registers[register][lane],
            Operand::Number(number) => number as u32,
        }
    }

    fn all(&mut self, statements: &[Statement], mask: u32) {
        let lanes: Vec<usize> = (0..32).filter(|lane| mask >> lane & 1 == 1).collect();
        for one in statements {
            match one {
                Statement::Compute(name, to, from) => {
                    for &lane in &lanes {
                        let a: Vec<u32> = from.iter().map(|&one| self.value(one, lane)).collect();
                        self.registers[*to][lane] = compute(name, &a);
                    }
                }
                Statement::Compare(name, to, one, two) => {
                    for &lane in &lanes {
                        let (a, b) = (self.value(*one, lane), self.value(*two, lane));
                        let (x, y) = (a as i32, b as i32);
                        self.predicates[*to][lane] = match *name {
                            "lt.s32" => x < y,
                            "ge.s32" => x >= y,
                            "eq.s32" => x == y,
                            "ne.s32" => x != y,
                            "le.s32" => x <= y,
                            _ => a > b,
                        };
                    }
                }
                Statement::Select(to, one, two, p) => {
                    for &lane in &lanes {
                        let which = if self.predicates[*p][lane] { *one } else { *two };
                        self.registers[*to][lane] = self.value(which, lane);
                    }
                }
                Statement::Guarded(p, negated, to, from) => {
                    for &lane in lanes.iter().filter(|&&lane| self.predicates[*p][lane] != *negated) {
                        self.registers[*to][lane] = self.value(*from, lane);
                    }
                }
                Statement::Access { .. } => self.access(one, &lanes),
                Statement::If(p, then, other) => {
                    let holds = lanes.iter().filter(|&&lane| self.predicates[*p][lane]);
                    let yes = holds.fold(0, |mask, lane| mask | 1_u32 << lane);
                    let first = self.next;
                    if yes != 0 {
                        self.all(then, yes)
                    } else {
                        self.next += count(then)
                    }
                    assert_eq!(self.next, first + count(then));
                    if mask & !yes != 0 { self.all(other, mask & !yes) } else { self.next += count(other) }
                }
                Statement::Loop(counter, begin, step, end, body) => {
                    for &lane in &lanes {
                        self.registers[*counter][lane] = self.value(*begin, lane);
                    }
                    let (first, mut left, mut passes) = (self.next, mask, 0);
                    while left != 0 {
                        self.next = first;
                        self.all(body, left);
                        passes += 1;
                        let mut stay = 0;
                        for lane in (0..32).filter(|lane| left >> lane & 1 == 1) {
                            let next = self.registers[*counter][lane].wrapping_add(*step as u32);
                            self.registers[*counter][lane] = next;
                            let again = (next as i32) < self.value(*end, lane) as i32 && passes < 6;
                            stay |= u32::from(again) << lane;
                        }
                        left = stay;
                    }
                    self.next = first + count(body);
                }
            }
        }
    }

    fn access(&mut self, one: &Statement, lanes: &[usize]) {
        let Statement::Access { shared, bytes, index, scale, offset, signed, to, guard } = one else {
            return;
        };
        let mut places: Vec<(usize, u64)> = Vec::new();
        for &lane in lanes.iter().filter(|&&lane| guard.is_none_or(|p| self.predicates[p][lane])) {
            let index = self.registers[*index][lane];
            let address = if *shared {
                u64::from(
                    index.wrapping_mul(*scale as u32).wrapping_add(self.shared).wrapping_add(*offset as u32),
                )
            } else {
                let wide = if *signed { i64::from(index as i32) } else { i64::from(index) };
                self.global.wrapping_add(wide.wrapping_mul(*scale) as u64).wrapping_add(*offset as u64)
            };
            // What memory holds: any function of the address.
            let hash = address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17;
            self.registers[*to][lane] = match bytes {
                1 => hash as u32 & 0xff,
                2 => hash as u32 & 0xffff,
                _ => hash as u32,
            };
            // An access that is not aligned is a fault, and not done.
            if address % u64::from(*bytes) == 0 {
                places.push((lane, address));
            }
        }
        let units =
            |unit: u64| places.iter().map(|(_, at)| at / unit).collect::<BTreeSet<u64>>().len() as u64;
        let phases = if *bytes <= 4 { 1 } else { (*bytes / 4) as usize };
        let (mut passes, mut waves) = (0, 0);
        for phase in 0..phases {
            let here: Vec<u64> =
                places.iter().filter(|(lane, _)| lane * phases / 32 == phase).map(|one| one.1).collect();
            passes += here.iter().map(|at| at / 128).collect::<BTreeSet<_>>().len() as u64;
            let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for word in here.iter().flat_map(|at| at / 4..=(at + u64::from(*bytes) - 1) / 4) {
                banks.entry(word % 32).or_default().insert(word);
            }
            waves += banks.values().map(|words| words.len() as u64).max().unwrap_or(0);
        }
        if !*shared {
            let sectors = self.sectors.entry(self.next).or_default();
            sectors.extend(places.iter().map(|(_, at)| (self.block, at / 32)));
        }
        let found = [units(32), units(128), passes, waves];
        let all = self.touched.entry(self.next).or_default();
        all.iter_mut().zip(found).for_each(|(all, one)| *all = (*all).max(one));
        self.next += 1;
    }
}

fn compute(name: &str, a: &[u32]) -> u32 {
    let (x, y) = (a[0], a[1]);
    match name {
        "add.s32" => x.wrapping_add(y),
        "sub.s32" => x.wrapping_sub(y),
        "mul.lo.s32" => x.wrapping_mul(y),
        "shl.b32" => x << y,
        "shr.u32" => x >> y,
        "shr.s32" => ((x as i32) >> y) as u32,
        "and.b32" => x & y,
        "or.b32" => x | y,
        "xor.b32" => x ^ y,
        "min.s32" => (x as i32).min(y as i32) as u32,
        "max.s32" => (x as i32).max(y as i32) as u32,
        "min.u32" => x.min(y),
        "div.u32" => x / y,
        "rem.u32" => x % y,
        "mul.hi.u32" => ((u64::from(x) * u64::from(y)) >> 32) as u32,
        "mad.lo.s32" => x.wrapping_mul(y).wrapping_add(a[2]),
        _ => panic!("{name}"),
    }
}

fn count(statements: &[Statement]) -> usize {
    let of = |one: &Statement| match one {
        Statement::Access { .. } => 1,
        Statement::If(_, then, other) => count(then) + count(other),
        Statement::Loop(_, _, _, _, body) => count(body),
        _ => 0,
    };
    statements.iter().map(of).sum()
}

/// The lanes of a warp.
const LANES: std::ops::Range<usize> = 0..32;

/// The sizes of blocks.
const BLOCKS: [[u32; 3]; 8] =
    [[32, 1, 1], [64, 1, 1], [256, 1, 1], [16, 16, 1], [32, 8, 1], [8, 8, 4], [100, 1, 1], [5, 7, 3]];

/// One program and some launches of it: how many accesses were compared, and how many of them had a bound below 32.
fn one(seed: u64) -> (usize, usize) {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
    for _ in 0..5 {
        random.next();
    }
    let body = statements(&mut random, 2, &mut 0);
    let mut writer = Writer { text: String::new(), labels: 0, lines: vec![] };
    writer.line(".version 8.0\n.target sm_87\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 b, .param .u32 c, .param .u32 d)\n{");
    writer.line(
        ".reg .pred %p<10>;\n.reg .b16 %rs<2>;\n.reg .b32 %r<10000>;\n.reg .b64 %rd<10>;\nld.param.u64 %rd1, [a];\nld.param.u32 %r3, [b];\nld.param.u32 %r4, [c];\nld.param.u32 %r902, [d];",
    );
    writer.line("mov.u32 %r0, %tid.x;\nmov.u32 %r1, %tid.y;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r50, %ntid.x;");
    writer.line("mad.lo.s32 %r5, %r2, %r50, %r0;\nmad.lo.s32 %r6, %r1, %r3, %r5;\nmov.u32 %r7, 0;\nmov.u32 %r8, %r4;\nmov.u32 %r9, %r0;");
    writer.line("setp.lt.s32 %p0, %r0, 7;\nsetp.lt.s32 %p1, %r5, %r3;\nsetp.ge.s32 %p2, %r4, 3;");
    writer.all(&body);
    // So that nothing of it is left out by a compiler.
    writer.line("xor.b32 %r990, %r0, %r1;");
    (2..REGISTERS).for_each(|register| writer.line(&format!("xor.b32 %r990, %r990, %r{register};")));
    writer.line("st.global.u32 [%rd1], %r990;\nret;\n}\n.file 1 \"k.cu\"");
    let block = random.of(&BLOCKS);
    let grid = random.of(&[1, 4, 1000]);
    const VALUES: [u32; 14] =
        [0, 1, 3, 17, 32, 33, 64, 121, 128, 1000, 0x7fff_fff0, 0x8000_0010, 0xffff_fff0, 77_777];
    let (b, c) = (random.of(&VALUES), random.of(&VALUES));
    let aligned = random.of(&[0, 2, 4, 8]);
    let mut given = vec![];
    given.extend(["x", "y", "z"].iter().zip(block).map(|(axis, size)| format!("blockDim.{axis}={size}")));
    if random.below(2) == 0 {
        given.push(format!("gridDim.x={grid}"));
    }
    for (name, value) in [("b", b), ("c", c)] {
        match random.below(3) {
            0 => given.push(format!("{name}={}", value as i32)),
            1 => given.push(format!("{name}={}..{}", value / 2, value)),
            _ => {}
        }
    }
    let compiled = compiled(seed, &writer.text);
    let text = match &compiled {
        Some(sass) => Text::new("k.sass", sass.clone().into_bytes()).unwrap(),
        None => Text::new("k.ptx", writer.text.clone().into_bytes()).unwrap(),
    };
    if compiled.is_some() {
        for one in &mut given {
            *one = one.replace("b=", "c[0x0][0x168]=").replace("c=", "c[0x0][0x16c]=");
        }
    }
    let listing = text.listing().unwrap();
    let routine = &listing.routines[0];
    let mut params = Params::default();
    given.iter().for_each(|one| params.add(one).unwrap());
    let options = Options { params, ..Options::default() };
    let launch = crate::options::launch(routine, listing.language, &options).unwrap();
    let (inferred, places) = infer((&listing, 0), &launch, aligned, &BTreeMap::new());
    let mut by_line: BTreeMap<u32, Touches> = BTreeMap::new();
    let source = text.source_lines();
    for ((at, _), touches) in &inferred {
        let line = routine.instructions[*at].line;
        // An access of the source may have become several instructions.
        let line = match (&compiled, source.get(&line)) {
            (Some(_), Some(source)) if source.line < 9999 => writer.lines[source.line as usize - 1],
            (Some(_), _) => continue,
            (None, _) => line,
        };
        let both = |one: Option<Counted>, two: Option<Counted>| Some(one?.max(two?));
        by_line
            .entry(line)
            .and_modify(|known| known.most = both(known.most, touches.most))
            .or_insert(*touches);
    }
    let (mut touched, mut sectors) = (BTreeMap::new(), BTreeMap::new());
    // All blocks share an array, but for what one access touches every place of it is worth a try.
    let array = seed.is_multiple_of(2).then(|| (random.next() >> 20) << aligned);
    let threads = block[0] * block[1] * block[2];
    for _ in 0..if array.is_some() { 12 } else { 4 } {
        let warp = u32::try_from(random.below(u64::from(threads.div_ceil(32)))).unwrap();
        let of_all = random.below(grid);
        let index = u32::try_from(random.of(&[0, grid - 1, of_all])).unwrap();
        let thread = |lane: usize| (warp * 32 + lane as u32).min(threads - 1);
        let mask =
            (0..32).filter(|lane| warp * 32 + lane < threads).fold(0, |mask, lane| mask | 1_u32 << lane);
        let mut registers = vec![[0_u32; 32]; 1000];
        for lane in LANES {
            let (x, y) = (thread(lane) % block[0], thread(lane) / block[0] % block[1]);
            let global = index.wrapping_mul(block[0]).wrapping_add(x);
            let all = [x, y, index, b, c, global, y.wrapping_mul(b).wrapping_add(global), 0, c, x];
            all.into_iter().enumerate().for_each(|(register, value)| registers[register][lane] = value);
        }
        let p = |of: &dyn Fn(usize) -> bool| std::array::from_fn(of);
        let predicates = [
            p(&|lane| (registers[0][lane] as i32) < 7),
            p(&|lane| (registers[5][lane] as i32) < b as i32),
            p(&|_| c as i32 >= 3),
        ];
        let global = array.unwrap_or((random.next() >> 20) << aligned);
        let mut shared = random.below(1 << 16) as u32;
        if random.below(2) == 0 {
            shared &= !15;
        }
        let (touched, sectors) = (&mut touched, &mut sectors);
        let mut executor =
            Executor { registers, predicates, global, shared, next: 0, touched, sectors, block: index };
        executor.all(&body, mask);
    }
    if array.is_some() && compiled.is_none() {
        let at = |number: usize| {
            routine.instructions.iter().position(|one| one.line == writer.lines[number]).unwrap()
        };
        let by_instruction = sectors.into_iter().map(|(number, sectors)| (at(number), sectors)).collect();
        footprint(
            &places.unwrap_or_default(),
            &by_instruction,
            &format!("seed {seed} {given:?} aligned {aligned}\n{}", writer.text),
        );
    }
    let (mut compared, mut bounded) = (0, 0);
    for (number, [sectors, lines, passes, waves]) in touched {
        let line = writer.lines[number];
        let is_reached =
            compiled.is_some() || inferred.is_empty() || sectors == 0 || by_line.contains_key(&line);
        assert!(is_reached, "seed {seed}, line {line} is not reached\n{given:?}\n{}", writer.text);
        let Some(most) = by_line.get(&line).and_then(|touches| touches.most) else { continue };
        compared += 1;
        bounded += usize::from(most.sectors < 32 || most.wavefronts < 32);
        // A compiler may make an access narrower of which a part is not used.
        let passes_hold = compiled.is_some() || most.passes >= passes && most.wavefronts >= waves;
        let holds = most.sectors >= sectors && most.lines >= lines && passes_hold;
        assert!(
            holds,
            "seed {seed}, line {line}: {:?} is above {most:?}\n{given:?} aligned {aligned} b {b} c {c}\n{}",
            [sectors, lines, passes, waves],
            writer.text.lines().zip(1..).map(|(text, line)| format!("{line}: {text}\n")).collect::<String>()
        );
    }
    (compared, bounded)
}

/// Compares what blocks and the launch have touched with what is inferred: of each instruction, and of all together.
fn footprint(places: &Places, touched: &BTreeMap<usize, BTreeSet<(u32, u64)>>, what: &str) {
    for scope in [Scope::Block, Scope::Launch] {
        let known = places.known(scope);
        let alone = known.iter().map(|&at| BTreeSet::from([at]));
        for some in alone.chain([known.clone()]) {
            let Some(extent) = places.extent(scope, &some) else { continue };
            let all = || some.iter().filter_map(|at| touched.get(at)).flatten();
            let mut sectors: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
            for &(block, sector) in all() {
                sectors.entry(if scope == Scope::Block { block } else { 0 }).or_default().insert(sector);
            }
            for sectors in sectors.into_values() {
                let lines: BTreeSet<u64> = sectors.iter().map(|sector| sector / 4).collect();
                let is = (sectors.len() as u64, lines.len() as u64);
                let holds = extent.sectors >= is.0 && extent.lines >= is.1;
                assert!(holds, "{is:?} is above {extent:?} of {some:?} {scope:?}\n{what}");
            }
        }
    }
}

/// What a compiler has made of a program, if it lies in the folder that is named; otherwise the program is put there.
fn compiled(seed: u64, text: &str) -> Option<String> {
    let folder = std::path::PathBuf::from(std::env::var_os("WARPSPAN_COMPILED")?);
    let found = std::fs::read_to_string(folder.join(format!("{seed}.sass")));
    if found.is_err() {
        std::fs::write(folder.join(format!("{seed}.ptx")), text).unwrap();
    }
    found.ok()
}

/// So many programs from a seed on; a campaign sets both.
#[test]
fn random_programs() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, count) = (number("WARPSPAN_SEED", 1), number("WARPSPAN_PROGRAMS", 500));
    let (mut compared, mut bounded) = (0, 0);
    for seed in first..first + count {
        let (all, below) = one(seed);
        compared += all;
        bounded += below;
    }
    println!("{count} programs, {compared} accesses, {bounded} of them bounded");
    assert!(compared > 0 && bounded * 10 > compared, "{compared} accesses, {bounded} of them bounded");
}
