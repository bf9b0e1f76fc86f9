//! The worst case as a binary ILP: Be12 section 5, on HiGHS.
//!
//! # Theory
//!
//! T is the horizon in cycles. Three formulations, all exact for any number of groups and any whole sigma:
//!
//! * **short** and **long** (`ilp::named`): Be12's own. `LS_{w,i,t}` and `CC_{w,i,t}` are 1 if warp w issues
//!   instruction i in cycle t on the load/store units or CUDA cores; `E_t`, `G_t` are 1 if the unit is full. They
//!   differ in how they demand work conservation: a row for each (w, i, t) (Eq. 34, 37), or one for each (w, t)
//!   (Eq. 33, 36).
//! * **aggregated** (`ilp::aggregated`): ours. `z_{k,i,t}` is 1 if at least k warps of the group have issued i by the end
//!   of cycle t. There is no symmetry, no `E_t`, no big-M.
//!
//! Unless the model is asked to be plain, short and long get what measurably helps: warps of a group keep the order of
//! their numbers (interchangeable warps can always be renamed so that no warp overtakes a lower number), variables
//! outside the windows in which a warp can issue an instruction are left out, and rows that say nothing are too.
//!
//! # Practice
//!
//! [`solve`] estimates the size first and refuses what exceeds the memory limit. What comes back is a *claim*: a
//! schedule, to be replayed, and HiGHS's dual bound, which is an upper bound on the worst case only if the horizon is
//! safe. Nothing here calls a number a worst case.

mod aggregated;
mod conserving;
mod horizon;
mod model;
mod named;
mod runner;
mod size;
mod windows;

use std::path::PathBuf;

use thiserror::Error;

use crate::engines::ilp::aggregated::Crowd;
use crate::engines::ilp::named::Named;
use crate::engines::ilp::runner::{Presolve, Raw};
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance};
use crate::schedule::Schedule;

pub use horizon::Horizon;
pub use runner::{Observer, Progress};
pub use size::{ModelSize, estimate};

/// How work conservation is put into rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Formulation {
    /// Be12 with its short constraints, Eq. 34 and 37 (Fig. 3).
    Short,
    /// Be12 with its long constraints, Eq. 33 and 36.
    Long,
    /// Warps of a group as an ordered crowd: ours.
    Aggregated,
}

impl Formulation {
    /// Every formulation.
    pub const ALL: [Self; 3] = [Self::Short, Self::Long, Self::Aggregated];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::Aggregated => "aggregated",
        }
    }
}

/// What to build and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// The formulation.
    pub formulation: Formulation,
    /// The horizon T.
    pub horizon: Horizon,
    /// Build the formulation as published, without renaming of warps and windows.
    pub plain: bool,
    /// Write the model here, as LP or MPS by the ending, before it is solved.
    pub write_model: Option<PathBuf>,
    /// HiGHS writes its log here.
    pub log: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            formulation: Formulation::Aggregated,
            horizon: Horizon::Safe,
            plain: false,
            write_model: None,
            log: None,
        }
    }
}

/// What HiGHS claims.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best schedule it found, not replayed; `None` if it found none.
    pub schedule: Option<Schedule>,
    /// What it says the schedule's makespan is; an incumbent's may be longer.
    pub objective: Option<Cycles>,
    /// No schedule that ends within the horizon is longer, it says.
    pub dual_bound: Option<Cycles>,
    /// It proved that no schedule ends within the horizon.
    pub infeasible: bool,
    /// Why it stopped.
    pub stop: Stop,
    /// Size of the model.
    pub size: ModelSize,
    /// The horizon.
    pub horizon: Cycles,
}

/// Why the ILP gave no answer at all.
#[derive(Debug, Clone, Error)]
pub enum IlpError {
    /// The model would not fit.
    #[error(
        "the {formulation} model is estimated at {size} ({needed} MiB), more than the memory limit of {limit} MiB: \
         raise the memory limit, use fewer warps, or another engine"
    )]
    TooLarge {
        /// The formulation.
        formulation: &'static str,
        /// Its estimated size.
        size: ModelSize,
        /// Estimated memory in MiB.
        needed: u64,
        /// The limit in MiB.
        limit: u64,
    },
    /// A file that HiGHS could not write.
    #[error("{path}: HiGHS could not write the {what}: want a writable path{hint}", path = path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// What.
        what: &'static str,
        /// What would do.
        hint: &'static str,
    },
    /// Barriers, which no formulation has.
    #[error("the ILP is for kernels without barriers; take the segments between them")]
    Barriers,
    /// HiGHS failed, or answered with something that is not a solution.
    #[error("HiGHS failed: {0}")]
    Solver(String),
}

/// Builds the model of an instance and solves it within the limits.
///
/// # Errors
/// If there are barriers, the model exceeds the memory limit, a file cannot be written or HiGHS fails.
pub fn solve(
    instance: &Instance,
    options: &Options,
    limits: &Limits,
    progress: Option<Observer<'_>>,
) -> Result<Outcome, IlpError> {
    if instance.has_barriers() {
        return Err(IlpError::Barriers);
    }
    let horizon = options.horizon.cycles(instance);
    let size = size::estimate(instance, options.formulation, options.plain, horizon);
    if size.bytes() > limits.memory {
        let (needed, limit) = (size.bytes() >> 20, limits.memory >> 20);
        return Err(IlpError::TooLarge { formulation: options.formulation.name(), size, needed, limit });
    }
    match attempt(instance, horizon, options, limits, progress, Presolve::On) {
        // HiGHS judges its own solution, and now and then rejects what its presolve made of a model: a formulation
        // `short` of CLL:2 + CL:1 at sigma 2/2 is one. Without presolve it is slower, and right.
        Err(IlpError::Solver(_)) => attempt(instance, horizon, options, limits, progress, Presolve::Off),
        other => other,
    }
}

fn attempt(
    instance: &Instance,
    horizon: Cycles,
    options: &Options,
    limits: &Limits,
    progress: Option<Observer<'_>>,
    presolve: Presolve,
) -> Result<Outcome, IlpError> {
    match options.formulation {
        Formulation::Aggregated => {
            let (crowd, model) = Crowd::build(instance, horizon.0, options);
            let raw = runner::run(model, options, presolve, limits, progress)?;
            Ok(raw.outcome(horizon, |raw| crowd.decode(raw)))
        }
        Formulation::Short | Formulation::Long => {
            let (named, model) = Named::build(instance, horizon.0, options);
            let raw = runner::run(model, options, presolve, limits, progress)?;
            Ok(raw.outcome(horizon, |raw| named.decode(raw)))
        }
    }
}
