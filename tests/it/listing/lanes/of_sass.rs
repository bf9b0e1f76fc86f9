//! Random kernels of SASS as text: what threads compute from their numbers, and accesses at such addresses; in a loop, behind a branch that
//! some lanes take, or neither. Functions behind the kernel compute too, and lanes may return from them apart.

use std::collections::BTreeSet;
use std::fmt::Write;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// A line of a kernel.
enum Line {
    Label(String),
    Do(String),
}

/// Where the parameters of a kernel begin: a pointer, then a number of 32 bits.
pub(super) fn parameters(arch: u32) -> u32 {
    match arch {
        100.. => 0x380,
        90.. => 0x210,
        _ => 0x160,
    }
}

/// Numbers at which arithmetic has edges.
const NUMBERS: [u32; 24] = [
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    15,
    16,
    31,
    32,
    63,
    64,
    127,
    255,
    256,
    1000,
    65535,
    65536,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffe0,
    0xffff_ffff,
];

struct Writer<'a> {
    random: &'a mut ChaCha8Rng,
    arch: u32,
    lines: Vec<Line>,
    /// The registers and the predicates that have values.
    registers: BTreeSet<u32>,
    predicates: BTreeSet<u32>,
    labels: u32,
    /// The functions that are called, by their numbers.
    called: BTreeSet<u32>,
}

/// How many functions a kernel may call. The first one may call the second one.
const FUNCTIONS: u32 = 2;

/// The text of a kernel for an architecture such as 87.
pub(super) fn kernel(random: &mut ChaCha8Rng, arch: u32) -> String {
    let mut writer = Writer {
        random,
        arch,
        lines: Vec::new(),
        registers: BTreeSet::from([20, 21]),
        predicates: BTreeSet::new(),
        labels: 0,
        called: BTreeSet::new(),
    };
    writer.push("S2R R20, SR_TID.X");
    let other = writer.of(&["SR_TID.Y", "SR_TID.Y", "SR_LANEID", "SR_LANEID", "SR_CTAID.X"]);
    writer.push(format!("S2R R21, {other}"));
    writer.steps(6);
    match writer.random.random_range(0..4) {
        0 => writer.branch(),
        1 => writer.in_loop(),
        _ => {}
    }
    writer.steps(3);
    writer.may_call();
    writer.access();
    writer.push("EXIT");
    for number in 0..FUNCTIONS {
        writer.function(number);
    }
    let mut text = format!("\t.target\tsm_{arch}\n\n\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n");
    let mut address = 0;
    for line in &writer.lines {
        match line {
            Line::Label(label) => writeln!(text, "{label}:").unwrap(),
            Line::Do(what) => {
                writeln!(text, "        /*{address:04x}*/                   {what} ;").unwrap();
                address += 16;
            }
        }
    }
    text
}

impl Writer<'_> {
    fn push(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Do(text.into()));
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!(".L_x_{}", self.labels)
    }

    fn chance(&mut self, share: f64) -> bool {
        self.random.random_bool(share)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        *all.choose(self.random).unwrap()
    }

    fn steps(&mut self, most: u32) {
        for _ in 0..self.random.random_range(1..=most) {
            self.step();
        }
    }

    /// Some lanes go around what may access memory.
    fn branch(&mut self) {
        let behind = self.label();
        let before = (self.registers.clone(), self.predicates.clone());
        self.compare("P4");
        self.push(format!("BSSY B0, `({behind})"));
        self.push(format!("@P4 BRA `({behind})"));
        self.steps(3);
        if self.chance(0.5) {
            self.access();
        }
        self.may_call();
        (self.registers, self.predicates) = before;
        self.lines.push(Line::Label(behind));
        self.push("BSYNC B0");
    }

    /// A call of a function, at times under a condition. The return address is in a register of the function.
    fn may_call(&mut self) {
        if self.chance(0.3) {
            let number = self.random.random_range(0..FUNCTIONS);
            self.call(number);
        }
    }

    fn call(&mut self, number: u32) {
        self.called.insert(number);
        let guard = match self.chance(0.3) {
            true => format!("@{} ", self.predicate()),
            false => String::new(),
        };
        let before = self.lines.iter().filter(|line| matches!(line, Line::Do(_))).count();
        self.push(format!("MOV R{}, 0x{:x}", 16 + number, 16 * (before + 2)));
        self.push(format!("{guard}CALL.REL.NOINC `(.L_f_{number})"));
    }

    /// A function with this number, if it is called. Lanes may leave it one after the other.
    fn function(&mut self, number: u32) {
        if !self.called.contains(&number) {
            return;
        }
        self.lines.push(Line::Label(format!(".L_f_{number}")));
        self.steps(2);
        let behind = self.label();
        let parts = self.chance(0.5);
        if parts {
            self.compare("P4");
            self.push(format!("@P4 BRA `({behind})"));
            self.steps(2);
        }
        if number + 1 < FUNCTIONS && self.chance(0.3) {
            self.call(number + 1);
        }
        if self.chance(0.2) {
            self.access();
        }
        if parts {
            self.lines.push(Line::Label(behind));
        }
        self.push(format!("RET.REL.NODEC R{} `(.L_f_{number})", 16 + number));
    }

    /// A loop with a counter that all lanes have alike. It runs once at least, so that what it sets is set behind it.
    fn in_loop(&mut self) {
        let head = self.label();
        let (step, most) = (self.of(&[1, 2, 5]), self.of(&[2, 3, 7, 16]));
        self.push("MOV R30, RZ");
        self.registers.insert(30);
        self.lines.push(Line::Label(head.clone()));
        self.steps(3);
        self.may_call();
        if self.chance(0.7) {
            self.access();
        }
        self.push(format!("IADD3 R30, R30, 0x{step:x}, RZ"));
        self.push(format!("ISETP.LT.AND P3, PT, R30, 0x{most:x}, PT"));
        self.push(format!("@P3 BRA `({head})"));
    }

    fn register(&mut self) -> String {
        let all: Vec<u32> = self.registers.iter().copied().collect();
        format!("R{}", self.of(&all))
    }

    fn number(&mut self) -> String {
        match self.of(&NUMBERS) {
            0 => "RZ".to_owned(),
            number => format!("0x{number:x}"),
        }
    }

    /// A register, a number, or the parameter of which nothing is known.
    fn source(&mut self) -> String {
        match self.random.random_range(0..10) {
            0..4 => self.number(),
            4 => format!("c[0x0][0x{:x}]", parameters(self.arch) + 8),
            _ => self.register(),
        }
    }

    /// A register, which may be negated, or nothing.
    fn term(&mut self) -> String {
        let minus = if self.chance(0.25) { "-" } else { "" };
        if self.chance(0.2) { "RZ".to_owned() } else { format!("{minus}{}", self.register()) }
    }

    fn predicate(&mut self) -> String {
        let not = if self.chance(0.4) { "!" } else { "" };
        let all: Vec<u32> = self.predicates.iter().copied().collect();
        if all.is_empty() { format!("{not}PT") } else { format!("{not}P{}", self.of(&all)) }
    }

    fn compare(&mut self, into: &str) {
        let (relation, logic) =
            (self.of(&["EQ", "NE", "LT", "LE", "GT", "GE"]), self.of(&["AND", "AND", "OR", "XOR"]));
        let kind = self.of(&["", ".U32"]);
        let (a, b, with) = (self.register(), self.source(), self.predicate());
        let with = if logic == "AND" && self.chance(0.6) { "PT".to_owned() } else { with };
        self.push(format!("ISETP.{relation}{kind}.{logic} {into}, PT, {a}, {b}, {with}"));
    }

    /// A sum that carries, and another sum that adds the carry.
    fn carry(&mut self, to: u32, a: &str) -> String {
        let (b, other) = (self.register(), self.register());
        let minus = self.of(&["", "-"]);
        let (b, into) = (self.of(&["RZ", &b]), self.of(&["P5", "!P5"]));
        self.push(format!("IADD3 R28, P5, {a}, {minus}{b}, RZ"));
        let (invert, c) = (self.of(&["", "~"]), self.of(&["RZ", a]));
        format!("IADD3.X R{to}, {other}, {invert}{c}, RZ, {into}, !PT")
    }

    fn step(&mut self) {
        let to = self.random.random_range(22..=27);
        let guard = match self.registers.contains(&to) && self.chance(0.2) && !self.predicates.is_empty() {
            true => format!("@{} ", self.predicate()),
            false => String::new(),
        };
        let shift = self.of(&[0_u32, 1, 2, 3, 5, 8, 16, 30, 31]);
        let (a, b) = (self.register(), self.source());
        let unsigned = self.of(&["", ".U32"]);
        let least = self.of(&["PT", "!PT"]);
        let text = match self.random.random_range(0..24) {
            0..3 => format!("IADD3 R{to}, {}, {b}, {}", self.term(), self.term()),
            3 => format!("IMAD R{to}, {a}, {b}, {}", self.term()),
            4 if self.chance(0.3) => format!("IMAD.HI.U32 R{to}, {a}, {b}, 0x7fffffff"),
            4 => format!("IMAD.HI{unsigned} R{to}, {a}, {b}, RZ"),
            5 if self.chance(0.6) => self.carry(to, &a),
            5 => format!("IMAD.MOV.U32 R{to}, RZ, RZ, {b}"),
            6 => format!("IMAD.SHL.U32 R{to}, {a}, 0x{:x}, RZ", 1_u32 << shift),
            7 => format!("IMAD.IADD R{to}, {a}, 0x1, {}", self.term()),
            8 => format!("SHF.L.U32 R{to}, {a}, 0x{shift:x}, RZ"),
            9 => format!("SHF.L.U32 R{to}, {a}, {b}, RZ"),
            10 if self.chance(0.3) => format!("SHF.R.{}.HI R{to}, RZ, {b}, {a}", self.of(&["U32", "S32"])),
            10 => format!("SHF.R.U32.HI R{to}, RZ, 0x{shift:x}, {a}"),
            11 => format!("SHF.R.S32.HI R{to}, RZ, 0x{shift:x}, {a}"),
            12 => format!("SHF.L.U64.HI R{to}, {a}, 0x{shift:x}, {}", self.register()),
            13 | 14 => {
                let rows = self.of(&[0xc0, 0xfc, 0x3c, 0x0c, 0x30, 0xf8, 0xca, 0x96, 0x0f, 0x33, 0xe8, 0xb8]);
                format!("LOP3.LUT R{to}, {a}, {b}, {}, 0x{rows:x}, !PT", self.register())
            }
            15 => format!("LEA R{to}, {a}, {b}, 0x{shift:x}"),
            16 => {
                let (which, places) = (self.of(&[".HI", ".HI.SX32"]), shift.max(1));
                let middle = if which == ".HI" { "RZ, " } else { "" };
                format!("LEA{which} R{to}, {a}, {b}, {middle}0x{places:x}")
            }
            17 => {
                let name = if self.arch >= 90 { "VIMNMX" } else { "IMNMX" };
                format!("{name}{unsigned} R{to}, {a}, {b}, {least}")
            }
            18 => format!("SEL R{to}, {a}, {b}, {}", self.predicate()),
            19 => match self.of(&["IABS", "POPC", "BREV"]) {
                "POPC" => format!("POPC R{to}, {a}"),
                name => format!("{name} R{to}, {a}"),
            },
            20 => {
                let which =
                    self.of(&[0x3210_u32, 0x5410, 0x7610, 0x0123, 0x4440, 0x1054, 0x8888, 0x3340, 0x7632]);
                format!("PRMT R{to}, {a}, 0x{which:x}, {}", self.term().trim_start_matches('-'))
            }
            21 => format!("SGXT{unsigned} R{to}, {a}, 0x{:x}", self.of(&[1, 4, 8, 16, 31])),
            22 if self.predicates.len() > 1 => {
                let (into, rows) = (self.random.random_range(0..3), self.random.random_range(0..256));
                let [a, b] = [self.predicate(), self.predicate()];
                self.push(format!("PLOP3.LUT P{into}, PT, {a}, {b}, PT, 0x{rows:x}, 0x0"));
                self.predicates.insert(into);
                return;
            }
            _ => {
                let into = self.random.random_range(0..3);
                self.compare(&format!("P{into}"));
                self.predicates.insert(into);
                return;
            }
        };
        self.push(guard + &text);
        self.registers.insert(to);
    }

    /// An access to shared memory, at a multiple of what a register has.
    fn shared_access(&mut self) {
        let (width, bytes) = self.of(&[("", 4_u32), ("", 4), (".64", 8), (".128", 16)]);
        let (index, scale) = (self.register(), self.of(&[1, 1, 2, 3, 32]) * bytes);
        let mask = self.of(&[0xff_u32, 0x1f, 0xf0]);
        self.push(format!("LOP3.LUT R28, {index}, 0x{mask:x}, RZ, 0xc0, !PT"));
        self.push(format!("IMAD R28, R28, 0x{scale:x}, RZ"));
        let offset = self.of(&["", "+0x10", "+0x80"]);
        let reads = self.chance(0.5);
        self.push(match reads {
            true => format!("LDS{width} R8, [R28{offset}]"),
            false => format!("STS{width} [R28{offset}], R12"),
        });
    }

    /// An access to shared memory or to the array of the pointer, at an index that a register has.
    fn access(&mut self) {
        if self.chance(0.2) {
            return self.shared_access();
        }
        let (width, bytes) = self.of(&[("", 4_u32), ("", 4), (".64", 8), (".128", 16)]);
        let scale = self.of(&[4_u32, 4, 8, 16, 32, 128]).max(bytes);
        let (index, pointer) = (self.register(), parameters(self.arch));
        let array = format!("c[0x0][0x{pointer:x}]");
        let upper = format!("c[0x0][0x{:x}]", pointer + 4);
        match self.random.random_range(0..7) {
            5 => {
                // A sum of three words has two carries.
                let other = self.register();
                self.push(format!("LOP3.LUT R28, {index}, 0xfffffff0, RZ, 0xc0, !PT"));
                self.push(format!("SHF.L.U32 R29, {other}, 0x4, RZ"));
                self.push(format!("IADD3 R2, P5, P6, R28, R29, {array}"));
                let (one, two) = self.of(&[("P5", "P6"), ("P6", "P5")]);
                self.push(format!("IADD3.X R3, RZ, RZ, {upper}, {one}, {two}"));
            }
            6 => {
                self.push(format!("SHF.L.U32 R28, {index}, 0x4, RZ"));
                self.push("SHF.R.S32.HI R29, RZ, 0x1f, R28");
                self.push(format!("IADD3 R2, P5, R28, {array}, RZ"));
                self.push(format!("IMAD.X R3, R29, 0x1, {upper}, P5"));
            }
            0..3 => {
                let unsigned = self.of(&["", ".U32"]);
                self.push(format!("IMAD.WIDE{unsigned} R2, {index}, 0x{scale:x}, {array}"));
            }
            3 => {
                let by = scale.trailing_zeros();
                self.push(format!("LEA R2, P5, {index}, {array}, 0x{by:x}"));
                self.push(format!("LEA.HI.X.SX32 R3, {index}, {upper}, 0x{by:x}, P5"));
            }
            _ => {
                self.push(format!("LOP3.LUT R28, {index}, 0xfffffff0, RZ, 0xc0, !PT"));
                self.push(format!("IADD3 R2, P5, R28, {array}, RZ"));
                self.push(format!("IADD3.X R3, RZ, {upper}, RZ, P5, !PT"));
            }
        }
        if self.chance(0.3) {
            // Another index moves the address.
            let other = self.register();
            match self.chance(0.5) {
                true => {
                    self.push(format!("LEA R2, P5, {other}, R2, 0x4"));
                    self.push(format!("LEA.HI.X.SX32 R3, {other}, R3, 0x4, P5"));
                }
                false => {
                    self.push(format!("SHF.L.U32 R28, {other}, 0x4, RZ"));
                    self.push("SHF.R.S32.HI R29, RZ, 0x1f, R28");
                    self.push("IADD3 R2, P5, R28, R2, RZ");
                    self.push("IADD3.X R3, R29, R3, RZ, P5, !PT");
                }
            }
        }
        let offset = self.of(&["", "", "+0x10", "+0x40", "+0x100"]);
        let reads = self.chance(0.7);
        self.push(match reads {
            true => format!("LDG.E{width} R8, [R2.64{offset}]"),
            false => format!("STG.E{width} [R2.64{offset}], R12"),
        });
    }
}
