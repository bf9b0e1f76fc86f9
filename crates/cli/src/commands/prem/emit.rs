//! `warpspan prem --emit-cuda`: the tiled convolution as CUDA.

use std::fs::{create_dir_all, remove_file};
use std::path::Path;

use crate::Failure;
use crate::output::Target;
use warpspan_model::source::InputError;
use warpspan_prem::{Plan, Schedule, artefact};

/// Writes the files of the artefact to a folder, which is made if need be. If one of them is there already,
/// nothing is written.
pub(super) fn write(
    folder: &Path,
    place: &str,
    (schedule, plan): (&Schedule, Option<&Plan>),
    caveat: &str,
) -> Result<(), Failure> {
    let wrong = |what: &str| Failure::from(InputError::new(place, format!("--emit-cuda: {what}")));
    let plan = plan.ok_or_else(|| wrong("no [plan]: want the image that is cut into tiles"))?;
    let files = artefact(schedule, plan, caveat).map_err(|what| wrong(&what))?;
    if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
        let there = folder.join(name);
        return Err(Failure::usage(format!("{}: it is there already: want another folder", there.display())));
    }
    create_dir_all(folder)
        .map_err(|error| Failure::usage(format!("{}: cannot be made: {error}", folder.display())))?;
    for (at, (name, content)) in files.iter().enumerate() {
        let write = |target: Target| target.write(|_, out| out.write_all(content));
        Target::open(&folder.join(name)).and_then(write).inspect_err(|_| {
            // Files that are left would make the next run fail.
            files[..at].iter().for_each(|(name, _)| drop(remove_file(folder.join(name))));
        })?;
    }
    Ok(())
}
