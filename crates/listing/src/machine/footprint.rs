//! How much of each array of global memory a block and a launch touch.

use std::collections::BTreeSet;

pub use crate::affine::footprint::Extent;
use crate::affine::footprint::{Places, Scope, name};
use crate::isa::row::Moves;
use crate::machine::accesses::Alone;
use crate::machine::memory::Space;
use crate::machine::traffic::{moves, prefetched};
use crate::routine::{Instruction, Language, Listing, Routine};

/// What the accesses of an entry to an array touch at most of which the code shows where they go. Arrays are told apart by the parameters that
/// point to them. What is not understood may go to any array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footprint {
    /// The parameter.
    pub array: String,
    /// What a block touches.
    pub block: Touching,
    /// What all blocks touch together; nothing without the sizes of the grid.
    pub launch: Touching,
    /// What a block reads through the first cache.
    pub cached: Touching,
    /// What a launch touches with accesses that ask for no more than their lanes touch.
    pub moved: Touching,
}

/// What those accesses of an array touch of which it is known, with the lines of the listing in which they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Touching {
    /// The lines of the accesses.
    pub lines: BTreeSet<u32>,
    /// What they touch.
    pub touched: Extent,
    /// What those of them touch that write.
    pub written: Extent,
}

impl Footprint {
    /// The lines of the accesses of which it is known where a block or the launch goes with them.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.block.lines.union(&self.launch.lines).copied()
    }
}

/// What an entry touches of each array.
pub(crate) fn footprints(
    routine: &Routine<'_>,
    language: Language,
    alone: &Alone,
    places: &Places,
) -> Vec<Footprint> {
    let instruction = |at: usize| &routine.instructions[at];
    let writes = |at: usize| moves(language, instruction(at), Space::Global) != Moves::Load;
    let known = [Scope::Block, Scope::Launch].map(|scope| places.known(scope));
    let mut found = Vec::new();
    for (array, all) in places.arrays() {
        let part = |scope: Scope, which: &dyn Fn(usize) -> bool| -> Touching {
            let [of_block, of_launch] = &known;
            let known = if scope == Scope::Block { of_block } else { of_launch };
            let is_one = |at: &usize| known.contains(at) && alone.has_one(routine.line_of(*at)) && which(*at);
            let some: BTreeSet<usize> = all.iter().copied().filter(is_one).collect();
            // A block touches no more than the launch.
            let extent = |some: &BTreeSet<usize>| {
                let of_scope = places.extent(scope, some)?;
                let of_launch = some.is_subset(of_launch).then(|| places.extent(Scope::Launch, some));
                Some(of_launch.flatten().map_or(of_scope, |all| of_scope.min(all)))
            };
            let writing = some.iter().copied().filter(|at| writes(*at)).collect();
            let Some((touched, written)) = extent(&some).zip(extent(&writing)) else {
                return Touching::default();
            };
            Touching { lines: some.iter().map(|at| routine.line_of(*at)).collect(), touched, written }
        };
        found.push(Footprint {
            array: name(routine, language, array),
            block: part(Scope::Block, &|_| true),
            launch: part(Scope::Launch, &|_| true),
            cached: part(Scope::Block, &|at| is_cached(language, instruction(at))),
            moved: part(Scope::Launch, &|at| prefetched(instruction(at)).is_none()),
        });
    }
    found
}

/// The line of the first instruction of some routines that may empty the first cache: a fence, and what acquires. In PTX
/// the name of an instruction and its modifiers say so; in SASS `CCTL` does it, behind `MEMBAR`.
pub(crate) fn emptied(listing: &Listing<'_>, routines: &[usize]) -> Option<u32> {
    let empties = |one: &&Instruction<'_>| match listing.language {
        Language::Ptx => {
            matches!(one.name(), "fence" | "membar")
                || one.has_any(&["acquire", "acq_rel", "sc"])
                || one.name() == "barrier" && one.has_modifier("cluster")
        }
        Language::Sass => matches!(one.name(), "CCTL" | "CCTLL" | "MEMBAR"),
    };
    let all = routines.iter().flat_map(|&number| &listing.routines[number].instructions);
    all.filter(empties).map(|one| one.line).min()
}

/// Whether a load reads through the first cache of its multiprocessor and leaves there what it has read. What a modifier that is
/// not listed here does is not known.
fn is_cached(language: Language, one: &Instruction<'_>) -> bool {
    /// How wide an access is, and what the number is.
    fn is_type(modifier: &str) -> bool {
        let digits = modifier.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let (kind, _) = modifier.split_at(modifier.len() - digits.len());
        matches!(kind, "" | "u" | "s" | "b" | "f" | "v" | "U" | "S" | "bf")
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    }
    let known: &[&str] = match (language, one.name()) {
        (Language::Ptx, "ld") => &["global", "nc", "ca", "weak"],
        (Language::Ptx, "cp") if one.has_modifier("ca") => &["async", "ca", "shared", "global"],
        // The control of 7.x names the scope of all accesses.
        (Language::Sass, "LDG") => &["E", "SYS", "CONSTANT", "CI"],
        (Language::Sass, "LDGSTS") => &["E"],
        _ => return false,
    };
    one.modifiers().all(|modifier| known.contains(&modifier) || is_type(modifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_that_leave_what_they_read_in_the_first_cache() {
        let kept = |language, text: &str| {
            let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
            is_cached(language, &Instruction::new(language, 1, None, opcode, operands))
        };
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
    }
}
