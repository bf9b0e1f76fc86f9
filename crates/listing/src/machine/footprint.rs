//! How much of each array of global memory a block and a launch touch.

use std::collections::BTreeSet;

pub use crate::affine::footprint::Extent;
use crate::affine::footprint::{Places, Scope, name, parameter};
use crate::machine::accesses::Alone;
use crate::routine::{Listing, Routine};
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::memory::{Access, access, empties_first_cache, is_cached, moves, prefetched};
use warpspan_isa::row::{Moves, Space};
use warpspan_model::device::Capability;

/// What the accesses of an entry to an array touch at most of which the code shows where they go. Arrays are told apart by the parameters that
/// point to them. What is not understood may go to any array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footprint {
    /// The parameter.
    pub array: String,
    /// Whether a parameter points to it. If not, they are accesses of which it is only known how much they touch.
    pub is_of_parameter: bool,
    /// What a block touches.
    pub block: Touching,
    /// What all blocks touch together; nothing without the sizes of the grid.
    pub launch: Touching,
    /// What a block reads through the first cache where nobody may write meanwhile.
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

/// The stores and atomic operations of an entry and of all that it calls.
#[derive(Debug)]
pub(crate) struct Writes {
    /// The lines in which they stand.
    pub(crate) lines: BTreeSet<u32>,
    /// Those of the entry's own routine, by their numbers there.
    own: BTreeSet<usize>,
    /// Whether another routine has one.
    elsewhere: bool,
}

impl Writes {
    /// Those of some routines, the first of which is that of the entry, among the lines that move data.
    pub(crate) fn of(listing: &Listing<'_>, routines: &[usize], moving: &BTreeSet<u32>) -> Self {
        let mut found = Self { lines: BTreeSet::new(), own: BTreeSet::new(), elsewhere: false };
        for (nth, &number) in routines.iter().enumerate() {
            for (at, one) in listing.routines[number].instructions.iter().enumerate() {
                if !moving.contains(&one.line) || !is_write(one) {
                    continue;
                }
                found.lines.insert(one.line);
                if nth == 0 {
                    found.own.insert(at);
                } else {
                    found.elsewhere = true;
                }
            }
        }
        found
    }

    /// The parameters to whose arrays they may be; none if they may be to any. The arrays of different parameters are the same, unless
    /// somebody says that they are distinct. `holds` is the parameter that a pointer is in.
    fn parameters(
        &self,
        places: &Places,
        distinct: bool,
        holds: impl Fn(usize) -> Option<usize>,
    ) -> Option<BTreeSet<usize>> {
        if self.lines.is_empty() {
            return Some(BTreeSet::new());
        }
        let placed = places.arrays();
        let of = |at: &usize| {
            let (array, _) = placed.iter().find(|(_, all)| all.contains(at))?;
            array.and_then(&holds)
        };
        let known = distinct && !self.elsewhere;
        known.then(|| self.own.iter().map(of).collect()).flatten()
    }
}

/// Whether an instruction may write global memory.
fn is_write(one: &Instruction<'_>) -> bool {
    match access(one) {
        Access::One(Space::Local, _) | Access::Copy(_) => false,
        Access::One(space, _) => matches!(moves(one, space), Moves::Store | Moves::Atomic),
        Access::Bulk => true,
    }
}

/// What an entry touches of each array, on a capability. `distinct` says that different parameters point to different arrays, which share no
/// sector.
pub(crate) fn footprints(
    routine: &Routine<'_>,
    (language, capability): (Language, &Capability),
    alone: &Alone,
    places: &Places,
    (all_writes, distinct): (&Writes, bool),
) -> Vec<Footprint> {
    let instruction = |at: usize| &routine.instructions[at];
    let writes = |at: usize| moves(instruction(at), Space::Global) != Moves::Load;
    // A store may throw its sector out of the first cache. Of an address without a parameter nobody knows what it is in. That an opcode says
    // that nobody writes what it reads is of those bytes alone: others of their sector may be written.
    let holds = |array: usize| parameter(routine, language, array);
    let written = all_writes.parameters(places, distinct, holds);
    let is_kept = |array: Option<usize>, at: usize| {
        let nobody_writes = match (&written, array.and_then(holds)) {
            (Some(written), Some(parameter)) => !written.contains(&parameter),
            (Some(written), None) => written.is_empty(),
            (None, _) => false,
        };
        is_cached(capability, instruction(at)) && nobody_writes
    };
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
            is_of_parameter: array.is_some(),
            block: part(Scope::Block, &|_| true),
            launch: part(Scope::Launch, &|_| true),
            cached: part(Scope::Block, &|at| is_kept(array, at)),
            moved: part(Scope::Launch, &|at| prefetched(instruction(at)).is_none()),
        });
    }
    found
}

/// The line of the first instruction of some routines that may empty the first cache.
pub(crate) fn emptied(listing: &Listing<'_>, routines: &[usize]) -> Option<u32> {
    let all = routines.iter().flat_map(|&number| &listing.routines[number].instructions);
    all.filter(|one| empties_first_cache(one)).map(|one| one.line).min()
}
