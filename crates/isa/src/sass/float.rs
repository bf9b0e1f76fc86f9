//! Floating-point arithmetic.

use crate::class::Use::Cores;
use crate::rates::Kind::{Add, Compare, Convert, ConvertWide, Double, Half, Single, Special, Zeros};
use crate::row::Fact::{Counts, Fermi};
use crate::row::Width::{Long, Two, Wide};
use crate::row::{Row, With};
use crate::sass::rows::rows;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "DADD" "DFMA" "DMUL" = { Cores(Double, 1) => computes(Two) facts(&[Counts, Fermi]) }
    "DMNMX" = { Cores(Double, 1) => computes(Two) facts(&[Fermi]) }
    "DSET" = { Cores(Double, 1) => computes(Wide) }
    "DSETP" = { Cores(Double, 1) => compares() facts(&[Fermi]) }
    "F2F" "F2I" = { Cores(Convert, 1) => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: "" }]) computes(Long) facts(&[Fermi]) }
    "F2FP" "F2IP" = { Cores(Convert, 1) => computes(Long) }
    "FADD" "FADD32I" "FFMA" "FFMA32I" "FMUL" "FMUL32I" = { Cores(Single, 1) => computes(Wide) facts(&[Counts, Fermi]) }
    "FADD2" "FFMA2" "FMUL2" = { Cores(Single, 2), "two results for each thread; as two, assumed" => named() facts(&[Counts]) }
    "FCHK" = { Cores(Single, 1) => compares() }
    "FCMP" "FMNMX" "FSET" = { Cores(Compare, 1) => computes(Wide) facts(&[Fermi]) }
    "FHADD" "FHFMA" = { Cores(Half, 1), "as arithmetic of 16 bits, assumed" => named() }
    "FLO" = { Cores(Zeros, 1) => computes(Wide) facts(&[Fermi]) }
    "FMNMX3" = { Cores(Compare, 1) => computes(Wide) }
    "FRND" = { Cores(Convert, 1) => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: "" }]) computes(Long) }
    "FSEL" = { Cores(Add, 1) => computes(Wide) }
    "FSETP" = { Cores(Compare, 1) => compares() facts(&[Fermi]) }
    "FSWZ" = { Cores(Single, 1) => named() }
    "FSWZADD" = { Cores(Single, 1) => gives(Wide) }
    "HADD" "HFMA" = { Cores(Half, 1) => named() facts(&[Counts]) }
    "HADD2" "HADD2_32I" "HFMA2" "HFMA2_32I" = { Cores(Half, 1) => computes(Wide) facts(&[Counts]) }
    "HMNMX2" "HMUL2" "HMUL2_32I" "HSET2" = { Cores(Half, 1) => computes(Wide) }
    "HMUL" = { Cores(Half, 1) => named() }
    "HSETP2" = { Cores(Half, 1) => compares() }
    "MUFU" = { Cores(Special, 1) => computes(Wide) facts(&[Fermi]) }
    "RRO" = { Cores(Special, 1), "prepares a special function; as one, assumed" => computes(Wide) facts(&[Fermi]) }
};
