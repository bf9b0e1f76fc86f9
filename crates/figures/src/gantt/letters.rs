//! The instructions that a schedule of warps shows, and the colours and names of their units.

use crate::gantt::{FILLS, Fence, Fill};
use warpspan_model::Unit;

pub(super) const fn fill(unit: Unit) -> Fill {
    match unit {
        Unit::LoadStore => FILLS[0],
        Unit::CudaCore => FILLS[1],
    }
}

pub(super) const fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::LoadStore => "L load/store",
        Unit::CudaCore => "C CUDA core",
    }
}

/// What is drawn, but for the instructions.
pub(super) struct Subject<'a> {
    pub(super) title: &'a str,
    pub(super) lanes: Vec<String>,
    pub(super) fences: Vec<Fence>,
    /// The instructions that each unit may issue in a cycle, L and C, where all lanes share the units.
    pub(super) slots: Option<[u64; 2]>,
    /// The first and the last cycle that are drawn; all without it.
    pub(super) window: Option<(u64, u64)>,
}

/// An instruction to draw; its number and that of its block are from 1.
pub(super) struct Letter {
    pub(super) lane: usize,
    pub(super) unit: Unit,
    pub(super) instruction: u64,
    pub(super) cycle: u64,
    pub(super) of: Option<u64>,
}
