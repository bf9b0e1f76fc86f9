//! Grids of kernels, sigmas, warps and engines, and the tables that come of them.
//!
//! A [`Grid`] is what flags and grid files name; each of its [`Cell`]s is a workload, an engine and the x of the estimate,
//! and gives a [`Row`]. [`run()`] solves cells side by side; [`Table`] is the file that takes the rows as they come, so that
//! nothing is lost when the machine goes down, and can be gone on with. The same grid gives the same rows, whatever the
//! number of threads, but for the times, and for what a time limit has stopped.
//!
//! Not covered: mixes of several kernels.

mod asked;
mod cell;
mod file;
mod grid;
mod kernels;
mod keys;
mod lists;
mod read;
mod row;
mod run;
mod table;

pub use asked::Asked;
pub(crate) use file::schema;
pub use file::{KEYS, LISTING_KEYS, Texts, read_grid};
pub use grid::{Cell, Grid};
pub use read::read;
pub(crate) use read::read_row;
#[cfg(feature = "figures")]
pub(crate) use read::sigma;
#[cfg(all(feature = "cli", feature = "figures"))]
pub(crate) use read::{lines, read_csv};
pub use row::Row;
pub use run::{Prediction, predict, range, run};
pub use table::{Kind, Table};

pub use crate::tables::TableError;
