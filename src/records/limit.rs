//! The limit that stopped a run.

use crate::limits;
use crate::records::words::words;

words! {
    /// A limit that stops a run before it has its answer.
    Limit {
        /// The time limit.
        Time = "time-limit",
        /// The memory limit, reached or foreseen.
        Memory = "memory-limit",
        /// Ctrl-C.
        Interrupt = "interrupted",
    }
}

impl Limit {
    /// The limit, where a run ended by one.
    pub fn of(stop: limits::Stop) -> Option<Self> {
        match stop {
            limits::Stop::TimeLimit => Some(Self::Time),
            limits::Stop::MemoryLimit => Some(Self::Memory),
            limits::Stop::Interrupted => Some(Self::Interrupt),
            limits::Stop::Proved
            | limits::Stop::Beam
            | limits::Stop::Horizon
            | limits::Stop::Blocks
            | limits::Stop::Paths
            | limits::Stop::NoEngine => None,
        }
    }
}
