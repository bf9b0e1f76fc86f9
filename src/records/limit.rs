//! The limit that stopped a run.

use crate::limits;
use crate::records::words::words;

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
