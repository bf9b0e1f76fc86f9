//! How a computation ended.

/// A limit that stopped a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The time limit.
    TimeLimit,
    /// The memory limit, reached or foreseen.
    MemoryLimit,
    /// The interrupt key, Ctrl-C.
    Interrupted,
}

/// Why the worst case is not known although no limit stopped the computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotExact {
    /// A beam kept only the most promising states.
    Beam,
    /// The ILP's horizon was shorter than a safe one, so longer schedules were not considered.
    Horizon,
    /// There are several blocks with barriers, whose schedules no engine searches.
    Blocks,
    /// There are branches or loops, whose paths no engine searches.
    Paths,
    /// No engine of this build takes an instance of this size, whatever the limits.
    NoEngine,
}

/// How a computation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It ended by itself, and its result is proved.
    Proved,
    /// A limit stopped it.
    Stopped(Stop),
    /// It ended by itself, but its result is not exact.
    NotExact(NotExact),
}

impl Stop {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimeLimit => "time-limit",
            Self::MemoryLimit => "memory-limit",
            Self::Interrupted => "interrupted",
        }
    }
}

impl NotExact {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beam => "beam",
            Self::Horizon => "horizon",
            Self::Blocks => "several-blocks",
            Self::Paths => "paths",
            Self::NoEngine => "no-engine",
        }
    }
}

impl Ending {
    /// The limit that stopped the computation, if one did.
    pub const fn stop(self) -> Option<Stop> {
        match self {
            Self::Stopped(stop) => Some(stop),
            Self::Proved | Self::NotExact(_) => None,
        }
    }

    /// Why the result is not exact, if that is not because of a limit.
    pub const fn not_exact(self) -> Option<NotExact> {
        match self {
            Self::NotExact(why) => Some(why),
            Self::Proved | Self::Stopped(_) => None,
        }
    }

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Stopped(stop) => stop.name(),
            Self::NotExact(why) => why.name(),
        }
    }
}

impl From<Stop> for Ending {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<Option<Stop>> for Ending {
    fn from(stop: Option<Stop>) -> Self {
        stop.map_or(Self::Proved, Self::Stopped)
    }
}

impl From<NotExact> for Ending {
    fn from(why: NotExact) -> Self {
        Self::NotExact(why)
    }
}
