//! The limit that stopped a run.

use crate::words::words;
use warpspan_model::limits;

words! {
    /// A limit that stops a run before it has its answer.
    Limit from limits::Stop {
        /// The time limit.
        TimeLimit = "time-limit",
        /// The memory limit, reached or foreseen.
        MemoryLimit = "memory-limit",
        /// Ctrl-C.
        Interrupted = "interrupted",
    }
}
