//! Grids of kernels, sigmas, warps and engines, and the tables of their results.
//!
//! A [`Grid`] is what flags and grid files describe. Each of its [`Cell`]s is a workload, an engine and the x
//! of the estimate, and yields one [`Row`]. [`run()`] solves cells in parallel; [`Table`] is the file to
//! which rows are added as they are found, so that nothing is lost when the machine goes down and the sweep
//! can be resumed. The same grid gives the same rows, whatever the number of threads; only the times, and
//! cells that a time limit has stopped, may differ.
//!
//! Not covered: mixes of several kernels.

mod cell;
mod engine;
mod factors;
mod file;
mod grid;
mod kernels;
mod keys;
mod lists;
mod read;
mod row;
mod run;
mod table;

pub use engine::CellEngine;
#[doc(hidden)]
pub use file::schema;
pub use file::{KEYS, LISTING_KEYS, Setting, Settings, read_grid};
pub use grid::{Cell, Grid};
#[doc(hidden)]
pub use lists::numbers;
#[doc(hidden)]
pub use read::lines;
pub use read::read;
#[doc(hidden)]
pub use read::read_csv;
#[doc(hidden)]
pub use read::read_row;
pub use read::sigma;
pub use row::Row;
pub use run::{Prediction, predict, range, run};
pub use table::{Kind, Table};

pub use warpspan_model::tables::TableError;
