//! Integer arithmetic, logic, moves, conversions, and what lanes exchange.

use crate::class::Use::Cores;
use crate::rates::Kind::{
    Add, BitField, Compare, Convert, ConvertNarrow, ConvertWide, Difference, Logic, Match, Multiply,
    Population, Reduce, Reverse, Shift, Shuffle, Single, Video, Vote,
};
use crate::row::Fact::{Counts, Fermi, Lanes};
use crate::row::Width::{Long, One, Wide};
use crate::row::{Output, Row, Value, With};
use crate::sass::rows::rows;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "BFE" "BFI" = { Cores(BitField, 1) => computes(Wide) facts(&[Fermi]) }
    "BMSK" "PRMT" "SGXT" = { Cores(Shift, 1) => computes(Wide) }
    "BREV" = { Cores(Reverse, 1) => computes(Wide) }
    "CSET" "VIMNMX" "VIMNMX3" = { Cores(Compare, 1) => computes(Wide) }
    "CSETP" = { Cores(Compare, 1) => compares() }
    "I2F" = { Cores(Convert, 1) => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: "" }, With { modifiers: &["S8", "U8", "S16", "U16"], class: Cores(ConvertNarrow, 1), note: "" }]) computes(Long) facts(&[Fermi]) }
    "I2FP" "I2IP" = { Cores(Convert, 1) => computes(Long) }
    "I2I" = { Cores(Convert, 1) => with(&[With { modifiers: &["S8", "U8", "S16", "U16"], class: Cores(ConvertNarrow, 1), note: "" }]) computes(Long) facts(&[Fermi]) }
    "IABS" "P2R" = { Cores(Add, 1) => computes(Wide) }
    "IADD" "IADD32I" "ISCADD" "ISCADD32I" = { Cores(Add, 1) => computes(Wide) facts(&[Counts, Fermi]) }
    "IADD2" "IADDP" = { Cores(Add, 1) => named() facts(&[Counts]) }
    "IADD3" "ISUB" "LEA" "VIADD" = { Cores(Add, 1) => computes(Wide) facts(&[Counts]) }
    "ICMP" "IMNMX" "ISET" = { Cores(Compare, 1) => computes(Wide) facts(&[Fermi]) }
    "IDP" "IDP4A" "IMADSP" = { Cores(Multiply, 1) => computes(Wide) }
    "IMAD" "IMUL" = { Cores(Multiply, 1) => with(&[With { modifiers: &["WIDE", "HI"], class: Cores(Multiply, 2), note: "64 bits or the upper half; as two, assumed" }]) computes(Wide) facts(&[Counts, Fermi]) }
    "IMAD32I" "IMUL32I" = { Cores(Multiply, 1) => computes(Wide) facts(&[Counts, Fermi]) }
    "INEG" "LEPC2" = { Cores(Add, 1) => named() }
    "ISAD" = { Cores(Difference, 1) => computes(Wide) facts(&[Counts, Fermi]) }
    "ISETP" = { Cores(Compare, 1) => compares() facts(&[Fermi]) }
    "LOP" "LOP32I" = { Cores(Logic, 1) => computes(Wide) facts(&[Fermi]) }
    "LOP3" "PSET" = { Cores(Logic, 1) => computes(Wide) }
    "MATCH" = { Cores(Match, 1) => with(&[With { modifiers: &["ALL"], class: Cores(Reduce, 1), note: "" }, With { modifiers: &["U64"], class: Cores(Match, 4), note: "of 64 bits; as four, as measured at 9.0" }]) gives(Wide) facts(&[Lanes]) }
    "MOV" "MOV32I" "SEL" = { Cores(Add, 1) => computes(Wide) facts(&[Fermi]) }
    "MOV_R2P" = { Cores(Add, 1) }
    "PLOP" = { Cores(Logic, 1) => named() }
    "PLOP3" = { Cores(Logic, 1) => compares() }
    "POPC" = { Cores(Population, 1) => computes(Wide) facts(&[Fermi]) }
    "PSETP" = { Cores(Logic, 1) => compares() facts(&[Fermi]) }
    "R2P" = { Cores(Add, 1) => output(Output::Mask) value(Value::Function) }
    "REDUX" = { Cores(Reduce, 1) => gives(Wide) facts(&[Lanes]) }
    "SHF" = { Cores(Shift, 1) => computes(One) facts(&[Counts]) }
    "SHFL" = { Cores(Shuffle, 1) => gives(Wide) facts(&[Lanes]) }
    "SHL" "SHR" = { Cores(Shift, 1) => computes(Wide) facts(&[Counts, Fermi]) }
    "VABSDIFF" = { Cores(Difference, 1) => computes(Wide) }
    "VABSDIFF2" "VABSDIFF4" "VADD2" "VADD4" "VAVRG2" "VAVRG4" "VHMNMX" "VMNMX2" "VMNMX4" "VSET" "VSET2"
        "VSET4" "VSETP" "VSHL" "VSHR" = { Cores(Video, 1) => named() }
    "VADD" "VMAD" = { Cores(Video, 1) => named() facts(&[Counts]) }
    "VIADDMNMX" = { Cores(Video, 1) => computes(Wide) facts(&[Counts]) }
    "VMNMX" = { Cores(Video, 1) => computes(Wide) }
    "VOTE" = { Cores(Vote, 1) => gives(One) value(Value::Vote) facts(&[Lanes]) }
    "XMAD" = { Cores(Single, 1), "16-bit multiply-add at the rate of the cores, assumed" => computes(Wide) facts(&[Counts]) }
};
