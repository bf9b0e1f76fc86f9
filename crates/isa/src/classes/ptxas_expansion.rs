//! What `ptxas` makes of instructions of PTX.
//!
//! Each figure is a measurement: `ptxas` of CUDA 12.8 compiled a kernel with one instruction, and one with three of them,
//! for capabilities 5.0, 5.3, 6.0, 6.1, 7.0, 7.5, 8.0, 8.6, 9.0, 10.0 and 12.0. What these kernels have beyond the same kernels
//! without the instruction is its cost, slow paths and subroutines included. A row has the largest count of each kind
//! over its opcodes and over the capabilities before 7.0, those of 7.x and 8.x, and those from 9.0 on. Kinds that
//! take no longer than an addition there are counted as additions, and before 7.0 those that take as long as a shift as
//! shifts. No `ptxas` of today compiles for capabilities before 5.0, which have the figures of the first group.
//! `crates/listing/src/classes/tests` has measurements of single opcodes, and compares them with the rows.

use crate::class::Cost;
use crate::class::Use::Made;
use crate::classes::table::{Row, row};
use crate::rates::Kind::*;

const MEASURED: &str = "measured of ptxas 12.8";

/// Lines `"opcodes" [L; kind n, ...] [...] [...];` as rows: the instructions of memory and those of the cores, up to
/// capability 6.x, at 7.x and 8.x, and from 9.0 on.
macro_rules! rows {
    ($($opcodes:literal [$($a:tt)*] [$($b:tt)*] [$($c:tt)*];)*) => {
        &[$(row($opcodes, Made([cost!($($a)*), cost!($($a)*), cost!($($b)*), cost!($($b)*), cost!($($c)*)]), MEASURED)),*]
    };
}
macro_rules! cost {
    ($memory:literal; $($kind:ident $times:literal),*) => {
        Cost::new($memory, &[$(($kind, $times)),*])
    };
}

/// Memory, and what is read from the constant bank. Where `ptxas` knows that all lanes of a warp add at one address, it makes
/// code that first adds up their values within the warp, by shuffles or, from 8.0 on, by reductions, so that one lane
/// accesses memory. The rows count this code for every address.
#[rustfmt::skip]
pub(super) const MEMORY: &[Row] = rows! {
    "atom|red.acquire|release|acq_rel" [4; Branch 1] [4; Branch 1] [5; ];
    "ld|st.release|acquire|acq_rel" [3; Branch 1] [3; Branch 1] [4; Branch 1];
    "st.param.v4.b64|u64|s64|f64" [0; Add 8] [0; Add 8] [0; Add 8];
    "st.param.v4" [0; Add 4] [0; Add 4] [0; Add 4];
    "st.param.v2.b64|u64|s64|f64" [0; Add 4] [0; Add 4] [0; Add 4];
    "st.param.v2 st.param.b64|u64|s64|f64" [0; Add 2] [0; Add 2] [0; Add 2];
    "st.param" [0; Add 1] [0; Add 1] [0; Add 1];
    "ld.param.v4.u8|s8|b8|u16|s16|b16" [4; Add 4] [4; Add 4] [4; Add 4];
    "ld.param.v2.u8|s8|b8|u16|s16|b16" [2; Add 2] [2; Add 2] [2; Add 2];
    "ld.param.v4.u64|s64|b64|f64" [0; Add 8] [0; Add 8] [4; ];
    "ld.param.v4" [0; Add 4] [0; Add 4] [2; ];
    "ld.param.v2.u64|s64|b64|f64" [0; Add 4] [0; Add 4] [2; ];
    "ld.param.v2" [0; Add 2] [0; Add 2] [1; ];
    "ld.param.u8|s8|b8|u16|s16|b16|f16|bf16" [1; Add 2] [1; Add 2] [1; Add 2];
    "ld.param.u64|s64|b64|f64" [0; Add 2] [0; Add 2] [1; ];
    "ld.param" [0; Add 1] [0; Add 1] [1; ];
    "mov.clock64|globaltimer" [0; Add 1, Compare 1, Branch 1, Register 3] [0; Register 2] [0; Register 2];
    "mov.warpid|nwarpid|smid|nsmid|dynamic_smem_size|total_smem_size" [0; Add 4, Register 1, Shift 4] [0; Add 3, Register 1] [1; Add 3, Register 1];
    "mov.ntid|nctaid|gridid" [0; Add 1, Register 1] [0; Add 1, Register 1] [1; Add 1, Register 1];
    "mov.symbol" [0; Add 2] [0; Add 2] [1; Add 4, Register 1];
    "setp.and|or|xor.f64" [0; Compare 3, Double 1] [0; Add 2, Compare 2, Double 1] [0; Add 3, Compare 2, Double 1];
    "setp.and|or|xor.f16|f16x2|bf16|bf16x2" [0; Add 1, Compare 3, Half 1] [0; Add 4, Compare 3] [0; Add 4, Compare 3];
    "atom.add.global|shared.u32|s32" [1; Add 14, Compare 2, Branch 2, Register 1, Shuffle 7, Vote 1] [1; Add 14, Compare 2, Branch 2, Register 1, Shuffle 7, Vote 1] [1; Add 14, Compare 2, Branch 2, Register 1, Shuffle 7, Vote 1];
    "atom.add.global|shared.u64|s64" [1; Add 28, Compare 2, Branch 2, Register 1, Shuffle 14, Vote 1] [1; Add 28, Compare 2, Branch 2, Register 1, Shuffle 14, Vote 1] [1; Add 28, Compare 2, Branch 2, Register 1, Shuffle 14, Vote 1];
    "red.add|min|max|and|or|xor|inc|dec.global|shared.u32|s32|b32" [1; Add 6, Compare 7, Branch 2, Register 1, Shuffle 5, Vote 1] [1; Add 2, Compare 7, Branch 2, Register 1, Shuffle 5, Vote 1] [1; Add 2, Compare 1, Branch 1, Register 1, Reduce 1, Vote 1];
    "red.add|min|max|and|or|xor.global|shared.u64|s64|b64" [1; Add 12, Compare 12, Branch 2, Register 1, Shuffle 10, Vote 1] [1; Add 12, Compare 12, Branch 2, Register 1, Shuffle 10, Vote 1] [1; Add 12, Compare 12, Branch 2, Register 1, Shuffle 10, Vote 1];
    "atom|red.global" [1; ] [1; ] [1; ];
    "atom|red.shared" [1; ] [1; ] [1; ];
    "atom|red.b64" [3; Add 4, Branch 8] [3; Add 6, Compare 2, Branch 6] [3; Add 6, Compare 2, Branch 6];
    "atom.add.u32|s32" [3; Add 14, Compare 2, Branch 8, Register 1, Shuffle 7, Vote 1] [1; Add 14, Compare 2, Branch 2, Register 1, Shuffle 7, Vote 1] [1; Add 14, Compare 2, Branch 2, Register 1, Shuffle 7, Vote 1];
    "atom.add.u64|s64" [3; Add 28, Compare 2, Branch 8, Register 1, Shuffle 14, Vote 1] [1; Add 28, Compare 2, Branch 2, Register 1, Shuffle 14, Vote 1] [1; Add 28, Compare 2, Branch 2, Register 1, Shuffle 14, Vote 1];
    "red.add|min|max|and|or|xor|inc|dec.u32|s32|b32" [3; Add 6, Compare 7, Branch 8, Register 1, Shuffle 5, Vote 1] [1; Add 2, Compare 7, Branch 2, Register 1, Shuffle 5, Vote 1] [1; Add 2, Compare 1, Branch 1, Register 1, Reduce 1, Vote 1];
    "red.add|min|max|and|or|xor.u64|s64|b64" [3; Add 12, Compare 12, Branch 8, Register 1, Shuffle 10, Vote 1] [1; Add 12, Compare 12, Branch 2, Register 1, Shuffle 10, Vote 1] [1; Add 12, Compare 12, Branch 2, Register 1, Shuffle 10, Vote 1];
    "atom|red" [3; Add 4, Branch 8] [1; ] [1; ];
    "cp.async.wait_all|wait_group" [0; Branch 2] [0; Branch 2] [0; Branch 2];
    "fence|membar.proxy" [2; ] [2; ] [2; ];
    "membar|fence.cta" [1; ] [1; ] [1; ];
    "membar fence" [1; ] [3; ] [4; ];
    "ld.const.v4" [4; ] [4; ] [4; ];
    "ld.const.v2" [2; ] [2; ] [2; ];
    "ld.v2|v4.u8|s8|b8" [1; Shift 4] [1; Add 4] [1; Add 4];
    "ld.v2|v4.u16|s16|b16" [1; Add 2] [1; Add 2] [1; Add 2];
    "st.v2|v4.u8|s8|b8" [1; Shift 3] [1; Add 3] [1; Add 3];
    "st.v2|v4.u16|s16|b16" [1; Add 2] [1; Add 2] [1; Add 2];
    "ld|st.global|shared|local|const" [1; ] [1; ] [1; ];
    "ld|st" [1; ] [1; ] [1; ];
};

/// Barriers of the block with what is around them.
pub(super) const BARRIERS: &[Row] = &[
    row(
        "bar.red barrier.red",
        Made([
            Cost::new(0, &[(Compare, 1), (Register, 1), (Branch, 1)]).and_barrier(),
            Cost::new(1, &[(Compare, 1), (Register, 1), (Branch, 7)]).and_barrier(),
            Cost::new(0, &[(Register, 1), (Branch, 1)]).and_barrier(),
            Cost::new(0, &[(Register, 1)]).and_barrier(),
            Cost::new(0, &[(Register, 1)]).and_barrier(),
        ]),
        MEASURED,
    ),
    // At 5.x and 6.x with a MEMBAR.CTA and up to three NOP, and at 7.0 and 7.2 with one NOP. The compilers for earlier
    // capabilities put nothing around it.
    row(
        "bar barrier",
        Made([
            Cost::new(0, &[]).and_barrier(),
            Cost::new(1, &[(Branch, 3)]).and_barrier(),
            Cost::new(0, &[(Branch, 1)]).and_barrier(),
            Cost::new(0, &[]).and_barrier(),
            Cost::new(0, &[]).and_barrier(),
        ]),
        MEASURED,
    ),
];

/// Arithmetic, conversions, votes and addresses.
#[rustfmt::skip]
pub(super) const CORES: &[Row] = rows! {
    "isspacep" [0; Add 10, Compare 6] [1; Add 6, Compare 4] [1; Add 6, Compare 4];
    "mbarrier.arrive_drop" [3; ] [3; ] [1; ];
    "mbarrier.init" [1; Add 2] [1; Add 2] [2; Add 15, Branch 3, Register 4];
    "mbarrier.arrive|inval|pending_count|complete_tx|expect_tx" [2; Add 2, Branch 1] [2; Add 2, Branch 1] [1; Add 3];
    "cvta" [0; Add 2] [0; Add 2] [0; Add 3];
    "getctarank" [0; Add 2] [0; Add 2] [0; Add 2];
    "createpolicy" [0; Compare 9] [0; Compare 9] [0; Compare 9];
    "vote.pred" [0; Add 3, Compare 3, Vote 2] [0; Add 1, Compare 1, Vote 1] [0; Vote 1];
    "vote activemask elect" [0; Compare 1, Vote 1] [0; Vote 1] [0; Vote 1];
    "match.any.b64" [0; Add 2, Compare 1, Match 4] [0; Add 2, Compare 1, Match 4] [0; Match 4];
    "match.any" [0; Add 2, Compare 1, Match 1] [0; Add 2, Compare 1, Match 1] [0; Match 1];
    "match.b64" [0; Add 2, Compare 1, Match 4] [0; Add 2, Compare 1, Match 4] [0; Reduce 1];
    "match" [0; Add 2, Compare 1, Match 1] [0; Add 2, Compare 1, Match 1] [0; Reduce 1];
    "redux" [0; Add 1, Reduce 1] [0; Add 1, Reduce 1] [0; Add 1, Reduce 1];
    "fns" [0; Add 25, Compare 8, Branch 5, Shift 13, Population 4] [0; Add 38, Compare 8, Branch 6, Population 4, Reverse 1] [0; Add 38, Compare 8, Branch 5, Population 4, Reverse 1];
    "div|rem.s64|u64" [0; Add 173, Compare 9, Branch 2, Special 1, ConvertWide 2] [0; Add 93, Compare 9, Branch 2, Special 1, ConvertWide 2, Shuffle 1] [0; Add 89, Compare 9, Branch 5, Special 1, ConvertWide 2];
    "div|rem.s32|u32|s16|u16" [0; Add 24, Compare 4, Branch 2, Shift 3, Special 1, Convert 5, ConvertNarrow 2] [0; Add 23, Compare 4, Branch 2, Special 1, Convert 2, ConvertNarrow 2, Shuffle 1] [0; Add 23, Compare 4, Branch 2, Special 1, Convert 2, ConvertNarrow 2];
    "div|sqrt|rcp.rn|rz|rm|rp.f64" [0; Add 54, Compare 17, Branch 16, Shift 6, Double 24, Special 3, ConvertWide 2] [0; Add 59, Compare 17, Branch 22, Register 1, Double 24, Special 3, ConvertWide 2, Shuffle 1] [0; Add 59, Compare 17, Branch 84, Register 1, Double 24, Special 3, ConvertWide 2, Video 1];
    "rsqrt|rcp.ftz.f64" [0; Add 1, Special 1] [0; Add 1, Special 1] [0; Add 1, Special 1];
    "rsqrt.f64" [0; Add 18, Compare 2, Branch 13, Double 16, Special 2] [0; Add 19, Compare 2, Branch 15, Register 1, Double 16, Special 2, Shuffle 1] [0; Add 19, Compare 2, Branch 53, Register 1, Double 16, Special 2];
    "div|sqrt|rcp.rn|rz|rm|rp.f32" [0; Add 63, Compare 23, Branch 25, Shift 6, Special 5] [0; Add 74, Compare 22, Branch 32, Special 5, Shuffle 1] [0; Add 74, Compare 22, Branch 28, Special 5];
    "div.full.f32" [0; Add 7, Compare 2, Special 1] [0; Add 7, Compare 2, Special 1] [0; Add 7, Compare 2, Special 1];
    "div.approx.f32" [0; Add 5, Compare 1, Special 1] [0; Add 5, Compare 1, Special 1] [0; Add 5, Compare 1, Special 1];
    "rcp|rsqrt|sqrt|lg2|ex2|sin|cos.ftz.f32" [0; Special 2] [0; Add 1, Special 1] [0; Add 1, Special 1];
    "rcp|rsqrt|sqrt|lg2|ex2|sin|cos.f32" [0; Add 5, Compare 2, Special 2] [0; Add 5, Compare 2, Special 1] [0; Add 5, Compare 2, Special 1];
    "tanh.f32" [0; Special 1] [0; Special 1] [0; Special 1];
    "tanh|ex2.f16|bf16" [0; Special 1] [0; Special 1] [0; Special 1];
    "tanh|ex2.f16x2|bf16x2" [0; Add 1, Special 2] [0; Add 1, Special 2] [0; Add 1, Special 2];
    "setp.and|or|xor" [0; Add 1, Compare 2, Shift 2] [0; Add 2, Compare 2] [0; Add 2, Compare 2];
    "setp.f16|bf16|f16x2|bf16x2" [0; Add 1, Half 1] [0; Add 2] [0; Add 2];
    "setp.f64" [0; Double 1] [0; Double 1] [0; Branch 2, Double 1];
    "setp.s16|u16|b16" [0; Compare 1, Shift 2] [0; Add 3, Compare 1] [0; Add 2, Compare 1];
    "setp.s64|u64|b64" [0; Add 1, Compare 1] [0; Compare 2] [0; Compare 2];
    "setp" [0; Compare 1] [0; Compare 1] [0; Compare 1];
    "set.f16|bf16|f16x2|bf16x2" [0; Add 2, Shift 1, Half 1] [0; Add 4] [0; Add 4];
    "set.f64" [0; Double 1] [0; Add 1, Double 1] [0; Add 1, Branch 2, Double 1];
    "set.lt.f32.s32|u32|s64|u64" [0; Add 1, Compare 1] [0; Add 2, Compare 2, Convert 1] [0; Add 3, Compare 2, Convert 1];
    "set.s16|u16" [0; Compare 1, Shift 3] [0; Add 6, Compare 1, ConvertNarrow 1] [0; Add 6, Compare 1, ConvertNarrow 1];
    "set.f32" [0; Compare 1, Convert 1] [0; Add 2, Compare 1, Convert 1] [0; Add 3, Compare 1, Convert 1];
    "set" [0; Add 1, Compare 1] [0; Add 1, Compare 2] [0; Add 1, Compare 2];
    "testp.f64" [0; Add 2, Compare 3] [0; Add 3, Compare 6] [0; Add 6, Compare 6];
    "testp" [0; Add 1, Compare 3] [0; Add 1, Compare 3] [0; Add 1, Compare 3];
    "slct.s64|u64|b64|f64" [0; Compare 2] [0; Add 2, Compare 1] [0; Add 2, Compare 1];
    "slct" [0; Compare 1] [0; Add 2, Compare 1] [0; Add 2, Compare 1];
    "copysign.f64" [0; Add 2] [0; Add 2] [0; Add 2];
    "copysign" [0; Add 1] [0; Add 1] [0; Add 1];
    "min|max.f64" [0; Double 1] [0; Add 8, Double 1] [0; Add 8, Double 1];
    "min|max.f16|bf16|f16x2|bf16x2" [0; Add 2] [0; Add 2] [0; Add 2];
    "min|max.f32" [0; Compare 1] [0; Compare 1] [0; Compare 1];
    "min|max.s64|u64" [0; Compare 2] [0; Add 2, Compare 2] [0; Add 2, Compare 2];
    "min|max.s16" [0; Compare 1, Shift 2] [0; Add 3, Compare 1] [0; Compare 1];
    "min|max" [0; Compare 1] [0; Add 1, Compare 1] [0; Compare 1];
    "add|sub|mul|fma.bf16|bf16x2" [0; Add 3] [0; Add 3] [0; Add 3];
    "add|sub|mul|fma.f16|f16x2" [0; Add 2, Half 1] [0; Add 3] [0; Add 3];
    "abs|neg.f16|bf16|f16x2|bf16x2" [0; Half 1, Convert 1] [0; Add 2] [0; Add 2];
    "add|sub|mul|fma|mad.f64" [0; Double 1] [0; Double 1] [0; Branch 3, Double 1];
    "abs|neg.f64" [0; Double 1] [0; Double 1] [0; Branch 3, Double 1];
    "sad.s64|u64" [0; Add 9, Compare 1] [0; Add 8, Compare 2] [0; Add 8, Compare 2];
    "sad.s16|u16" [0; Shift 4] [0; Add 4] [0; Add 6, Compare 2];
    "sad" [0; Shift 1] [0; Add 1] [0; Add 1, Compare 2];
    "madc|mad.hi.s64|u64" [0; Add 60, Compare 3, Convert 2] [0; Add 21, Compare 2] [0; Add 21, Compare 2];
    "mul|mad|madc.lo.s64|u64" [0; Add 18] [0; Add 6] [0; Add 6];
    "mul.hi.s64|u64" [0; Add 57, Compare 3, Convert 2] [0; Add 19, Compare 2] [0; Add 19, Compare 2];
    "mad.hi.sat" [0; Multiply 2] [0; Add 8] [0; Add 7];
    "mad.wide" [0; Add 9] [0; Add 4] [0; Add 4];
    "mul.wide" [0; Add 8] [0; Add 3] [0; Add 3];
    "mul24|mad24.hi" [0; Add 9, Shift 3] [0; Add 8] [0; Add 7];
    "mul24|mad24" [0; Add 3, Shift 2] [0; Add 3] [0; Add 3];
    "madc" [0; Add 7] [0; Add 3] [0; Add 3];
    "mul|mad.hi" [0; Add 5, Shift 1] [0; Add 5] [0; Add 4];
    "mul|mad.lo.s16|u16" [0; Add 1, Shift 1] [0; Add 4] [0; Add 4];
    "mul|mad.lo" [0; Add 3] [0; Add 1] [0; Add 1];
    "dp4a dp2a" [0; Multiply 4, Shift 8] [0; Add 1] [0; Add 1];
    "addc|subc.s64|u64" [0; Add 5] [0; Add 2] [0; Add 2];
    "addc|subc" [0; Add 3] [0; Add 1] [0; Add 1];
    "add|sub.sat" [0; Add 1] [0; Add 5] [0; Add 5];
    "add|sub|neg.s64|u64" [0; Add 2] [0; Add 2] [0; Add 2];
    "abs.s64" [0; Add 4, Compare 1, Convert 1] [0; Add 4, Compare 1] [0; Add 4, Compare 1];
    "abs.s32" [0; Convert 1] [0; Add 1] [0; Add 1];
    "abs|neg.s16" [0; ConvertNarrow 1] [0; Add 3] [0; Add 3];
    "add|sub.s16|u16" [0; Add 1, ConvertNarrow 1] [0; Add 3] [0; Add 3];
    "and|or|xor|not.pred" [0; Compare 2] [0; Compare 1] [0; Compare 1];
    "cnot.b64" [0; Add 2, Compare 1, Shift 1] [0; Add 3, Compare 2] [0; Add 3, Compare 2];
    "cnot" [0; Add 1, Compare 1, ConvertNarrow 1] [0; Add 3, Compare 1] [0; Add 3, Compare 1];
    "bfe|bfi.s64|u64|b64" [0; Add 11, Compare 1, Shift 6] [0; Add 16, Compare 2] [0; Add 17, Compare 2];
    "bfi" [0; Shift 2] [0; Add 6] [0; Add 6];
    "bfe" [0; Shift 2] [0; Add 5] [0; Add 5];
    "bfind.s64|u64" [0; Add 3, Compare 3, Branch 7, Zeros 3] [0; Add 3, Compare 3, Branch 9, Zeros 3] [0; Add 3, Compare 3, Branch 7, Zeros 3];
    "bfind" [0; Zeros 1] [0; Zeros 1] [0; Zeros 1];
    "clz.b64" [0; Add 1, Compare 2, Zeros 1] [0; Add 4, Compare 1, Zeros 1] [0; Add 4, Compare 1, Zeros 1];
    "clz" [0; Add 1, Zeros 1] [0; Add 1, Zeros 1] [0; Add 1, Zeros 1];
    "popc.b64" [0; Add 1, Population 2] [0; Add 1, Population 2] [0; Add 1, Population 2];
    "popc" [0; Population 1] [0; Population 1] [0; Population 1];
    "brev.b64" [0; Shift 2] [0; Reverse 2] [0; Reverse 2];
    "brev" [0; Shift 1] [0; Reverse 1] [0; Reverse 1];
    "shl|shr.b64|s64|u64" [0; Shift 2] [0; Add 2] [0; Add 2];
    "shl|shr.b16|s16|u16" [0; Add 1, Shift 3, ConvertNarrow 1] [0; Add 5, Compare 1] [0; Add 5, Compare 1];
    "shl|shr" [0; Shift 1] [0; Add 1] [0; Add 1];
    "szext" [0; Add 1] [0; Add 1] [0; Add 1];
    "bmsk" [0; Add 1] [0; Add 1] [0; Add 1];
    "selp.b64|u64|s64|f64" [0; Compare 2] [0; Add 2] [0; Add 2];
    "selp" [0; Compare 1] [0; Add 1] [0; Add 1];
    "prmt" [0; Shift 1] [0; Add 1] [0; Add 1];
    "shf" [0; Shift 1] [0; Add 1] [0; Add 1];
    "lop3" [0; Add 1] [0; Add 1] [0; Add 1];
    "vadd|vsub|vmin|vmax|vabsdiff|vset" [0; Shift 1, Video 1] [0; Add 13, Compare 4] [0; Add 16, Compare 4];
    "vshl|vshr|vmad" [0; Add 12, Compare 2, Shift 4, Video 1] [0; Add 10, Compare 2] [0; Add 10, Compare 2];
    "vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2|vset2" [0; Add 7, Compare 2, Shift 13, Convert 2, ConvertNarrow 2] [0; Add 21, Compare 6, ConvertNarrow 2] [0; Add 23, Compare 2, ConvertNarrow 2];
    "vabsdiff4" [0; Add 8, Shift 23, Convert 4, ConvertNarrow 4, Video 1] [0; Add 37, Compare 4, Video 1] [0; Add 40, Compare 4, Video 1];
    "vadd4|vsub4|vavrg4|vmin4|vmax4|vset4" [0; Add 10, Compare 4, Shift 27, Multiply 2, ConvertNarrow 4] [0; Add 38, Compare 12, ConvertNarrow 4] [0; Add 41, Compare 4, ConvertNarrow 4];
    "cvt.sat.f64.s64|u64" [0; ConvertWide 1] [0; ConvertWide 1] [0; Branch 3, ConvertWide 1];
    "cvt.sat.f64" [0; Add 2, Compare 1, Shift 1, Half 2, Double 2, Convert 3, ConvertWide 3, ConvertNarrow 2] [0; Add 14, Double 2, ConvertWide 1] [0; Add 14, Branch 7, Double 2, ConvertWide 1];
    "cvt.f64.f16" [0; Add 2, Compare 1, Shift 1, Half 3, Convert 3, ConvertWide 3] [0; ConvertWide 1] [0; Branch 3, ConvertWide 1];
    "cvt.ftz.f32.f64" [0; Add 2, Single 1, Double 1, ConvertWide 1, ConvertNarrow 2] [0; Add 2, Single 1, Double 1, ConvertWide 1] [0; Add 2, Branch 3, Single 1, Double 1, ConvertWide 1];
    "cvt.f64" [0; Add 1, ConvertWide 1, ConvertNarrow 2] [0; Add 2, ConvertWide 1] [0; Add 2, Branch 3, ConvertWide 1];
    "cvt.sat.s64|u64" [0; Add 2, Compare 2, Shift 1, Half 1, Convert 1, ConvertWide 1, ConvertNarrow 2] [0; Add 9, Compare 4, ConvertWide 1, ConvertNarrow 1] [0; Add 7, Compare 3, Branch 3, ConvertWide 1, ConvertNarrow 1];
    "cvt.s64|u64.f32|f16|bf16" [0; Half 1, Convert 1, ConvertWide 1] [0; ConvertWide 1] [0; Branch 3, ConvertWide 1];
    "cvt.bf16|bf16x2|tf32|e4m3x2|e5m2x2" [0; Add 3, Compare 1, Convert 1] [0; Add 3, Compare 1, Convert 1] [0; Add 3, Compare 1, Convert 1, ConvertNarrow 1];
    "cvt.pack" [0; Convert 1] [0; Convert 1] [0; Convert 1];
    "cvt.s64|u64" [0; Add 2, Shift 2, ConvertNarrow 1] [0; Add 3] [0; Add 3];
    "cvt.f16" [0; Add 1, Half 1, Convert 3, ConvertNarrow 2] [0; Add 2, Convert 1, ConvertNarrow 1] [0; Add 2, Convert 1, ConvertNarrow 1];
    "cvt.s8|u8|s16|u16.f32" [0; Add 1, Convert 1, ConvertNarrow 2] [0; Add 2, Convert 1, ConvertNarrow 1] [0; Add 2, Convert 1, ConvertNarrow 1];
    "cvt.sat.s8|u8|s16|u16" [0; Add 1, ConvertNarrow 2] [0; Add 5, Compare 2, ConvertNarrow 1] [0; Add 5, Compare 2, ConvertNarrow 1];
    "cvt.s8|u8|s16|u16" [0; Add 1, Shift 1, ConvertNarrow 1] [0; Add 2] [0; Add 2];
    "cvt.f32" [0; Add 1, Convert 1] [0; Add 1, Convert 1] [0; Add 1, Convert 1];
    "cvt" [0; Convert 1] [0; Add 1, Compare 1] [0; Add 1, Compare 1];
};
