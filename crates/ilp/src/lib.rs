//! The worst case as a binary ILP: Be12 section 5, on HiGHS.
//!
//! # Theory
//!
//! T is the horizon in cycles. There are three formulations, all exact for any number of groups and any whole
//! sigma:
//!
//! * **short** and **long** (`ilp::highs::named_warps`) are Be12's own. `LS_{w,i,t}` and `CC_{w,i,t}` are 1 if warp
//!   w issues instruction i in cycle t on the load/store units or CUDA cores. `E_t` and `G_t` are 1 if the
//!   unit is full. The formulations differ in the rows for work conservation: one for each (w, i, t) (Eq. 34,
//!   37), or one for each (w, t) (Eq. 33, 36).
//! * **aggregated** (`ilp::highs::aggregated`) is our own. `z_{k,i,t}` is 1 if at least k warps of the group
//!   have issued i by the end of cycle t. It has no symmetry, no `E_t` and no big-M.
//!
//! [`latency`] is a fourth one, for machines with latency, issue width and schedulers.
//!
//! Unless a plain model is asked for, short and long have improvements that measurably help: warps of a group
//! keep the order of their numbers (interchangeable warps can always be renamed so that no warp overtakes a
//! lower number), and variables outside the windows in which a warp can issue an instruction are left out, as
//! are rows that always hold.
//!
//! # Practice
//!
//! [`solve`] first estimates the size and refuses a model that exceeds the memory limit. Its result is a
//! *claim*: a schedule, to be replayed, and HiGHS's dual bound, which is an upper bound on the worst case
//! only if the horizon is safe. The caller gives an upper bound on every schedule, because this engine uses
//! no other engine. Nothing here calls a number a worst case.
//!
//! HiGHS is behind the feature `highs` ([`AVAILABLE`]). Without it this module has options and sizes, and
//! [`solve`] says that the solver is missing.

// Layers: a module uses only those of the groups above its own.
mod horizon;
mod solver;

mod options;

mod size;

#[cfg(feature = "highs")]
mod highs;

pub mod latency;

use std::path::PathBuf;

use thiserror::Error;

use warpspan_check::bound::Upper;
use warpspan_check::schedule::Schedule;
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::source::{Message, Remedy};
use warpspan_model::{Cycles, Instance};

pub use horizon::Horizon;
pub use options::{Formulation, Options};
pub use size::{ModelSize, estimate};
pub use solver::AVAILABLE;

/// The version of the solver, in builds that have one.
#[cfg(feature = "highs")]
#[doc(hidden)]
pub use highs::version as solver_version;

/// The progress of the solver.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The number of nodes done of the branch and bound.
    pub nodes: i64,
    /// The makespan of the best solution found, if there is one.
    pub found: Option<u64>,
    /// The bound on the makespan within the horizon, once the solver knows one.
    pub bound: Option<u64>,
}

/// A function that is called with the progress, ten times a second.
pub type Observer<'a> = &'a dyn Fn(Progress);

/// The result of the solver, which is a claim.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best schedule that it found, not replayed yet. It is `None` if it found none.
    pub schedule: Option<Schedule>,
    /// The makespan that it claims for the schedule. That of an incumbent may be longer.
    pub objective: Option<Cycles>,
    /// Its dual bound, if the horizon is safe.
    pub upper: Option<Upper>,
    /// Whether it proved that no schedule ends within the horizon.
    pub infeasible: bool,
    /// The limit that stopped it, if one did.
    pub stop: Option<Stop>,
    /// The size of the model.
    pub size: ModelSize,
    /// The horizon.
    pub horizon: Cycles,
    /// Whether every schedule fits into the horizon.
    pub safe: bool,
}

/// The result of the solver for a machine, which is a claim.
#[derive(Debug, Clone)]
pub struct LatencyOutcome {
    /// The best schedule that it found, not replayed yet. It is `None` if it found none.
    pub schedule: Option<Schedule>,
    /// The makespan that it claims for the schedule. That of an incumbent may be longer.
    pub objective: Option<Cycles>,
    /// Its dual bound, if every schedule fits into the horizon.
    pub upper: Option<Upper>,
    /// Whether it proved that no schedule ends within the horizon.
    pub infeasible: bool,
    /// The limit that stopped it, if one did.
    pub stop: Option<Stop>,
    /// The size of the model.
    pub size: ModelSize,
}

/// Why the ILP gave no answer at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IlpError {
    /// The model would exceed the memory limit.
    #[error("{}", too_large(.formulation, *.size, *.needed, *.limit))]
    TooLarge {
        /// The formulation.
        formulation: &'static str,
        /// Its estimated size.
        size: ModelSize,
        /// The estimated memory, in MiB.
        needed: u64,
        /// The limit, in MiB.
        limit: u64,
    },
    /// HiGHS could not write a file.
    #[error("{path}: HiGHS could not write the {what}: want a writable path{hint}", path = path.display())]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The kind of file.
        what: &'static str,
        /// What would mend it.
        hint: &'static str,
    },
    /// A file was not written to its end.
    #[error("{path}: the {what} could not be written to its end: want room for it", path = path.display())]
    Cut {
        /// The path of the file.
        path: PathBuf,
        /// The kind of file.
        what: &'static str,
    },
    /// The instance has barriers, which no formulation covers.
    #[error("the ILP is for kernels without barriers; take the segments between them")]
    Barriers,
    /// The code on a machine has several paths or dependences, which the formulation for machines does not
    /// cover.
    #[error(
        "the formulation latency is for straight lines in which each instruction waits for the one before"
    )]
    Lines,
    /// This build has no solver.
    #[error("this build has no HiGHS")]
    NoSolver,
    /// HiGHS failed, or answered with something that is not a solution.
    #[error("HiGHS failed: {0}")]
    Solver(String),
}

impl IlpError {
    /// What happened, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::TooLarge { formulation, size, needed, limit } => {
                too_large(formulation, *size, *needed, *limit)
            }
            Self::Write { .. }
            | Self::Cut { .. }
            | Self::Barriers
            | Self::Lines
            | Self::NoSolver
            | Self::Solver(_) => Message::text(self),
        }
    }
}

fn too_large(formulation: &str, size: ModelSize, needed: u64, limit: u64) -> Message {
    Message::text(format!(
        "the {formulation} model is estimated at {size} ({needed} MiB), more than the memory limit of {limit} MiB: \
         want a larger "
    ))
    .remedy(Remedy::Memory)
    .then(", fewer warps, or another engine")
}

/// Builds the model of an instance, of which no schedule is longer than `longest`, and solves it within the
/// limits.
///
/// # Errors
/// If there are barriers or no solver, the model exceeds the memory limit, a file cannot be written or the
/// solver fails.
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

/// A substitute for HiGHS in a build without it.
#[cfg(not(feature = "highs"))]
mod highs {
    use crate::{IlpError, LatencyOutcome, Observer, Options, Outcome};
    use warpspan_model::limits::Limits;
    use warpspan_model::machine::{Line, MachineWorkload};
    use warpspan_model::{Cycles, Instance};

    pub(super) fn solve(
        _: &Instance,
        _: (Cycles, bool),
        _: &Options,
        _: &Limits,
        _: Option<Observer<'_>>,
    ) -> Result<Outcome, IlpError> {
        Err(IlpError::NoSolver)
    }

    pub(super) fn latency(
        _: &MachineWorkload,
        _: &[Line],
        _: (Cycles, bool),
        _: &Limits,
    ) -> Result<LatencyOutcome, IlpError> {
        Err(IlpError::NoSolver)
    }
}
