//! `solve --certificate`.

use crate::Failure;
use crate::certificates::refused;
use warpspan_check::bound::Interval;
use warpspan_engines::certificate::Certificate;
use warpspan_model::{Grid, Workload};
use warpspan_solver::portfolio::{GridSolution, Solution};

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
        notes.push(format!(
            "the certificate proves at most {proved} cycles; what proves the {upper} is no part of it"
        ));
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
