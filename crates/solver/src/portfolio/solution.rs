//! The answer to a workload.

use std::time::Duration;

use crate::portfolio::findings::Found;
use crate::portfolio::{Check, EngineName, Note, Phase};
use warpspan_check::bound::Interval;
use warpspan_check::schedule::{Lines, Witness};
use warpspan_ilp::ModelSize;
use warpspan_model::Cycles;
use warpspan_model::limits::Ending;
use warpspan_model::machine::Order;

/// What is known of the worst case of a [`Subject`](crate::portfolio::Subject), and why. Only a
/// [`Solver`](crate::portfolio::Solver) constructs one.
#[derive(Debug, Clone)]
pub struct Solution {
    pub(super) found: Found,
    pub(super) engine: EngineName,
    pub(super) ending: Ending,
    pub(super) checks: Vec<Check>,
    pub(super) elapsed: Duration,
    pub(super) order: Order,
}

impl Solution {
    /// The answer from what an engine found.
    pub(super) fn new(engine: EngineName, found: Found, ending: Ending) -> Self {
        Self { found, engine, ending, checks: Vec::new(), elapsed: Duration::ZERO, order: Order::Any }
    }

    /// The answer as a whole, with the time that it took. It is proved if others closed the gap that an
    /// engine had left.
    pub(super) fn after(mut self, elapsed: Duration) -> Self {
        if self.found.interval.is_exact() && matches!(self.ending, Ending::NotExact(_)) {
            self.ending = Ending::Proved;
        }
        Self { elapsed, ..self }
    }

    /// An interval with lower bound <= worst case <= upper bound.
    pub fn worst_case(&self) -> Interval {
        self.found.interval
    }

    /// The cycle at whose end every result is there at the latest, on a machine.
    pub fn completion_upper(&self) -> Option<Cycles> {
        self.found.completion
    }

    /// The order of warps for which alone the answer holds; none if it holds for every order.
    pub fn policy(&self) -> Option<Order> {
        Some(self.order).filter(|&order| order != Order::Any)
    }

    /// The engine that answered.
    pub fn engine(&self) -> EngineName {
        self.engine
    }

    /// How the computation ended.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// A schedule that attains the lower bound. It is `None` if it was too large to write out and replay, or no search found one. For
    /// a program, it schedules the [`lines`](Self::lines).
    pub fn witness(&self) -> Option<&Witness> {
        self.found.witness.as_ref()
    }

    /// The lines that the warps run along paths of their programs in the [`witness`](Self::witness). There are
    /// none for workloads with one path, whose own instance is scheduled.
    pub fn lines(&self) -> Option<&Lines> {
        self.found.lines.as_ref()
    }

    /// The smallest makespan, if every state was visited.
    pub fn best_case(&self) -> Option<Cycles> {
        self.found.best_case
    }

    /// A schedule that attains the smallest makespan.
    pub fn best_witness(&self) -> Option<&Witness> {
        self.found.best_witness.as_ref()
    }

    /// The size of the ILP, if one was built to answer.
    pub fn model(&self) -> Option<ModelSize> {
        self.found.model
    }

    /// The number of states searched, if every one was.
    pub fn states(&self) -> Option<u64> {
        self.found.states
    }

    /// The rates and labellings, if the phases of the kernels were computed.
    pub fn phase(&self) -> Option<&Phase> {
        self.found.phase.as_ref()
    }

    /// The results of the checks by other engines.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// Notes for the user.
    pub fn notes(&self) -> &[Note] {
        &self.found.notes
    }

    /// The wall-clock time of the computation.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
