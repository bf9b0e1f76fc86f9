//! Grids of kernels, warps, sigmas and engines, and the tables that come of them.

mod read;
mod row;

pub use read::read;
pub(crate) use read::{lines, read_csv, read_json, sigma};
pub use row::Row;
