//! Files of schedules.

use std::path::Path;

use crate::output::{Target, ending};
use crate::{Failure, text};
use warpspan_check::schedule::file::{self, Form};
use warpspan_check::schedule::{Launch, Schedule, Witness};
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

/// Writes a schedule of a grid.
pub(super) fn write_grid(target: Target, of: &Grid, witness: &Witness) -> Result<(), Failure> {
    let title = format!("{}: {} cycles", text::grid_title(of), witness.makespan());
    write_schedule(target, of, witness.schedule(), &title)
}

/// Writes a schedule by the ending of the file's name. Drawings have a title; schedules on machines are not drawn.
#[cfg_attr(not(feature = "figures"), expect(unused_variables, reason = "only drawings have a title"))]
pub(super) fn write_schedule<'a>(
    target: Target,
    launch: impl Into<Launch<'a>>,
    schedule: &Schedule,
    title: &str,
) -> Result<(), Failure> {
    let launch = launch.into();
    target.write(|ending, mut out| match (ending, launch) {
        ("csv", _) => file::write(launch, schedule, Form::Csv, &mut out),
        #[cfg(feature = "figures")]
        ("svg", Launch::Instance(instance)) => {
            out.write_all(warpspan_figures::warps(instance, schedule, title).as_bytes())
        }
        #[cfg(feature = "figures")]
        ("svg", Launch::Grid(of)) => out.write_all(warpspan_figures::slots(of, schedule, title).as_bytes()),
        ("svg", _) => Err(std::io::Error::other("schedules on machines are not drawn: want .csv or .json")),
        _ => file::write(launch, schedule, Form::Json, &mut out),
    })
}
