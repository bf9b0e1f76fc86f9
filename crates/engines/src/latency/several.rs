//! Equal blocks in one queue before several multiprocessors.
//!
//! Let P(x) be the time in which a multiprocessor ends that had x of N blocks, and Q(y) that for which one that got y may be
//! full. Let x be the blocks of the one of M that ends last. Another one had `y <= floor((N - x) / (M - 1))`, and was full
//! until the last block started. From then on each has no more blocks than it holds at once, R, and units may be held for h
//! cycles more by blocks that have ended. So all end by the largest over x of min(P(x), Q(y) + h + P(R)).
//! `docs/machines.md` has the proof.

use num_rational::Ratio;

use crate::crossing::largest_minimum;
use crate::latency::LatencyError;
use crate::latency::error::plus;

/// A number of cycles, and what it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) cycles: i128,
    /// The blocks, and those of which a warp is followed.
    pub(super) blocks: i128,
    pub(super) followed: i128,
    /// The warps that count what they are worth on the scheduler of the followed one.
    pub(super) near: Ratio<i128>,
    /// Whether it holds only where warps are spread over the schedulers.
    pub(super) spread: bool,
}

impl Taken {
    /// Of warps that may be on any scheduler: all others count what they are worth on that of the followed one.
    pub(super) fn of_any(cycles: i128, blocks: i128, followed: i128, others: i128) -> Self {
        Self { cycles, blocks, followed, near: others.into(), spread: false }
    }

    /// The smaller one. A bound for warps that are spread is left out where its numbers do not fit.
    pub(super) fn or_spread(self, spread: Option<Result<Self, LatencyError>>) -> Self {
        match spread {
            Some(Ok(spread)) if spread.cycles < self.cycles => spread,
            _ => self,
        }
    }
}

/// A queue before multiprocessors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Queue {
    /// N.
    pub(super) blocks: i128,
    /// R, no more than N.
    pub(super) resident: i128,
    /// M.
    pub(super) multiprocessors: i128,
    /// h.
    pub(super) held: i128,
}

impl Queue {
    /// When all blocks have ended, where `ends` is P and `starts` is Q. Neither falls with the number of blocks.
    pub(super) fn ends(
        &self,
        ends: &dyn Fn(i128) -> Result<Taken, LatencyError>,
        starts: &dyn Fn(i128) -> Result<Taken, LatencyError>,
    ) -> Result<Taken, LatencyError> {
        let others = self.multiprocessors - 1;
        // With room for all blocks no block waits.
        if self.blocks <= self.resident.saturating_mul(self.multiprocessors) {
            return ends(self.resident);
        }
        if others == 0 {
            return ends(self.blocks);
        }
        let last = ends(self.resident)?;
        let later = plus(last.cycles, self.held)?;
        let late = |x: i128| -> Result<Taken, LatencyError> {
            let first = starts((self.blocks - x) / others)?;
            Ok(Taken {
                cycles: plus(first.cycles, later)?,
                blocks: plus(first.blocks, last.blocks)?,
                followed: plus(first.followed, last.followed)?,
                near: first.near + last.near,
                spread: first.spread || last.spread,
            })
        };
        let size = |taken: &Taken| taken.cycles;
        Ok(largest_minimum(self.blocks, ends, late, size)?.unwrap_or(last))
    }
}
