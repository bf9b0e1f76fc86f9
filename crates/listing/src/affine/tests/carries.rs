//! Carries, upper words and words of constant banks: what accesses touch at least, and whether it is inferred.

use super::*;

/// The capability, the instructions of which one accesses memory, what it touches as lines or passes of shared memory, and whether that is
/// found.
const CASES: &[(&str, &[&str], u64, bool)] = &[
    // Zero that is subtracted always carries.
    (
        "8.7",
        &[
            "S2R R20, SR_TID.X",
            "IADD3 R32, P1, R20, -RZ, RZ",
            "IADD3.X R33, RZ, ~RZ, RZ, P1, !PT",
            "IMAD R5, R20, 0x80, RZ",
            "IMAD R6, R5, R33, R5",
            "STS [R6], R20",
        ],
        32,
        false,
    ),
    (
        "6.1",
        &[
            "S2R R0, SR_TID.X",
            "IADD RZ.CC, -RZ, R0",
            "IADD.X R5, RZ, RZ",
            "SHL R7, R5, 0x7",
            "XMAD R8, R0, R7, RZ",
            "STS [R8], R0",
        ],
        32,
        false,
    ),
    // The upper word of a product and a number is larger where the lower words carry.
    (
        "8.7",
        &[
            "S2R R0, SR_TID.X",
            "MOV R1, 0x8000000",
            "IMAD.HI.U32 R2, R0, R1, 0x7fffffff",
            "IMAD.WIDE.U32 R2, R2, 0x400, c[0x0][0x160]",
            "LDG.E R4, [R2.64]",
        ],
        2,
        false,
    ),
    // A word of another bank is the same for a sum and for its carry.
    (
        "8.7",
        &[
            "S2R R0, SR_TID.X",
            "IADD3 R2, P0, R0, c[0x4][0x8], RZ",
            "IADD3.X R3, RZ, c[0x4][0xc], RZ, P0, !PT",
            "LDG.E.U8 R4, [R2.64]",
        ],
        2,
        true,
    ),
    // PT takes no carry.
    (
        "9.0",
        &[
            "S2R R0, SR_TID.X",
            "IADD3 R2, P0, PT, R0, c[0x0][0x210], RZ",
            "IADD3.X R3, PT, PT, RZ, c[0x0][0x214], RZ, P0, !PT",
            "LDG.E.U8 R4, [R2.64]",
        ],
        2,
        true,
    ),
    // A sum of three words, and its upper words.
    (
        "9.0",
        &[
            "S2R R0, SR_TID.X",
            "MOV R4, c[0x0][0x218]",
            "IADD3 R2, P0, P1, R0, R4, c[0x0][0x210]",
            "IADD3.X R3, RZ, RZ, c[0x0][0x214], P0, P1",
            "LDG.E.U8 R4, [R2.64]",
        ],
        2,
        true,
    ),
    // One of its carries says nothing.
    (
        "9.0",
        &[
            "S2R R0, SR_TID.X",
            "MOV R4, c[0x0][0x218]",
            "IADD3 R2, P0, P1, R0, R4, c[0x0][0x210]",
            "IADD3.X R3, RZ, RZ, c[0x0][0x214], P0, !PT",
            "LDG.E.U8 R4, [R2.64]",
        ],
        32,
        false,
    ),
    (
        "9.0",
        &[
            "S2R R0, SR_TID.X",
            "MOV R4, c[0x0][0x218]",
            "IADD3 R2, P0, P1, R0, R4, c[0x0][0x210]",
            "IADD3.X R3, RZ, RZ, c[0x0][0x214], P0, P0",
            "LDG.E.U8 R4, [R2.64]",
        ],
        32,
        false,
    ),
    // The sum of upper words as a product by 1.
    (
        "9.0",
        &[
            "S2R R0, SR_TID.X",
            "SHF.R.S32.HI R5, RZ, 0x1f, R0",
            "IADD3 R2, P0, R0, c[0x0][0x210], RZ",
            "IMAD.X R3, R5, 0x1, c[0x0][0x214], P0",
            "LDG.E.U8 R4, [R2.64]",
        ],
        2,
        true,
    ),
    // An address that is near the end of all numbers.
    (
        "9.0",
        &[
            "S2R R20, SR_TID.X",
            "IADD3 R26, P1, c[0x0][0x210], RZ, RZ",
            "LEA R27, R20, -c[0x0][0x218], 0x1b",
            "LDG.E R20, [R26.64+-0x4]",
        ],
        32,
        true,
    ),
];

#[test]
fn carries_and_upper_words() {
    for (capability, lines, least, is_found) in CASES {
        let (shared, most) = touched(capability, lines);
        let most = most.map(|one| if shared { one.wavefronts } else { one.lines });
        assert!(most.is_none_or(|most| most >= *least), "{lines:?}: {most:?} is below {least}");
        assert!(!is_found || most == Some(*least), "{lines:?}: {most:?}, not {least}");
    }
}
