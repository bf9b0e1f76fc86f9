//! Engines side by side, where disagreement is refused, and the policies by which GPUs choose a warp.

// Layers: a module uses only those of the groups above its own.
pub mod policy;

pub mod portfolio;

pub mod extremes;
