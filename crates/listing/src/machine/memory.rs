//! Memory instructions: their space, and how often they pass through the load/store unit.
//!
//! A *pass* is 32 lanes of 4 bytes. A lane of 8 bytes needs two passes a warp, and one of 16 bytes four. Lanes
//! that do not fall into one segment of 128 bytes, or that fall into one bank of shared memory at different
//! addresses, need further passes, here *transactions*. An access of a lane is aligned to its size, so it lies in one
//! segment, and 32 lanes need 32 passes at most, whatever their width: where two lanes of 16 bytes share a
//! pass at best, each has its own at worst. Local memory is interleaved by words, so that there each word of a lane may be in another segment.

use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::operand::Kind;
pub(super) use warpspan_isa::row::Space;
use warpspan_isa::sass::row;
use warpspan_isa::{ptx, row as isa};

/// The most lines that one lane of a texture instruction is taken to read: the neighbours of a point in two
/// levels of detail would be 8, and anisotropic filters may read more.
const LINES_OF_A_TEXEL: u64 = 8;

/// The most sectors of a tile of a matrix: 32 rows of 32 bytes, each of which may begin in the middle of a sector.
const SECTORS_OF_A_TILE: u64 = 64;

/// What a memory instruction does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Access {
    /// One access.
    One(Space, u64),
    /// An asynchronous copy from global to shared memory, which passes twice.
    Copy(u64),
    /// A copy whose size only a register knows.
    Bulk,
}

/// The most passes of a warp in a space.
pub(super) fn worst_of(space: Space, passes: u64) -> u64 {
    match space {
        Space::Fence => 1,
        Space::Texture => passes.max(32 * LINES_OF_A_TEXEL),
        // Words of one index of all lanes lie side by side, so that the words of a lane are in as many segments.
        Space::Local => passes.max(1) * 32,
        _ => passes.max(32),
    }
}

/// The most passes of an instruction in a space.
pub(super) fn worst(instruction: &Instruction<'_>, space: Space, passes: u64) -> u64 {
    // Each lane reads or writes several places of a tile.
    let tile = if instruction.name() == "wmma" { SECTORS_OF_A_TILE } else { 0 };
    // A generic address may be one of local memory; atomic operations of PTX on it become loads and stores there.
    let says = ["global", "shared", "shared::cta", "shared::cluster", "local", "const", "param"];
    let is_generic = match instruction.name() {
        "LD" | "ST" => true,
        "ld" | "st" | "atom" | "red" => !instruction.has_any(&says),
        _ => false,
    };
    let space = if is_generic { Space::Local } else { space };
    worst_of(space, passes).max(tile)
}

/// What a memory instruction of a listing does.
pub(super) fn access(language: Language, instruction: &Instruction<'_>) -> Access {
    match language {
        Language::Ptx => of_ptx(instruction),
        Language::Sass => of_sass(instruction),
    }
}

/// Whether the operands show that all lanes of a warp have the same address: the address holds no register of
/// a thread, such as `c[0x0][0x210]`. In PTX a name may be that of a register, so only numbers show it.
pub(super) fn same_address(language: Language, instruction: &Instruction<'_>) -> bool {
    match language {
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
pub(crate) fn passes_of_width(language: Language, instruction: &Instruction<'_>) -> u64 {
    match access(language, instruction) {
        Access::One(_, passes) | Access::Copy(passes) => passes,
        Access::Bulk => 1,
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
    let space = match row(name).map_or(isa::Access::None, |row| row.access) {
        isa::Access::Copy => return Access::Copy(passes),
        isa::Access::Bulk => return Access::Bulk,
        isa::Access::One(space, _) => space,
        // The user may have given it the class.
        isa::Access::None if ["TEX", "TLD", "TX", "SU"].iter().any(|start| name.starts_with(start)) => {
            Space::Texture
        }
        isa::Access::None => Space::Global,
    };
    // A mask says how many registers a texture instruction writes; four at most.
    Access::One(space, if space == Space::Texture { passes.max(4) } else { passes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: Language, text: &str) -> Access {
        let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
        access(language, &Instruction::new(language, 1, None, opcode, operands))
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
            same_address(language, &Instruction::new(language, 1, None, opcode, operands))
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
    fn no_width_needs_more_than_a_pass_a_lane() {
        assert_eq!([1, 2, 4].map(|passes| worst_of(Space::Global, passes)), [32, 32, 32]);
        assert_eq!([1, 2, 4].map(|passes| worst_of(Space::Local, passes)), [32, 64, 128]);
        assert_eq!(worst_of(Space::Fence, 1), 1);
        assert_eq!(worst_of(Space::Texture, 4), 256);
    }
}
