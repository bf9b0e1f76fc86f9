//! The certificate checker: judges claims about a worst case without any engine or solver.
//!
//! A lower bound is judged by replaying its schedule. An upper bound is recomputed by a second, plain route: for one
//! kernel at sigma = 1 the best labelling by dynamic programming over (instruction, label) (`labelling`), where the
//! engine cuts the kernel into blocks; elsewhere the phase bound by its definition (`phases`) or the critical path. An upper bound below what the plain route gives is
//! not wrong, but unverified: it rests on the solver that gave it.

mod labelling;
mod phases;

use crate::bound::{Upper, critical_path};
use crate::model::{Cycles, Instance};
use crate::schedule::{Schedule, replay};

pub use phases::Theta;

/// What a record claims of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claims {
    /// The worst case is at least this.
    pub lower: Cycles,
    /// The worst case is at most this.
    pub upper: Cycles,
    /// Where the phase bound is smallest, if the claim says so; any value gives a valid bound.
    pub theta: Option<Theta>,
}

/// The judgement of a schedule, and of the claims made with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The makespan of the schedule, if it is valid.
    pub makespan: Option<Cycles>,
    /// The upper bound by the plain route.
    pub recomputed: Upper,
    /// Whether the claimed upper bound is no tighter than that, and so is verified; `None` if none is claimed or the
    /// schedule is not valid.
    pub upper_verified: Option<bool>,
    /// What is false, the first rule that the schedule breaks included.
    pub errors: Vec<String>,
}

/// Judges a schedule of an instance and the claims made with it.
pub fn judge(instance: &Instance, schedule: Schedule, claims: Option<Claims>) -> Report {
    let recomputed = plain_upper(instance, claims.and_then(|claims| claims.theta));
    let makespan = match replay(instance, schedule) {
        Ok(witness) => witness.makespan(),
        Err(violation) => {
            let errors = vec![violation.to_string()];
            return Report { makespan: None, recomputed, upper_verified: None, errors };
        }
    };
    let mut errors = Vec::new();
    let upper_verified = claims.map(|Claims { lower, upper, .. }| {
        if lower != makespan {
            errors.push(format!("lower is {lower}, but the schedule takes {makespan} cycles"));
        }
        if makespan > upper {
            errors.push(format!("upper is {upper}, but a schedule takes {makespan} cycles"));
        }
        errors.is_empty() && upper >= recomputed.cycles()
    });
    Report { makespan: Some(makespan), recomputed, upper_verified, errors }
}

/// The best upper bound that needs no engine. Where all warps are one block, the worst cases of the segments between barriers
/// add up.
pub fn plain_upper(instance: &Instance, theta: Option<Theta>) -> Upper {
    let segments = instance.segments().filter(|_| instance.has_barriers()).map(|segments| {
        Upper::segments(&segments.iter().map(|segment| plain_upper(segment, theta)).collect::<Vec<_>>())
    });
    let others = [labelling::upper(instance), Some(phases::upper(instance, theta)), segments];
    let bounds = [critical_path(instance)].into_iter().chain(others.into_iter().flatten());
    bounds.min_by_key(|bound| bound.cycles()).expect("there is the critical path")
}
