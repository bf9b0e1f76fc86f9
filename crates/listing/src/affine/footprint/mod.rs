//! How much of each array a block and a launch touch: the sectors and lines of all addresses together.
//!
//! The address of an access is a polynomial in numbers that stay the same in a block or a launch, such as parameters, and in others that
//! vary: the pass of a loop, what an index becomes, and in a launch the index of the block. A varying number of which the range is known puts the
//! access at several places, one *step* after the other. Addresses that agree in all multiples of what stays the same are a *cell*, a
//! set of bytes at a place that nobody knows. All accesses to a cell are put together, and cells are added up. The places are a superset of
//! those of any execution, since the invariant of the analysis names each address by some values of these numbers.

mod cells;
mod ranges;

use std::collections::{BTreeMap, BTreeSet};

use crate::affine::context::Context;
use crate::affine::run::Access;
use crate::params::{Launch, parameter_of_word};
use crate::routine::Routine;
use cells::{Groups, Product, extent};
pub use ranges::Extent;
use warpspan_isa::instruction::Language;
use warpspan_isa::row::Space;

/// What accesses of a warp are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A block, whichever it is.
    Block,
    /// All blocks.
    Launch,
}

/// Where the accesses to global memory of an entry go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    /// By the instructions, for a block and for the launch; none where the address is not understood.
    of: BTreeMap<usize, [Option<Groups>; 2]>,
    /// The power of two that divides products of what stays the same.
    twos: BTreeMap<Product, u32>,
}

impl Places {
    /// Adds where the accesses of a warp go.
    pub(super) fn add(&mut self, context: &mut Context, accesses: &[Access], aligned: u32, launch: &Launch) {
        for access in accesses.iter().filter(|access| access.space == Space::Global) {
            let known = self
                .of
                .entry(access.at)
                .or_insert_with(|| [Some(Groups::default()), Some(Groups::default())]);
            context.mask = access.mask;
            for (scope, known) in [Scope::Block, Scope::Launch].into_iter().zip(known) {
                let Some(groups) = known else { continue };
                let added = groups.add(context, access, (scope, launch));
                if added.is_none() {
                    *known = None;
                }
            }
            cells::note_twos(&mut self.twos, context, access, aligned);
        }
    }

    /// Forgets instructions that may be executed in other states too.
    pub(super) fn forget(&mut self, which: impl Fn(usize) -> bool) {
        self.of.retain(|at, _| !which(*at));
    }

    /// The instructions that access global memory, as far as they are looked into.
    #[cfg(test)]
    pub(crate) fn all(&self) -> BTreeSet<usize> {
        self.of.keys().copied().collect()
    }

    /// The instructions of which it is known where they go.
    pub(crate) fn known(&self, scope: Scope) -> BTreeSet<usize> {
        self.of_scope(scope).map(|(at, _)| at).collect()
    }

    /// The arrays by the number of the parameter that points to them, each with the instructions that access no other one.
    pub(crate) fn arrays(&self) -> BTreeMap<Option<usize>, BTreeSet<usize>> {
        let mut found: BTreeMap<Option<usize>, BTreeSet<usize>> = BTreeMap::new();
        for (at, groups) in &self.of {
            let arrays: BTreeSet<Option<usize>> = groups.iter().flatten().flat_map(Groups::arrays).collect();
            if let (Some(array), true) = (arrays.first(), arrays.len() == 1) {
                found.entry(*array).or_default().insert(*at);
            }
        }
        found
    }

    /// How much some of the instructions touch at most of which it is known where they go. None if there are too many places.
    pub(crate) fn extent(&self, scope: Scope, some: &BTreeSet<usize>) -> Option<Extent> {
        extent(self.of_scope(scope).filter(|(at, _)| some.contains(at)).map(|(_, groups)| groups), &self.twos)
    }

    fn of_scope(&self, scope: Scope) -> impl Iterator<Item = (usize, &Groups)> {
        let which = usize::from(scope == Scope::Launch);
        self.of.iter().filter_map(move |(at, all)| Some((*at, all[which].as_ref()?)))
    }
}

/// How an array is called, by the number of the parameter that points to it.
pub(crate) fn name(routine: &Routine<'_>, language: Language, number: Option<usize>) -> String {
    let Some(number) = number else { return "(other addresses)".to_owned() };
    match language {
        Language::Ptx => {
            let (place, offset) = place_of_ptx(number);
            let name = routine.parameters.get(place).copied().unwrap_or_default();
            if offset == 0 { name.to_owned() } else { format!("{name}+{offset}") }
        }
        Language::Sass => format!("c[0x0][{number:#x}]"),
    }
}

/// Which parameter the pointer to an array is in; none where the listing does not say from where to where its parameters are. One parameter, a
/// structure, may hold several pointers.
pub(crate) fn parameter(routine: &Routine<'_>, language: Language, number: usize) -> Option<usize> {
    match language {
        Language::Ptx => Some(place_of_ptx(number).0),
        Language::Sass => parameter_of_word(routine, u32::try_from(number).ok()?),
    }
}

/// The place of a parameter of PTX and the offset in it, from a number that holds both and the bits.
fn place_of_ptx(number: usize) -> (usize, usize) {
    (number >> 7 >> 16, number >> 7 & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    /// SASS tells where a parameter ends by the name of its kernel, if at all.
    #[test]
    fn pointers_of_sass_are_in_parameters_whose_ends_are_known() {
        let of = |name: &str| {
            let text = format!(
                "\tcode for sm_87\n\t\tFunction : {name}\n\t.headerflags @\"EF_CUDA_SM87\"\n/*0000*/ EXIT ;\n"
            );
            let text = Text::new("k", text.into_bytes()).unwrap();
            let listing = text.listing().unwrap();
            [0x160, 0x168, 0x170].map(|at| parameter(&listing.routines[0], Language::Sass, at))
        };
        assert_eq!(of("_Z1kPfS_"), [Some(0), Some(1), None]);
        assert_eq!(of("_Z1k10ulonglong2Pf"), [Some(0), Some(0), Some(1)]);
        // A structure, and a name that says nothing.
        assert_eq!(of("_Z1k4PairPf"), [None; 3]);
        assert_eq!(of("k"), [None; 3]);
    }
}
