//! The answer to a workload.

use std::time::Duration;

use crate::bound::Interval;
use crate::engines::ilp::ModelSize;
use crate::engines::portfolio::found::Found;
use crate::engines::portfolio::{Check, EngineName, Note, Phase};
use crate::limits::Ending;
use crate::model::Cycles;
use crate::schedule::Witness;

/// What is known of the worst case of a workload, and why. Only a [`Solver`](crate::engines::portfolio::Solver) makes one.
#[derive(Debug, Clone)]
pub struct Solution {
    pub(super) found: Found,
    pub(super) engine: EngineName,
    pub(super) ending: Ending,
    pub(super) checks: Vec<Check>,
    pub(super) elapsed: Duration,
}

impl Solution {
    /// What an engine found.
    pub(super) fn new(engine: EngineName, found: Found, ending: Ending) -> Self {
        Self { found, engine, ending, checks: Vec::new(), elapsed: Duration::ZERO }
    }

    /// The answer as a whole, after so long. It is proved if others closed the gap that an engine had left.
    pub(super) fn after(mut self, elapsed: Duration) -> Self {
        if self.found.interval.is_exact() && matches!(self.ending, Ending::NotExact(_)) {
            self.ending = Ending::Proved;
        }
        Self { elapsed, ..self }
    }

    /// Lower <= worst case <= upper.
    pub fn worst_case(&self) -> Interval {
        self.found.interval
    }

    /// The engine that answered.
    pub fn engine(&self) -> EngineName {
        self.engine
    }

    /// How the computation ended.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// A schedule that attains the lower bound; `None` if it was too large to write out and replay, or of a program.
    pub fn witness(&self) -> Option<&Witness> {
        self.found.witness.as_ref()
    }

    /// The smallest makespan, where every state was looked at.
    pub fn best_case(&self) -> Option<Cycles> {
        self.found.best_case
    }

    /// A schedule that attains the smallest makespan.
    pub fn best_witness(&self) -> Option<&Witness> {
        self.found.best_witness.as_ref()
    }

    /// Size of the ILP, if one was built to answer.
    pub fn model(&self) -> Option<ModelSize> {
        self.found.model
    }

    /// States searched, if every one was.
    pub fn states(&self) -> Option<u64> {
        self.found.states
    }

    /// Rates and labellings, if the phases of the kernels were computed.
    pub fn phase(&self) -> Option<&Phase> {
        self.found.phase.as_ref()
    }

    /// What other engines said of the answer.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// What else was done or should be known.
    pub fn notes(&self) -> &[Note] {
        &self.found.notes
    }

    /// Wall-clock time.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
