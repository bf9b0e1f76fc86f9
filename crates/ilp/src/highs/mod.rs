//! The models in good_lp, and HiGHS, which solves them.

mod aggregated;
mod conserving;
mod interface;
mod latency;
mod model;
mod named_warps;
mod numbers;
mod rows;
mod runner;
mod windows;

pub use interface::version;
pub(super) use latency::latency;

use crate::highs::aggregated::Crowd;
use crate::highs::named_warps::Named;
use crate::highs::runner::{Presolve, Raw};
use crate::{Formulation, IlpError, Observer, Options, Outcome};
use warpspan_check::bound::Upper;
use warpspan_check::seal::SEAL;
use warpspan_model::limits::Limits;
use warpspan_model::{Cycles, Instance};

/// Builds the model of an instance over a horizon and solves it within the limits.
///
/// # Errors
/// If a file cannot be written or HiGHS fails.
pub(super) fn solve(
    instance: &Instance,
    (horizon, safe): (Cycles, bool),
    options: &Options,
    limits: &Limits,
    progress: Option<Observer<'_>>,
) -> Result<Outcome, IlpError> {
    let attempt = |presolve| attempt(instance, (horizon, safe), options, limits, progress, presolve);
    match attempt(Presolve::On) {
        // HiGHS checks its own solution, and now and then rejects what its presolve made of a model: the
        // formulation `short` of CLL:2 + CL:1 at sigma 2/2 is an example. Without presolve it is slower, but
        // right.
        Err(IlpError::Solver(_)) => attempt(Presolve::Off),
        other => other,
    }
}

fn attempt(
    instance: &Instance,
    (horizon, safe): (Cycles, bool),
    options: &Options,
    limits: &Limits,
    progress: Option<Observer<'_>>,
    presolve: Presolve,
) -> Result<Outcome, IlpError> {
    let (raw, schedule) = match options.formulation {
        Formulation::Aggregated => {
            let (crowd, model) = Crowd::build(instance, horizon.0, options);
            let raw = runner::run(model, options, presolve, limits, progress)?;
            let schedule = raw.has_solution().then(|| crowd.decode(&raw));
            (raw, schedule)
        }
        Formulation::Short | Formulation::Long => {
            let (named, model) = Named::build(instance, horizon.0, options);
            let raw = runner::run(model, options, presolve, limits, progress)?;
            let schedule = raw.has_solution().then(|| named.decode(&raw));
            (raw, schedule)
        }
    };
    let Raw { objective, dual_bound, infeasible, stop, size, .. } = raw;
    let upper = dual_bound.filter(|_| safe);
    let upper = upper.map(|cycles| Upper::proved(cycles, options.formulation.theorem(), SEAL));
    Ok(Outcome { schedule, objective, upper, infeasible, stop, size, horizon, safe })
}
