//! What a schedule that keeps every rule proves.

use crate::schedule::Schedule;
use warpspan_model::Cycles;

/// A schedule that was replayed and keeps every rule. It proves that the worst case is at least its makespan.
///
/// Only [`replay`](crate::schedule::replay()) constructs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    pub(super) schedule: Schedule,
    pub(super) last_issues: Vec<Cycles>,
    pub(super) completions: Vec<Cycles>,
}

impl Witness {
    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The last cycle in which any warp issues.
    pub fn makespan(&self) -> Cycles {
        self.last_issues.iter().copied().max().unwrap_or_default()
    }

    /// The last cycle in which a result arrives: an issue in cycle t with latency l has its result at the end of cycle
    /// t + l - 1. On the paper's multiprocessor this is the makespan.
    pub fn completion(&self) -> Cycles {
        self.completions.iter().copied().max().unwrap_or_default()
    }

    /// The last cycle in which a warp of each group issues.
    pub fn last_issues(&self) -> &[Cycles] {
        &self.last_issues
    }

    /// The last cycle in which a result of each group arrives.
    pub fn completions(&self) -> &[Cycles] {
        &self.completions
    }
}
