//! What memory instructions do to caches.

use crate::instruction::{Instruction, Language};
use warpspan_model::device::Capability;

/// The bytes that L2 fetches for each place that an instruction touches, if it asks for more than a sector.
pub fn prefetched(one: &Instruction<'_>) -> Option<u64> {
    one.opcode.split('.').find_map(|modifier| {
        let size = modifier.strip_prefix("LTC").or(modifier.strip_prefix("L2::"))?;
        size.strip_suffix('B')?.parse().ok()
    })
}

/// Whether an instruction may empty the first cache: a fence, what acquires or releases, and a load that
/// has to see what others write. In PTX the name of an instruction and its modifiers say so; in SASS `CCTL` does it, behind `MEMBAR`.
pub fn empties_first_cache(one: &Instruction<'_>) -> bool {
    match one.language() {
        Language::Ptx => {
            matches!(one.name(), "fence" | "membar")
                || one.has_any(&["acquire", "acq_rel", "sc", "release"])
                || one.name() == "ld" && one.has_any(&["volatile", "relaxed", "mmio", "cv"])
                || one.name() == "barrier" && one.has_modifier("cluster")
        }
        Language::Sass => {
            matches!(one.name(), "CCTL" | "CCTLL" | "MEMBAR" | "FENCE")
                || matches!(one.name(), "LD" | "LDG") && one.has_any(&["STRONG", "MMIO", "CV"])
        }
    }
}

/// Whether a load is of what nobody writes while the kernel runs, as its opcode says.
pub fn is_read_only(one: &Instruction<'_>) -> bool {
    match one.language() {
        Language::Ptx => one.has_modifier("nc"),
        Language::Sass => one.has_any(&["CONSTANT", "CI"]),
    }
}

/// Whether a load reads through the first cache of its multiprocessor and leaves there what it has read. What a modifier that is
/// not listed here does is not known.
///
/// Up to 6.x only loads of what nobody writes are known to do so: `ptxas` makes the same instruction of `ld.global` and `ld.global.ca`,
/// and whether that passes the cache by is a matter of the GPU and of `-dlcm`.
pub fn is_cached(capability: &Capability, one: &Instruction<'_>) -> bool {
    /// How wide an access is, and what the number is.
    fn is_type(modifier: &str) -> bool {
        let digits = modifier.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let (kind, _) = modifier.split_at(modifier.len() - digits.len());
        matches!(kind, "" | "u" | "s" | "b" | "f" | "v" | "U" | "S" | "bf")
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    }
    let known: &[&str] = match (one.language(), one.name()) {
        (Language::Ptx, "ld") => &["global", "nc", "ca", "weak"],
        (Language::Ptx, "cp") if one.has_modifier("ca") => &["async", "ca", "shared", "global"],
        // The control of 7.x names the scope of all accesses.
        (Language::Sass, "LDG") => &["E", "SYS", "CONSTANT", "CI"],
        (Language::Sass, "LDGSTS") => &["E"],
        _ => return false,
    };
    let by_default = !matches!(capability.version.as_bytes(), [b'2'..=b'6', b'.', ..]);
    (by_default || is_read_only(one))
        && one.modifiers().all(|modifier| known.contains(&modifier) || is_type(modifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_that_leave_what_they_read_in_the_first_cache() {
        let kept_on = |version: &str, language, text: &str| {
            let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
            let capability = version.parse().unwrap();
            is_cached(&capability, &Instruction::new(language, 1, None, opcode, operands))
        };
        let kept = |language, text: &str| kept_on("8.7", language, text);
        let ptx = |opcode| kept(Language::Ptx, opcode);
        assert!(
            ["ld.global.f32", "ld.global.nc.v4.u32", "ld.global.ca.b8", "ld.weak.global.u64"]
                .into_iter()
                .all(ptx)
        );
        assert!(ptx("cp.async.ca.shared.global"));
        let other = [
            "ld.global.cg.f32",
            "ld.volatile.global.f32",
            "ld.relaxed.gpu.global.u32",
            "ld.global.L1::no_allocate.f32",
            "st.global.f32",
            "atom.global.add.u32",
            "cp.async.cg.shared.global",
        ];
        assert!(!other.into_iter().any(ptx));
        let sass = |opcode| kept(Language::Sass, opcode);
        assert!(["LDG.E", "LDG.E.128.CONSTANT", "LDG.E.U8", "LDG.E.SYS", "LDGSTS.E"].into_iter().all(sass));
        let other =
            ["LDG.E.STRONG.GPU", "LDG.E.NA", "STG.E", "LDGSTS.E.BYPASS.128", "ATOMG.E.ADD", "LDG.E.EF"];
        assert!(!other.into_iter().any(sass));
        // Maxwell and Pascal may pass the cache by with all others.
        for version in ["3.5", "5.2", "6.1", "6.2"] {
            let [ptx, sass] = [Language::Ptx, Language::Sass]
                .map(|language| move |text: &str| kept_on(version, language, text));
            assert!(ptx("ld.global.nc.f32") && sass("LDG.E.CI.128"), "{version}");
            assert!(!ptx("ld.global.f32") && !ptx("ld.global.ca.f32") && !sass("LDG.E"), "{version}");
        }
    }
}
