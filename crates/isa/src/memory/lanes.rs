//! Accesses in which each lane of a warp has an address of its own.

use crate::instruction::{Instruction, Language};
use crate::memory::is_read_only;
use crate::ptx_operand::{integer_type, literal};
use crate::row::Space;

/// A load, a store or an atomic operation, as each lane makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfLane {
    /// Global or shared memory of the block, if the instruction says which; none if an address may be in another memory.
    pub space: Option<Space>,
    /// Whether what lies at one address is the same for all lanes.
    pub is_common: bool,
    /// Whether it is an atomic operation, so that lanes of one address come one after the other.
    pub is_atomic: bool,
    /// Whether nobody writes meanwhile what it reads.
    pub is_read_only: bool,
    /// Whether registers get what lies there.
    pub gives: bool,
    /// The bytes of all registers of a lane together.
    pub bytes: u32,
    /// The bits of what a register gets, and whether that is a number with a sign.
    pub number: (u32, bool),
}

/// The access of a lane; none of an instruction that is none of these, or of which not all of this is known. Its address is its first
/// operand in brackets.
pub fn of_lane(one: &Instruction<'_>) -> Option<OfLane> {
    match one.language() {
        Language::Ptx => of_ptx(one),
        Language::Sass => of_sass(one),
    }
}

/// The bytes of a lane of an asynchronous copy, whose first two addresses are the place in shared memory and that in global memory.
pub fn copied(one: &Instruction<'_>) -> Option<u32> {
    match one.language() {
        Language::Ptx => {
            let is_copy = one.opcode.starts_with("cp.async.ca") || one.opcode.starts_with("cp.async.cg");
            let size = u32::try_from(one.ptx_operands().get(2)?.number?).ok()?;
            (is_copy && matches!(size, 4 | 8 | 16)).then_some(size)
        }
        Language::Sass => (one.name() == "LDGSTS").then(|| width(one))?.map(|(bytes, ..)| bytes),
    }
}

fn of_ptx(one: &Instruction<'_>) -> Option<OfLane> {
    let name = one.name();
    if !matches!(name, "ld" | "ldu" | "st" | "atom" | "red") {
        return None;
    }
    let has = |wanted: &str| one.modifiers().any(|part| part.split("::").next() == Some(wanted));
    let parts: Vec<&str> = one.modifiers().collect();
    let number = number_of(one).filter(|_| !has("param"))?;
    let vector = parts.iter().filter_map(|part| part.strip_prefix('v')?.parse::<u32>().ok()).max();
    let space = if parts.contains(&"shared::cluster") {
        None
    } else if has("shared") {
        Some(Space::Shared)
    } else {
        has("global").then_some(Space::Global)
    };
    Some(OfLane {
        space,
        // Local memory is each thread's own, and an address without a space may be one of it.
        is_common: ["global", "shared", "const"].into_iter().any(has),
        is_atomic: matches!(name, "atom" | "red"),
        is_read_only: is_read_only(one) || has("const") || name == "ldu",
        gives: !matches!(name, "st" | "red"),
        bytes: number.0 / 8 * vector.unwrap_or(1),
        number,
    })
}

/// The bits of the type of a memory instruction of PTX, and whether its numbers have a sign.
fn number_of(one: &Instruction<'_>) -> Option<(u32, bool)> {
    let typed = |part| match part {
        "f16" | "bf16" => Some((16, false)),
        "f32" | "f16x2" | "bf16x2" => Some((32, false)),
        "f64" => Some((64, false)),
        "b128" => Some((128, false)),
        _ => integer_type(part),
    };
    one.modifiers().filter_map(typed).last()
}

/// A number in a parameter of a kernel of PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfParameter<'a> {
    /// The name of the parameter.
    pub name: &'a str,
    /// The byte from which on it lies there.
    pub byte: u32,
    /// Its bits, 64 at most, and whether it has a sign.
    pub number: (u32, bool),
}

/// The numbers of a parameter that an instruction of PTX loads, one for each register that it writes; none if it is no such load.
pub fn loaded_parameters<'a>(one: &Instruction<'a>) -> Option<impl Iterator<Item = OfParameter<'a>>> {
    let of_kernel = |part| matches!(part, "param" | "param::entry");
    // Every instruction is asked, so that its name comes first.
    if one.name() != "ld" || !one.modifiers().any(of_kernel) {
        return None;
    }
    let [to, from] = one.ptx_operands() else { return None };
    let number = number_of(one)?;
    let text = from.address.filter(|_| number.0 <= 64)?;
    let (name, byte) = text.split_once('+').unwrap_or((text, "0"));
    let (name, byte) = (name.trim(), u32::try_from(literal(byte.trim())?).ok()?);
    let is_name = from.names == [name];
    let at = move |register: u32| {
        Some(OfParameter { name, byte: byte.checked_add(register * (number.0 / 8))?, number })
    };
    is_name.then(|| (0..to.names.len()).map_while(move |register| at(u32::try_from(register).ok()?)))
}

fn of_sass(one: &Instruction<'_>) -> Option<OfLane> {
    let name = one.name();
    let space = match name {
        "LDG" | "STG" | "ATOMG" | "REDG" => Space::Global,
        // Before 7.x atomic operations without a result are of global memory only.
        "LDS" | "STS" | "ATOMS" => Space::Shared,
        _ => return None,
    };
    let (bytes, bits, signed) = width(one)?;
    Some(OfLane {
        space: Some(space),
        is_common: true,
        is_atomic: matches!(name, "ATOMG" | "REDG" | "ATOMS"),
        is_read_only: is_read_only(one),
        gives: !matches!(name, "STG" | "STS" | "REDG"),
        bytes,
        number: (bits, signed),
    })
}

/// The bytes of a lane of a memory instruction of SASS, and the bits and the sign of what a register gets; none if a modifier may say
/// otherwise.
fn width(one: &Instruction<'_>) -> Option<(u32, u32, bool)> {
    let mut found = (4, 32, false);
    for modifier in one.modifiers() {
        found = match modifier {
            "U8" => (1, 8, false),
            "S8" => (1, 8, true),
            "U16" => (2, 16, false),
            "S16" => (2, 16, true),
            "64" | "F64" | "S64" | "U64" | "B64" => (8, 32, false),
            "128" | "B128" => (16, 32, false),
            "256" | "B256" | "ENL2" => return None,
            _ => continue,
        };
    }
    Some(found)
}

/// The bytes that a lane of a memory instruction of SASS accesses; none if a modifier may say something that is not known.
pub fn bytes_of_lane(one: &Instruction<'_>) -> Option<u32> {
    width(one).map(|(bytes, ..)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(language: Language, text: &'static str) -> Instruction<'static> {
        let (opcode, operands) = text.split_once(' ').unwrap();
        Instruction::new(language, 1, None, opcode, operands)
    }

    /// The space, the bytes and the number, with `c`, `a`, `r` and `g` for what else holds.
    fn shown(language: Language, text: &'static str) -> String {
        let Some(found) = of_lane(&one(language, text)) else { return "-".to_owned() };
        let flags =
            [(found.is_common, 'c'), (found.is_atomic, 'a'), (found.is_read_only, 'r'), (found.gives, 'g')];
        let flags: String = flags.into_iter().filter(|(holds, _)| *holds).map(|(_, flag)| flag).collect();
        let space = found.space.map_or("?".to_owned(), |space| format!("{space:?}"));
        let sign = if found.number.1 { 's' } else { 'u' };
        format!("{space} {} {sign}{} {flags}", found.bytes, found.number.0)
    }

    #[test]
    fn accesses_of_lanes() {
        for (text, expected) in [
            ("ld.global.s8 %rs1, [%rd1]", "Global 1 s8 cg"),
            ("ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]", "Global 16 u32 crg"),
            ("ld.shared::cta.u64 %rd1, [%r1]", "Shared 8 u64 cg"),
            ("ld.shared::cluster.u32 %r1, [%r2]", "? 4 u32 cg"),
            ("ld.u16 %rs1, [%rd1]", "? 2 u16 g"),
            ("ld.local.b32 %r1, [%rd1]", "? 4 u32 g"),
            ("ld.const.b128 %rq1, [c]", "? 16 u128 crg"),
            ("st.global.v2.bf16x2 [%rd1], {%r1, %r2}", "Global 8 u32 c"),
            ("red.global.add.f64 [%rd1], %fd1", "Global 8 u64 ca"),
            ("atom.shared.cas.b32 %r1, [%r2], 0, 1", "Shared 4 u32 cag"),
            ("ld.param.u32 %r1, [p]", "-"),
            ("st.param.b32 [p], %r1", "-"),
            ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}]", "-"),
        ] {
            assert_eq!(shown(Language::Ptx, text), expected, "{text}");
        }
        for (text, expected) in [
            ("LDG.E.S8 R0, [R2]", "Global 1 s8 cg"),
            ("LDG.E.128.CONSTANT R0, [R2]", "Global 16 u32 crg"),
            ("STG.E.64 [R2], R4", "Global 8 u32 c"),
            ("REDG.E.ADD.STRONG.GPU [R2], R4", "Global 4 u32 ca"),
            ("ATOMS.ADD R0, [R2], R4", "Shared 4 u32 cag"),
            ("LDG.E.ENL2.256 R0, R4, [R2]", "-"),
            ("LD.E R0, [R2]", "-"),
            ("LDL R0, [R2]", "-"),
        ] {
            assert_eq!(shown(Language::Sass, text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_of_parameters() {
        let of = |text| {
            let all = loaded_parameters(&one(Language::Ptx, text)).map(Iterator::collect::<Vec<_>>);
            let all = all.unwrap_or_default();
            all.into_iter().map(|one| (one.name, one.byte, one.number)).collect::<Vec<_>>()
        };
        assert_eq!(of("ld.param.s16 %rs1, [p]"), [("p", 0, (16, true))]);
        assert_eq!(of("ld.param::entry.u64 %rd1, [p + 0x10]"), [("p", 16, (64, false))]);
        let two = [("p", 8, (32, false)), ("p", 12, (32, false))];
        assert_eq!(of("ld.param.v2.f32 {%f1, %f2}, [p+8]"), two);
        let others = ["ld.param::func.u32 %r1, [p]", "ld.global.u32 %r1, [%rd1]", "st.param.b32 [p], %r1"];
        let unclear = ["ld.param.b128 %rq1, [p]", "ld.param.u32 %r1, [p-4]", "ld.param.u32 %r1, [p+%r2]"];
        for text in others.into_iter().chain(unclear) {
            assert_eq!(of(text), [], "{text}");
        }
    }

    #[test]
    fn bytes_of_asynchronous_copies() {
        for (language, text, expected) in [
            (Language::Ptx, "cp.async.ca.shared.global [%r1], [%rd1], 8", Some(8)),
            (Language::Ptx, "cp.async.cg.shared.global [%r1], [%rd1], 16, %r2", Some(16)),
            (Language::Ptx, "cp.async.ca.shared.global [%r1], [%rd1], %r2", None),
            (Language::Ptx, "cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16, [%r2]", None),
            (Language::Sass, "LDGSTS.E.BYPASS.128 [R1], [R2]", Some(16)),
            (Language::Sass, "LDG.E.128 R4, [R2]", None),
        ] {
            assert_eq!(copied(&one(language, text)), expected, "{text}");
        }
    }
}
