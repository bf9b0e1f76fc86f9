//! The uniform data path: what a warp does once.

use crate::class::Use::{Cores, Memory, Unrated};
use crate::rates::Kind::{Add, Compare, Convert, ConvertWide, Multiply, Reduce, Shift, Single, Vote};
use crate::row::Fact::{Counts, OfWarp};
use crate::row::Letter::{Control, Uniform};
use crate::row::Space::{Atomic, Global};
use crate::row::Width::{Loaded, Long, One, Two, Wide};
use crate::row::{Access, Fact, Letter, Moves, Row, Shared, With};
use crate::sass::rows::rows;

const UNIFORM: &str = "the uniform data path, once a warp: as the same on the cores";

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "CREDUX" = { Cores(Reduce, 1) => gives(Wide) }
    "CS2UR" = { Cores(Add, 1), UNIFORM => gives(Two) letter(Letter::Special) facts(&[OfWarp]) }
    "LDCU" "ULDC" = { Cores(Add, 1), "from the constant bank to a uniform register: a move" => gives(Loaded) letter(Uniform) facts(&[OfWarp]) }
    "R2UR" "S2UR" = { Cores(Add, 1), UNIFORM => gives(Wide) letter(Letter::Special) facts(&[OfWarp]) }
    "UBLKCP" = { Memory, "an asynchronous copy" => named() letter(Uniform) copies(Access::Bulk) shared(Shared::Writes) facts(&[OfWarp]) }
    "UBLKL2CCTL" "UBLKPF" "UTMACCTL" "UTMAL2CCTL" "UTMAPF" = { Memory, "an asynchronous copy" => named() letter(Uniform) copies(Access::Bulk) facts(&[OfWarp]) }
    "UBLKRED" "UTMALDG" "UTMAREDG" "UTMASTG" = { Memory, "an asynchronous copy" => named() letter(Uniform) copies(Access::Bulk) shared(Shared::Maybe) facts(&[OfWarp]) }
    "UBMSK" "UBREV" "UFLO" "ULOP3" "UPOPC" "UPRMT" "USGXT" = { Cores(Shift, 1), UNIFORM => computes(Wide) letter(Uniform) facts(&[OfWarp]) }
    "UCGABAR_ARV" "UGETNEXTWORKID" "UTCATOMSWS" "UTCBAR" "UVIRTCOUNT" = { NoClass => named() letter(Uniform) facts(&[OfWarp]) }
    "UCGABAR_WAIT" = { NoClass => named() letter(Uniform) facts(&[Fact::Fence, OfWarp]) }
    "UCLEA" "UF2FP" "UF2IP" "UI2IP" "ULOP" "ULOP32I" = { Cores(Shift, 1), UNIFORM => named() letter(Uniform) facts(&[OfWarp]) }
    "UF2F" = { Cores(Convert, 1), UNIFORM => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: UNIFORM }]) named() letter(Uniform) facts(&[OfWarp]) }
    "UF2I" "UI2F" = { Cores(Convert, 1), UNIFORM => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: UNIFORM }]) computes(Long) letter(Uniform) facts(&[OfWarp]) }
    "UFADD" "UFFMA" "UFMUL" = { Cores(Single, 1), UNIFORM => computes(Wide) letter(Uniform) facts(&[OfWarp, Counts]) }
    "UFMNMX" "UFMNMX3" "UFSET" "UVIMNMX3" = { Cores(Compare, 1), UNIFORM => named() letter(Uniform) facts(&[OfWarp]) }
    "UFRND" = { Cores(Convert, 1), UNIFORM => with(&[With { modifiers: &["F64", "S64", "U64"], class: Cores(ConvertWide, 1), note: UNIFORM }]) computes(Wide) letter(Uniform) facts(&[OfWarp]) }
    "UFSEL" "UMOV" "USEL" = { Cores(Add, 1), UNIFORM => computes(Wide) letter(Uniform) facts(&[OfWarp]) }
    "UFSETP" = { Cores(Compare, 1), UNIFORM => compares() letter(Uniform) facts(&[OfWarp]) }
    "UI2FP" = { Cores(Convert, 1), UNIFORM => computes(Wide) letter(Uniform) facts(&[OfWarp]) }
    "UI2I" = { Cores(Convert, 1), UNIFORM => named() letter(Uniform) facts(&[OfWarp]) }
    "UIABS" "ULEPC" "UP2R" "UP2UR" "UPSETP" "UR2UP" "UVOTE" = { Cores(Add, 1), UNIFORM => named() letter(Uniform) facts(&[OfWarp]) }
    "UIADD3" "ULEA" = { Cores(Shift, 1), UNIFORM => computes(Wide) letter(Uniform) facts(&[OfWarp, Counts]) }
    "UIMAD" = { Cores(Multiply, 1), UNIFORM => computes(Wide) letter(Uniform) facts(&[OfWarp, Counts]) }
    "UIMNMX" "UVIMNMX" = { Cores(Compare, 1), UNIFORM => computes(Wide) letter(Uniform) facts(&[OfWarp]) }
    "UISETP" "UPLOP3" = { Cores(Add, 1), UNIFORM => compares() letter(Uniform) facts(&[OfWarp]) }
    "UMEMSETS" = { Memory, "an asynchronous copy" => named() letter(Uniform) access(Global, Moves::Load) shared(Shared::Writes) facts(&[OfWarp]) }
    "UREDGR" = { Memory => quiet() letter(Uniform) access(Atomic, Moves::Atomic) facts(&[OfWarp]) }
    "USETMAXREG" = { Cores(Add, 1), UNIFORM => named() letter(Control) facts(&[OfWarp]) }
    "USHF" = { Cores(Shift, 1), UNIFORM => computes(One) letter(Uniform) facts(&[OfWarp, Counts]) }
    "USHL" "USHR" = { Cores(Shift, 1), UNIFORM => named() letter(Uniform) facts(&[OfWarp, Counts]) }
    "USTGR" = { Memory => quiet() letter(Uniform) access(Global, Moves::Store) facts(&[OfWarp]) }
    "UTCCP" "UTCHMMA" "UTCIMMA" "UTCLDSWS" "UTCOMMA" "UTCQMMA" "UTCSHIFT" = { Unrated, "a matrix instruction" => named() letter(Uniform) facts(&[OfWarp]) }
    "UTMACMDFLUSH" = { Memory, "an asynchronous copy" => named() letter(Uniform) access(Global, Moves::Load) facts(&[OfWarp]) }
    "UVIADD" = { Cores(Add, 1), UNIFORM => named() letter(Uniform) facts(&[OfWarp, Counts]) }
    "VOTEU" = { Cores(Vote, 1) => gives(Wide) letter(Uniform) }
};
