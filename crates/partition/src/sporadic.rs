//! Tasks as a test for one processor sees them.

/// A task as a test for one processor sees it; all times are in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sporadic {
    /// C, which is above 0.
    pub execution: u64,
    /// T, the least time between two jobs.
    pub period: u64,
    /// D, at most T.
    pub deadline: u64,
}

impl Sporadic {
    /// C/T in floating point: good for comparing partitions, but not for proofs.
    pub fn utilisation(&self) -> f64 {
        real(self.execution) / real(self.period)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a measure, compared with room for the error or not used as a proof"
)]
pub(super) fn real(value: u64) -> f64 {
    value as f64
}
