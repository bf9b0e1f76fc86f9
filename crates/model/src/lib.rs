//! What is analysed: a workload of warps on one streaming multiprocessor.
//!
//! A [`Kernel`] is a string of instructions, each for one [`Unit`]. [`Code`] is a kernel or a [`program`]
//! with several paths. A [`Group`] is code and the number of warps that run it; a [`Multiprocessor`] says how
//! many warps a cycle each unit accepts ([`Throughput`], the sigma of Be12). A [`Workload`] is groups on a
//! multiprocessor. If all its code is straight lines, it has an [`Instance`]: what the engines schedule,
//! after the sub-warp expansion of Be12 section 3, with every count checked to fit. Workloads and instances
//! are valid by construction.
//!
//! # The semantics that every engine shares
//!
//! Cycles count from 1 and all warps are ready in cycle 1. A warp issues its instructions in order, at most
//! one a cycle. In one cycle at most `sigma(U)` warps issue an instruction for unit U. The schedule is
//! *work-conserving*: a warp whose next instruction is for U at the start of a cycle, and which does not
//! issue in it, is witness that `sigma(U)` other warps issue on U in that cycle. Which of the ready warps
//! issue is the adversary's choice. The *makespan* is the last cycle in which a warp issues.
//!
//! # Barriers
//!
//! A kernel may hold barriers, `|`. The warps of a group are in one block, or in blocks of a given number of
//! warps ([`Workload::in_blocks_of`]). A warp that has issued all instructions before a barrier *stands* at
//! it. It is not ready, and so neither issues nor waits, until every warp of its block has issued all its
//! instructions before that barrier. If the last of these issues in cycle t, the barrier opens at the end of
//! t, and the warps that stand there are ready in cycle t + 1. A barrier takes no unit and no cycle.
//!
//! The model does not cover cache misses, latencies above one cycle (write k letters for an instruction of k
//! cycles), or limits on the total issue width. The worst case of code with branches and loops is that over all
//! paths of its warps (`warpspan_engines::program`).

// Layers: a module uses only those of the groups above its own.
#[macro_use]
mod words;

mod cycles;
pub mod limits;
pub mod source;
mod throughput;
mod unit;
mod workload_error;

pub mod assumption;
mod kernel;
mod labelling;
mod multiprocessor;
pub mod tables;
pub mod time;

pub mod device;
mod instance;
pub mod program;

mod code;

mod workload;

mod grid;

pub mod machine;

pub use code::{Code, CodeError};
pub use cycles::Cycles;
pub use grid::Grid;
pub use instance::{Instance, WarpGroup};
pub use kernel::{Kernel, MAX_KERNEL_LENGTH};
pub use labelling::Labelling;
pub use multiprocessor::Multiprocessor;
pub use throughput::{Throughput, ThroughputError};
pub use unit::{PerUnit, Unit};
pub use workload::{Group, Launchable, Workload};
pub use workload_error::WorkloadError;
