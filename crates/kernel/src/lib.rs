//! Kernels and the GPUs that run them, as files describe them.

// Layers: a module uses only those of the groups above its own.
pub mod entry;
pub mod input;
