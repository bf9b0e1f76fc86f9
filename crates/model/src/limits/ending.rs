//! How a computation ended.

words! {
    /// A limit that stops a run before it has its answer.
    #[schemars(rename = "Limit")]
    Stop {
        /// The time limit.
        TimeLimit = "time-limit",
        /// The memory limit, reached or foreseen.
        MemoryLimit = "memory-limit",
        /// Ctrl-C.
        Interrupted = "interrupted",
    }
}

/// For how many seconds an exhaustive search goes on if nobody asks for it ([`NotExact::SearchTime`]).
pub const SEARCH_SECONDS: u64 = 10;

words! {
    /// Why an interval has more than one number although no limit stopped the run.
    NotExact {
        /// There are barriers of several blocks, whose schedules no engine searches.
        Blocks = "several-blocks",
        /// A program has branches or loops, and no engine searches its paths.
        Paths = "paths",
        /// No engine of this build takes an instance of this size, whatever the limits.
        NoEngine = "no-engine",
        /// There are more states than an engine searches.
        States = "states",
        /// The search gave up after the time that it has, which is not a limit of the user.
        SearchTime = "search-time",
        /// No engine searches the blocks of a grid on machines that follow one another.
        MachineGrid = "machine-grid",
        /// The memory may keep results waiting, and no engine searches how.
        Memory = "memory",
        /// Instructions wait for named ones before them, and no engine searches such code.
        Dependences = "dependences",
        /// The engine that was asked for makes no search.
        NotAsked = "not-asked",
        /// No engine searches the schedules of one order of warps.
        Order = "order",
        /// Only the most promising states were searched.
        Beam = "beam",
        /// The horizon of the integer linear program is shorter than is safe.
        Horizon = "horizon",
    }
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
