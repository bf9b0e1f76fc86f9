//! `solve --certificate`.

use crate::certificate::{Certificate, coq, json};
use crate::bound::Interval;
use crate::cli::Failure;
use crate::cli::commands::solve::args::SolveArgs;
use crate::cli::output::{Target, ending};
use crate::engines::portfolio::{GridSolution, Solution};
use crate::input::Asked;
use crate::model::{Grid, Workload};

const ENDINGS: [&str; 2] = ["v", "json"];

/// The file of the certificate, opened, if one was asked for.
pub(super) fn target<P>(args: &SolveArgs, asked: &[(P, Asked)]) -> Result<Option<Target>, Failure> {
    let Some(path) = &args.certificate else { return Ok(None) };
    ending(path, &ENDINGS)?;
    let [(_, only)] = asked else {
        return Err(Failure::usage(format!("{}: one file for {} instances", path.display(), asked.len())));
    };
    match only {
        Asked::Workload(workload) => Certificate::is_possible(workload).map_err(refused)?,
        Asked::Grid(grid) => Certificate::is_possible_for(grid).map_err(refused)?,
        Asked::OnMachine(_) => return Err(refused("certificates are for the multiprocessor of L and C")),
    }
    Target::open(path).map(Some)
}

fn refused(why: impl std::fmt::Display) -> Failure {
    Failure::usage(format!("--certificate: {why}"))
}

/// The certificate of an answer.
pub(super) fn certificate(workload: &Workload, solution: &Solution) -> Result<Certificate, Failure> {
    Certificate::new(workload, solution.worst_case(), solution.witness()).map_err(refused)
}

/// The certificate of an answer for a grid.
pub(super) fn of_grid(grid: &Grid, solution: &GridSolution) -> Result<Certificate, Failure> {
    Certificate::of_grid(grid, solution.worst_case(), solution.witness()).map_err(refused)
}

/// What the certificate proves less or more than the answer says, a sentence each.
pub(super) fn notes(certificate: &Certificate, worst: Interval) -> Vec<String> {
    let (lower, upper) = (worst.lower().cycles(), worst.upper().cycles());
    let mut notes = Vec::new();
    if certificate.at_most() > upper {
        let proved = certificate.at_most();
        notes.push(format!("the certificate proves at most {proved} cycles; what proves the {upper} is no part of it"));
    }
    if certificate.at_most() < upper {
        let proved = certificate.at_most();
        notes.push(format!("the certificate proves at most {proved} cycles, by a search of its own"));
    }
    match certificate.at_least() {
        None => {
            notes.push("the certificate proves no lower end, because no schedule was written out".to_owned())
        }
        Some(proved) if proved < lower => {
            notes.push(format!("the certificate proves at least {proved} cycles only"))
        }
        Some(_) => {}
    }
    notes
}

/// Writes the certificate.
pub(super) fn write(target: Target, certificate: &Certificate) -> Result<(), Failure> {
    target.write(|ending, out| {
        let text = if ending == "v" { coq(certificate) } else { json(certificate) };
        out.write_all(text.as_bytes())
    })
}
