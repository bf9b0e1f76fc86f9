//! The certificate checker: judges claims about a worst case without any engine or solver.
//!
//! A lower bound is judged by replaying its schedule. An upper bound is recomputed by a second, plain route: for one
//! kernel at sigma = 1 the best labelling by dynamic programming over (instruction, label) (`labelling`), where the
//! engine cuts the kernel into blocks; elsewhere the critical path. An upper bound below what the plain route gives is
//! not wrong, but unverified: it rests on the solver that gave it.

mod labelling;

use crate::bound::{Upper, critical_path};
use crate::model::{Cycles, Instance};
use crate::schedule::Witness;

/// What a record claims of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claims {
    /// The worst case is at least this.
    pub lower: Cycles,
    /// The worst case is at most this.
    pub upper: Cycles,
}

/// What is left of the claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Each claim that is false.
    pub errors: Vec<String>,
    /// An upper bound by the plain route.
    pub recomputed: Cycles,
    /// Where that is from.
    pub route: String,
    /// Whether the claimed upper bound is no tighter than the plain route's, and so is verified.
    pub upper_verified: bool,
}

/// Judges claims with a schedule that was replayed.
pub fn judge(instance: &Instance, claims: Claims, witness: &Witness) -> Report {
    let upper = plain_upper(instance);
    let makespan = witness.makespan();
    let mut errors = Vec::new();
    if claims.lower != makespan {
        errors.push(format!("lower is {}, but the schedule takes {makespan} cycles", claims.lower));
    }
    if makespan > claims.upper {
        errors.push(format!("upper is {}, but a schedule takes {makespan} cycles", claims.upper));
    }
    Report {
        upper_verified: claims.upper >= upper.cycles() && makespan <= claims.upper,
        recomputed: upper.cycles(),
        route: upper.evidence().to_string(),
        errors,
    }
}

/// The best upper bound that needs no engine.
pub fn plain_upper(instance: &Instance) -> Upper {
    let critical = critical_path(instance);
    match labelling::upper(instance) {
        Some(upper) if upper.cycles() < critical.cycles() => upper,
        _ => critical,
    }
}
