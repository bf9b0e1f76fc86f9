//! `solve --certificate`.

use crate::Failure;
use crate::certificates::refused;
use warpspan_check::bound::Interval;
use warpspan_engines::certificate::Certificate;
use warpspan_kernel::input::Asked;
use warpspan_solver::portfolio::Solution;

/// The certificate of an answer; there is none of a machine.
pub(super) fn certificate(asked: &Asked, solution: &Solution) -> Option<Result<Certificate, Failure>> {
    let (worst, witness) = (solution.worst_case(), solution.witness());
    let certificate = match asked {
        Asked::Workload(workload) => Certificate::new(workload, worst, witness),
        Asked::Grid(grid) => Certificate::of_grid(grid, worst, witness),
        Asked::OnMachine(_) => return None,
    };
    Some(certificate.map_err(refused))
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
