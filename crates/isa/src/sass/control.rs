//! Flow of control, barriers, waits and special registers.

use crate::class::Use::{Barrier, Cores, Nothing};
use crate::rates::Kind::Add;
use crate::row::Fact::{Answers, Copies, Fence, Fermi, Holds, OfWarp, Regroups};
use crate::row::Letter::Control;
use crate::row::Mark::Join;
use crate::row::Transfer::{Enter, Indirect, Jump, Leave, Move, Pop, Push, Reconverge};
use crate::row::Width::{One, Two, Wide};
use crate::row::{Letter, Mark, Row, Transfer, Value};
use crate::sass::rows::rows;

const STACK: &str = "a reconvergence point";

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = rows! {
    "ACQBULK" = { NoClass => quiet() }
    "ACQSHMINIT" = { NoClass => named() letter(Control) }
    "ARRIVES" = { Cores(Add, 1) => named() letter(Control) facts(&[Copies]) }
    "B2R" "GETLMEMBASE" "R2B" = { Cores(Add, 1) => named() letter(Letter::Special) }
    "BAR" = { Barrier => quiet() facts(&[Holds, Answers, Regroups, Fermi]) }
    "BMOV" = { Cores(Add, 1), STACK => gives(Wide) goes(Move) }
    "BPT" "DEPBAR" = { Cores(Add, 1) => quiet() letter(Control) facts(&[Holds]) }
    "BRA" = { Cores(Add, 1), "control flow" => quiet() goes(Jump) facts(&[Fermi]) }
    "BREAK" = { Cores(Add, 1), "control flow" => quiet() goes(Leave) }
    "BRK" = { Cores(Add, 1), "control flow" => quiet() goes(Pop(Mark::Break)) facts(&[Fermi]) }
    "BRX" "BRXU" "JMX" "JMXU" = { Cores(Add, 1), "control flow" => quiet() goes(Indirect) }
    "BSSY" = { Cores(Add, 1), STACK => quiet() goes(Enter) }
    "BSYNC" = { Cores(Add, 1), STACK => quiet() goes(Reconverge) }
    "CAL" "CALL" "JCAL" = { Cores(Add, 1), "control flow" => named() goes(Transfer::Call) }
    "CONT" = { Cores(Add, 1), "control flow" => quiet() goes(Pop(Mark::Continue)) facts(&[Fermi]) }
    "CS2R" = { Cores(Add, 1) => gives(Two) value(Value::Special) letter(Letter::Special) }
    "ELECT" = { Cores(Add, 1) => named() facts(&[OfWarp]) }
    "ENDCOLLECTIVE" "PMTRIG" "PREEXIT" = { Cores(Add, 1) => quiet() letter(Control) }
    "EXIT" = { Nothing, "ends the threads or the function" => quiet() goes(Transfer::End) facts(&[Fermi]) }
    "GETCRSPTR" "SETCRSPTR" "SETCTAID" "SETLMEMBASE" = { Cores(Add, 1) => named() }
    "IDE" "LDDEP" "RPCMOV" = { Cores(Add, 1) => named() letter(Control) }
    "JMP" = { Cores(Add, 1), "control flow" => quiet() goes(Jump) }
    "KIL" "KILL" "RTT" = { Nothing, "ends the threads or the function" => quiet() goes(Transfer::End) }
    "LDGDEPBAR" = { Cores(Add, 1) => quiet() letter(Control) facts(&[Copies]) }
    "LEPC" = { Cores(Add, 1) => gives(Two) letter(Letter::Special) }
    "LONGJMP" = { Cores(Add, 1), "control flow" => named() goes(Indirect) }
    "NANOSLEEP" = { NoClass => quiet() facts(&[Holds, Regroups]) }
    "NOP" = { Cores(Add, 1) => quiet() letter(Control) facts(&[Fermi]) }
    "PBK" = { Cores(Add, 1), STACK => quiet() goes(Push(Mark::Break)) facts(&[Fermi]) }
    "PCNT" = { Cores(Add, 1), STACK => quiet() goes(Push(Mark::Continue)) facts(&[Fermi]) }
    "PLONGJMP" "WARPARV" = { Cores(Add, 1), STACK => named() letter(Control) }
    "PRET" = { Cores(Add, 1), STACK => quiet() goes(Push(Mark::Return)) }
    "RAM" "SAM" = { Cores(Add, 1), "which threads take part" => named() letter(Control) }
    "RET" = { Nothing, "ends the threads or the function" => quiet() goes(Pop(Mark::Return)) }
    "S2R" = { Cores(Add, 1) => gives(One) value(Value::Special) letter(Letter::Special) facts(&[Fermi]) }
    "SSY" = { Cores(Add, 1), STACK => quiet() goes(Push(Join)) facts(&[Fermi]) }
    "SYNC" = { Cores(Add, 1), "control flow" => quiet() goes(Pop(Join)) }
    "TEXDEPBAR" = { Cores(Add, 1) => quiet() letter(Control) facts(&[Fence]) }
    "TTUGO" "TTULD" "TTUST" = { NoClass }
    "WARPGROUP" = { NoClass => named() facts(&[Holds]) }
    "WARPGROUPSET" = { NoClass => named() }
    "WARPSYNC" "YIELD" = { Cores(Add, 1), STACK => quiet() letter(Control) facts(&[Holds, Regroups]) }
    "WARPSYNCALL" = { Cores(Add, 1) => named() letter(Control) facts(&[Holds, Regroups]) }
};
