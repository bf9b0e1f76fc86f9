//! Memory instructions of SASS as a trace of their addresses shows them.

use crate::instruction::Instruction;
use crate::memory::bytes_of_lane;

/// How what a trace shows of an instruction is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TracedAs {
    /// Global memory, which generic addresses may not be of.
    Global {
        /// Whether its addresses are generic.
        generic: bool,
    },
    /// Shared memory.
    Shared,
    /// Each lane by itself, of this memory.
    Atomic {
        /// Whether the memory is shared.
        shared: bool,
        /// Whether its addresses are generic.
        generic: bool,
    },
    /// The part of a copy that is in global memory.
    Copy,
    /// Not at all, for this reason.
    Not(&'static str),
}

/// How an instruction is counted; nothing for one that accesses no memory.
pub fn traced_as(one: &Instruction<'_>) -> Option<TracedAs> {
    let how = match one.name() {
        "LDG" | "STG" => TracedAs::Global { generic: false },
        "LD" | "ST" => TracedAs::Global { generic: true },
        "LDS" | "STS" => TracedAs::Shared,
        "ATOMG" | "REDG" => TracedAs::Atomic { shared: false, generic: false },
        "ATOM" | "RED" => TracedAs::Atomic { shared: false, generic: true },
        "ATOMS" => TracedAs::Atomic { shared: true, generic: false },
        "LDGSTS" => TracedAs::Copy,
        "LDL" | "STL" => TracedAs::Not("local memory, whose places a trace does not tell"),
        "TEX" | "TLD" | "TLD4" | "TMML" | "TXD" | "TXQ" | "SULD" | "SUST" | "SUATOM" | "SURED" => {
            return Some(TracedAs::Not("textures and surfaces, whose places a trace does not tell"));
        }
        "UBLKCP" | "UTMALDG" | "UTMASTG" | "UTMAREDG" | "UBLKRED" => {
            return Some(TracedAs::Not("a copy of a whole tile, whose places a trace does not tell"));
        }
        _ => return None,
    };
    Some(match bytes_of_lane(one) {
        Some(_) => how,
        None => TracedAs::Not("how many bytes a lane has is not known"),
    })
}
