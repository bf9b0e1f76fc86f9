//! How much a test may examine, so that it ends at all, and ends when a limit asks for it.
//!
//! A step is one task examined at one moment. A test gives up after a number of steps, not after a time, so
//! that the same input gives the same answer on every machine.

use thiserror::Error;

use warpspan_model::limits::{Limits, Stop};

/// Why a test gives no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Undecided {
    /// The test would have to examine too much; this is the same on every machine.
    #[error("too many deadlines to check")]
    TooLong,
    /// A limit of the run stopped the test.
    #[error("stopped: {}", .0.name())]
    Stopped(Stop),
}

/// The steps that are left.
#[derive(Debug)]
pub(super) struct Effort<'a> {
    left: u64,
    limits: &'a Limits,
}

impl<'a> Effort<'a> {
    pub(super) fn new(steps: u64, limits: &'a Limits) -> Self {
        Self { left: steps, limits }
    }

    /// Half of the steps that are left, for the first of two attempts.
    pub(super) fn half(&mut self) -> Self {
        self.left /= 2;
        Self { left: self.left, limits: self.limits }
    }

    /// Takes so many steps, and examines the limits from time to time.
    pub(super) fn take(&mut self, steps: usize) -> Result<(), Undecided> {
        const OFTEN: u64 = 1 << 14;
        let left = self.left.checked_sub(steps as u64).ok_or(Undecided::TooLong)?;
        if left / OFTEN != self.left / OFTEN
            && let Some(stop) = self.limits.stopped()
        {
            return Err(Undecided::Stopped(stop));
        }
        self.left = left;
        Ok(())
    }
}
