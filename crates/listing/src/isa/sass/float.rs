//! Floating-point arithmetic.

use crate::classes::Kind::{Add, Compare, Convert, ConvertWide, Double, Half, Single, Special, Zeros};
use crate::classes::Use::Cores;
use crate::isa::row::Fact::{Counts, Fermi};
use crate::isa::row::Width::{Long, Two, Wide};
use crate::isa::row::{Row, With};
use crate::isa::sass::rows;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "DADD" = Cores(Double, 1) => computes(Two) facts(&[Counts, Fermi]);
    "DFMA" = Cores(Double, 1) => computes(Two) facts(&[Counts, Fermi]);
    "DMNMX" = Cores(Double, 1) => computes(Two) facts(&[Fermi]);
    "DMUL" = Cores(Double, 1) => computes(Two) facts(&[Counts, Fermi]);
    "DSET" = Cores(Double, 1) => computes(Wide);
    "DSETP" = Cores(Double, 1) => compares() facts(&[Fermi]);
    "F2F" = Cores(Convert, 1) => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: "" }]) computes(Long) facts(&[Fermi]);
    "F2FP" = Cores(Convert, 1) => computes(Long);
    "F2I" = Cores(Convert, 1) => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: "" }]) computes(Long) facts(&[Fermi]);
    "F2IP" = Cores(Convert, 1) => computes(Long);
    "FADD" = Cores(Single, 1) => computes(Wide) facts(&[Counts, Fermi]);
    "FADD2" = Cores(Single, 2), "two results for each thread; as two, assumed" => named() facts(&[Counts]);
    "FADD32I" = Cores(Single, 1) => computes(Wide) facts(&[Counts, Fermi]);
    "FCHK" = Cores(Single, 1) => compares();
    "FCMP" = Cores(Compare, 1) => computes(Wide) facts(&[Fermi]);
    "FFMA" = Cores(Single, 1) => computes(Wide) facts(&[Counts, Fermi]);
    "FFMA2" = Cores(Single, 2), "two results for each thread; as two, assumed" => named() facts(&[Counts]);
    "FFMA32I" = Cores(Single, 1) => computes(Wide) facts(&[Counts, Fermi]);
    "FHADD" = Cores(Half, 1), "as arithmetic of 16 bits, assumed" => named();
    "FHFMA" = Cores(Half, 1), "as arithmetic of 16 bits, assumed" => named();
    "FLO" = Cores(Zeros, 1) => computes(Wide) facts(&[Fermi]);
    "FMNMX" = Cores(Compare, 1) => computes(Wide) facts(&[Fermi]);
    "FMNMX3" = Cores(Compare, 1) => computes(Wide);
    "FMUL" = Cores(Single, 1) => computes(Wide) facts(&[Counts, Fermi]);
    "FMUL2" = Cores(Single, 2), "two results for each thread; as two, assumed" => named() facts(&[Counts]);
    "FMUL32I" = Cores(Single, 1) => computes(Wide) facts(&[Counts, Fermi]);
    "FRND" = Cores(Convert, 1) => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: "" }]) computes(Long);
    "FSEL" = Cores(Add, 1) => computes(Wide);
    "FSET" = Cores(Compare, 1) => computes(Wide) facts(&[Fermi]);
    "FSETP" = Cores(Compare, 1) => compares() facts(&[Fermi]);
    "FSWZ" = Cores(Single, 1) => named();
    "FSWZADD" = Cores(Single, 1) => gives(Wide);
    "HADD" = Cores(Half, 1) => named() facts(&[Counts]);
    "HADD2" = Cores(Half, 1) => computes(Wide) facts(&[Counts]);
    "HADD2_32I" = Cores(Half, 1) => computes(Wide) facts(&[Counts]);
    "HFMA" = Cores(Half, 1) => named() facts(&[Counts]);
    "HFMA2" = Cores(Half, 1) => computes(Wide) facts(&[Counts]);
    "HFMA2_32I" = Cores(Half, 1) => computes(Wide) facts(&[Counts]);
    "HMNMX2" = Cores(Half, 1) => computes(Wide);
    "HMUL" = Cores(Half, 1) => named();
    "HMUL2" = Cores(Half, 1) => computes(Wide);
    "HMUL2_32I" = Cores(Half, 1) => computes(Wide);
    "HSET2" = Cores(Half, 1) => computes(Wide);
    "HSETP2" = Cores(Half, 1) => compares();
    "MUFU" = Cores(Special, 1) => computes(Wide) facts(&[Fermi]);
    "RRO" = Cores(Special, 1), "prepares a special function; as one, assumed" => computes(Wide) facts(&[Fermi]);
};
