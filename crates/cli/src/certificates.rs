//! The files that `--certificate` names.

use std::path::Path;

use crate::Failure;
use crate::output::{Target, ending};
use warpspan_engines::certificate::{Certificate, coq, json};
use warpspan_kernel::input::Asked;

const ENDINGS: [&str; 2] = ["v", "json"];

/// The file of the certificate, opened, if one was asked for.
pub(crate) fn target<P>(path: Option<&Path>, asked: &[(P, Asked)]) -> Result<Option<Target>, Failure> {
    let Some(path) = path else { return Ok(None) };
    ending(path, &ENDINGS)?;
    let [(_, only)] = asked else {
        return Err(Failure::usage(format!("{}: one file for {} instances", path.display(), asked.len())));
    };
    match only {
        Asked::Workload(workload) => Certificate::is_possible(workload).map_err(refused)?,
        Asked::Grid(grid) => Certificate::is_possible_for(grid).map_err(refused)?,
        Asked::OnMachine(_) => {
            return Err(refused(
                "certificates are for the multiprocessor of L and C, which --compute-capability X.Y takes for a listing",
            ));
        }
    }
    Target::open(path).map(Some)
}

/// What is said where there is no certificate.
pub(crate) fn refused(why: impl std::fmt::Display) -> Failure {
    Failure::usage(format!("--certificate: {why}"))
}

/// Writes the certificate.
pub(crate) fn write(target: Target, certificate: &Certificate) -> Result<(), Failure> {
    target.write(|ending, out| {
        let text = if ending == "v" { coq(certificate) } else { json(certificate) };
        out.write_all(text.as_bytes())
    })
}
