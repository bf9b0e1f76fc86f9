//! `warpspan prem --emit-cuda`: the tiled convolution as CUDA.

use std::fs::create_dir_all;
use std::io::ErrorKind;
use std::path::Path;

use crate::cli::Failure;
use crate::realtime::prem::{Plan, Schedule, artefact};
use crate::source::{InputError, write_whole};

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
    let failed = |path: &Path, error: &std::io::Error| {
        let what = format!("{}: cannot be written: {error}", path.display());
        if error.kind() == ErrorKind::StorageFull { Failure::internal(what) } else { Failure::usage(what) }
    };
    create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    for (name, content) in files {
        let path = folder.join(name);
        write_whole(&path, |out| out.write_all(&content)).map_err(|error| failed(&path, &error))?;
    }
    Ok(())
}
