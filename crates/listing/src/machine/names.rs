//! The letters of a machine by name: for each kind of instruction the names that are looked for, in their
//! order.
//!
//! A machine may have a letter for each kind, as those of the program's own have, or few. Where a letter that
//! stands for a faster kind has to do, the instruction is as many of these as fit into its time, by the rates
//! of the guide ([`Kind::rate`]).

use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::is_in_own_shared;
use warpspan_isa::rates::Kind;
use warpspan_isa::row::{Moves, Space};

/// Names of letters, each with the kind of instruction that it stands for, if it has a rate.
pub(super) type Names = Vec<(&'static str, Option<Kind>)>;

/// The letters that do for any instruction of the cores.
const CORES: [(&str, Option<Kind>); 2] = [("ALU", Some(Kind::Single)), ("C", Some(Kind::Single))];

fn with_cores(first: &[(&'static str, Option<Kind>)]) -> Names {
    first.iter().copied().chain(CORES).collect()
}

/// The names for arithmetic.
pub(super) fn arithmetic(kind: Kind) -> Names {
    let own = match kind {
        Kind::Branch => return control(),
        Kind::Register => return special_register(),
        Kind::Single => "FP32",
        Kind::Half => "FP16",
        Kind::Double => "FP64",
        Kind::Special => "SFU",
        Kind::Add => "INT",
        Kind::Compare => "COMPARE",
        Kind::Multiply => "IMUL",
        Kind::Shift => "SHIFT",
        Kind::Logic => "LOGIC",
        Kind::Reverse => "REVERSE",
        Kind::BitField => "BITFIELD",
        Kind::Zeros => "ZEROS",
        Kind::Population => "POPC",
        Kind::Shuffle => "SHFL",
        Kind::Vote => "VOTE",
        Kind::Reduce => "REDUX",
        Kind::Match => "MATCH",
        Kind::Difference => "SAD",
        Kind::Video => "VIDEO",
        Kind::ConvertNarrow => "CVT.NARROW",
        Kind::ConvertWide => "CVT.WIDE",
        Kind::Convert => "CVT",
    };
    let like: &[(&'static str, Option<Kind>)] = match kind {
        Kind::Single | Kind::Double | Kind::Special | Kind::Add => &[],
        Kind::Half => &[("FP32", Some(Kind::Single))],
        Kind::ConvertNarrow | Kind::ConvertWide => {
            &[("CVT", Some(Kind::Convert)), ("SFU", Some(Kind::Special))]
        }
        Kind::Convert | Kind::Reverse | Kind::Zeros | Kind::Population | Kind::Reduce | Kind::Match => {
            &[("SFU", Some(Kind::Special))]
        }
        _ => &[("INT", Some(Kind::Add))],
    };
    with_cores(&[&[(own, Some(kind))], like].concat())
}

/// The names for branches and all else that only takes a place in the order of issue.
pub(super) fn control() -> Names {
    with_cores(&[("BRANCH", None), ("INT", None)])
}

/// The names for barriers of a block, of which a multiprocessor takes some warps in a cycle.
pub(super) fn barrier() -> Names {
    with_cores(&[("BARRIER", None), ("BRANCH", None), ("INT", None)])
}

/// The names for the uniform data path.
pub(super) fn uniform() -> Names {
    with_cores(&[("UNIFORM", None), ("INT", Some(Kind::Add))])
}

/// The names for reading a special register.
pub(super) fn special_register() -> Names {
    with_cores(&[("SREG", None), ("SFU", None), ("INT", None)])
}

/// The names for matrix instructions.
pub(super) fn matrix() -> Names {
    vec![("TENSOR", None)]
}

/// The names for an instruction of memory that moves this: a machine may have a letter for stores, and one for atomic
/// operations in the shared memory of the own block.
pub(super) fn moving(instruction: &Instruction<'_>, space: Space, moves: Moves) -> Names {
    let own = match (space, moves) {
        (Space::Global, Moves::Store) => Some(("STORE", None)),
        (Space::Atomic, Moves::Nothing) if is_in_own_shared(instruction) => Some(("ATOMS", None)),
        _ => None,
    };
    own.into_iter().chain(memory(space)).collect()
}

/// The names for memory.
pub(super) fn memory(space: Space) -> Names {
    let own: &[&'static str] = match space {
        Space::Shared => &["SHARED"],
        Space::Global => &["GLOBAL"],
        Space::Local => &["LOCAL", "GLOBAL"],
        Space::Constant => &["CONST", "GLOBAL"],
        Space::Texture => &["TEXTURE", "GLOBAL"],
        Space::Atomic => &["ATOMIC", "GLOBAL"],
        Space::Fence => &["FENCE", "ATOMIC", "GLOBAL"],
    };
    own.iter().chain(&["LSU", "L"]).map(|&name| (name, None)).collect()
}

/// How the names of letters end whose accesses are to what L2 holds.
pub const HELD: &str = "-held";

/// The name of the letter for which a letter stands that a listing has added: without how often it passes, and what it asks of servers.
pub fn base_of(name: &str) -> &str {
    let plain = name.split('-').next().unwrap_or(name);
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    plain.rsplit_once('.').filter(|(_, passes)| number(passes)).map_or(plain, |(base, _)| base)
}
