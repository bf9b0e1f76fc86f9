//! Random kernels of PTX as text: arithmetic of 32 bits, accesses at multiples of what registers hold, guards, branches, and loops whose counters
//! begin and end anywhere.

use std::fmt::{Display, Write};

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// The registers that kernels compute with, and the predicates.
const REGISTERS: u32 = 10;
const PREDICATES: u32 = 3;

const NUMBERS: [i64; 16] = [0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, -1, -4, 255, 1_000_000];
#[rustfmt::skip]
const TWO: [&str; 22] = [
    "add.s32", "add.s32", "add.s32", "sub.s32", "mul.lo.s32", "mul.lo.s32", "mul.hi.u32", "mul.hi.s32", "mul24.lo.s32", "shl.b32", "shl.b32",
    "shr.u32", "shr.s32", "and.b32", "and.b32", "or.b32", "xor.b32", "min.s32", "max.s32", "min.u32", "div.u32", "rem.u32",
];
const ONE: [&str; 6] = ["abs.s32", "neg.s32", "not.b32", "popc.b32", "brev.b32", "clz.b32"];

/// Parameters are the pointer `a`, the numbers `b` and `c`, and where shared memory begins.
const BEGINS: &str = "\
.version 8.0
.target sm_87
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 b, .param .u32 c, .param .u32 d)
{
.reg .pred %p<10>;
.reg .b16 %rs<2>;
.reg .b32 %r<1000>;
.reg .b64 %rd<10>;
ld.param.u64 %rd1, [a];
ld.param.u32 %r3, [b];
ld.param.u32 %r4, [c];
ld.param.u32 %r902, [d];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %tid.y;
mov.u32 %r2, %ctaid.x;
mov.u32 %r50, %ntid.x;
mad.lo.s32 %r5, %r2, %r50, %r0;
mad.lo.s32 %r6, %r1, %r3, %r5;
mov.u32 %r7, 0;
mov.u32 %r8, %r4;
mov.u32 %r9, %r0;
setp.lt.s32 %p0, %r0, 7;
setp.lt.s32 %p1, %r5, %r3;
setp.ge.s32 %p2, %r4, 3;
";

struct Writer<'a> {
    random: &'a mut ChaCha8Rng,
    text: String,
    labels: u32,
}

/// A kernel with the name `k`.
pub(super) fn kernel(random: &mut ChaCha8Rng) -> String {
    let mut writer = Writer { random, text: BEGINS.to_owned(), labels: 0 };
    writer.statements(2);
    writer.text + "ret;\n}\n"
}

impl Writer<'_> {
    fn line(&mut self, text: impl Display) {
        writeln!(self.text, "{text}").unwrap();
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        *all.choose(self.random).unwrap()
    }

    fn one_in(&mut self, number: u32) -> bool {
        self.random.random_range(0..number) == 0
    }

    fn register(&mut self) -> String {
        format!("%r{}", self.random.random_range(0..REGISTERS))
    }

    fn predicate(&mut self) -> String {
        format!("%p{}", self.random.random_range(0..PREDICATES))
    }

    fn operand(&mut self) -> String {
        if self.one_in(3) { self.of(&NUMBERS).to_string() } else { self.register() }
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..self.random.random_range(2..9) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let (to, a) = (self.register(), self.register());
        match self.random.random_range(0..if depth == 0 { 12 } else { 16 }) {
            0..5 => {
                let name = self.of(&TWO);
                let b = match name {
                    "shl.b32" => self.random.random_range(0..7).to_string(),
                    "shr.u32" | "shr.s32" => self.random.random_range(0..9).to_string(),
                    "div.u32" | "rem.u32" => self.of(&[1, 2, 3, 4, 8, 10, 16, 32, 100]).to_string(),
                    "and.b32" | "or.b32" | "xor.b32" if !self.one_in(3) => {
                        self.of(&[1, 3, 7, 15, 31, 255, -2, -32, 24, 5]).to_string()
                    }
                    _ => self.operand(),
                };
                self.line(format_args!("{name} {to}, {a}, {b};"));
            }
            5 => {
                let name = self.of(&ONE);
                self.line(format_args!("{name} {to}, {a};"));
            }
            6 => {
                let (name, b, c) = (
                    self.of(&["mad.lo.s32", "mad.lo.s32", "bfe.u32", "bfe.s32"]),
                    self.operand(),
                    self.operand(),
                );
                let field = (self.random.random_range(0..9), self.random.random_range(1..12));
                match name {
                    "mad.lo.s32" => self.line(format_args!("{name} {to}, {a}, {b}, {c};")),
                    _ => self.line(format_args!("{name} {to}, {a}, {}, {};", field.0, field.1)),
                }
            }
            7 => {
                let relation = self.of(&["lt.s32", "ge.s32", "eq.s32", "gt.u32", "ne.s32", "le.s32"]);
                let (p, b) = (self.predicate(), self.operand());
                self.line(format_args!("setp.{relation} {p}, {a}, {b};"));
            }
            8 => {
                let (a, b, p) = (self.operand(), self.operand(), self.predicate());
                self.line(format_args!("selp.b32 {to}, {a}, {b}, {p};"));
            }
            9 => {
                let (not, p, from) = (self.of(&["", "!"]), self.predicate(), self.operand());
                self.line(format_args!("@{not}{p} mov.u32 {to}, {from};"));
            }
            10 | 11 => self.access(&to, &a),
            12 | 13 => self.branch(depth),
            _ => self.in_loop(depth),
        }
    }

    fn access(&mut self, to: &str, index: &str) {
        let guard = if self.one_in(4) { format!("@{} ", self.predicate()) } else { String::new() };
        let bytes = self.of(&[1, 2, 4, 4, 4, 8, 16]);
        let scale = self.of(&[1, 2, bytes, bytes, bytes, 12, 64]);
        let offset = self.of(&["", "", "", "+4", "+-4", "+16", "+32", "+1"]);
        let (kind, result) = match bytes {
            1 => ("u8", "%rs0".to_owned()),
            2 => ("u16", "%rs0".to_owned()),
            4 => ("u32", to.to_owned()),
            8 => ("v2.u32", format!("{{{to}, %r998}}")),
            _ => ("v4.u32", format!("{{{to}, %r998, %r997, %r996}}")),
        };
        let stores = self.one_in(4);
        let place = if self.one_in(3) {
            self.line(format_args!("mul.lo.u32 %r900, {index}, {scale};"));
            self.line("add.u32 %r901, %r900, %r902;");
            format!("[%r901{offset}]")
        } else {
            let sign = self.of(&["s", "s", "u"]);
            match self.random.random_range(0..4) {
                0 => {
                    self.line(format_args!("cvt.{sign}64.{sign}32 %rd2, {index};"));
                    self.line(format_args!("mad.lo.s64 %rd3, %rd2, {scale}, %rd1;"));
                }
                1 => self.line(format_args!("mad.wide.{sign}32 %rd3, {index}, {scale}, %rd1;")),
                _ => {
                    self.line(format_args!("mul.wide.{sign}32 %rd2, {index}, {scale};"));
                    self.line("add.s64 %rd3, %rd1, %rd2;");
                }
            }
            format!("[%rd3{offset}]")
        };
        let space = if place.contains("%rd") { "global" } else { "shared" };
        match stores {
            true => self.line(format_args!("{guard}st.{space}.{kind} {place}, {result};")),
            false => self.line(format_args!("{guard}ld.{space}.{kind} {result}, {place};")),
        }
        if bytes < 4 && !stores {
            self.line(format_args!("{guard}cvt.u32.{kind} {to}, %rs0;"));
        }
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn branch(&mut self, depth: u32) {
        let (label, p) = (self.label(), self.predicate());
        self.line(format_args!("@!{p} bra ELSE{label};"));
        self.statements(depth - 1);
        self.line(format_args!("bra END{label};\nELSE{label}:"));
        if self.one_in(2) {
            self.statements(depth - 1);
        }
        self.line(format_args!("END{label}:"));
    }

    /// A loop, which a second counter ends after some passes whatever the first one does.
    fn in_loop(&mut self, depth: u32) {
        let label = self.label();
        let [counter, passes] = [100, 200].map(|from| format!("%r{}", from + label));
        let begin = if self.one_in(2) { "0".to_owned() } else { self.operand() };
        let end = if self.one_in(2) { self.of(&[1, 3, 5, 8]).to_string() } else { self.operand() };
        let step = self.of(&[1, 1, 2, 3]);
        self.line(format_args!("mov.u32 {counter}, {begin};\nmov.u32 {passes}, 0;\nLOOP{label}:"));
        self.statements(depth - 1);
        if self.one_in(2) {
            let to = self.register();
            self.line(format_args!("add.s32 {to}, {counter}, {to};"));
        }
        self.line(format_args!("add.s32 {counter}, {counter}, {step};\nadd.s32 {passes}, {passes}, 1;"));
        self.line(format_args!("setp.lt.s32 %p8, {counter}, {end};"));
        self.line(format_args!("setp.lt.and.s32 %p9, {passes}, 6, %p8;\n@%p9 bra LOOP{label};"));
    }
}
