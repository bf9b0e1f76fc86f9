//! Completion and response times of kernels on a GPU of several multiprocessors.
//!
//! # The problem
//!
//! A kernel i is launched every T_i with a grid of g_i blocks of b_i threads; a block takes C_i once it is on
//! a multiprocessor. The rules of the GPU's scheduler place the blocks. When does each launch complete, and
//! is that before its deadline? D. Paredes, *AMALTHEA-based GPU Response Time Analysis for NVIDIA's Jetson
//! TX2*, Fachhochschule Dortmund, 2019 (**Pa19**) answers this for blocks of one size on one big
//! multiprocessor.
//!
//! | symbol | meaning | in the code |
//! |---|---|---|
//! | T, C, g, b | period, time of a block, blocks, threads of a block | [`Task`] |
//! | r, f, R = f - r | release, completion, response time | [`Job`], [`Response`] |
//! | u = C g b / T | utilisation, in threads (Eq. 3.3) | [`utilisation`] |
//! | `b_max`, `g_max` | threads, blocks that the GPU holds (Eq. 3.6) | [`big_multiprocessor`] |
//! | `t_a`, `g_f`, h | the state of Algorithm 2 | [`Algorithm2`] |
//!
//! # The methods
//!
//! | method | source | it holds where |
//! |---|---|---|
//! | [`Algorithm2`] | Pa19 Algorithm 2 | all blocks have one size, threads are scarce, the order of launch decides |
//! | [`closed_form`] | Pa19 section 3.7, corrected | moreover all C and all releases are equal |
//! | [`Method::Simulate`] | the scheduling rules, block by block | every block takes exactly C |
//! | [`bound`](bound()) | this crate | always, as long as no measured block takes longer than C |
//!
//! [`bound`](bound()) needs no C of code: it adds up what each block costs the others, by
//! [`relay`](warpspan_engines::relay).
//!
//! Where the assumptions of Algorithm 2 hold ([`breaches`]), it is exact, and it is safe for blocks that take less than
//! C; the simulator must then agree with it. Where they do not hold, [`analyse`] says which, the answers of Algorithm 2
//! are estimates, and only [`bound`](bound()) is safe. A run of the simulator is verified by [`replay`], which shares
//! no code with the simulator. If every C is given and such a run misses a deadline, the deadline is missed for
//! certain. A [`Verdict`] rests on such proofs and on nothing else.
//!
//! # Practice
//!
//! C may be solved from a kernel string ([`executions`]). Launches are examined until the state of the GPU
//! repeats, so that the largest response times seen are the largest ever.
//!
//! Sporadic launches and jitter are covered by [`bound`](bound()) alone; the other methods take exact periods without
//! jitter, which is one run of many. Not covered are several processes and preemption.

// Layers: a module uses only those of the groups above its own.
mod algorithm2;
mod closed_form;
mod system_error;

mod task;

mod system;
mod tiles;

mod assumptions;
mod execution;
mod graphs;
mod ground;
mod jobs;
mod kernel_table;
mod shared;

mod bound;
mod event;
mod examiner;
mod lower_bound;
mod streams;
mod trace;

mod co_runners;
mod file;
mod misses;
mod occupancy;
mod replay;
mod rules;
pub mod time;
mod why;

mod run;

mod verdict;

mod analysis;
mod certificate;
pub mod graph;
pub mod processes;

mod agreement;
mod measured;

mod analyse;

pub use algorithm2::{Algorithm2, Request, Step};
pub use analyse::analyse;
pub use analysis::{Analysis, AnalysisError, Method, Missing, utilisation};
pub use assumptions::{Breach, big_multiprocessor, breaches};
pub(crate) use bound::bound_without_levels;
pub use bound::{
    Bound, Explanation, Late, MOST_KERNELS, MOST_PENDING, NoBound, Share, bound, explain, is_proved,
    where_spread_helps,
};
pub(crate) use bound::{PathMemory, path_costs};
pub use certificate::{Certificate, Refused};
pub use closed_form::closed_form;
pub use co_runners::NotAlone;
pub use event::{Event, Occupation};
pub use examiner::{read_examiner, read_examiner_kernels};
pub use execution::{Execution, ExecutionError, KnownCode, Solved, executions, executions_knowing};
#[doc(hidden)]
pub use file::schema;
pub use file::{read_kernels, read_system};
pub(crate) use file::{read_tables, time_of_key};
pub(crate) use graphs::{CopiesTable, CoresTable, GraphTable, NodeTable};
#[doc(hidden)]
pub use ground::starts_if_it_fits;
use jobs::Releases;
pub use jobs::{Job, count, hyperperiod};
pub(crate) use lower_bound::least_response;
use lower_bound::overloaded;
pub use measured::{
    Block, Computed, DRIFT, Excess, Finding, Launch as MeasuredLaunch, Log, Logged, Measurement, NOT_JUDGED,
    Rule, RuleBreach, computed, read_log,
};
pub use misses::Miss;
pub use occupancy::{Occupancy, Stay, Window};
pub use replay::replay;
use rules::Rules;
pub use run::{Covers, Response, RunEnd, RunError};
pub use shared::{Kernels, Shared};
pub use system::System;
pub use system_error::SystemError;
pub use task::{Measured, Source, Stream, Task};
pub use trace::{Launch, trace};
pub use verdict::{Basis, DeadlineMet, KernelVerdict, OF_LEAST, Verdict};
#[doc(hidden)]
pub use why::{no_bound, without_bound};
