//! Each instruction against what it is known to do: a row has an instruction, and what a place holds behind it.

mod ptx;
mod spellings;

use crate::Lifted;
use crate::run::{Lane, place};
use crate::sass::lift;
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::register::Register;

/// What places hold before an instruction.
#[derive(Debug, Clone, Copy)]
struct Before {
    /// `R1`, `R2` and `R3`.
    a: u32,
    b: u32,
    c: u32,
    /// The pairs `R4` and `R6`.
    x: u64,
    y: u64,
    /// `P0`, and the condition code: its carry, and whether the last result was zero.
    p: bool,
    carry: bool,
    zero: bool,
}

impl Before {
    fn signed(self) -> (i32, i32) {
        (self.a.cast_signed(), self.b.cast_signed())
    }

    fn halves(self) -> [u32; 4] {
        [self.a & 0xffff, self.a >> 16, self.b & 0xffff, self.b >> 16]
    }
}

/// The word at the byte 8 of the constant bank, and the one behind it.
const BANK: [u32; 2] = [0x9876_5432, 0xfedc_ba98];

const fn low(number: u64) -> u32 {
    (number & 0xffff_ffff) as u32
}

const fn high(number: u64) -> u32 {
    (number >> 32) as u32
}

fn mask(bit: bool) -> u32 {
    if bit { u32::MAX } else { 0 }
}

/// The upper word of a number of two words that is shifted to the left, plus another word.
fn above(high: u32, low: u32, by: u32, added: u32) -> u32 {
    self::high((u64::from(high) << 32 | u64::from(low)) << by).wrapping_add(added)
}

type Row<T> = (&'static str, fn(Before) -> T);

/// What `R10` holds.
const WORDS: &[Row<u32>] = &[
    ("MOV R10, R1", |w| w.a),
    ("MOV R10, R1, 0xf", |w| w.a),
    ("MOV R10, c[0x0][0x8]", |_| BANK[0]),
    ("MOV32I R10, 0x12345678", |_| 0x1234_5678),
    ("S2R R10, SR_TID.Y", |_| 5),
    ("CS2R.32 R10, SRZ", |_| 0),
    ("LDC R10, c[0x0][0xc]", |_| BANK[1]),
    ("HFMA2.MMA R10, -RZ, RZ, 0, 5.9604644775390625e-08", |_| 1),
    ("IADD3 R10, R1, -R2, R3", |w| w.a.wrapping_sub(w.b).wrapping_add(w.c)),
    ("IADD3 R10, P1, P2, R1, R2, R3", |w| w.a.wrapping_add(w.b).wrapping_add(w.c)),
    ("IADD3.X R10, R1, ~R2, RZ, P0, !PT", |w| w.a.wrapping_add(!w.b).wrapping_add(w.p.into())),
    ("IADD R10, -R1, R2", |w| w.b.wrapping_sub(w.a)),
    ("IADD32I R10, R1, -0x7", |w| w.a.wrapping_sub(7)),
    ("IADD.X R10, R1, R2", |w| w.a.wrapping_add(w.b).wrapping_add(w.carry.into())),
    // As the upper word of a difference, up to 6.x.
    ("IADD.X R10, R1, -R2", |w| w.a.wrapping_add(!w.b).wrapping_add(w.carry.into())),
    ("IADD.X R10, RZ, -R2", |w| (!w.b).wrapping_add(w.carry.into())),
    ("IADD3.X R10, R1, -R2, R3", |w| w.a.wrapping_add(!w.b).wrapping_add(w.c).wrapping_add(w.carry.into())),
    ("VIADD R10, R1, 0x9", |w| w.a.wrapping_add(9)),
    ("IADD3.RS R10, R1, R2, R3", |w| low((u64::from(w.a) + u64::from(w.b)) >> 16).wrapping_add(w.c)),
    ("LEA R10, R1, R2, 0x3", |w| (w.a << 3).wrapping_add(w.b)),
    ("LEA.HI R10, R1, R2, RZ, 0x5", |w| above(0, w.a, 5, w.b)),
    ("LEA.HI R10, R1, R2, R3, 0x5", |w| above(w.c, w.a, 5, w.b)),
    ("LEA.HI.SX32 R10, R1, R2, 0x5", |w| above(mask(w.a >> 31 != 0), w.a, 5, w.b)),
    ("LEA.HI.X R10, R1, R2, R3, 0x2, P0", |w| above(w.c, w.a, 2, w.b).wrapping_add(w.p.into())),
    ("LEA.HI.X.SX32 R10, R1, R2, 0x2, P0", |w| {
        above(mask(w.a >> 31 != 0), w.a, 2, w.b).wrapping_add(w.p.into())
    }),
    ("ISCADD R10, R1, R2, 0x4", |w| (w.a << 4).wrapping_add(w.b)),
    ("IMAD R10, R1, R2, R3", |w| w.a.wrapping_mul(w.b).wrapping_add(w.c)),
    ("IMAD.MOV.U32 R10, RZ, RZ, R3", |w| w.c),
    ("IMAD.SHL.U32 R10, R1, 0x8, RZ", |w| w.a << 3),
    ("IMAD.IADD R10, R1, 0x1, -R2", |w| w.a.wrapping_sub(w.b)),
    ("IMAD.X R10, RZ, RZ, R3, P0", |w| w.c.wrapping_add(w.p.into())),
    ("IMAD.X R10, R1, 0x1, R3, P0", |w| w.a.wrapping_add(w.c).wrapping_add(w.p.into())),
    ("IMAD.X R10, RZ, RZ, ~R3, !P0", |w| (!w.c).wrapping_add((!w.p).into())),
    ("IMAD.X R10, R1, R2, R3, P0", |w| w.a.wrapping_mul(w.b).wrapping_add(w.c).wrapping_add(w.p.into())),
    ("IMAD.HI.U32 R10, R1, R2, R4", |w| high((u64::from(w.a) * u64::from(w.b)).wrapping_add(w.x))),
    ("IMAD.HI.U32 R10, R1, -0x36f0255e, RZ", |w| high(u64::from(w.a) * 0xc90f_daa2)),
    ("IMAD.HI R10, R1, R2, RZ", |w| {
        let (a, b) = w.signed();
        high((i64::from(a) * i64::from(b)).cast_unsigned())
    }),
    ("XMAD R10, R1, R2, R3", |w| (w.halves()[0] * w.halves()[2]).wrapping_add(w.c)),
    ("XMAD R10, R1.H1, R2.H1, R3", |w| (w.halves()[1] * w.halves()[3]).wrapping_add(w.c)),
    ("XMAD.MRG R10, R1, R2.H1, RZ", |w| (w.halves()[0] * w.halves()[3]) & 0xffff | w.b << 16),
    ("XMAD.CHI R10, R1.H1, R2, R3", |w| (w.halves()[1] * w.halves()[2]).wrapping_add(w.c >> 16)),
    ("XMAD.PSL R10, R1.H1, R2, R3", |w| ((w.halves()[1] * w.halves()[2]) << 16).wrapping_add(w.c)),
    ("XMAD.PSL.CBCC R10, R1.H1, R2.H1, R3", |w| {
        ((w.halves()[1] * w.halves()[3]) << 16).wrapping_add(w.c).wrapping_add(w.b << 16)
    }),
    ("SHL R10, R1, 0x4", |w| w.a << 4),
    ("SHR R10, R1, 0x4", |w| (w.a.cast_signed() >> 4).cast_unsigned()),
    ("SHR.U32 R10, R1, 0x4", |w| w.a >> 4),
    ("SHF.L.U32 R10, R1, 0x3, RZ", |w| w.a << 3),
    ("SHF.L.U64.HI R10, R1, 0x2, R2", |w| above(w.b, w.a, 2, 0)),
    ("SHF.R.U32.HI R10, RZ, 0x3, R1", |w| w.a >> 3),
    ("SHF.R.S32.HI R10, RZ, 0x1f, R1", |w| mask(w.a >> 31 != 0)),
    // By 32 and more nothing is left.
    ("SHL R10, R1, R2", |w| w.a.checked_shl(w.b).unwrap_or(0)),
    ("SHL R10, R1, ~RZ", |_| 0),
    ("SHR R10, R1, R2", |w| (w.a.cast_signed() >> w.b.min(31)).cast_unsigned()),
    ("SHF.L.U32 R10, R1, c[0x0][0x8], RZ", |w| w.a.checked_shl(BANK[0]).unwrap_or(0)),
    ("SHF.R.U32.HI R10, RZ, R2, R1", |w| w.a.checked_shr(w.b).unwrap_or(0)),
    ("SHF.R.S32.HI R10, RZ, R2, R1", |w| (w.a.cast_signed() >> w.b.min(31)).cast_unsigned()),
    ("IABS R10, R1", |w| w.a.cast_signed().wrapping_abs().cast_unsigned()),
    ("IMNMX R10, R1, R2, PT", |w| if w.signed().0 < w.signed().1 { w.a } else { w.b }),
    ("IMNMX.U32 R10, R1, R2, !PT", |w| w.a.max(w.b)),
    ("VIMNMX R10, R1, R2, !PT", |w| if w.signed().0 > w.signed().1 { w.a } else { w.b }),
    ("VIMNMX.S32.RELU R10, R1, R2, PT", |w| w.signed().0.min(w.signed().1).max(0).cast_unsigned()),
    ("VIADDMNMX.RELU R10, R1, -0x1, R2, PT", |w| {
        w.signed().0.wrapping_sub(1).min(w.signed().1).max(0).cast_unsigned()
    }),
    ("I2I.S32.S32 R10, |R1|", |w| w.a.cast_signed().wrapping_abs().cast_unsigned()),
    ("VMNMX.MX.MIN R10, R1, RZ, R2", |w| {
        if w.signed().0.max(0) < w.signed().1 { w.signed().0.max(0).cast_unsigned() } else { w.b }
    }),
    ("LOP.AND R10, R1, ~R2", |w| w.a & !w.b),
    ("LOP.XOR R10, R1, R2", |w| w.a ^ w.b),
    ("LOP.PASS_B R10, RZ, ~R2", |w| !w.b),
    ("LOP32I.OR R10, R1, 0xff", |w| w.a | 0xff),
    ("LOP3.LUT R10, R1, R2, R3, 0x96, !PT", |w| w.a ^ w.b ^ w.c),
    ("LOP3.LUT R10, R1, R2, R3, 0xf8, !PT", |w| w.a | w.b & w.c),
    ("LOP3.LUT R10, R1, R2, R3, 0xca, !PT", |w| w.a & w.b | !w.a & w.c),
    ("LOP3.LUT R10, RZ, R2, RZ, 0x33, !PT", |w| !w.b),
    ("SEL R10, R1, R2, P0", |w| if w.p { w.a } else { w.b }),
    ("SEL R10, R1, R2, !P0", |w| if w.p { w.b } else { w.a }),
    ("ISET.GE.AND R10, R1, R2, PT", |w| mask(w.signed().0 >= w.signed().1)),
    ("ISET.LT.U32.AND R10, R1, R2, P0", |w| mask(w.a < w.b && w.p)),
];

/// What `R10` and `R11` hold.
const PAIRS: &[Row<u64>] = &[
    ("IMAD.WIDE R10, R1, R2, R4", |w| {
        let (a, b) = w.signed();
        (i64::from(a) * i64::from(b)).cast_unsigned().wrapping_add(w.x)
    }),
    ("IMAD.WIDE.U32 R10, R1, R2, R4", |w| (u64::from(w.a) * u64::from(w.b)).wrapping_add(w.x)),
    ("IMAD.WIDE.U32 R10, R1, -0x55555555, RZ", |w| u64::from(w.a) * 0xaaaa_aaab),
    ("IADD.64 R10, R4, R6", |w| w.x.wrapping_add(w.y)),
    ("IADD.64 R10, R4, -R6", |w| w.x.wrapping_sub(w.y)),
    ("IADD3.64 R10, PT, PT, R4, R6, RZ", |w| w.x.wrapping_add(w.y)),
    ("IADD.64 R10, -RZ, R6", |w| w.y),
    ("MOV.64 R10, R4", |w| w.x),
    ("SEL.64 R10, R4, R6, !P0", |w| if w.p { w.y } else { w.x }),
    ("LDC.64 R10, c[0x0][0x8]", |_| u64::from(BANK[1]) << 32 | u64::from(BANK[0])),
    ("CS2R R10, SRZ", |_| 0),
];

/// What `P1` and `P2` hold, in this order, as far as they are written; of the condition code the carry, and whether the result is zero.
const BITS: &[Row<[Option<bool>; 2]>] = &[
    ("ISETP.LT.AND P1, PT, R1, R2, PT", |w| [Some(w.signed().0 < w.signed().1), None]),
    ("ISETP.GE.U32.OR P1, P2, R1, R2, P0", |w| [Some(w.a >= w.b || w.p), Some(w.a < w.b || w.p)]),
    ("ISETP.NE.AND P1, P2, R1, R2, P0", |w| [Some(w.a != w.b && w.p), Some(w.a == w.b && w.p)]),
    ("ISETP.LT.AND.EX P1, PT, R1, R2, PT, P0", |w| {
        [Some(w.signed().0 < w.signed().1 || w.a == w.b && w.p), None]
    }),
    ("ISETP.GE.U32.AND.EX P1, PT, R1, R2, PT, P0", |w| [Some(w.a > w.b || w.a == w.b && w.p), None]),
    ("ISETP.EQ.U32.AND.EX P1, PT, R1, R2, PT, P0", |w| [Some(w.a == w.b && w.p), None]),
    ("ISETP.NE.U32.AND.EX P1, PT, R1, R2, PT, P0", |w| [Some(w.a != w.b || w.p), None]),
    ("ISETP.GE.U32.X.AND P1, PT, R1, R2, PT", |w| [Some(w.a > w.b || w.a == w.b && w.carry), None]),
    ("ISETP.LT.X.AND P1, PT, R1, R2, PT", |w| {
        [Some(w.signed().0 < w.signed().1 || w.a == w.b && !w.carry), None]
    }),
    ("ISETP.NE.X.AND P1, PT, R1, R2, PT", |w| [Some(w.a != w.b || !w.zero), None]),
    ("ISETP.LT.U64.AND P1, PT, R4, R6, PT", |w| [Some(w.x < w.y), None]),
    ("ISETP.GE.S64.AND P1, PT, R4, R6, PT", |w| [Some(w.x.cast_signed() >= w.y.cast_signed()), None]),
    ("PLOP3.LUT P1, P2, P0, PT, PT, 0x80, 0x8", |w| [Some(w.p), Some(!w.p)]),
    ("PSETP.AND.AND P1, PT, P0, PT, PT", |w| [Some(w.p), None]),
    ("PSETP.OR.AND P1, PT, P0, !PT, PT", |w| [Some(w.p), None]),
    ("LOP3.LUT P1, R10, R1, R2, RZ, 0xc0, !PT", |w| [Some(w.a & w.b != 0), None]),
    ("LOP.AND.NZ P1, RZ, ~R1, ~R2", |w| [Some(!w.a & !w.b != 0), None]),
    ("IADD3 R10, P1, R1, R2, RZ", |w| [Some(w.a.checked_add(w.b).is_none()), None]),
    ("IADD3 R10, P1, R1, -R2, RZ", |w| [Some(w.a >= w.b), None]),
    ("LEA R10, P1, R1, R2, 0x3", |w| [Some((w.a << 3).checked_add(w.b).is_none()), None]),
    ("IADD R10.CC, R1, R2", |w| [Some(w.a.checked_add(w.b).is_none()), Some(w.a.wrapping_add(w.b) == 0)]),
    ("ISCADD R10.CC, -R1, R2, 0x2", |w| [Some(w.b >= w.a << 2), Some(w.b == w.a << 2)]),
    ("IADD RZ.CC, R1, -R2", |w| [Some(w.a >= w.b), Some(w.a == w.b)]),
];

/// Words at which numbers change their signs, overflow, or have halves of all bits or none, and some others.
const CORNERS: [u32; 11] =
    [0, 1, 2, 7, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xdead_beef, u32::MAX];

/// What places may hold: all pairs of corners, each with some other words.
fn all() -> impl Iterator<Item = Before> {
    let of = |one: usize| CORNERS[one % CORNERS.len()];
    let count = CORNERS.len();
    (0..count * count * 2).map(move |at| {
        let (a, b) = (at / 2 / count, at / 2 % count);
        let pair = |high, low| u64::from(of(high)) << 32 | u64::from(of(low));
        let [p, carry, zero] = [at % 2 == 0, at % 3 == 0, at % 5 == 0];
        let (x, y) = (pair(a + at, b), pair(a + at + b % 2, b + 3));
        Before { a: of(a), b: of(b), c: of(a + 2 * b + 1), x, y, p, carry, zero }
    })
}

/// The steps of an instruction.
fn lifted(text: &str) -> Option<Lifted> {
    let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
    lift(&Instruction::new(Language::Sass, 1, None, opcode, operands))
}

/// The lane behind an instruction.
fn behind(steps: &Lifted, before: Before) -> Lane<'static> {
    const CONSTANTS: [u32; 4] = [1, 2, BANK[0], BANK[1]];
    let Before { a, b, c, x, y, p, carry, zero } = before;
    let words =
        [("R1", a), ("R2", b), ("R3", c), ("R4", low(x)), ("R5", high(x)), ("R6", low(y)), ("R7", high(y))];
    let registers = words.into_iter().chain([("P0", p.into())]);
    let mut lane = Lane {
        registers: registers.map(|(name, word)| (place(Register::of(name).unwrap()), word)).collect(),
        named: vec![],
        code: [carry, zero],
        constants: &CONSTANTS,
        banks: None,
        thread: [4, 5, 6],
        block: [7, 8, 9],
        sizes: [[32, 8, 8], [16, 16, 16]],
        lane: 3,
    };
    lane.run(steps);
    lane
}

/// What a place holds, if it was written.
fn held(lane: &Lane<'_>, name: &str) -> Option<u32> {
    lane.registers.get(&place(Register::of(name).unwrap())).copied()
}

#[test]
fn words_are_what_instructions_give() {
    for (text, gives) in WORDS {
        let steps = lifted(text).unwrap_or_else(|| panic!("{text}: not lifted"));
        for before in all() {
            assert_eq!(held(&behind(&steps, before), "R10"), Some(gives(before)), "{text}: {before:x?}");
        }
    }
}

#[test]
fn pairs_are_what_instructions_give() {
    for (text, gives) in PAIRS {
        let steps = lifted(text).unwrap_or_else(|| panic!("{text}: not lifted"));
        for before in all() {
            let lane = behind(&steps, before);
            let found = ["R10", "R11"].map(|name| held(&lane, name));
            let expected = gives(before);
            assert_eq!(found, [Some(low(expected)), Some(high(expected))], "{text}: {before:x?}");
        }
    }
}

#[test]
fn bits_are_what_instructions_give() {
    for (text, gives) in BITS {
        let steps = lifted(text).unwrap_or_else(|| panic!("{text}: not lifted"));
        for before in all() {
            let lane = behind(&steps, before);
            let found = match text.contains(".CC") {
                true => lane.code.map(Some),
                false => ["P1", "P2"].map(|name| held(&lane, name).map(|bit| bit != 0)),
            };
            assert_eq!(found, gives(before), "{text}: {before:x?}");
        }
    }
}

/// A sum of three words has two carries, and the upper words take both.
#[test]
fn two_carries_count_what_a_sum_of_three_words_carries() {
    let lower = lifted("IADD3 R10, P1, P2, R4, R6, R3").unwrap();
    for upper in ["IADD3.X R11, R5, R7, RZ, P1, P2", "IADD3.X R11, R5, R7, RZ, P2, P1"] {
        for before in all() {
            let mut lane = behind(&lower, before);
            lane.run(&lifted(upper).unwrap());
            let expected = before.x.wrapping_add(before.y).wrapping_add(before.c.into());
            let found = ["R10", "R11"].map(|name| held(&lane, name));
            assert_eq!(found, [Some(low(expected)), Some(high(expected))], "{upper}: {before:x?}");
        }
    }
}

/// Whether the last of the carries of a sum of three words is the only one is not known, and the condition code has one carry.
#[test]
fn one_carry_of_a_sum_of_three_words_is_not_that_of_all() {
    for text in ["IADD3 R10, P1, PT, R1, R2, R3", "IADD3 R10, P1, R1, RZ, R2"] {
        let steps = lifted(text).unwrap().steps;
        assert!(matches!(steps[1], crate::Operation::OneCarry(_, 0)), "{text}: {steps:?}");
    }
    let two_minus = ["IADD RZ.CC, -R1, -R2", "IADD3 R10.CC, R1, R2, R3", "IADD.X R10.CC, R1, R2"];
    for text in two_minus {
        let steps = lifted(text).unwrap().steps;
        assert_eq!(steps[1], crate::Operation::UnknownBit, "{text}");
    }
}

/// What is not known in advance is written as anything, and what is no row of a table is not lifted.
#[test]
fn what_may_be_anything_is_not_given() {
    let before = all().nth(30).unwrap();
    assert_eq!(held(&behind(&lifted("LDC R10, c[0x3][R1]").unwrap(), before), "R10"), None);
    for text in [
        "IMAD.HI R10, R1, R2, R4",
        // The third operand has one word.
        "IMAD.U32.U32.HI R10, R1, R2, R3",
        "IMAD.HI.U32.U32 R10, R1, R2, R3",
        "IMAD.WIDE.U32.U32 R10, R1, R2, R4",
        "ISETP.LT.AND P1, P1, R1, R2, PT",
        "PLOP3.LUT P1, P1, P0, PT, PT, 0x80, 0x8",
        "SHF.L.W.U32 R10, R1, 0x3, R1",
        "LOP3.LUT R10, R1, R2, R3, R4, !PT",
        // The minus of one of two words, and too few or too many operands.
        "IMAD.WIDE R10, -R1, R2, R4",
        "IMAD.X R10, R1, R2, -R3, P0",
        "IADD.64 R10, -R4, -R6",
        "IADD3.64 R10, PT, PT, R4, R6, R2",
        "IADD3.64 R10, P1, PT, R4, R6, RZ",
        "VIADD R10, R1",
        "IADD R10, R1, R2, R3",
        "SHR R10, R1, 0x4, !P0",
        "IADD3 R10, P1, P1, R1, R2, RZ",
        // What is no result, no whole register, or of another file.
        "IADD R10.H1, R1, R2",
        "IADD -R10, R1, R2",
        "MOV UR10, R1",
        "UMOV R10, UR1",
        "LOP.AND.NZ !P1, R10, R1, R2",
        "ISETP.LT.AND R10, PT, R1, R2, PT",
        "ISETP.LT.AND P1, PT, R1, -R2, PT",
        "SHL R10, B1, 0x4",
        "XMAD R10, R1, 0x10000, RZ",
        "ISCADD.HI R10, R1, R2, R3, 0x4",
    ] {
        assert_eq!(lifted(text), None, "{text}");
    }
}
