//! The letters of one instruction.

use std::fmt;

use warpspan_isa::class::Cost;
use warpspan_isa::rates::Kind;
use warpspan_model::Unit;
use warpspan_model::device::Capability;

/// What an instruction is in a kernel string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Its letters.
    pub letters: Letters,
    /// Where that is from.
    pub why: String,
}

/// The letters of one instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Letters {
    /// So many letters of a unit.
    Unit(Unit, u64),
    /// So many letters of the CUDA cores, and then so many of the load/store units.
    Both {
        /// Letters C.
        compute: u64,
        /// Letters L.
        load_store: u64,
        /// Whether a barrier of the block follows.
        barrier: bool,
    },
    /// A letter of a unit, of which nobody has said how often it counts.
    Unrated(Unit),
    /// The barrier of the block.
    Barrier,
    /// None.
    None,
    /// A letter of a unit in the listing, but the model does not cover what the instruction does.
    Refused(Unit, &'static str),
}

impl Letters {
    /// The units, whatever the counts.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        let (first, second) = match *self {
            Self::Unit(unit, _) | Self::Unrated(unit) | Self::Refused(unit, _) => (Some(unit), None),
            Self::Both { compute, load_store, .. } => {
                ((compute > 0).then_some(Unit::CudaCore), (load_store > 0).then_some(Unit::LoadStore))
            }
            Self::Barrier | Self::None => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Whether a barrier of the block is among them.
    pub const fn has_barrier(&self) -> bool {
        matches!(self, Self::Barrier | Self::Both { barrier: true, .. })
    }

    /// How many letters there are; none where no table says.
    pub const fn count(&self) -> Option<u64> {
        match *self {
            Self::Unit(_, count) => Some(count),
            Self::Both { compute, load_store, .. } => Some(compute.saturating_add(load_store)),
            Self::Barrier | Self::None => Some(0),
            Self::Unrated(_) | Self::Refused(..) => None,
        }
    }

    /// The letters of what an instruction costs at a capability.
    pub(super) fn of(cost: &Cost, capability: &Capability) -> Self {
        let of_kind = |(kind, times): &(Kind, u64)| kind.letters(capability).saturating_mul(*times);
        let compute = cost.cores.iter().map(of_kind).fold(0, u64::saturating_add);
        match (compute, cost.memory, cost.barrier) {
            (0, 0, true) => Self::Barrier,
            (compute, 0, false) => Self::Unit(Unit::CudaCore, compute),
            (0, load_store, false) => Self::Unit(Unit::LoadStore, load_store),
            (compute, load_store, barrier) => Self::Both { compute, load_store, barrier },
        }
    }
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "-"),
            _ => {
                self.units().try_for_each(|unit| write!(f, "{unit}"))?;
                if self.has_barrier() { write!(f, "|") } else { Ok(()) }
            }
        }
    }
}
