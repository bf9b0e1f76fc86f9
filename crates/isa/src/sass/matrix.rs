//! The tensor cores.

use crate::class::Use::{Matrix, Unrated};
use crate::row::Row;
use crate::row::Width::{Eight, Four};
use crate::sass::rows::rows;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "BGMMA" "HGMMA" "IGMMA" "LDT" "LDTM" "QGMMA" "STT" "STTM" = { Unrated, "a matrix instruction" }
    "BMMA" "DMMA" "OMMA" "QMMA" = { Matrix => gives(Eight) }
    "HMMA" "IMMA" = { Matrix => gives(Four) }
    "MOVM" = { Unrated, "a matrix instruction" => named() }
};
