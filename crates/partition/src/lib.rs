//! Spatial partitions: which GPU tasks share which multiprocessors so that all deadlines are met.
//!
//! # Theory
//!
//! **Si21**: J. Singh, *Toward predictable execution of real-time workloads on modern GPUs*, master's thesis,
//! University of Illinois Urbana-Champaign, 2021, chapter 3.
//!
//! M multiprocessors are divided into partitions. The releases of a [`Task`] are at least a period T apart,
//! each job must be done within the deadline D <= T, and on a partition of m multiprocessors it takes C(m):
//! `C^n`(m), or `C^c`(m) >= `C^n`(m) in *conflict*. It is in conflict if another task of its [`Kind`] is in
//! the partition. C never grows with m ([`Execution`]). Within a partition one kernel runs at a time, on all
//! of its multiprocessors, by the policy of a [`Test`].
//!
//! | Si21 | what | here |
//! |---|---|---|
//! | Definition 1, section 3.3 | the kind and a, b, k from measured times | [`definition_1`], [`MeasuredTimes::classify`] |
//! | section 3.6.1 | C(m) = k (a/m + b) | [`Execution::amdahl`] |
//! | ours | C(m) from a kernel string | [`kernel_times`] |
//! | section 3.4.2 | conflict | [`Placed::conflict`] |
//! | Lemmas 1 and 2 | no partitioning can exist | [`Impossible`] |
//! | Algorithms 1 to 3, Lemma 3 | the heuristics | [`Heuristic::partition`] |
//! | 1G | one partition of all | [`one_partition`] |
//! | ours | the fewest multiprocessors | [`exact()`] |
//! | section 3.1.1 (MIG) | partitions of whole slices | [`TaskSet::in_slices`] |
//! | ours | sizes that a mechanism can set up, and its masks and calls | [`TaskSet::set_up_by`], [`Division`] |
//! | ours | an accepted partitioning, judged from scratch | [`verify()`] |
//! | ours | kernels of a partition that run together, as Si21 chapter 4 has them | [`together()`] |
//! | section 3.6.1 | random task sets | [`Generator`] |
//! | Fig. 3.4 to 3.6 | schedulability and analysis time against utilisation | [`Experiment`] |
//!
//! # Practice
//!
//! Times are in ticks, which are millionths of the user's unit, and execution times are rounded up
//! ([`Millionths`](warpspan_model::time::Millionths)). The same input gives the same partitions; [`Order`] and the
//! source of the heuristics say how ties are decided. There are at most [`TaskSet::MOST`] tasks and
//! multiprocessors.
//!
//! Tasks whose code runs on a machine with servers count the requests of all of them to the memory that they share. For
//! other tasks only the factor k stands for memory and caches that partitions share. Not covered are costs of switching
//! and of preemption (add them to C), and release jitter.
//!
//! ```
//! use warpspan_model::limits::Limits;
//! use warpspan_partition::{Execution, Heuristic, Kind, Task, TaskSet, Test, read_time, verify};
//!
//! let task = |name: &str, kind, a: &str| -> Result<Task, Box<dyn std::error::Error>> {
//!     let execution = Execution::amdahl(read_time(a)?, read_time("1")?, "2".parse()?, 4)?;
//!     Ok(Task::new(name.to_owned(), read_time("20")?, read_time("15")?, kind, execution)?)
//! };
//! let (a, b) = (task("a", Kind::Memory, "6")?, task("b", Kind::Compute, "6")?);
//! let set = TaskSet::new(vec![a, b, task("c", Kind::Memory, "5")?], 2)?;
//! let found = Heuristic::ALL[0].partition(&set, Test::Edf, 2, &Limits::generous());
//! let found = found.map_err(|why| format!("{why:?}"))?;
//! assert_eq!(found.partitions.len(), 2); // a with b; a and c would be in conflict
//! assert_eq!(verify(&set, Test::Edf, &found.partitions, &Limits::generous())?.used(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Layers: a module uses only those of the groups above its own.
mod effort;
mod forbidden;
mod mechanism;
mod row;
mod slices;
mod sporadic;
mod tasks_error;
mod ticks;

mod division;
mod execution;
mod interval;
mod kernel_time;

mod edf;
mod hardware;
mod np_dm;
mod task;

mod memory;
mod np_edf;
mod tiles;

mod test;

mod task_set;

mod fixed;
mod generate;
mod load;
mod measured;
mod necessary;
mod verify;

mod search_end;
mod setup;
mod task_table;
mod together;

mod exact_packed;
mod file;
mod merge;

mod exact;
mod heuristic;

mod experiment;

mod table;

pub use division::{Division, Structure};
pub use effort::Undecided;
pub use exact::{MOST_TASKS, Optimum, exact};
pub use execution::{Execution, ExecutionError};
pub use experiment::{Experiment, ExperimentError, Figure, Method};
pub use file::read_tasks;
#[doc(hidden)]
pub use file::schema;
pub use generate::{Generator, NoSet, PERIODS, Parameters};
pub use heuristic::{Found, Heuristic, Pairs};
pub use kernel_time::{KernelTimeError, Launch, Runs, kernel_times};
pub use measured::{
    Classes, Classified, Curve, Fit, MeasuredBeside, MeasuredClass, MeasuredTask, MeasuredTimes, Residual,
    Tolerance, Unwritten, definition_1, read_measured, tasks_file,
};
pub use mechanism::Mechanism;
pub use memory::Shared;
pub use merge::Order;
pub use necessary::Impossible;
pub use row::Row;
pub use search_end::Ended;
pub use setup::{PartSetup, Setup};
pub use slices::{Slices, Slicing};
pub use sporadic::Sporadic;
pub use table::{Table, csv_line, header, is_table, read_rows};
pub use task::{Kind, Task, TaskError};
pub use task_set::{Given, TaskSet};
pub use tasks_error::TasksError;
pub use test::Test;
pub use ticks::{Factor, LONGEST, of_cycles_down, read_time, write_time};
pub use together::{Beside, Together, TogetherError, one_at_a_time, rt_paws, together};
pub use verify::{Placed, Verified, VerifiedPartition, Violation, verify};

use warpspan_model::limits::Limits;

/// A partition: multiprocessors and the tasks that share them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// |P|, which is at least 1.
    pub multiprocessors: usize,
    /// The tasks, as indices into the set, from 0 and in order.
    pub tasks: Vec<usize>,
}

/// The baseline 1G of Si21: all tasks in one partition of all M multiprocessors; `None` if a deadline can be
/// missed then.
///
/// # Errors
/// If no partitioning can exist, if the test cannot decide, or if a limit stops it.
pub fn one_partition(set: &TaskSet, test: Test, limits: &Limits) -> Result<Option<Partition>, Ended> {
    necessary::start(set)?;
    let tasks: Vec<usize> = (0..set.tasks().len()).collect();
    let multiprocessors = set.multiprocessors();
    let accepted = test.accepts(&load::load(set, &tasks, multiprocessors), limits)?;
    Ok(accepted.then_some(Partition { multiprocessors, tasks }))
}
