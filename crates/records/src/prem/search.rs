//! How the search for offsets ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_model::limits;
use warpspan_model::words;

/// How a search for offsets ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    /// A lower bound: no schedule has a shorter hyperperiod.
    pub least_hyperperiod_ns: u64,
    /// Why the search ended.
    pub stop: SearchEnd,
}

words! {
    /// Why a search ended.
    SearchEnd {
        /// It was complete, so the hyperperiod is the shortest.
        Proved = "proved",
        /// The time limit stopped it.
        TimeLimit = "time-limit",
        /// The memory limit stopped it.
        MemoryLimit = "memory-limit",
        /// Ctrl-C stopped it.
        Interrupted = "interrupted",
    }
}

impl From<SearchEnd> for limits::Ending {
    fn from(end: SearchEnd) -> Self {
        match end {
            SearchEnd::Proved => Self::Proved,
            SearchEnd::TimeLimit => Self::Stopped(limits::Stop::TimeLimit),
            SearchEnd::MemoryLimit => Self::Stopped(limits::Stop::MemoryLimit),
            SearchEnd::Interrupted => Self::Stopped(limits::Stop::Interrupted),
        }
    }
}

impl SearchEnd {
    /// Why a search ended; nothing for reasons that a search does not have.
    pub fn of(ending: limits::Ending) -> Option<Self> {
        match ending {
            limits::Ending::Proved => Some(Self::Proved),
            limits::Ending::Stopped(limits::Stop::TimeLimit) => Some(Self::TimeLimit),
            limits::Ending::Stopped(limits::Stop::MemoryLimit) => Some(Self::MemoryLimit),
            limits::Ending::Stopped(limits::Stop::Interrupted) => Some(Self::Interrupted),
            limits::Ending::NotExact(_) => None,
        }
    }
}
