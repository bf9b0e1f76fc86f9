//! What one execution of each memory instruction touches, with where that is known from.

use std::collections::{BTreeMap, HashMap};

use crate::affine::{Inferred, Touches};
use crate::machine::{Evidence, Passes, Transactions, labels};
use crate::routine::{Listing, Routine};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{Access, access, moves};
use warpspan_isa::row::{Moves, Space};
use warpspan_model::words;

/// What accesses touch, by the line of the instruction and whether the memory is shared.
pub(crate) type Lines = HashMap<(u32, bool), Touches>;

words! {
    /// The memory of an access.
    MemorySpace {
        /// Global memory.
        Global = "global",
        /// Shared memory.
        Shared = "shared",
    }
}

/// What one execution of an access by a warp touches at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryAccess {
    /// The line of the instruction in the listing, from 1.
    pub line: u32,
    /// The memory.
    pub space: MemorySpace,
    /// Lines of 128 bytes; of global memory.
    pub lines: Option<u64>,
    /// Sectors of 32 bytes; of global memory.
    pub sectors: Option<u64>,
    /// How often the warp passes because of words of one bank; of shared memory.
    pub conflict: Option<u64>,
    /// Where the numbers are from.
    pub evidence: Evidence,
}

/// How many instructions stand in each line of a listing.
pub(crate) struct Alone(BTreeMap<u32, usize>);

impl Alone {
    pub(crate) fn new(listing: &Listing<'_>) -> Self {
        let mut count: BTreeMap<u32, usize> = BTreeMap::new();
        for one in listing.routines.iter().flat_map(|routine| &routine.instructions) {
            *count.entry(one.line).or_insert(0) += 1;
        }
        Self(count)
    }

    /// Whether a line has one instruction only. Two of them cannot be told apart.
    pub(crate) fn has_one(&self, line: u32) -> bool {
        self.0.get(&line) == Some(&1)
    }
}

/// What was inferred, by lines, without those that several instructions share.
pub(crate) fn by_line(routine: &Routine<'_>, alone: &Alone, inferred: &Inferred) -> Lines {
    let alone = inferred.iter().filter(|((at, _), _)| alone.has_one(routine.line_of(*at)));
    alone.map(|((at, shared), touches)| ((routine.line_of(*at), *shared), *touches)).collect()
}

/// Checks that no declared number is below one that some execution needs; the error has the line.
pub(crate) fn check(
    listing: &Listing<'_>,
    routine: &Routine<'_>,
    transactions: &Transactions,
    inferred: &Lines,
) -> Result<(), (u32, String)> {
    let labels = labels(listing);
    for one in &routine.instructions {
        let Some(declared) = transactions.of(one.line, labels.get(&one.line).copied()) else { continue };
        for (space, passes) in spaces(one) {
            let touches = inferred.get(&(one.line, space == Space::Shared)).filter(|touches| !touches.atomic);
            let Some(least) = touches.and_then(|touches| touches.least) else { continue };
            let needed = if space == Space::Shared { least.wavefronts } else { least.passes };
            let touched = transactions.touched(one.line).filter(|_| space == Space::Global);
            let [sectors, lines] = touched.unwrap_or([u64::MAX; 2]);
            let numbers = [
                (declared, needed.div_ceil(passes), "transaction", "each pass of "),
                (sectors, least.sectors, "sector", ""),
                (lines, least.lines, "line", ""),
            ];
            if let Some((declared, needed, what, of)) =
                numbers.into_iter().find(|(said, needed, ..)| said < needed)
            {
                let are = if declared == 1 { " is" } else { "s are" };
                return Err((
                    one.line,
                    format!(
                        "{declared} {what}{are} declared for {of}{}, but its addresses need {needed}: want {needed} or more",
                        one.opcode()
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// What each access of an entry touches.
pub(crate) fn all(
    routine: &Routine<'_>,
    inferred: &Lines,
    counted: impl Fn(usize, usize) -> Option<Passes>,
) -> Vec<MemoryAccess> {
    let mut found = Vec::new();
    for (at, one) in routine.instructions.iter().enumerate() {
        for (number, (space, _)) in spaces(one).into_iter().enumerate() {
            let Some(Passes { most, evidence, .. }) = counted(at, number) else { continue };
            let touches = inferred.get(&(one.line, space == Space::Shared)).and_then(|touches| touches.most);
            let touches = touches.filter(|_| matches!(evidence, Evidence::Inferred | Evidence::Assumed));
            let shared = space == Space::Shared;
            let same_address = evidence == Evidence::SameAddress && !shared;
            let of =
                |known: Option<u64>, most: u64| Some(known.unwrap_or(if same_address { 1 } else { most }));
            found.push(MemoryAccess {
                line: one.line,
                space: if shared { MemorySpace::Shared } else { MemorySpace::Global },
                lines: if shared { None } else { of(touches.map(|one| one.lines), most.lines) },
                sectors: if shared { None } else { of(touches.map(|one| one.sectors), most.sectors) },
                conflict: if shared { of(touches.map(|one| one.wavefronts), most.all) } else { None },
                evidence: if touches.is_some() { Evidence::Inferred } else { evidence },
            });
        }
    }
    found
}

/// The memories that an instruction accesses, of those that count here, each with the passes of its width. Atomic operations access one of
/// them.
fn spaces(one: &Instruction<'_>) -> Vec<(Space, u64)> {
    match access(one) {
        Access::One(Space::Atomic, passes) => {
            let shared = moves(one, Space::Atomic) == Moves::Nothing;
            vec![(if shared { Space::Shared } else { Space::Global }, passes)]
        }
        Access::One(space @ (Space::Global | Space::Shared), passes) => vec![(space, passes)],
        Access::Copy(passes) => vec![(Space::Global, passes), (Space::Shared, passes)],
        _ => vec![],
    }
}
