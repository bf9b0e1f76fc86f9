//! What a solver can solve.

use warpspan_model::machine::{MachineGrid, MachineWorkload};
use warpspan_model::{Grid, Instance, Workload};

/// What a [`Solver`](crate::portfolio::Solver) can solve.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// Warps that start together on the paper's multiprocessor.
    Workload(&'a Workload),
    /// The same without branches and loops, in letters that the engines schedule.
    Instance(&'a Instance),
    /// Blocks that follow one another.
    Grid(&'a Grid),
    /// Warps that start together on a machine.
    Machine(&'a MachineWorkload),
    /// Blocks that follow one another on machines.
    MachineGrid(&'a MachineGrid),
}

impl<'a> From<&'a Workload> for Subject<'a> {
    fn from(workload: &'a Workload) -> Self {
        Self::Workload(workload)
    }
}

impl<'a> From<&'a Instance> for Subject<'a> {
    fn from(instance: &'a Instance) -> Self {
        Self::Instance(instance)
    }
}

impl<'a> From<&'a Grid> for Subject<'a> {
    fn from(grid: &'a Grid) -> Self {
        Self::Grid(grid)
    }
}

impl<'a> From<&'a MachineWorkload> for Subject<'a> {
    fn from(workload: &'a MachineWorkload) -> Self {
        Self::Machine(workload)
    }
}

impl<'a> From<&'a MachineGrid> for Subject<'a> {
    fn from(grid: &'a MachineGrid) -> Self {
        Self::MachineGrid(grid)
    }
}
