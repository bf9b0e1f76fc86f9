//! Files of schedules.

use std::path::Path;

use crate::output::{Target, ending};
use crate::{Failure, text};
use warpspan_check::schedule::{Schedule, Witness, grid, machine, write_csv, write_json};
use warpspan_model::machine::MachineWorkload;
use warpspan_model::{Grid, Instance, Workload};

const ENDINGS: [&str; 3] = ["csv", "json", "svg"];

/// The file of the schedule of one instance, opened.
pub(super) fn target(path: &Path, instances: usize) -> Result<Target, Failure> {
    ending(path, &ENDINGS)?;
    if instances > 1 {
        return Err(Failure::usage(format!("{}: one file for {instances} instances", path.display())));
    }
    Target::with_ending(path, &ENDINGS)
}

/// Writes a schedule under the title of its workload.
pub(super) fn write_witness(
    target: Target,
    workload: &Workload,
    instance: &Instance,
    witness: &Witness,
) -> Result<(), Failure> {
    let title = format!("{}: {} cycles", text::title(workload), witness.makespan());
    write_schedule(target, instance, witness.schedule(), &title)
}

/// Writes a schedule of a grid by the ending of the file's name.
pub(super) fn write_grid(target: Target, of: &Grid, witness: &grid::Witness) -> Result<(), Failure> {
    let schedule = witness.schedule();
    target.write(|ending, mut out| match ending {
        "csv" => grid::write_csv(of, schedule, &mut out),
        #[cfg(feature = "figures")]
        "svg" => {
            let title = format!("{}: {} cycles", text::grid_title(of), witness.makespan());
            out.write_all(warpspan_figures::slots(of, schedule, &title).as_bytes())
        }
        _ => grid::write_json(of, schedule, &mut out),
    })
}

/// Writes a schedule on a machine by the ending of the file's name.
pub(super) fn write_on_machine(
    target: Target,
    workload: &MachineWorkload,
    schedule: &machine::MachineSchedule,
) -> Result<(), Failure> {
    target.write(|ending, mut out| match ending {
        "csv" => machine::write_csv(workload, schedule, &mut out),
        "json" => machine::write_json(workload, schedule, &mut out),
        _ => Err(std::io::Error::other("schedules on machines are not drawn: want .csv or .json")),
    })
}

/// Writes a schedule by the ending of the file's name.
#[cfg_attr(not(feature = "figures"), expect(unused_variables, reason = "only drawings have a title"))]
pub(super) fn write_schedule(
    target: Target,
    instance: &Instance,
    schedule: &Schedule,
    title: &str,
) -> Result<(), Failure> {
    target.write(|ending, mut out| match ending {
        "csv" => write_csv(instance, schedule, &mut out),
        #[cfg(feature = "figures")]
        "svg" => out.write_all(warpspan_figures::warps(instance, schedule, title).as_bytes()),
        _ => write_json(instance, schedule, &mut out),
    })
}
