//! How many source registers of an instruction lie in one bank of the register file.
//!
//! From 7.0 on the registers of a sub-partition lie in two banks, the even and the odd ones, and each bank gives an
//! instruction one register of 32 bits a cycle: Huerta et al., *Dissecting and Modeling the Architecture of Modern GPU
//! Cores*, MICRO 2025, sections 3 and 5.3 (FMUL of two registers of one bank leaves a bubble of one cycle, FFMA of three
//! of two cycles), and `docs/silicon.md` for an H100. So an instruction takes a cycle for each register in its fuller
//! bank, whatever its unit takes. What `.reuse` spares is not counted, since another warp may come between.

use crate::instruction::{Instruction, Language};
use crate::operand::Kind;
use crate::register::{File, Register};

/// Instructions whose first operand is no source, and of which each other one is a register of 32 bits at most.
const OF_32_BITS: [&str; 28] = [
    "BMSK",
    "FADD",
    "FFMA",
    "FMNMX",
    "FMUL",
    "FSEL",
    "FSETP",
    "HADD2",
    "HFMA2",
    "HMNMX2",
    "HMUL2",
    "HSETP2",
    "IABS",
    "IADD3",
    "IMAD",
    "IMNMX",
    "ISETP",
    "LEA",
    "LOP3",
    "MOV",
    "PRMT",
    "SEL",
    "SGXT",
    "SHF",
    "VABSDIFF",
    "VABSDIFF4",
    "VIADD",
    "VIMNMX",
];

/// Instructions of which each source is two registers, one of each bank.
const OF_64_BITS: [&str; 4] = ["DADD", "DFMA", "DMUL", "DSETP"];

/// The modifiers that make an operand two registers. Shifts of 64 bits name both halves, and multiplications of this kind
/// are several letters, which read the registers once.
const WIDER: [&str; 6] = ["WIDE", "HI", "64", "U64", "S64", "F64"];

/// How many source registers of an instruction lie in the fuller one of two banks; none if its operands are not known to
/// be as wide as one register or two.
pub fn fuller(instruction: &Instruction<'_>) -> Option<u64> {
    if instruction.language() != Language::Sass {
        return None;
    }
    let name = instruction.name();
    let halves = matches!(name, "SHF" | "LEA");
    let wider = !halves && instruction.has_any(&WIDER);
    // The addend of `IMAD.WIDE` is two registers; which operand that is, is not looked for.
    let wide = OF_64_BITS.contains(&name) || name == "IMAD" && wider;
    if !wide && (wider || !OF_32_BITS.contains(&name)) {
        return None;
    }
    let mut banks = [0, 0];
    for operand in instruction.operands().iter().skip(1) {
        match operand.kind {
            Kind::Register { register: Register { file: File::General, number }, .. } => {
                banks[number % 2] += 1;
                // The other half.
                banks[1 - number % 2] += u64::from(wide);
            }
            // `R[UR4]` is any register.
            Kind::Address { .. } if operand.is_chosen() => return None,
            _ => {}
        }
    }
    banks.into_iter().max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<u64> {
        let (opcode, operands) = text.split_once(' ').unwrap();
        fuller(&Instruction::new(Language::Sass, 1, None, opcode, operands))
    }

    /// What an H100 took for each, where its unit takes no longer (docs/silicon.md).
    #[test]
    fn measured() {
        for (text, cycles) in [
            ("FFMA R10, R12, R14, R16", 3),
            ("FFMA R10, R12, R14, R17", 2),
            ("DFMA R10, R12, R14, R16", 3),
            ("HFMA2 R10, R12, R14, R16", 3),
            ("LOP3.LUT R10, R12, R14, R16, 0x96, !PT", 3),
            ("IADD3 R10, R13, R15, R17", 3),
        ] {
            assert_eq!(of(text), Some(cycles), "{text}");
        }
    }

    #[test]
    fn operands() {
        for (text, expected) in [
            // The result is no source, and a register that is read twice counts twice.
            ("FADD R4, R4, R5", Some(1)),
            ("FADD R4, R4, R6", Some(2)),
            ("FMUL R4, R6.reuse, R6", Some(2)),
            ("FADD.FTZ R4, |R3|, -R7", Some(2)),
            // Neither zeros nor constants, numbers, predicates and uniform registers lie there.
            ("FFMA R4, R6, c[0x0][0x168], RZ", Some(1)),
            ("IMAD R4, R6, UR4, R9", Some(1)),
            ("ISETP.GE.U32.AND P0, PT, R4, R6, PT", Some(2)),
            ("IADD3 R4, P0, P1, R4, 0x10, RZ", Some(1)),
            ("MOV R1, c[0x0][0x28]", Some(0)),
            ("SHF.R.U64 R4, R6, 0x3, R8", Some(2)),
            ("LEA.HI.X R4, R6, R8, R10, 0x2, P0", Some(3)),
            ("DADD R4, R6, -R8", Some(2)),
            ("IMAD.WIDE R4, R6, R9, R10", Some(3)),
            ("IMAD.WIDE.U32 R4, R6, c[0x0][0x10], R10", Some(2)),
            ("IMAD.HI.U32 R4, R6, R8, R10", Some(3)),
            // Wider than a register, or not known.
            ("MOV.64 R4, R6", None),
            ("FADD R4, R[UR4], R6", None),
            ("FFMA2 R4, R6, R8, R10", None),
            ("MUFU.RCP R4, R6", None),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
        assert_eq!(fuller(&Instruction::new(Language::Ptx, 1, None, "mov.u32", "%r1, %r2")), None);
    }
}
