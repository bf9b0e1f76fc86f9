//! Memory.

use crate::class::Use::Memory;
use crate::row::Fact::{Copies, Fermi};
use crate::row::Space::{Atomic, Constant, Global, Local, Texture};
use crate::row::Width::{Four, Loaded, Wide};
use crate::row::{Access, Fact, Moves, Row, Shared, Space, Value};
use crate::sass::rows::rows;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "AL2P" "ALD" "AST" "IPA" "ISBERD" "ISBEWR" "LDGMC" "LDTRAM" "OUT" "PIXLD" "PLD" = { Memory => named() access(Global, Moves::Load) }
    "ATOM" = { Memory => gives(Loaded) access(Atomic, Moves::Atomic) shared(Shared::Maybe) }
    "ATOMG" = { Memory => gives(Loaded) access(Atomic, Moves::Atomic) }
    "ATOMS" = { Memory => gives(Loaded) access(Atomic, Moves::Nothing) shared(Shared::Writes) }
    // A query of the caches has a result: `CCTL.E.PF2.QFAULT P0, [R2]`, and `.QRY1` on 2.x.
    "CCTL" = { Memory => named() access(Global, Moves::Load) facts(&[Fact::Fence]) }
    "CCTLL" = { Memory => named() access(Local, Moves::Load) facts(&[Fact::Fence]) }
    "CCTLT" = { Memory => named() access(Texture, Moves::Load) facts(&[Fact::Fence]) }
    "CGAERRBAR" "ERRBAR" "FENCE" "MEMBAR" = { Memory, "ordered by the load/store units" => quiet() access(Space::Fence, Moves::Nothing) facts(&[Fact::Fence]) }
    "LD" = { Memory => gives(Loaded) access(Global, Moves::Load) shared(Shared::Maybe) facts(&[Fermi]) }
    "LDC" = { Memory => computes(Loaded) access(Constant, Moves::Load) facts(&[Fermi]) }
    "LDG" = { Memory => gives(Loaded) value(Value::Memory) access(Global, Moves::Load) }
    "LDGSTS" = { Memory => quiet() copies(Access::Copy) shared(Shared::Writes) facts(&[Copies]) }
    "LDK" = { NoClass => named() }
    "LDL" = { Memory => gives(Loaded) access(Local, Moves::Load) facts(&[Fermi]) }
    "LDLK" "STUL" = { Memory => named() access(Atomic, Moves::Atomic) shared(Shared::Maybe) }
    "LDS" = { Memory => gives(Loaded) value(Value::Memory) access(Space::Shared, Moves::Nothing) shared(Shared::Reads) facts(&[Fermi]) }
    "LDSLK" = { Memory => named() access(Atomic, Moves::Nothing) shared(Shared::Reads) }
    "LDSM" = { Memory => gives(Four) access(Space::Shared, Moves::Nothing) shared(Shared::Reads) }
    "LDS_LDU" = { Memory => named() access(Space::Shared, Moves::Nothing) shared(Shared::Reads) }
    "LDU" = { Memory => gives(Loaded) access(Global, Moves::Load) facts(&[Fermi]) }
    "LD_LDU" = { Memory => named() access(Global, Moves::Load) shared(Shared::Maybe) }
    "MATCHL" = { Memory => access(Global, Moves::Load) }
    "QSPC" = { Memory => gives(Wide) access(Global, Moves::Load) shared(Shared::Maybe) }
    "RED" = { Memory => quiet() access(Atomic, Moves::Atomic) shared(Shared::Maybe) }
    "REDAS" "STAS" = { Memory => quiet() access(Atomic, Moves::Nothing) shared(Shared::Maybe) }
    "REDG" "SURED" = { Memory => quiet() access(Atomic, Moves::Atomic) }
    "REDS" = { NoClass => quiet() access(Atomic, Moves::Nothing) shared(Shared::Writes) }
    "ST" = { Memory => quiet() access(Global, Moves::Store) shared(Shared::Maybe) facts(&[Fermi]) }
    "STG" = { Memory => quiet() access(Global, Moves::Store) }
    "STL" = { Memory => quiet() access(Local, Moves::Store) facts(&[Fermi]) }
    "STS" = { Memory => quiet() access(Space::Shared, Moves::Nothing) shared(Shared::Writes) facts(&[Fermi]) }
    "STSCUL" "STSUL" = { Memory => named() access(Atomic, Moves::Nothing) shared(Shared::Writes) }
    "STSM" = { Memory => quiet() access(Space::Shared, Moves::Nothing) shared(Shared::Writes) }
    "SUATOM" = { Memory => named() access(Atomic, Moves::Atomic) }
    "SUBFM" "SUCLAMP" "SUEAU" "SULD" "SULDB" "SULDGA" "SUQ" "TEX" "TEXS" "TLD" "TLD4" "TLD4S" "TLDS" "TMML"
        "TXA" "TXD" "TXG" "TXQ" = { Memory => named() access(Texture, Moves::Load) }
    "SUST" = { Memory => quiet() access(Texture, Moves::Store) }
    "SUSTB" "SUSTGA" = { Memory => named() access(Texture, Moves::Store) }
    "SYNCS" = { Memory, "an asynchronous copy" => named() access(Atomic, Moves::Nothing) shared(Shared::Writes) }
};
