//! Whether the engine that was chosen takes an instance, without solving it: of several instances none should have an
//! answer before all are known to be taken.

use crate::portfolio::{EngineChoice, NotApplicable, SolveError, Solver};
use warpspan_engines::{latency, program, relay};
use warpspan_model::machine::{MachineGrid, MachineWorkload};
use warpspan_model::{Grid, Workload};

impl Solver<'_> {
    /// Whether [`solve`](Self::solve) takes a workload. It takes as long as the simplest bounds.
    ///
    /// # Errors
    /// If the engine does not apply, or a program has no bound.
    pub fn takes(&self, workload: &Workload) -> Result<(), SolveError> {
        let Some(instance) = workload.instance() else {
            program::bound(workload)?;
            return Ok(());
        };
        let parts = instance.segments().filter(|_| instance.has_barriers());
        match (parts, self.choice()) {
            (Some(parts), choice) if !matches!(choice, EngineChoice::Ilp(_)) => {
                parts.iter().try_for_each(|part| choice.applies(part))?;
            }
            (_, choice) => choice.applies(instance)?,
        }
        Ok(())
    }

    /// Whether [`solve_grid`](Self::solve_grid) takes a grid.
    ///
    /// # Errors
    /// As [`takes`](Self::takes).
    pub fn takes_grid(&self, grid: &Grid) -> Result<(), SolveError> {
        if grid.starts_together() {
            return self.takes(grid.together());
        }
        if matches!(self.choice(), EngineChoice::Ilp(_) | EngineChoice::Beam(_)) {
            return Err(NotApplicable::Grid.into());
        }
        relay::bound(grid)?;
        Ok(())
    }

    /// Whether [`solve_on_machine`](Self::solve_on_machine) takes a workload, but for what only its search can tell.
    ///
    /// # Errors
    /// As [`takes`](Self::takes).
    pub fn takes_on_machine(&self, workload: &MachineWorkload) -> Result<(), SolveError> {
        if matches!(self.choice(), EngineChoice::Ilp(_) | EngineChoice::Beam(_)) {
            return Err(NotApplicable::Machine.into());
        }
        latency::bounds(workload)?;
        Ok(())
    }

    /// Whether [`solve_grid_on_machine`](Self::solve_grid_on_machine) takes a grid.
    ///
    /// # Errors
    /// As [`takes`](Self::takes).
    pub fn takes_grid_on_machine(&self, grid: &MachineGrid) -> Result<(), SolveError> {
        if !grid.starts_together() && *self.choice() != EngineChoice::Auto {
            return Err(NotApplicable::Machine.into());
        }
        self.takes_on_machine(grid.together())
    }
}
