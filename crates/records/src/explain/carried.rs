//! The schedules that records of `solve` carry.

use crate::{Group, Instance, Solve};
use warpspan_check::schedule::file::from_records;
use warpspan_check::schedule::{Activity, Launch, Schedule, ScheduleFileError, replay};
use warpspan_model::machine::MachineWorkload;
use warpspan_model::{Code, Grid};

/// The schedule that a record of `solve` carries, replayed; `None` where it carries none.
pub fn of_solve(solve: &Solve) -> Option<Result<Activity, String>> {
    if let Some(records) = &solve.machine_schedule {
        let of = |(_, workload): (_, MachineWorkload)| replayed(&workload, from_records(&workload, records));
        return Some(solve.instance.on_machine().and_then(of));
    }
    if let Some(records) = &solve.grid_schedule {
        return Some(grid_of(&solve.instance).and_then(|of| replayed(&of, from_records(&of, records))));
    }
    let records = solve.schedule.as_ref()?;
    let lines = lines_of(solve).straight_lines();
    Some(lines.and_then(|(_, instance)| replayed(&instance, from_records(&instance, records))))
}

fn replayed<'a>(
    launch: impl Into<Launch<'a>>,
    schedule: Result<Schedule, ScheduleFileError>,
) -> Result<Activity, String> {
    let launch = launch.into();
    let witness = replay(launch, schedule.map_err(|error| error.to_string())?);
    let witness = witness.map_err(|error| error.to_string())?;
    Activity::of(launch, &witness).ok_or_else(|| "the code has branches or loops".to_owned())
}

/// The instance whose schedule a record has: that of the lines that its warps run, where they have paths to choose from.
fn lines_of(solve: &Solve) -> Instance {
    let line = |line: &crate::solve::PathLine| Group::plain(line.kernel.clone(), line.warps);
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
