//! What compilers make of arithmetic whose meaning is known whatever the single instructions mean: sums, differences, products, comparisons and
//! quotients of one and two words. Both the steps and the interpreter of the text must give it, so that they do not share a misreading.

use super::interpreter::text::Code;
use super::interpreter::thread::Slot;
use super::interpreter::warp::run;
use super::of_sass::{held, lane, thread};
use super::{any_word, cases};
use crate::run::place;
use rand::RngExt;
use warpspan_isa::register::Register;

/// What is given: the pairs `R2` and `R4`, and the words `R6` and `R7`.
#[derive(Debug, Clone, Copy)]
struct Given {
    x: u64,
    y: u64,
    a: u32,
    b: u32,
}

impl Given {
    /// The words as numbers of two words with a sign.
    fn signed(self) -> [u64; 2] {
        [self.a, self.b].map(|word| i64::from(word.cast_signed()).cast_unsigned())
    }

    fn pairs(self) -> [i64; 2] {
        [self.x.cast_signed(), self.y.cast_signed()]
    }
}

/// Where a result is: in the pair `R8`, in `R8` alone, or in `P0`.
#[derive(Debug, Clone, Copy)]
enum Outcome {
    Pair(fn(Given) -> u64),
    Word(fn(Given) -> u32),
    Bit(fn(Given) -> bool),
}

use Outcome::{Bit, Pair, Word};

#[rustfmt::skip]
const IDIOMS: &[(&str, Outcome)] = &[
    // From 7.0 on.
    ("IADD3 R8, P0, R2, R4, RZ; IADD3.X R9, R3, R5, RZ, P0, !PT", Pair(|g| g.x.wrapping_add(g.y))),
    ("IADD3 R8, P0, R2, -R4, RZ; IADD3.X R9, R3, ~R5, RZ, P0, !PT", Pair(|g| g.x.wrapping_sub(g.y))),
    ("IADD3 R8, P1, R2, -R4, RZ; IMAD.X R9, R3, 0x1, ~R5, P1", Pair(|g| g.x.wrapping_sub(g.y))),
    ("IADD3 R8, P1, R2, R4, RZ; IMAD.X R9, R3, 0x1, R5, P1", Pair(|g| g.x.wrapping_add(g.y))),
    ("IADD3 R8, P0, RZ, -R2, RZ; IMAD.X R9, RZ, RZ, ~R3, P0", Pair(|g| g.x.wrapping_neg())),
    ("IADD3 R8, P0, R2, -0x8, RZ; IADD3.X R9, R3, -0x1, RZ, P0, !PT", Pair(|g| g.x.wrapping_sub(8))),
    ("IADD3 R8, P0, P1, R2, R4, R6; IADD3.X R9, R3, R5, RZ, P0, P1", Pair(|g| g.x.wrapping_add(g.y).wrapping_add(g.a.into()))),
    ("IADD3 R8, P0, P1, -R2, R4, R6; IADD3.X R9, ~R3, R5, RZ, P0, P1", Pair(|g| g.y.wrapping_sub(g.x).wrapping_add(g.a.into()))),
    ("LEA R8, P0, R6, R4, 0x2; LEA.HI.X.SX32 R9, R6, R5, 0x2, P0", Pair(|g| g.y.wrapping_add(g.signed()[0] << 2))),
    ("LEA R8, P0, R2, R4, 0x3; LEA.HI.X R9, R2, R5, R3, 0x3, P0", Pair(|g| g.y.wrapping_add(g.x << 3))),
    ("IMAD.WIDE R8, R6, R7, R4", Pair(|g| g.y.wrapping_add(g.signed()[0].wrapping_mul(g.signed()[1])))),
    ("IMAD.WIDE.U32 R8, R6, R7, R4", Pair(|g| g.y.wrapping_add(u64::from(g.a) * u64::from(g.b)))),
    ("IMAD R10, R3, R4, RZ; IMAD R10, R2, R5, R10; IMAD.WIDE.U32 R8, R2, R4, RZ; IADD3 R9, R9, R10, RZ", Pair(|g| g.x.wrapping_mul(g.y))),
    ("SHF.L.U32 R8, R2, 0x5, RZ; SHF.L.U64.HI R9, R2, 0x5, R3", Pair(|g| g.x << 5)),
    ("MOV R8, R6; SHF.R.S32.HI R9, RZ, 0x1f, R6", Pair(|g| g.signed()[0])),
    ("IMAD.HI R8, R6, 0x2e8ba2e9, RZ; SHF.R.U32.HI R9, RZ, 0x1f, R8; LEA.HI.SX32 R8, R8, R9, 0x1f", Word(|g| (g.a.cast_signed() / 11).cast_unsigned())),
    ("IMAD.HI.U32 R8, R6, -0x55555555, RZ; SHF.R.U32.HI R8, RZ, 0x1, R8", Word(|g| g.a / 3)),
    ("LEA.HI R8, R6, R6, RZ, 0x1; SHF.R.S32.HI R8, RZ, 0x1, R8", Word(|g| (g.a.cast_signed() / 2).cast_unsigned())),
    ("ISETP.LT.U32.AND P0, PT, R2, R4, PT; ISETP.LT.U32.AND.EX P0, PT, R3, R5, PT, P0", Bit(|g| g.x < g.y)),
    ("ISETP.LE.U32.AND P0, PT, R2, R4, PT; ISETP.LE.U32.AND.EX P0, PT, R3, R5, PT, P0", Bit(|g| g.x <= g.y)),
    ("ISETP.GT.U32.AND P0, PT, R2, R4, PT; ISETP.GT.AND.EX P0, PT, R3, R5, PT, P0", Bit(|g| g.pairs()[0] > g.pairs()[1])),
    ("ISETP.GE.U32.AND P0, PT, R2, R4, PT; ISETP.GE.AND.EX P0, PT, R3, R5, PT, P0", Bit(|g| g.pairs()[0] >= g.pairs()[1])),
    ("ISETP.EQ.U32.AND P0, PT, R2, R4, PT; ISETP.EQ.AND.EX P0, PT, R3, R5, PT, P0", Bit(|g| g.x == g.y)),
    ("ISETP.NE.U32.AND P0, PT, R2, R4, PT; ISETP.NE.AND.EX P0, PT, R3, R5, PT, P0", Bit(|g| g.x != g.y)),
    // Up to 6.x.
    ("IADD R8.CC, R2, R4; IADD.X R9, R3, R5", Pair(|g| g.x.wrapping_add(g.y))),
    ("IADD R8.CC, R2, -R4; IADD.X R9, R3, -R5", Pair(|g| g.x.wrapping_sub(g.y))),
    ("IADD R8.CC, -R2, R4; IADD.X R9, -R3, R5", Pair(|g| g.y.wrapping_sub(g.x))),
    ("IADD R8.CC, RZ, -R2; IADD.X R9, RZ, -R3", Pair(|g| g.x.wrapping_neg())),
    ("IADD32I R8.CC, R2, -0x8; IADD32I.X R9, R3, -0x1", Pair(|g| g.x.wrapping_sub(8))),
    ("SHR R9, R6, 0x1e; ISCADD R8.CC, R6, R4, 0x2; IADD.X R9, R9, R5", Pair(|g| g.y.wrapping_add(g.signed()[0] << 2))),
    ("SHR R9, R6, 0x1e; ISCADD R8.CC, -R6, R4, 0x2; IADD.X R9, -R9, R5", Pair(|g| g.y.wrapping_sub(g.signed()[0] << 2))),
    ("LEA R8.CC, R2, R4, 0x3; LEA.HI.X R9, R2, R5, R3, 0x3", Pair(|g| g.y.wrapping_add(g.x << 3))),
    ("XMAD R8, R6, R7, RZ; XMAD.MRG R9, R6, R7.H1, RZ; XMAD.PSL.CBCC R8, R6.H1, R9.H1, R8", Word(|g| g.a.wrapping_mul(g.b))),
    ("XMAD R8, R6, R7, R2; XMAD.MRG R9, R6, R7.H1, RZ; XMAD.PSL.CBCC R8, R6.H1, R9.H1, R8", Word(|g| g.a.wrapping_mul(g.b).wrapping_add(low(g.x)))),
    ("XMAD R10, R6, R7, RZ; XMAD R11, R6, R7.H1, RZ; XMAD.CHI R12, R6.H1, R7, R10; XMAD R13, R6.H1, R7.H1, RZ; IADD3.RS R8, R12, R11, R13", Word(|g| low((u64::from(g.a) * u64::from(g.b)) >> 32))),
    ("IADD RZ.CC, R2, -R4; ISETP.LT.X.AND P0, PT, R3, R5, PT", Bit(|g| g.pairs()[0] < g.pairs()[1])),
    ("IADD RZ.CC, R2, -R4; ISETP.GE.U32.X.AND P0, PT, R3, R5, PT", Bit(|g| g.x >= g.y)),
    ("IADD RZ.CC, R2, -R4; ISETP.NE.X.AND P0, PT, R3, R5, PT", Bit(|g| g.x != g.y)),
    ("IADD RZ.CC, R2, -R4; ISETP.EQ.X.AND P0, PT, R3, R5, PT", Bit(|g| g.x == g.y)),
    // At 12.0.
    ("IADD.64 R8, R2, -R4", Pair(|g| g.x.wrapping_sub(g.y))),
    ("IADD3.64 R8, PT, PT, R2, R4, RZ", Pair(|g| g.x.wrapping_add(g.y))),
    ("ISETP.LT.S64.AND P0, PT, R2, R4, PT", Bit(|g| g.pairs()[0] < g.pairs()[1])),
    ("ISETP.LT.U64.AND P0, PT, R2, R4, PT; SEL.64 R8, R2, R4, P0", Pair(|g| g.x.min(g.y))),
];

fn low(word: u64) -> u32 {
    u32::try_from(word & 0xffff_ffff).unwrap()
}

#[test]
fn what_compilers_make_of_arithmetic_gives_it() {
    for case in 0..cases::cases(20_000) {
        let random = &mut cases::random(case);
        let mut before = thread(random);
        // Upper words are often equal.
        let near = if random.random() { before.general[3] } else { any_word(random) };
        before.general[5] = near;
        let [x, y] = [2, 4].map(|at| u64::from(before.general[at + 1]) << 32 | u64::from(before.general[at]));
        let given = Given { x, y, a: before.general[6], b: before.general[7] };
        for (text, result) in IDIOMS {
            let lines = text.replace("; ", ";\n") + ";";
            let code = Code::read(&lines);
            let (mut steps, mut threads) = ([lane(&before)], [before.clone()]);
            run(&code, &mut steps, 10, &mut ());
            run(&code, &mut threads, 10, &mut ());
            let of_steps = |name: &str| steps[0].registers[&place(Register::of(name).unwrap())];
            let of_thread = |slot: Slot| held(&threads[0], slot);
            let pair = |words: [u32; 2]| u64::from(words[1]) << 32 | u64::from(words[0]);
            let (found, interpreted, expected) = match result {
                Pair(gives) => {
                    let word = |number| of_thread(Slot::General(number));
                    (pair([of_steps("R8"), of_steps("R9")]), pair([word(8), word(9)]), gives(given))
                }
                Word(gives) => {
                    (of_steps("R8").into(), of_thread(Slot::General(8)).into(), gives(given).into())
                }
                Bit(gives) => {
                    (of_steps("P0").into(), of_thread(Slot::Predicate(0)).into(), gives(given).into())
                }
            };
            assert_eq!([found, interpreted], [expected; 2], "case {case}: {text}: {given:x?}");
        }
    }
}
