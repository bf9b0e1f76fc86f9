//! What is to be bounded.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::input::NamedMachine;
use warpspan_model::assumption::Assumption;
use warpspan_model::machine::{MachineGrid, MachineWorkload, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::InputError;
use warpspan_model::{Grid, Instance, Workload};

/// What is to be bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// Warps that start together on one multiprocessor.
    Workload(Workload),
    /// Blocks that wait for room.
    Grid(Grid),
    /// Either of these on a machine that is not the paper's.
    OnMachine(Box<OnMachine>),
}

impl Asked {
    /// Whether no warp has a choice of paths, as far as the paper's multiprocessor goes: on a machine, the search over its
    /// states says so.
    pub fn is_straight(&self) -> bool {
        match self {
            Self::Workload(workload) => workload.instance().is_some(),
            Self::Grid(grid) => grid.block().instance().is_some(),
            Self::OnMachine(_) => true,
        }
    }
}

/// What is to be bounded on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnMachine {
    /// The machine.
    pub machine: Arc<NamedMachine>,
    /// What is launched on it.
    pub launch: MachineLaunch,
}

/// What is launched on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MachineLaunch {
    /// Warps that start together.
    Workload(MachineWorkload),
    /// Blocks that wait for room.
    Grid(MachineGrid),
}

impl OnMachine {
    /// What the results rest on: the numbers of the letters in use, and the memory.
    pub fn assumes(&self) -> Vec<Assumption> {
        let codes: Vec<&Piece<Step>> = match &self.launch {
            MachineLaunch::Workload(workload) => workload.groups().iter().map(|group| &group.code).collect(),
            MachineLaunch::Grid(grid) => vec![grid.code()],
        };
        let base = |step: &Step| self.machine.base(&self.machine.machine.letter(step.letter).name);
        let used: BTreeSet<&str> = codes.into_iter().flat_map(Piece::letters).map(base).collect();
        self.machine.assumes(&Vec::from_iter(used))
    }
}

/// The instance of a workload, for commands that need a schedule; `place` is the workload's name in messages.
///
/// # Errors
/// If some code has several paths.
pub fn straight_line<'a>(place: &str, workload: &'a Workload) -> Result<&'a Instance, InputError> {
    workload.instance().ok_or_else(|| {
        let what = "the kernel has branches or loops, so there is no one schedule of it: want a straight line, or \
                    solve, bound or rta, which bound it";
        InputError::new(place, what)
    })
}
