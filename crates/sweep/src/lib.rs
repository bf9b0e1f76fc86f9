//! Grids of kernels, sigmas, warps and engines, and the tables of their results.
//!
//! A [`Grid`] is what flags and grid files describe. Each of its [`Cell`]s is a workload, an engine and the x
//! of the estimate, and yields one [`Row`]. [`run()`] solves cells in parallel; [`Table`] is the file to
//! which rows are added as they are found, so that nothing is lost when the machine goes down and the sweep
//! can be resumed. The same grid gives the same rows, whatever the number of threads; only the times, and
//! cells that a time limit has stopped, may differ.
//!
//! Not covered: mixes of several kernels.

// Layers: a module uses only those of the groups above its own.
mod engine;
mod keys;
mod lists;
mod row;

mod file;
mod kernels;
mod read;

mod factors;

mod grid;

mod cell;
mod table;

mod run;

pub use engine::CellEngine;
#[doc(hidden)]
pub use file::schema;
pub use file::{KEYS, LISTING_KEYS, Setting, Settings, read_grid};
pub use grid::{Cell, Grid};
#[doc(hidden)]
pub use lists::numbers;
#[doc(hidden)]
pub use read::{lines, read_csv, read_row};
pub use read::{read, sigma};
pub use row::Row;
pub use run::{Prediction, predict, range, run};
pub use table::{Kind, Table};

pub use warpspan_model::tables::TableError;
