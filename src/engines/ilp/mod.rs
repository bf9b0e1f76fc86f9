//! The worst case as a binary ILP: Be12 section 5, on HiGHS.
//!
//! # Theory
//!
//! T is the horizon in cycles. Three formulations, all exact for any number of groups and any whole sigma:
//!
//! * **short** and **long** (`ilp::highs::named`): Be12's own. `LS_{w,i,t}` and `CC_{w,i,t}` are 1 if warp w issues
//!   instruction i in cycle t on the load/store units or CUDA cores; `E_t`, `G_t` are 1 if the unit is full. They
//!   differ in how they demand work conservation: a row for each (w, i, t) (Eq. 34, 37), or one for each (w, t)
//!   (Eq. 33, 36).
//! * **aggregated** (`ilp::highs::aggregated`): ours. `z_{k,i,t}` is 1 if at least k warps of the group have issued i by the end
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
//! safe. The caller says what no schedule exceeds; this engine uses no other. Nothing here calls a number a worst case.
//!
//! HiGHS is behind the feature `highs` ([`AVAILABLE`]). Without it there are options and sizes, and [`solve`] says what is missing.

#[cfg(feature = "highs")]
mod highs;
mod horizon;
mod options;
mod size;

use std::path::PathBuf;

use thiserror::Error;

use crate::bound::Upper;
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance};
use crate::schedule::Schedule;

pub use horizon::Horizon;
pub use options::{Formulation, Options};
pub use size::{ModelSize, estimate};

/// Whether this build has a solver.
pub const AVAILABLE: bool = cfg!(feature = "highs");

/// Where the solver stands.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Nodes of the branch and bound done.
    pub nodes: i64,
    /// Makespan of the best solution found, if any.
    pub found: Option<u64>,
    /// What the makespan cannot exceed within the horizon, once the solver knows.
    pub bound: Option<u64>,
}

/// Is told of progress, ten times a second.
pub type Observer<'a> = &'a dyn Fn(Progress);

/// What the solver claims.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best schedule it found, not replayed; `None` if it found none.
    pub schedule: Option<Schedule>,
    /// What it says the schedule's makespan is; an incumbent's may be longer.
    pub objective: Option<Cycles>,
    /// Its dual bound, if the horizon is safe.
    pub upper: Option<Upper>,
    /// It proved that no schedule ends within the horizon.
    pub infeasible: bool,
    /// What stopped it, if it did not end by itself.
    pub stop: Option<Stop>,
    /// Size of the model.
    pub size: ModelSize,
    /// The horizon.
    pub horizon: Cycles,
    /// Whether every schedule fits into the horizon.
    pub safe: bool,
}

/// Why the ILP gave no answer at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
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
    /// This build has no solver.
    #[error("this build has no HiGHS")]
    NoSolver,
    /// HiGHS failed, or answered with something that is not a solution.
    #[error("HiGHS failed: {0}")]
    Solver(String),
}

/// Builds the model of an instance, of which no schedule is longer than `longest`, and solves it within the limits.
///
/// # Errors
/// If there are barriers or no solver, the model exceeds the memory limit, a file cannot be written or the solver fails.
pub fn solve(
    instance: &Instance,
    longest: Upper,
    options: &Options,
    limits: &Limits,
    progress: Option<Observer<'_>>,
) -> Result<Outcome, IlpError> {
    if !AVAILABLE {
        return Err(IlpError::NoSolver);
    }
    if instance.has_barriers() {
        return Err(IlpError::Barriers);
    }
    let horizon = options.horizon.cycles(instance, longest);
    let size = size::estimate(instance, options.formulation, options.plain, horizon);
    if size.bytes() > limits.memory {
        let (needed, limit) = (size.bytes() >> 20, limits.memory >> 20);
        return Err(IlpError::TooLarge { formulation: options.formulation.name(), size, needed, limit });
    }
    let horizon = (horizon, options.horizon.is_safe(instance, longest));
    highs::solve(instance, horizon, options, limits, progress)
}

/// What stands in for HiGHS in a build without it.
#[cfg(not(feature = "highs"))]
mod highs {
    use crate::engines::ilp::{IlpError, Observer, Options, Outcome};
    use crate::limits::Limits;
    use crate::model::{Cycles, Instance};

    pub(super) fn solve(
        _: &Instance,
        _: (Cycles, bool),
        _: &Options,
        _: &Limits,
        _: Option<Observer<'_>>,
    ) -> Result<Outcome, IlpError> {
        Err(IlpError::NoSolver)
    }
}
