//! Random loops of PTX that count: what a reader of listings might take for a fixed number of passes.

use super::random::Random;

/// How a value is written.
struct Kind {
    /// `32`, and the registers of this width.
    bits: u32,
    register: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind { bits: 32, register: "%r" },
    Kind { bits: 64, register: "%rd" },
    Kind { bits: 16, register: "%rs" },
];

/// Those that are named without a declaration of their own.
const REGISTERS: &str = ".reg .b32 %r<400>; .reg .b64 %rd<400>; .reg .b16 %rs<400>; .reg .pred %p<10>;";

struct Writer<'a> {
    random: &'a mut Random,
    lines: Vec<String>,
    names: u32,
    /// In the kernel, beside a function.
    function: bool,
}

/// A kernel, perhaps with a function, with one or two loops.
pub(crate) fn counters(random: &mut Random) -> Vec<String> {
    let mut writer = Writer { random, lines: vec![], names: 10, function: false };
    let function = writer.random.one_in(4);
    if function {
        writer.line(".func f(.reg .s32 n)");
        writer.line("{");
        writer.line(REGISTERS);
        writer.a_loop(1, Some("n"));
        writer.line("ret;");
        writer.line("}");
    }
    writer.line(".visible .entry k(.param .u32 q)");
    writer.line("{");
    writer.line(REGISTERS);
    if function {
        let given = i64::from(writer.random.below(9)) - 4;
        writer.line(&format!("mov.s32 %r1, {given};"));
        writer.line("call f, (%r1);");
        writer.function = true;
    }
    if !function || writer.random.one_in(2) {
        writer.a_loop(2, None);
    }
    writer.line("exit;");
    writer.line("}");
    writer.lines
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    fn name(&mut self, kind: &Kind) -> String {
        self.names += 1;
        format!("{}{}", kind.register, self.names)
    }

    /// A number as it may be written for a type.
    fn number(&mut self, kind: &Kind) -> String {
        let small = i128::from(self.random.below(12)) - 2;
        let top = 1_i128 << kind.bits;
        let number = match self.random.below(12) {
            0 => top / 2 - 1 - small.abs(),
            1 => -(top / 2) + small.abs(),
            2 => top - 1 - small.abs(),
            _ => small,
        };
        number.to_string()
    }

    fn signed(&mut self, kind: &Kind) -> String {
        let signs: &[&str] = if self.random.one_in(3) { &["u", "s"] } else { &["s"] };
        format!("{}{}", self.random.pick(signs), kind.bits)
    }

    fn a_loop(&mut self, depth: u32, given: Option<&str>) {
        let kind = &KINDS[if given.is_some() { 0 } else { self.random.index(4) % 3 }];
        let kind = if self.random.one_in(2) { &KINDS[0] } else { kind };
        let counter = match given {
            Some(name) if self.random.one_in(2) => name.to_owned(),
            _ => self.name(kind),
        };
        let limit = match given {
            Some(name) if *name != *counter && self.random.one_in(2) => name.to_owned(),
            _ => self.name(kind),
        };
        let (label, out) = (self.names + 100, self.names + 200);
        let kind_name = self.signed(kind);
        let (start, end, step) = (self.number(kind), self.number(kind), self.number(kind));
        let step = if self.random.one_in(3) { step } else { "1".to_owned() };
        let place = self.random.below(7); // of the write of the limit
        let shadowed = self.random.one_in(5);
        if shadowed {
            self.line("{");
            self.line(&format!(".reg .{kind_name} {counter};"));
        }
        if given != Some(&*counter) || self.random.one_in(2) || shadowed {
            self.line(&format!("mov.{kind_name} {counter}, {start};"));
        }
        if shadowed && self.random.one_in(2) {
            self.line("}");
        }
        let write = format!("mov.{kind_name} {limit}, {end};");
        let write = if self.random.one_in(8) { format!("@%p9 {write}") } else { write };
        let operand = if place < 4 || given == Some(&*limit) { limit.clone() } else { end.clone() };
        if place == 0 {
            self.line(&write);
        }
        // Written before this loop, for one in it.
        let outside = (depth > 1 && self.random.one_in(2)).then_some("%r9");
        if outside.is_some() {
            let start = self.number(&KINDS[0]);
            self.line(&format!("mov.s32 %r9, {start};"));
        }
        self.line(&format!("L{label}:"));
        self.line("ld.global.u32 %r1, [%rd1];");
        if place == 1 {
            self.line(&write);
        }
        let predicate = format!("%p{}", self.names % 7 + 1);
        let how = *self.random.pick(&["lt", "le", "gt", "ge", "eq", "ne"]);
        let type_of_test = self.signed(kind);
        let test = |one: &str| format!("setp.{how}.{type_of_test} {predicate}, {one}, {operand};");
        let first = self.random.one_in(3);
        let bar = if self.random.one_in(2) { "!" } else { "" };
        if first {
            self.line(&test(&counter));
            self.line(&format!("@{bar}{predicate} bra L{out};"));
        }
        if depth > 1 && self.random.one_in(3) {
            self.a_loop(depth - 1, outside);
        }
        self.extra(kind, &counter, label, out);
        self.update(kind, &counter, &step);
        if place == 2 {
            self.line(&write);
        }
        if first {
            self.line(&format!("bra L{label};"));
        } else {
            self.line(&test(&counter));
            if place == 3 {
                self.line(&write);
            }
            self.line(&format!("@{bar}{predicate} bra L{label};"));
        }
        self.line(&format!("L{out}:"));
        self.line("add.u32 %r2, %r1, 1;");
        let open =
            self.lines.iter().rev().take_while(|line| !line.starts_with('.') || line.starts_with(".reg"));
        let depth: i32 = open.map(|line| i32::from(line == "{") - i32::from(line == "}")).sum();
        if depth > 1 && shadowed {
            self.line("}");
        }
    }

    /// How the counter goes on.
    fn update(&mut self, kind: &Kind, counter: &str, step: &str) {
        let (one, other) = (self.signed(kind), self.signed(kind));
        let op = if self.random.one_in(3) { "sub" } else { "add" };
        match self.random.below(9) {
            0 => {
                let copy = self.name(kind);
                self.line(&format!("{op}.{one} {copy}, {counter}, {step};"));
                self.line(&format!("mov.{other} {counter}, {copy};"));
            }
            1 => {
                let copy = self.name(kind);
                self.line(&format!("mov.{other} {copy}, {counter};"));
                self.line(&format!("{op}.{one} {counter}, {copy}, {step};"));
            }
            2 => self.line(&format!("@%p8 {op}.{one} {counter}, {counter}, {step};")),
            3 => {
                self.line(&format!("{op}.{one} {counter}, {counter}, {step};"));
                self.line(&format!("{op}.{other} {counter}, {counter}, 1;"));
            }
            4 if kind.bits != 64 => {
                let copy = self.name(&KINDS[1]);
                self.line(&format!("cvt.s64.{one} {copy}, {counter};"));
                self.line(&format!("{op}.s64 {copy}, {copy}, {step};"));
                self.line(&format!("cvt.{one}.s64 {counter}, {copy};"));
            }
            _ => self.line(&format!("{op}.{one} {counter}, {counter}, {step};")),
        }
    }

    /// Something that may get in the way.
    fn extra(&mut self, kind: &Kind, counter: &str, label: u32, out: u32) {
        let kind_name = self.signed(kind);
        match self.random.below(14) {
            0 => self.line(&format!("@%p8 mov.{kind_name} {counter}, 0;")),
            1 => self.line(&format!("@%p8 bra L{label};")),
            2 => self.line(&format!("@%p8 bra L{out};")),
            3 => self.line("@%p8 exit;"),
            4 => {
                self.line("{");
                self.line(&format!(".reg .{kind_name} {counter};"));
                self.line(&format!("add.{kind_name} {counter}, {counter}, 1;"));
                self.line("}");
            }
            5 => self.line(&format!("ld.global.{kind_name} {counter}, [%rd1];")),
            6 => {
                self.names += 1;
                let skip = self.names + 300;
                self.line(&format!("@%p8 bra L{skip};"));
                self.line("add.u32 %r2, %r1, 1;");
                self.line(&format!("L{skip}:"));
            }
            7 => {
                self.line("ld.global.u32 %r3, [%rd1];");
                self.line("setp.eq.u32 %p8, %r3, 0;");
            }
            8 if self.function => self.line("call f, (%r1);"),
            _ => {}
        }
    }
}
