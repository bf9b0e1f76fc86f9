//! The records that `warpspan` prints as JSON, one object on one line, for those who write and read them.
//!
//! Each record is the fields of one command's answer in an [`Envelope`], whose `schema` names the record and
//! its version. [`read`] reads any line; `docs/records.md` says what the fields mean, and [`schemas`] has
//! them as JSON Schema.
//!
//! ```
//! use warpspan_records::{Record, read};
//!
//! let line = br#"{"schema":"warpspan/sweep-plan/2","version":"0.1.0","grid":"g","cells":9,"chosen":9,
//!     "predicted_seconds":{"least":0.1,"most":2.0}}"#;
//! let Record::SweepPlan(plan) = read(line)? else { panic!("a plan") };
//! assert_eq!(plan.record.cells, 9);
//! # Ok::<(), warpspan_records::ReadError>(())
//! ```
//!
//! Cycles and counts are whole numbers, rationals are strings such as `"7/2"`, and indexes count from 1. What
//! is missing is null or absent, as each field says, and never 0.

// Layers: a module uses only those of the groups above its own.
pub mod assumption;
mod basis;
pub mod estimate;
mod extract_cost;
mod extract_memory;
mod extract_share;
pub mod machine;
mod number;
mod read_error;

mod extract_machine;
mod instance;
pub mod margin;

pub mod verify;

mod envelope;

pub mod bound;
pub mod check;
mod co_located;
pub mod compare;
pub mod extract;
pub mod gpus;
pub mod partition;
pub mod partition_classes;
pub mod prem;
pub mod rta;
pub mod simulate;
pub mod solve;
mod sweep;
pub mod trace;

mod claim;
mod extract_machine_fill;
mod extract_share_fill;
pub mod measured;
pub mod rta_graphs;
pub mod rta_model;
pub mod rta_processes;
pub mod time;

pub mod budget;
pub mod explain;
mod rta_graphs_fill;

mod read;
pub mod schemas;

pub mod compared;
mod explained;
mod verified;

pub use assumption::Assumption;
pub use bound::Bound;
pub use budget::{Budget, BudgetKernel};
pub use check::Check;
pub use claim::{Claim, SOLVE_1};
pub use co_located::{CoLocated, CoLocatedTask};
pub use compare::Compare;
pub use envelope::{Body, Build, Envelope, Input, Place};
pub use explain::Explain;
pub use extract::Extract;
pub use gpus::Gpu;
pub use instance::{Grid, Group, Instance};
pub use machine::Machine;
pub use measured::Measured;
pub use partition::Partition;
pub use partition_classes::PartitionClasses;
pub use prem::{Prem, PremMeasured, PremOffsets, PremPlan};
pub use read::{Record, read};
pub use read_error::ReadError;
pub use rta::Rta;
pub use rta_graphs::RtaGraphs;
pub use rta_model::RtaModel;
pub use rta_processes::RtaProcesses;
pub use simulate::Simulate;
pub use solve::Solve;
pub use sweep::{Seconds, SweepPlan, SweepRow};
pub use time::Time;
pub use trace::Trace;
pub use verify::Verify;
pub use warpspan_model::limits::Stop as Limit;
