//! How far a search has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// States done.
    pub done: u64,
    /// States there are: the dense sweep does each for the worst case and again for the best; the search by levels
    /// only those that can be reached.
    pub total: u64,
    /// Share of the work that is done, 0 to 1: of the states, or of the levels.
    pub share: f64,
}

/// Is told of progress, from any thread.
pub type Report<'a> = &'a (dyn Fn(Progress) + Sync);

/// Counts what threads do side by side.
pub(super) struct Meter<'a> {
    done: AtomicU64,
    total: u64,
    report: Report<'a>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(total: u64, report: Report<'a>) -> Self {
        Self { done: AtomicU64::new(0), total, report }
    }

    /// So many more states of twice as many as there are.
    pub(super) fn states(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        (self.report)(Progress { done, total: self.total, share: ratio(done, self.total.saturating_mul(2)) });
    }

    /// So many states up to the end of a level.
    pub(super) fn level(&self, done: u64, level: u64, levels: u64) {
        (self.report)(Progress { done, total: self.total, share: ratio(level, levels) });
    }
}

#[expect(clippy::cast_precision_loss, reason = "for display")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
