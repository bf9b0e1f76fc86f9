//! Engines side by side, where disagreement is refused, and the policies by which GPUs choose a warp.

pub mod extremes;
pub mod policy;
pub mod portfolio;
