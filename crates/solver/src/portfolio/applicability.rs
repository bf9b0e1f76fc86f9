//! Whether the engine that was chosen takes a subject, without solving it: of several subjects none should have an
//! answer before all are known to be taken.

use crate::portfolio::machine::grid_bounds;
use crate::portfolio::{EngineChoice, NotApplicable, SolveError, Solver, Subject};
use warpspan_engines::{latency, program, relay};
use warpspan_model::Instance;

impl Solver<'_> {
    /// Whether [`solve`](Self::solve) takes a subject, but for what only a search can tell. It takes as long as the
    /// simplest bounds.
    ///
    /// # Errors
    /// If the engine does not apply, or a program has no bound.
    pub fn takes<'s>(&self, subject: impl Into<Subject<'s>>) -> Result<(), SolveError> {
        match subject.into() {
            Subject::Workload(workload) => match workload.instance() {
                Some(instance) => self.takes_instance(instance)?,
                None => _ = program::bound(workload)?,
            },
            Subject::Instance(instance) => self.takes_instance(instance)?,
            Subject::Grid(grid) if grid.starts_together() => self.takes(grid.together())?,
            Subject::Grid(grid) => {
                self.is_for_others(NotApplicable::Grid)?;
                relay::bound(grid)?;
            }
            Subject::Machine(workload) => {
                self.is_for_others(NotApplicable::Machine)?;
                latency::bounds_under(workload, self.order)?.with_blocks(workload)?;
            }
            Subject::MachineGrid(grid) => {
                if !grid.starts_together() && *self.choice() != EngineChoice::Auto {
                    return Err(NotApplicable::Machine.into());
                }
                self.takes(grid.together())?;
                if !grid.starts_together() {
                    grid_bounds(grid)?;
                }
            }
        }
        Ok(())
    }

    fn takes_instance(&self, instance: &Instance) -> Result<(), SolveError> {
        let parts = instance.segments().filter(|_| instance.has_barriers());
        match (parts, self.choice()) {
            (Some(parts), choice) if !matches!(choice, EngineChoice::Ilp(_)) => {
                parts.iter().try_for_each(|part| choice.applies(part))?;
            }
            (_, choice) => choice.applies(instance)?,
        }
        Ok(())
    }
}
