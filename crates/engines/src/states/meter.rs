//! The progress of a search.

use std::sync::atomic::{AtomicU64, Ordering};

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The number of states done.
    pub done: u64,
    /// The number of states to do. The dense sweep does each state for the worst case and again for the best.
    /// The search by levels does only those that can be reached.
    pub total: u64,
    /// The share of the work that is done, from 0 to 1, measured in states or in levels.
    pub share: f64,
}

/// A function that is called with the progress, from any thread.
pub type Report<'a> = &'a (dyn Fn(Progress) + Sync);

/// Counts the work of several threads.
pub(super) struct Meter<'a> {
    done: AtomicU64,
    total: u64,
    report: Report<'a>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(total: u64, report: Report<'a>) -> Self {
        Self { done: AtomicU64::new(0), total, report }
    }

    /// Reports that `more` further states are done, of twice as many as there are.
    pub(super) fn states(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        (self.report)(Progress { done, total: self.total, share: ratio(done, self.total.saturating_mul(2)) });
    }

    /// Reports the number of states done up to the end of a level.
    pub(super) fn level(&self, done: u64, level: u64, levels: u64) {
        (self.report)(Progress { done, total: self.total, share: ratio(level, levels) });
    }
}

#[expect(clippy::cast_precision_loss, reason = "for display")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
