//! Quotients and remainders by numbers that do not change: what accesses touch at most.

use super::*;

/// The number of a thread in its block, as `R4`. All threads of a warp have the same index along the second axis, which is not known.
const INDEX: &[&str] = &["S2R R4, SR_TID.X", "S2R R20, SR_TID.Y", "IMAD R4, R20, 0x20, R4"];

/// What is left of `R4` by 10, as `R0`, as `ptxas` divides by a number of which it knows nothing.
const BY_TEN: &[&str] = &[
    "MOV R5, 0xa",
    "I2F.U32.RP R0, R5",
    "MUFU.RCP R0, R0",
    "IADD3 R2, R0, 0xffffffe, RZ",
    "F2I.FTZ.U32.TRUNC.NTZ R3, R2",
    "MOV R2, RZ",
    "IMAD.MOV R6, RZ, RZ, -R3",
    "IMAD R7, R6, R5, RZ",
    "IMAD.HI.U32 R3, R3, R7, R2",
    "IMAD.HI.U32 R3, R3, R4, RZ",
    "IMAD.MOV R3, RZ, RZ, -R3",
    "IMAD R0, R5, R3, R4",
    "ISETP.GE.U32.AND P0, PT, R0, R5, PT",
    "@P0 IADD3 R0, R0, -R5, RZ",
    "ISETP.GE.U32.AND P0, PT, R0, R5, PT",
    "@P0 IADD3 R0, R0, -R5, RZ",
];

/// The same up to 6.x.
const BY_TEN_IN_HALVES: &[&str] = &[
    "MOV R7, 0xa",
    "I2F.F32.U32.RP R2, R7",
    "MUFU.RCP R2, R2",
    "IADD32I R2, R2, 0xffffffe",
    "F2I.FTZ.U32.F32.TRUNC R2, R2",
    "XMAD R3, R2, R7, RZ",
    "XMAD.MRG R5, R2, R7.H1, RZ",
    "XMAD.PSL.CBCC R3, R2.H1, R5.H1, R3",
    "IADD R8, -R3, RZ",
    "XMAD R3, R2, R8, RZ",
    "XMAD R5, R2, R8.H1, RZ",
    "XMAD R0, R2.H1, R8.H1, R2",
    "XMAD.CHI R3, R2.H1, R8, R3",
    "IADD3.RS R0, R3, R5, R0",
    "XMAD R2, R0, R4, RZ",
    "XMAD R3, R0, R4.H1, RZ",
    "XMAD R5, R0.H1, R4.H1, RZ",
    "XMAD.CHI R0, R0.H1, R4, R2",
    "IADD3.RS R0, R0, R3, R5",
    "IADD R0, -R0, RZ",
    "XMAD R2, R0, R7, R4",
    "XMAD.MRG R3, R0, R7.H1, RZ",
    "XMAD.PSL.CBCC R0, R0.H1, R3.H1, R2",
    "ISETP.GE.U32.AND P0, PT, R0, R7, PT",
    "@P0 IADD R0, R0, -R7",
    "ISETP.GE.U32.AND P1, PT, R0, R7, PT",
    "@P1 IADD R0, R0, -R7",
];

/// What is left of `R4` by 3, as `R0`, by a constant; of the second one the product is too small now and then, so that 3 is left of 3.
const BY_THREE: &[&str] =
    &["IMAD.HI.U32 R3, R4, 0xaaaaaaab, RZ", "SHF.R.U32.HI R3, RZ, 0x1, R3", "IMAD R0, R3, -0x3, R4"];
const BY_LESS: &[&str] =
    &["IMAD.HI.U32 R3, R4, 0xaaaaaaaa, RZ", "SHF.R.U32.HI R3, RZ, 0x1, R3", "IMAD R0, R3, -0x3, R4"];

/// The lines that a byte of global memory at `R0` times 128 stands in, for all lanes.
fn lines(capability: &str, code: &[&[&str]]) -> Option<u64> {
    let is_old = capability < "7";
    let access: &[&str] = match is_old {
        true => &[
            "ISCADD R2.CC, R0, c[0x0][0x140], 0x7",
            "SHR.U32 R3, R0, 0x19",
            "IADD.X R3, R3, c[0x0][0x144]",
            "LDG.E.U8 R4, [R2]",
        ],
        false => &["IMAD.WIDE.U32 R2, R0, 0x80, c[0x0][0x160]", "LDG.E.U8 R4, [R2.64]"],
    };
    let index = INDEX.iter().map(|line| match *line {
        "IMAD R4, R20, 0x20, R4" if is_old => "ISCADD R4, R20, R4, 0x5",
        line => line,
    });
    let code = code.iter().flat_map(|lines| lines.iter().copied());
    let lines: Vec<&str> = index.chain(code).chain(access.iter().copied()).collect();
    touched(capability, &lines).1.map(|one| one.lines)
}

#[test]
fn remainders_are_below_the_divisor() {
    assert_eq!(lines("8.7", &[BY_TEN]), Some(10));
    assert_eq!(lines("6.1", &[BY_TEN_IN_HALVES]), Some(10));
    assert_eq!(lines("8.7", &[BY_THREE]), Some(3));
}

/// What is left is no remainder where a correction is missing or a factor is wrong.
#[test]
fn what_is_no_remainder_is_not_taken_for_one() {
    let is_more = |found: Option<u64>, least: u64| found.is_none_or(|found| found >= least);
    assert!(is_more(lines("8.7", &[BY_LESS]), 4));
    // Both corrections are left out.
    assert!(is_more(lines("8.7", &[&BY_TEN[..12]]), 11));
    // Newton's step is left out; then the divisor is subtracted from another number.
    let without_step: Vec<&str> = BY_TEN.iter().copied().filter(|line| !line.ends_with("R7, R2")).collect();
    assert!(is_more(lines("8.7", &[&without_step]), 11));
    let of_another: Vec<&str> = BY_TEN
        .iter()
        .map(|line| if *line == "@P0 IADD3 R0, R0, -R5, RZ" { "@P0 IADD3 R0, R4, -R5, RZ" } else { line })
        .collect();
    assert!(is_more(lines("8.7", &[&of_another]), 11));
}
