//! What instructions use, and for how long.

use crate::rates::Kind;
use warpspan_model::Unit;
use warpspan_model::device::Capability;

/// What the instructions of a row use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// The load/store units, for one letter; the sigma of the unit says how many cycles that takes.
    Memory,
    /// The CUDA cores, for a number of instructions of this kind.
    Cores(Kind, u64),
    /// The tensor cores, for a time that follows from the shape, as letters of the CUDA cores.
    Matrix,
    /// The CUDA cores, for a time that no table gives.
    Unrated,
    /// A barrier of the block.
    Barrier,
    /// No unit.
    Nothing,
    /// Something that the model does not cover, with the reason.
    Refused(&'static str),
    /// Several instructions of the machine: up to capability 3.x, at 5.x and 6.x, at 7.0 and 7.2, at 7.5 and 8.x, and from
    /// 9.0 on.
    Made([Cost; 5]),
}

/// What `ptxas` makes of an instruction of PTX, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Instructions of the CUDA cores, by kind.
    pub cores: &'static [(Kind, u64)],
    /// Instructions of the load/store units.
    pub memory: u64,
    /// Whether a barrier of the block is among them.
    pub barrier: bool,
}

impl Cost {
    /// Some instructions of the load/store units and of the CUDA cores.
    pub const fn new(memory: u64, cores: &'static [(Kind, u64)]) -> Self {
        Self { cores, memory, barrier: false }
    }

    /// The cost at a capability, among those of [`Use::Made`].
    pub fn at(costs: &[Self; 5], capability: &Capability) -> Self {
        let major = capability.version.split('.').next().and_then(|major| major.parse::<u32>().ok());
        costs[match major {
            Some(0..=3) => 0,
            Some(4..=6) => 1,
            Some(7) if capability.version != "7.5" => 2,
            Some(7 | 8) => 3,
            _ => 4,
        }]
    }

    /// The same with a barrier of the block among them.
    pub const fn and_barrier(self) -> Self {
        Self { barrier: true, ..self }
    }
}

impl Use {
    /// The unit, if it uses one only.
    pub const fn unit(self) -> Option<Unit> {
        match self {
            Self::Memory => Some(Unit::LoadStore),
            Self::Cores(..) | Self::Matrix | Self::Unrated | Self::Refused(_) => Some(Unit::CudaCore),
            Self::Barrier | Self::Nothing | Self::Made(_) => None,
        }
    }
}
