//! Files of schedules.

use std::path::Path;

use crate::Failure;
use crate::output::{Target, ending};
use warpspan_check::schedule::file::{self, Form};
use warpspan_check::schedule::{Launch, Schedule};

const ENDINGS: [&str; 3] = ["csv", "json", "svg"];

/// The file of the schedule of one instance, opened.
pub(super) fn target(path: &Path, instances: usize) -> Result<Target, Failure> {
    ending(path, &ENDINGS)?;
    if instances > 1 {
        return Err(Failure::usage(format!("{}: one file for {instances} instances", path.display())));
    }
    Target::with_ending(path, &ENDINGS)
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
