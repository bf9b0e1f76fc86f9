//! The solver of this build.

/// Whether this build has a solver.
pub const AVAILABLE: bool = cfg!(feature = "highs");
