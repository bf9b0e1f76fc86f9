//! Sweeps and their tables.

mod dask;
mod tables;
