//! Kernels and the GPUs that run them, as files describe them.

pub mod entry;
pub mod input;
