//! Memory instructions: their space, how wide they are, and what they move.
//!
//! A *pass* is 32 lanes of 4 bytes. A lane of 8 bytes needs two passes a warp, and one of 16 bytes four.

mod caches;
mod lanes;
mod order;
mod traced;

pub use caches::{empties_first_cache, is_cached, is_read_only, prefetched};
pub use lanes::{OfLane, OfParameter, bytes_of_lane, copied, loaded_parameters, of_lane};
pub use order::{
    has_wide_addresses, is_ordered, may_be_added_up, reads_constant, reads_launch, reads_others,
    words_of_constants,
};
pub use traced::{TracedAs, traced_as};

use crate::instruction::{Instruction, Language};
use crate::operand::Kind;
use crate::row::{Moves, Space};
use crate::{ptx, row, sass};

/// What a memory instruction does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// One access.
    One(Space, u64),
    /// An asynchronous copy from global to shared memory, which passes twice.
    Copy(u64),
    /// A copy whose size only a register knows.
    Bulk,
}

/// What a memory instruction of a listing does.
pub fn access(instruction: &Instruction<'_>) -> Access {
    match instruction.language() {
        Language::Ptx => of_ptx(instruction),
        Language::Sass => of_sass(instruction),
    }
}

/// Whether it reads or writes at generic addresses, which may be of local memory; atomic operations of PTX on that become loads and
/// stores there.
pub fn is_generic(instruction: &Instruction<'_>) -> bool {
    let says = ["global", "shared", "shared::cta", "shared::cluster", "local", "const", "param"];
    match instruction.name() {
        "LD" | "ST" => true,
        "ld" | "st" | "atom" | "red" => !instruction.has_any(&says),
        _ => false,
    }
}

/// Whether each lane reads or writes several places of a tile of a matrix.
pub fn is_of_tile(instruction: &Instruction<'_>) -> bool {
    instruction.name() == "wmma"
}

/// Whether an atomic operation is in the shared memory of its own block: other blocks of a cluster are on other multiprocessors.
pub fn is_in_own_shared(instruction: &Instruction<'_>) -> bool {
    match instruction.name() {
        "ATOMS" | "REDS" => true,
        "atom" | "red" => instruction.has_any(&["shared", "shared::cta"]),
        _ => false,
    }
}

/// Whether the operands show that all lanes of a warp have the same address: the address holds no register of
/// a thread, such as `c[0x0][0x210]`. In PTX a name may be that of a register, so only numbers show it.
pub fn same_address(instruction: &Instruction<'_>) -> bool {
    match instruction.language() {
        Language::Ptx => {
            let mut addresses =
                instruction.ptx_operands().iter().filter(|one| one.address.is_some()).peekable();
            addresses.peek().is_some() && addresses.all(|one| one.names.is_empty())
        }
        Language::Sass => {
            let mut addresses = instruction.operands().iter().filter(|one| one.is_address()).peekable();
            addresses.peek().is_some()
                && addresses.all(|one| matches!(one.kind, Kind::Address { uniform: true, .. }))
        }
    }
}

/// The passes that the width of a memory instruction needs at least.
pub fn passes_of_width(instruction: &Instruction<'_>) -> u64 {
    match access(instruction) {
        Access::One(_, passes) | Access::Copy(passes) => passes,
        Access::Bulk => 1,
    }
}

/// What a memory instruction of a listing moves in a space.
pub fn moves(instruction: &Instruction<'_>, space: Space) -> Moves {
    let parts: Vec<&str> = instruction.opcode.split('.').collect();
    let name = parts.first().copied().unwrap_or_default();
    if matches!(space, Space::Shared | Space::Fence) {
        return Moves::Nothing;
    }
    match instruction.language() {
        Language::Ptx => {
            let moves = ptx::row(name).map_or(Moves::Load, |row| row.moves);
            // `cp.async.ca.shared.global` names both of its sides, and this is the one that it reads. What other
            // multiprocessors of a cluster share lies in shared memory, too.
            let names_both = matches!(name, "cp" | "tensormap");
            if !names_both && parts.iter().any(|part| part.starts_with("shared")) {
                Moves::Nothing
            } else if name == "wmma" && parts.get(1) == Some(&"store") {
                Moves::Store
            } else {
                moves
            }
        }
        Language::Sass => match sass::row(name).map_or(row::Access::None, |row| row.access) {
            row::Access::One(_, moves) => moves,
            row::Access::Copy => Moves::Load,
            row::Access::None if name.starts_with("ST") || name.starts_with("SUST") => Moves::Store,
            row::Access::None | row::Access::Bulk => Moves::Load,
        },
    }
}

fn of_ptx(instruction: &Instruction<'_>) -> Access {
    let parts: Vec<&str> = instruction.opcode.split('.').collect();
    let has = |wanted: &str| parts.iter().skip(1).any(|part| part.split("::").next() == Some(wanted));
    let row = ptx::row(parts[0]);
    if row.is_some_and(|row| row.copies) {
        if has("bulk") {
            return Access::Bulk;
        }
        let size = instruction.ptx_operands().get(2).and_then(|size| u64::try_from(size.number?).ok());
        return Access::Copy(size.map_or(4, |bytes| bytes.div_ceil(4).max(1)));
    }
    let space = match row.and_then(|row| row.space) {
        Some(space) => space,
        // A map that is copied from shared to global memory names both.
        None if parts[0] == "tensormap" && has("global") => Space::Global,
        None if parts.contains(&"shared::cluster") => Space::Global,
        None if has("shared") => Space::Shared,
        None if has("local") => Space::Local,
        None if has("const") => Space::Constant,
        None => Space::Global,
    };
    let bits = parts.iter().skip(1).filter_map(|part| bits_of_type(part)).max().unwrap_or(32);
    // Registers of matrices hold 32 bits, whatever the type of the elements.
    let bits = if matches!(parts[0], "ldmatrix" | "stmatrix" | "wmma") { bits.max(32) } else { bits };
    let vector =
        parts.iter().filter_map(|part| part.strip_prefix('v')?.parse::<u64>().ok()).max().unwrap_or(1);
    let elements = instruction.ptx_operands().iter().map(|one| one.elements as u64).max().unwrap_or(1);
    let passes = (bits * vector.max(elements)).div_ceil(32).max(1);
    // A surface may be read as if four registers were written, as SASS has it.
    Access::One(space, if space == Space::Texture { passes.max(4) } else { passes })
}

/// The length of a type of PTX such as `u64` or `f16x2`.
fn bits_of_type(part: &str) -> Option<u64> {
    let digits = part.trim_start_matches("bf").trim_start_matches(['b', 'u', 's', 'f']);
    if digits.len() == part.len() {
        return None;
    }
    let (length, lanes) = digits.split_once('x').unwrap_or((digits, "1"));
    Some(length.parse::<u64>().ok()? * lanes.parse::<u64>().ok()?).filter(|&bits| bits <= 1024)
}

fn of_sass(instruction: &Instruction<'_>) -> Access {
    let mut parts = instruction.opcode.split('.');
    let name = parts.next().unwrap_or_default();
    let modifiers: Vec<&str> = parts.collect();
    let wide = |modifier: &&str| match *modifier {
        "64" => Some(2),
        "128" => Some(4),
        "256" => Some(8),
        "2" | "4" if matches!(name, "LDSM" | "STSM") => modifier.parse().ok(),
        // The types of atomic operations: `F64`, `S64`, `F32x4`.
        typed => bits_of_type(&typed.to_ascii_lowercase()).map(|bits| bits.div_ceil(32)),
    };
    let passes = modifiers.iter().filter_map(wide).max().unwrap_or(1);
    let space = match sass::row(name).map_or(row::Access::None, |row| row.access) {
        row::Access::Copy => return Access::Copy(passes),
        row::Access::Bulk => return Access::Bulk,
        row::Access::One(space, _) => space,
        // The user may have given it the class.
        row::Access::None if ["TEX", "TLD", "TX", "SU"].iter().any(|start| name.starts_with(start)) => {
            Space::Texture
        }
        row::Access::None => Space::Global,
    };
    // A mask says how many registers a texture instruction writes; four at most.
    Access::One(space, if space == Space::Texture { passes.max(4) } else { passes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: Language, text: &str) -> Access {
        let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
        access(&Instruction::new(language, 1, None, opcode, operands))
    }

    #[test]
    fn spaces_and_widths_of_ptx() {
        use Space::{Atomic, Constant, Fence, Global, Local, Shared, Texture};
        for (text, expected) in [
            ("ld.global.f32 %f1, [%rd1]", Access::One(Global, 1)),
            ("ld.global.u8 %r1, [%rd1]", Access::One(Global, 1)),
            ("ld.global.f64 %fd1, [%rd1]", Access::One(Global, 2)),
            ("ld.global.nc.v2.f32 {%f1,%f2}, [%rd1]", Access::One(Global, 2)),
            ("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1]", Access::One(Global, 4)),
            ("st.shared.v2.b64 [%r1], {%rd1, %rd2}", Access::One(Shared, 4)),
            ("ld.v4.u8 {%r1,%r2,%r3,%r4}, [%rd1]", Access::One(Global, 1)),
            ("ld.shared::cta.u32 %r1, [%r2]", Access::One(Shared, 1)),
            ("ld.shared::cluster.u32 %r1, [%r2]", Access::One(Global, 1)),
            ("ld.local.u32 %r1, [%r2]", Access::One(Local, 1)),
            ("ld.const.f64 %fd1, [c]", Access::One(Constant, 2)),
            ("atom.shared.add.u64 %rd1, [%r1], 1", Access::One(Atomic, 2)),
            ("membar.gl", Access::One(Fence, 1)),
            ("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f5,%f6}]", Access::One(Texture, 4)),
            ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5]", Access::One(Shared, 4)),
            ("cp.async.ca.shared.global [%r1], [%rd1], 8", Access::Copy(2)),
            ("cp.async.cg.shared.global [%r1], [%rd1], %r9", Access::Copy(4)),
            ("cp.async.bulk.shared::cluster.global [%r1], [%rd1], %r9, [%r2]", Access::Bulk),
        ] {
            assert_eq!(of(Language::Ptx, text), expected, "{text}");
        }
    }

    #[test]
    fn spaces_and_widths_of_sass() {
        use Space::{Atomic, Constant, Fence, Global, Local, Shared, Texture};
        for (text, expected) in [
            ("LDG.E R0, [R2]", Access::One(Global, 1)),
            ("LDG.E.64.CONSTANT R0, [R2]", Access::One(Global, 2)),
            ("STG.E.128 [R2], R4", Access::One(Global, 4)),
            ("LD.E R0, [R2]", Access::One(Global, 1)),
            ("LDS.U.128 R0, [R2]", Access::One(Shared, 4)),
            ("LDSM.16.M88.4 R0, [R2]", Access::One(Shared, 4)),
            ("RED.E.ADD.F64.RN [R2], R4", Access::One(Atomic, 2)),
            ("ATOMG.E.MAX.S64 R0, [R2], R4", Access::One(Atomic, 2)),
            ("RED.E.ADD.F32x4 [R2], R4", Access::One(Atomic, 4)),
            ("RED.E.ADD.F16x2.RN [R2], R4", Access::One(Atomic, 1)),
            ("LDL.64 R0, [R1]", Access::One(Local, 2)),
            ("LDC.64 R0, c[0x0][R1]", Access::One(Constant, 2)),
            ("ATOMG.E.ADD.64 R0, [R2], R4", Access::One(Atomic, 2)),
            ("MEMBAR.SC.GPU", Access::One(Fence, 1)),
            ("TEX.SCR R0, R2, 2D", Access::One(Texture, 4)),
            ("SULD.D.2D R0, [R2]", Access::One(Texture, 4)),
            ("LDGSTS.E.BYPASS.128 [R1], [R2]", Access::Copy(4)),
            ("UTMALDG.2D [UR1], [UR2]", Access::Bulk),
        ] {
            assert_eq!(of(Language::Sass, text), expected, "{text}");
        }
    }

    #[test]
    fn addresses_that_all_lanes_share() {
        let same = |language, text: &str| {
            let (opcode, operands) = text.split_once(' ').unwrap();
            same_address(&Instruction::new(language, 1, None, opcode, operands))
        };
        assert!(same(Language::Ptx, "ld.shared.f32 %f1, [16]"));
        for text in ["ld.const.f32 %f1, [table]", "ld.shared.f32 f1, [r1]", "ld.const.f32 %f1, [%r1+4]"] {
            assert!(!same(Language::Ptx, text), "{text}");
        }
        for text in ["LDC R1, c[0x0][0x28]", "LDC.64 R4, c[0x3][RZ]", "LDS R1, [0x10]", "LDS R1, [UR4+0x10]"]
        {
            assert!(same(Language::Sass, text), "{text}");
        }
        for text in [
            "LDC R1, c[0x3][R4]",
            "LDG.E R1, desc[UR4][R2.64+0x10]",
            "LDS R1, [R4.X4+0x10]",
            "LDC R1, c[0x3][R4]",
        ] {
            assert!(!same(Language::Sass, text), "{text}");
        }
    }

    #[test]
    fn what_instructions_move() {
        let of = |language, text: &str| {
            let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
            let one = Instruction::new(language, 1, None, opcode, operands);
            match access(&one) {
                Access::One(space, _) => moves(&one, space),
                Access::Copy(_) => moves(&one, Space::Global),
                Access::Bulk => panic!("{text}"),
            }
        };
        use Moves::{Atomic, Load, Nothing, Store};
        for (text, expected) in [
            ("ld.global.f32 %f1, [%rd1]", Load),
            ("ld.shared.f32 %f1, [%r1]", Nothing),
            ("ld.shared::cluster.u32 %r1, [%r2]", Nothing),
            ("st.local.u32 [%r1], %r2", Store),
            ("cp.async.ca.shared.global [%r1], [%rd1], 8", Load),
            ("cp.async.cg.shared::cta.global.L2::128B [%r1], [%rd1], 16", Load),
            ("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%rd1]", Load),
            ("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1}", Store),
            ("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r1], {%f1}", Nothing),
            ("tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 1", Store),
            (
                "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [%r1], 128",
                Store,
            ),
            ("atom.global.add.u32 %r1, [%rd1], 1", Atomic),
            ("atom.add.u32 %r1, [%rd1], 1", Atomic),
            ("atom.shared.add.u32 %r1, [%r2], 1", Nothing),
            ("mbarrier.init.shared.b64 [%r1], 1", Nothing),
        ] {
            assert_eq!(of(Language::Ptx, text), expected, "{text}");
        }
        for (text, expected) in [
            ("LDG.E R0, [R2]", Load),
            ("LDGSTS.E.BYPASS.128 [R1], [R2]", Load),
            ("ST.E [R2], R4", Store),
            ("STL [R1], R4", Store),
            ("SUST.D.2D [R2], R4", Store),
            ("STS [R2], R4", Nothing),
            ("RED.E.ADD.F32 [R2], R4", Atomic),
            ("ATOMS.ADD R0, [R2], R4", Nothing),
        ] {
            assert_eq!(of(Language::Sass, text), expected, "{text}");
        }
    }

    #[test]
    fn atomics_of_other_blocks_are_not_of_the_own_shared_memory() {
        let is_own = |opcode: &str| {
            let is_ptx = opcode.starts_with(|c: char| c.is_ascii_lowercase());
            let language = if is_ptx { Language::Ptx } else { Language::Sass };
            is_in_own_shared(&Instruction::new(language, 1, None, opcode, ""))
        };
        for own in ["ATOMS.ADD", "REDS.ADD", "atom.shared.add.u32", "red.shared::cta.add.u32"] {
            assert!(is_own(own), "{own}");
        }
        for other in [
            "REDAS.ADD",
            "STAS",
            "SYNCS.ARRIVE",
            "atom.shared::cluster.add.u32",
            "red.async.shared::cluster.add.u32",
        ] {
            assert!(!is_own(other), "{other}");
        }
    }
}
