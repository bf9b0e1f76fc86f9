//! The tensor cores.

use crate::classes::Use::{Matrix, Unrated};
use crate::isa::row::Row;
use crate::isa::row::Width::{Eight, Four};
use crate::isa::sass::rows;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "BGMMA" = Unrated, "a matrix instruction";
    "BMMA" = Matrix => gives(Eight);
    "DMMA" = Matrix => gives(Eight);
    "HGMMA" = Unrated, "a matrix instruction";
    "HMMA" = Matrix => gives(Four);
    "IGMMA" = Unrated, "a matrix instruction";
    "IMMA" = Matrix => gives(Four);
    "LDT" = Unrated, "a matrix instruction";
    "LDTM" = Unrated, "a matrix instruction";
    "MOVM" = Unrated, "a matrix instruction" => named();
    "OMMA" = Matrix => gives(Eight);
    "QGMMA" = Unrated, "a matrix instruction";
    "QMMA" = Matrix => gives(Eight);
    "STT" = Unrated, "a matrix instruction";
    "STTM" = Unrated, "a matrix instruction";
};
