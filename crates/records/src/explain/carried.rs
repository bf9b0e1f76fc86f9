//! The schedules that records of `solve` carry.

use crate::{Group, Instance, Solve};
use warpspan_check::schedule::{Activity, from_records, grid, machine, replay};
use warpspan_model::{Code, Grid};

/// The schedule that a record of `solve` carries, replayed; `None` where it carries none.
pub fn of_solve(solve: &Solve) -> Option<Result<Activity, String>> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    if let Some(records) = &solve.machine_schedule {
        let of = || {
            let (_, workload) = solve.instance.on_machine()?;
            let schedule = machine::from_records(&workload, records).map_err(|error| words(&error))?;
            let witness = machine::replay(&workload, schedule).map_err(|error| words(&error))?;
            Ok(Activity::on_machine(&workload, &witness))
        };
        return Some(of());
    }
    if let Some(records) = &solve.grid_schedule {
        let of = || {
            let of = grid_of(&solve.instance)?;
            let schedule = grid::from_records(&of, records).map_err(|error| words(&error))?;
            let witness = grid::replay(&of, schedule).map_err(|error| words(&error))?;
            Activity::of_grid(&of, &witness).ok_or_else(|| "the code has branches or loops".to_owned())
        };
        return Some(of());
    }
    let records = solve.schedule.as_ref()?;
    let of = || {
        let (_, instance) = lines_of(solve).straight_lines()?;
        let schedule = from_records(&instance, records).map_err(|error| words(&error))?;
        let witness = replay(&instance, schedule).map_err(|error| words(&error))?;
        Ok(Activity::of_instance(&instance, &witness))
    };
    Some(of())
}

/// The instance whose schedule a record has: that of the lines that its warps run, where they have paths to choose from.
fn lines_of(solve: &Solve) -> Instance {
    let line = |line: &crate::solve::PathLine| Group { kernel: line.kernel.clone(), warps: line.warps };
    match &solve.paths[..] {
        [] => solve.instance.clone(),
        paths => Instance { groups: paths.iter().map(line).collect(), ..solve.instance.clone() },
    }
}

/// The grid of a record on a multiprocessor of two units.
fn grid_of(instance: &Instance) -> Result<Grid, String> {
    let (Some(of), [group]) = (&instance.grid, &instance.groups[..]) else {
        return Err("the record has no grid of one kernel".to_owned());
    };
    let code: Code = group.kernel.parse().map_err(|error| format!("kernel {:?}: {error}", group.kernel))?;
    let grid = Grid::new(code, instance.multiprocessor()?, of.warps_per_block, of.blocks);
    let grid = grid.and_then(|grid| grid.on(of.multiprocessors, of.resident));
    grid.map_err(|error| error.to_string())
}
