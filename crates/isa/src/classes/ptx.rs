//! Classes of PTX opcodes (*PTX ISA* 8, chapter 9).

use std::borrow::Cow;

use crate::class::Use::{Cores, Memory, Nothing, Refused, Unrated};
use crate::classes::table::{Row, row};
use crate::instruction::Instruction;
use crate::opcode::Opcode;
use crate::rates::Kind::{
    Add, BitField, Compare, Convert, ConvertNarrow, ConvertWide, Difference, Double, Half, Logic, Match,
    Multiply, Population, Reduce, Reverse, Shift, Shuffle, Single, Special, Video, Vote, Zeros,
};

const PAIR: &str = "two 32-bit instructions, assumed";
const SLOW: &str = "a sequence of instructions; how many is assumed";
const CARRY: &str = "with a carry half as fast from 7.0 on, taken so everywhere";

/// The rows that come before what was measured.
pub(super) const FIRST: &[Row] = &[
    row("bar.warp", Cores(Add, 1), "a barrier of the threads of one warp, which issues together"),
    row("tex.grad.3d|cube|acube", Refused("becomes a subroutine of which only SASS shows what it does"), ""),
    row("wmma.load wmma.store tensormap", Memory, ""),
];

/// The rows behind what was measured.
pub(super) const ROWS: &[Row] = &[
    row("ldu|ldmatrix|stmatrix", Memory, ""),
    row("tex|tld4|txq|suld|sust|sured|suq|prefetch|prefetchu|discard|applypriority", Memory, ""),
    row("cp.wait_all cp.wait_group", Cores(Add, 1), "waiting for operands is not in the model"),
    row("cp.commit_group", Cores(Add, 1), ""),
    row("cp", Memory, "an asynchronous copy"),
    row("mbarrier", Memory, "an object in shared memory"),
    row("griddepcontrol", Cores(Add, 1), ""),
    row("exit ret trap", Nothing, "ends the threads or the function"),
    row("mma wgmma wmma.mma", Unrated, "a matrix instruction"),
    row("bra brx call", Cores(Add, 1), "control flow"),
    row("add|sub|mul|fma|mad.f64 abs|neg|min|max|copysign.f64 setp|set|slct|testp.f64", Cores(Double, 1), ""),
    row("div|sqrt|rcp|rsqrt.f64", Cores(Double, 40), SLOW),
    row("rcp|rsqrt|lg2|ex2|sin|cos|tanh.approx", Cores(Special, 1), ""),
    row("div.approx div.full sqrt.approx", Cores(Special, 2), "a special function with an arithmetic one"),
    row("div|rcp|sqrt.f32", Cores(Convert, 20), SLOW),
    row("div|rem.s64|u64", Cores(Add, 160), SLOW),
    row("div|rem", Cores(Convert, 20), "up to 20 instructions, says the guide"),
    row(
        "add|sub|mul|fma|mad|abs|neg|min|max|setp|set.f16|f16x2|bf16|bf16x2 tanh|ex2.f16|f16x2|bf16|bf16x2",
        Cores(Half, 2),
        "",
    ),
    row("min|max|setp|set|slct|testp.f32", Cores(Compare, 1), ""),
    row("add|sub|mul|fma|mad|abs|neg|copysign.f32", Cores(Single, 1), ""),
    row("mul24|mad24", Cores(Multiply, 2), "several instructions, says the guide; two are assumed"),
    row("mul|mad|madc.lo.s64|u64", Cores(Multiply, 4), SLOW),
    row("mul|mad|madc.hi.s64|u64", Cores(Multiply, 8), SLOW),
    row("madc.hi mad.hi.cc", Cores(Multiply, 4), CARRY),
    row("madc mad.cc", Cores(Multiply, 2), CARRY),
    row("mul|mad.wide mul|mad.hi", Cores(Multiply, 2), PAIR),
    row("mul|mad", Cores(Multiply, 1), ""),
    row("dp4a dp2a", Cores(Multiply, 1), "as a multiplication, assumed"),
    row("sad.s64|u64", Cores(Difference, 2), PAIR),
    row("sad", Cores(Difference, 1), ""),
    row("add|sub|addc|subc|neg|abs.s64|u64", Cores(Add, 2), PAIR),
    row("add|sub|addc|subc|neg|abs", Cores(Add, 1), ""),
    row("min|max|setp|set|slct.s64|u64|b64", Cores(Compare, 2), PAIR),
    row("min|max|setp|set|slct", Cores(Compare, 1), ""),
    row("and|or|xor|not|cnot|lop3.b64", Cores(Logic, 2), PAIR),
    row("and|or|xor|not|cnot|lop3", Cores(Logic, 1), ""),
    row("shl|shr.b64|s64|u64", Cores(Shift, 4), SLOW),
    row("shl|shr|shf|prmt|szext|bmsk", Cores(Shift, 1), ""),
    row("brev.b64 bfe|bfi.s64|u64|b64", Cores(Reverse, 4), SLOW),
    row("brev", Cores(Reverse, 1), ""),
    row("bfe|bfi", Cores(BitField, 1), ""),
    row("clz|bfind.b64|s64|u64", Cores(Zeros, 3), SLOW),
    row("clz|bfind", Cores(Zeros, 1), ""),
    row("popc.b64", Cores(Population, 3), SLOW),
    row("popc", Cores(Population, 1), ""),
    row("fns", Cores(Population, 64), SLOW),
    row("vadd|vsub|vabsdiff|vmin|vmax|vshl|vshr|vmad|vset", Cores(Video, 1), ""),
    row("vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2|vset2", Cores(Video, 1), ""),
    row("vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4|vset4", Cores(Video, 1), ""),
    row("cvt.f64 cvt.s64|u64.f32|f16|bf16", Cores(ConvertWide, 1), ""),
    row("cvt.s64|u64", Cores(Add, 2), "an integer made longer or shorter: two moves or shifts, assumed"),
    row("cvt.s8|u8|s16|u16", Cores(ConvertNarrow, 1), ""),
    row("cvt", Cores(Convert, 1), ""),
    row("cvta mov|selp.b64|u64|s64|f64|b128", Cores(Add, 2), PAIR),
    row("mov selp isspacep istypep getctarank", Cores(Add, 1), ""),
    row("shfl", Cores(Shuffle, 1), ""),
    row("vote activemask elect", Cores(Vote, 1), ""),
    row("match", Cores(Match, 4), "as of 64 bits"),
    row("redux", Cores(Reduce, 1), ""),
    row("createpolicy setmaxnreg pmevent alloca stacksave stackrestore", Cores(Add, 1), ""),
];

/// Why an instruction has no number of letters at a capability, although it has a class: `ptxas` makes a loop of
/// it. Atomic operations in shared memory, or wherever a generic address points, are such loops unless the
/// hardware has them, which it has for 32-bit integers, and to exchange 64 bits; before 5.0 it has none. At 6.x a
/// counter of 64 bits is read until both halves agree.
pub(super) fn loops(opcode: &str, capability: &str) -> Option<&'static str> {
    const LOOP: &str = "becomes a loop in machine code, of which only SASS shows how often it is passed";
    let mut parts = opcode.split('.');
    let name = parts.next()?;
    let has =
        |wanted: &[&str]| parts.clone().any(|part| wanted.contains(&part.split("::").next().unwrap_or(part)));
    let is_loop = match name {
        "mov" => capability.starts_with('6') && has(&["clock64", "globaltimer"]),
        "atom" | "red" if has(&["async"]) => false,
        "atom" | "red" if has(&["global"]) => {
            has(&["f16", "bf16", "b16", "b128"]) && !has(&["v2", "v4", "v8"])
        }
        "atom" | "red" => {
            let own = has(&["u32", "s32", "b32"]) || has(&["exch", "cas"]) && has(&["b64"]);
            !own || matches!(capability.as_bytes()[0], b'2' | b'3')
        }
        _ => false,
    };
    is_loop.then_some(LOOP)
}

/// The name under which an instruction is looked up in the tables: a `mov` says what it reads, since addresses of variables and some
/// special registers take more than a move.
pub fn class_name<'i>(instruction: &Instruction<'i>) -> Opcode<'i> {
    const SPECIAL: [&str; 11] = [
        "clock64",
        "globaltimer",
        "warpid",
        "nwarpid",
        "smid",
        "nsmid",
        "dynamic_smem_size",
        "total_smem_size",
        "ntid",
        "nctaid",
        "gridid",
    ];
    let opcode = instruction.opcode;
    let ("mov", [_, source]) = (instruction.name(), instruction.ptx_operands()) else {
        return instruction.opcode();
    };
    Opcode(match source.name().map(|name| name.strip_prefix('%').ok_or(name)) {
        Some(Ok(register)) if SPECIAL.contains(&register) => Cow::Owned(format!("{opcode}.{register}")),
        Some(Err(_)) => Cow::Owned(format!("{opcode}.symbol")),
        _ => Cow::Borrowed(opcode),
    })
}
