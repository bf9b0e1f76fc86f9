//! The tensor cores.

use crate::listing::classes::Use::{Matrix, Unrated};
use crate::listing::isa::row::Row;
use crate::listing::isa::row::Width::{Eight, Four};
use crate::listing::isa::sass::rows;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "BGMMA" = Unrated, "a matrix instruction";
    "BMMA" = Matrix => gives(Eight);
    "DMMA" = Matrix => gives(Eight);
    "HGMMA" = Unrated, "a matrix instruction";
    "HMMA" = Matrix => gives(Four);
    "IGMMA" = Unrated, "a matrix instruction";
    "IMMA" = Matrix => gives(Four);
    "LDTM" = Unrated, "a matrix instruction";
    "MOVM" = Unrated, "a matrix instruction" => named();
    "OMMA" = Matrix => gives(Eight);
    "QGMMA" = Unrated, "a matrix instruction";
    "QMMA" = Matrix => gives(Eight);
    "STTM" = Unrated, "a matrix instruction";
};
