//! Several processes on one GPU: response times of tasks with CPU and GPU segments, and of kernels.
//!
//! # The problem
//!
//! Kernels of one process share the GPU block by block ([`rta`](crate)). Kernels of different processes never co-run:
//! each process has its own context, and one context at a time has the GPU. Under the default driver contexts take
//! turns of a time slice; under GCAPS the most urgent one has the GPU. Y. Wang, C. Liu, D. Wong, H. Kim, *GCAPS: GPU
//! Context-Aware Preemptive Priority-Based Scheduling for Real-Time Tasks*, ECRTS 2024, LIPIcs.ECRTS.2024.14 (**GCAPS**
//! throughout) bounds the response times of tasks on cores and such a GPU, with jobs that leave their core while the
//! GPU works for them, and jobs that wait on it.
//!
//! Several of its equations can be exceeded (`docs/errata.md`), so they are [`published`] here as estimates. The bounds
//! of [`bounds`] are ours: [`slices`] and [`preemptive`] have the rules and the proofs.
//!
//! | GCAPS | what | here |
//! |---|---|---|
//! | Eq. 1 to 8 | the default driver | [`published`]; proved in [`slices`] in another form |
//! | Eq. 9 to 14 | GCAPS itself | [`published`]; proved in [`preemptive`] in another form |
//! | Eq. 15 | theta from two measured times | `docs/processes.md` |
//! | section 6.4 | priorities of the GPU of their own | not here |
//!
//! [`kernels`] bounds the kernels of several processes, each of which is a [`System`](crate::System), under time slices.

mod examined;
pub mod kernels;
mod model;
pub mod preemptive;
pub mod published;
mod read;
mod settle;
pub mod slices;
mod window;

use crate::processes::window::Found;
pub use examined::{Examined, Outcome, examine, rests_on, rests_on_least};
pub use model::{MOST_SEGMENTS, MOST_TASKS, Recurring, Scheduling, Segment, Task, TaskSet, Waiting};
#[doc(hidden)]
pub use read::schema;
pub use read::{is_tasks, read_tasks};
use settle::settle;
use warpspan_model::time::Duration;
pub use window::NoBound;

/// An upper bound on every response time of each task, from its arrival, or why there is none.
///
/// The bounds hold for jobs that take up to their times, and arrive a period apart or more.
pub fn bounds(set: &TaskSet) -> Vec<Result<Duration, NoBound>> {
    let time =
        |of: Found| of.and_then(|time| u64::try_from(time).map(Duration).map_err(|_| NoBound::TooLarge));
    settle(set).into_iter().map(time).collect()
}
