//! Why a graph has no bound.

use warpspan_model::time::Duration;

/// Why a graph has no bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unbounded {
    /// Its kernels have none, in a sentence.
    Kernels(String),
    /// The bound has reached this, more periods than launches that may pile up, and would grow further.
    Grows(Duration),
    /// Launches of this other graph may pile up, and its nodes delay those of this one.
    Beside(usize),
    /// This graph copies and launches no kernel, and what its copies ask of the memory is not known.
    CopiesAlone(usize),
    /// Times or blocks are too large to be multiplied.
    TooLarge,
    /// The search was stopped, or takes too many steps.
    Stopped,
}
