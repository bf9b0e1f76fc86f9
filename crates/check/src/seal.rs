//! Makes proved evidence unforgeable: only code that holds a [`Seal`] can say that a number is proved.
//!
//! The crates of engines hold [`SEAL`], and the published crate `warpspan` does not re-export this module, so that its
//! users can neither name a seal nor make one. A test of the sources says which crates may use it.

/// Whoever passes it has evaluated a theorem.
#[derive(Debug, Clone, Copy)]
pub struct Seal(());

/// The seal of the engines.
pub const SEAL: Seal = Seal(());
