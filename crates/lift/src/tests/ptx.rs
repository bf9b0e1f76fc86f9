//! Each instruction of PTX against what its manual says that it does: a row has an instruction, and what `d` holds behind it.

use crate::Lifted;
use crate::ptx::lift;
use crate::run::Lane;
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::ptx_names::every_name;

/// What `a`, `b` and `c` hold before an instruction, and the predicates `p` and `q`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    a: u64,
    b: u64,
    c: u64,
    p: bool,
    q: bool,
}

impl Before {
    fn low(self) -> [u32; 3] {
        [self.a, self.b, self.c].map(|word| u32::try_from(word & 0xffff_ffff).unwrap())
    }

    fn signed(self) -> [i32; 3] {
        self.low().map(u32::cast_signed)
    }

    fn long(self) -> [i64; 3] {
        [self.a, self.b, self.c].map(u64::cast_signed)
    }

    fn short(self) -> [u16; 3] {
        [self.a, self.b, self.c].map(|word| u16::try_from(word & 0xffff).unwrap())
    }
}

const fn sign(word: i32) -> u64 {
    (word as i64).cast_unsigned()
}

/// The lower 24 bits, as a number with a sign.
const fn narrow(word: i32) -> i64 {
    ((word << 8) >> 8) as i64
}

fn lower(word: u64) -> u64 {
    word & 0xffff_ffff
}

pub(super) type Row<T> = (&'static str, fn(Before) -> T);

/// A register may be wider than the type, so that only the bits of the type are compared; `cvt` alone fills all of it.
pub(super) const WORDS: &[Row<u64>] = &[
    ("mov.u32 d, a", |w| w.low()[0].into()),
    ("mov.b64 d, a", |w| w.a),
    ("mov.u32 d, %tid.y", |_| 5),
    ("mov.u32 d, %ctaid.z", |_| 9),
    ("mov.u32 d, %ntid.x", |_| 32),
    ("mov.u32 d, %nctaid.y", |_| 17),
    ("mov.u32 d, %laneid", |_| 3),
    ("mov.u32 d, WARP_SZ", |_| 32),
    ("mov.u64 d, a+8", |w| w.a.wrapping_add(8)),
    ("mov.u64 d, a+-8", |w| w.a.wrapping_sub(8)),
    ("ld.param.u32 d, [a+4]", |w| w.a >> 32),
    ("ld.param.b64 d, [b]", |w| w.b),
    ("ld.param.s16 d, [c+2]", |w| w.c >> 16 & 0xffff),
    ("ld.param.u8 d, [a+1]", |w| w.a >> 8 & 0xff),
    ("ld.param.f32 d, [a]", |w| lower(w.a)),
    ("mov.s32 d, -7", |_| sign(-7)),
    ("cvta.to.global.u64 d, a", |w| w.a),
    ("add.s32 d, a, b", |w| w.low()[0].wrapping_add(w.low()[1]).into()),
    ("add.u64 d, a, -4", |w| w.a.wrapping_sub(4)),
    ("add.s16 d, a, b", |w| w.short()[0].wrapping_add(w.short()[1]).into()),
    ("sub.s64 d, a, b", |w| w.a.wrapping_sub(w.b)),
    ("sub.u32 d, 9, b", |w| 9_u32.wrapping_sub(w.low()[1]).into()),
    ("neg.s32 d, a", |w| w.low()[0].wrapping_neg().into()),
    ("not.b64 d, a", |w| !w.a),
    ("not.b32 d, a", |w| (!w.low()[0]).into()),
    ("and.b32 d, a, b", |w| (w.low()[0] & w.low()[1]).into()),
    ("or.b64 d, a, 0xf0", |w| w.a | 0xf0),
    ("xor.b32 d, a, b", |w| (w.low()[0] ^ w.low()[1]).into()),
    ("abs.s32 d, a", |w| w.signed()[0].unsigned_abs().into()),
    ("abs.s64 d, a", |w| w.long()[0].unsigned_abs()),
    ("mul.lo.s32 d, a, b", |w| w.low()[0].wrapping_mul(w.low()[1]).into()),
    ("mul.lo.u64 d, a, b", |w| w.a.wrapping_mul(w.b)),
    ("mul.hi.u32 d, a, b", |w| (u64::from(w.low()[0]) * u64::from(w.low()[1])) >> 32),
    ("mul.hi.s32 d, a, b", |w| ((i64::from(w.signed()[0]) * i64::from(w.signed()[1])) >> 32).cast_unsigned()),
    ("mul.wide.s32 d, a, b", |w| (i64::from(w.signed()[0]) * i64::from(w.signed()[1])).cast_unsigned()),
    ("mul.wide.u32 d, a, b", |w| u64::from(w.low()[0]) * u64::from(w.low()[1])),
    ("mul.wide.u16 d, a, b", |w| u64::from(w.short()[0]) * u64::from(w.short()[1])),
    ("mad.lo.s32 d, a, b, c", |w| w.low()[0].wrapping_mul(w.low()[1]).wrapping_add(w.low()[2]).into()),
    ("mad.hi.u32 d, a, b, c", |w| {
        lower(((u64::from(w.low()[0]) * u64::from(w.low()[1])) >> 32) + u64::from(w.low()[2]))
    }),
    ("mad.wide.s32 d, a, b, c", |w| {
        (i64::from(w.signed()[0]) * i64::from(w.signed()[1])).wrapping_add(w.long()[2]).cast_unsigned()
    }),
    ("mul24.lo.u32 d, a, b", |w| {
        lower(u64::from(w.low()[0] & 0xff_ffff) * u64::from(w.low()[1] & 0xff_ffff))
    }),
    ("mad24.lo.s32 d, a, b, c", |w| {
        (narrow(w.signed()[0]) * narrow(w.signed()[1])).wrapping_add(w.signed()[2].into()).cast_unsigned()
    }),
    ("shl.b32 d, a, b", |w| w.low()[0].checked_shl(w.low()[1]).unwrap_or(0).into()),
    ("shl.b16 d, a, 17", |_| 0),
    ("shr.s16 d, a, 3", |w| sign((w.short()[0].cast_signed() >> 3).into()) & 0xffff),
    ("shl.b64 d, a, 3", |w| w.a << 3),
    ("shr.u32 d, a, b", |w| w.low()[0].checked_shr(w.low()[1]).unwrap_or(0).into()),
    ("shr.s32 d, a, b", |w| sign(w.signed()[0] >> w.low()[1].min(31))),
    ("shr.s64 d, a, 40", |w| (w.long()[0] >> 40).cast_unsigned()),
    ("min.s32 d, a, b", |w| sign(w.signed()[0].min(w.signed()[1]))),
    ("max.u64 d, a, b", |w| w.a.max(w.b)),
    ("max.u16 d, a, b", |w| w.short()[0].max(w.short()[1]).into()),
    ("div.s32 d, a, 7", |w| sign(w.signed()[0] / 7)),
    ("div.u64 d, a, 7", |w| w.a / 7),
    ("rem.s32 d, a, -5", |w| sign(w.signed()[0] % -5)),
    ("rem.u32 d, a, 5", |w| (w.low()[0] % 5).into()),
    ("bfe.u32 d, a, 4, 9", |w| (w.low()[0] >> 4 & 0x1ff).into()),
    ("bfe.s32 d, a, 4, 9", |w| sign(w.signed()[0] << 19 >> 23)),
    ("bfe.u32 d, a, 28, 9", |w| (w.low()[0] >> 28).into()),
    ("bfe.u64 d, a, 40, 8", |w| w.a >> 40 & 0xff),
    ("brev.b32 d, a", |w| w.low()[0].reverse_bits().into()),
    ("brev.b64 d, a", |w| w.a.reverse_bits()),
    ("popc.b32 d, a", |w| w.low()[0].count_ones().into()),
    ("popc.b64 d, a", |w| w.a.count_ones().into()),
    ("clz.b32 d, a", |w| w.low()[0].leading_zeros().into()),
    ("selp.b32 d, a, b, p", |w| w.low()[usize::from(!w.p)].into()),
    ("selp.u64 d, a, b, !p", |w| if w.p { w.b } else { w.a }),
    ("selp.f32 d, a, b, p", |w| w.low()[usize::from(!w.p)].into()),
    ("cvt.u64.u32 d, a", |w| w.low()[0].into()),
    ("cvt.s64.s32 d, a", |w| sign(w.signed()[0])),
    ("cvt.u32.s16 d, a", |w| lower(sign(i32::from(w.short()[0].cast_signed())))),
    ("cvt.s64.u16 d, a", |w| w.short()[0].into()),
    ("cvt.u32.u64 d, a", |w| w.low()[0].into()),
    ("cvt.u8.u32 d, a", |w| w.a & 0xff),
    ("cvt.s8.s32 d, a", |w| sign(w.signed()[0] << 24 >> 24)),
    ("cvt.s16.u8 d, a", |w| w.a & 0xff),
];

/// What `d` and, where it is written, `e` are as predicates.
pub(super) const BITS: &[Row<[bool; 2]>] = &[
    ("setp.lt.s32 d, a, b", |w| [w.signed()[0] < w.signed()[1], false]),
    ("setp.lo.u32 d, a, b", |w| [w.low()[0] < w.low()[1], false]),
    ("setp.ge.u64 d, a, 100", |w| [w.a >= 100, false]),
    ("setp.gt.s64 d|e, a, b", |w| [w.long()[0] > w.long()[1], w.long()[0] <= w.long()[1]]),
    ("setp.eq.u16 d, a, b", |w| [w.short()[0] == w.short()[1], false]),
    ("setp.ne.and.s32 d, a, b, p", |w| [w.signed()[0] != w.signed()[1] && w.p, false]),
    ("setp.le.or.s32 d|e, a, b, !p", |w| {
        let is_less = w.signed()[0] <= w.signed()[1];
        [is_less || !w.p, !is_less || !w.p]
    }),
    ("setp.hs.xor.u32 d, a, b, p", |w| [(w.low()[0] >= w.low()[1]) != w.p, false]),
    ("and.pred d, p, q", |w| [w.p && w.q, false]),
    ("or.pred d, p, !q", |w| [w.p || !w.q, false]),
    ("xor.pred d, p, q", |w| [w.p != w.q, false]),
    ("not.pred d, p", |w| [!w.p, false]),
    ("mov.pred d, q", |w| [w.q, false]),
    ("mov.pred d, 1", |_| [true, false]),
];

fn instruction(text: &'static str) -> Instruction<'static> {
    let (opcode, operands) = text.split_once(' ').unwrap();
    Instruction::new(Language::Ptx, 1, None, opcode, operands)
}

/// Words in which every bit, sign and half matters somewhere.
const VALUES: [u64; 9] = [
    0,
    1,
    7,
    33,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff_ffff_fffb,
    0x0123_4567_89ab_cdef,
    0x8000_0000_0000_0001,
];

fn all() -> impl Iterator<Item = Before> {
    let pairs = VALUES.into_iter().flat_map(|a| VALUES.map(|b| (a, b)));
    pairs.enumerate().map(|(at, (a, b))| Before {
        a,
        b,
        c: VALUES[(at * 5 + 2) % VALUES.len()],
        p: at % 2 == 0,
        q: at % 3 == 0,
    })
}

/// What the names `d` and `e` hold behind an instruction.
fn behind(one: &Instruction<'_>, lifted: &Lifted, before: Before) -> [u64; 2] {
    let names: Vec<&str> = every_name(one).collect();
    let Before { a, b, c, p, q } = before;
    let held = |name: &&str| match *name {
        "a" => a,
        "b" => b,
        "c" => c,
        "p" => p.into(),
        "q" => q.into(),
        _ => 0,
    };
    let mut lane = Lane {
        registers: std::collections::BTreeMap::new(),
        named: names.iter().map(held).collect(),
        code: [false; 2],
        constants: &[],
        banks: None,
        thread: [4, 5, 6],
        block: [7, 8, 9],
        sizes: [[32, 8, 8], [16, 17, 18]],
        lane: 3,
    };
    lane.run(lifted);
    ["d", "e"].map(|wanted| names.iter().position(|name| *name == wanted).map_or(0, |at| lane.named[at]))
}

#[test]
fn words_are_what_instructions_give() {
    for (text, gives) in WORDS {
        let one = instruction(text);
        let lifted = lift(&one).unwrap_or_else(|| panic!("{text}: not lifted"));
        // A narrow result of a conversion fills its register.
        let bits = if text.starts_with("cvt") && lifted.bits < 32 { 32 } else { lifted.bits };
        let mask = u64::MAX >> (64 - bits);
        for before in all() {
            let found = behind(&one, &lifted, before)[0];
            assert_eq!(found & mask, gives(before) & mask, "{text}: {before:x?}");
        }
    }
}

#[test]
fn bits_are_what_instructions_give() {
    for (text, gives) in BITS {
        let one = instruction(text);
        let lifted = lift(&one).unwrap_or_else(|| panic!("{text}: not lifted"));
        for before in all() {
            assert_eq!(
                behind(&one, &lifted, before).map(|bit| bit != 0),
                gives(before),
                "{text}: {before:x?}"
            );
        }
    }
}

/// What reads something that it does not name, or gives a part of a vector, is not lifted; what is not looked into is a function of what it
/// reads.
#[test]
fn what_is_not_known_is_not_given() {
    for text in [
        "add.cc.u32 d, a, b",
        "addc.u32 d, a, b",
        "mov.b64 d, {a, b}",
        "mov.b64 {d, e}, a",
        "mov.b32 d.x, a",
        "ld.global.u32 d, [a]",
        "shfl.sync.idx.b32 d, a, b, 31, -1",
        "vote.sync.any.pred d, p, -1",
        // What the manual does not have.
        "xor.b32.pred d, p, q",
        "selp.b32 d, a, b",
        "setp.lt.s32 d, a, b, p",
        "add.s32 -d, a, b",
        "ld.param.volatile.u32 d, [a]",
        "ld.param.u32 d, [%rd1]",
    ] {
        assert_eq!(lift(&instruction(text)), None, "{text}");
    }
    for text in [
        "add.f32 d, a, 0f3F800000",
        "add.sat.s32 d, a, b",
        "lop3.b32 d, a, b, c, 0x96",
        "prmt.b32 d, a, b, c",
        "add.wide.s32 d, a, b",
        "min.b32 d, a, b",
        "mul.wide.s64 d, a, b",
        "bfe.u16 d, a, 1, 2",
        // An amount has 32 bits.
        "shl.b16 d, a, b",
        "shr.u16 d, a, 65536",
    ] {
        let lifted = lift(&instruction(text)).unwrap();
        assert!(matches!(lifted.steps[..], [crate::Operation::Function(_)]), "{text}: {lifted:?}");
    }
    let lifted = lift(&instruction("lop3.or.b32 d|e, a, b, c, 0x96, p")).unwrap();
    assert_eq!(lifted.writes.len(), 2, "the predicate is written, too");
    let one = instruction("add.u32 d, %clock, 1");
    let lifted = lift(&one).unwrap();
    let before = all().next().unwrap();
    assert_eq!(behind(&one, &lifted, Before { a: 1, ..before })[0], 0, "a clock reads what nobody knows");
}
