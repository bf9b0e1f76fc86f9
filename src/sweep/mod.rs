//! Grids of kernels, warps, sigmas and engines, and the tables that come of them.

mod row;

pub use row::Row;
