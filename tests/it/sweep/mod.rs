//! Sweeps and their tables.

mod tables;
