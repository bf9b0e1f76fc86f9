//! What answers are about: the words of the page for each kind.

/// What an answer is about; the answers of one kind stand in one section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The worst case of an instance.
    Worst,
    /// Bounds and estimates of an instance.
    Bounds,
    /// Kernels and whether they meet their deadlines.
    Deadlines,
    /// How long a launch takes at most.
    Times,
    /// How bounds changed from one version to the next.
    Comparisons,
    /// Response times of the kernels of a GPU.
    Responses,
    /// A measured run compared with the computed one.
    Measured,
    /// A time-triggered schedule of tiles.
    Tiles,
    /// Partitions of multiprocessors.
    Partitions,
    /// Runs of warp-scheduling policies.
    Policies,
}

impl Subject {
    /// All subjects, in the order of their sections.
    pub(super) const ALL: [Self; 10] = [
        Self::Worst,
        Self::Bounds,
        Self::Deadlines,
        Self::Times,
        Self::Comparisons,
        Self::Responses,
        Self::Measured,
        Self::Tiles,
        Self::Partitions,
        Self::Policies,
    ];

    /// What the title of the page says before the names.
    pub(super) fn of(self) -> &'static str {
        match self {
            Self::Worst => "The worst case of",
            Self::Bounds => "Bounds of",
            Self::Deadlines => "Deadlines of",
            Self::Times => "The time of",
            Self::Comparisons => "Changes of",
            Self::Responses => "Response times of",
            Self::Measured => "A measured run of",
            Self::Tiles => "Time-triggered tiles of",
            Self::Partitions => "Partitions for",
            Self::Policies => "Warp-scheduling policies on",
        }
    }

    /// The beginning of the title of a page with several answers, and the plural of what they are of.
    pub(super) fn many(self) -> (&'static str, &'static str) {
        match self {
            Self::Worst => ("Worst cases of", "instances"),
            Self::Bounds => ("Bounds of", "instances"),
            Self::Deadlines => ("Deadlines of", "budgets"),
            Self::Times => ("Times of", "launches"),
            Self::Comparisons => ("Changes of", "pairs of versions"),
            Self::Responses => ("Response times of", "systems"),
            Self::Measured => ("Measured runs of", "systems"),
            Self::Tiles => ("Time-triggered tiles of", "sets of kernels"),
            Self::Partitions => ("Partitions for", "task sets"),
            Self::Policies => ("Warp-scheduling policies on", "instances"),
        }
    }

    /// What an answer is, in the table on top of the page.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Worst => "worst case",
            Self::Bounds => "bounds",
            Self::Deadlines => "deadlines",
            Self::Times => "time of a launch",
            Self::Comparisons => "comparison",
            Self::Responses => "response times",
            Self::Measured => "measured run",
            Self::Tiles => "tiles",
            Self::Partitions => "partitions",
            Self::Policies => "policies",
        }
    }

    /// The anchor of the section, its title, and its introduction.
    pub(super) fn section(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Worst => (
                "worst",
                "Worst cases",
                "What solve says of the makespan over all work-conserving schedules, and what stands behind it.",
            ),
            Self::Bounds => (
                "bounds",
                "Bounds",
                "What bound says of the makespan. What is NOT SAFE, and every estimate, may be on either side of the worst case.",
            ),
            Self::Deadlines => (
                "deadlines",
                "Deadlines",
                "What budget says of launches of kernels. A verdict and its bound hold under the conditions beside them and what \
                 is assumed.",
            ),
            Self::Times => (
                "times",
                "Times of launches",
                "What time says of a launch of a kernel. The verdict and the bound hold under the conditions below them and what is \
                 assumed; what is not covered may make a launch longer.",
            ),
            Self::Comparisons => (
                "comparisons",
                "Comparisons",
                "What compare says of two versions: how the upper bounds changed, and which lines add more or less.",
            ),
            Self::Responses => (
                "response-times",
                "Response times",
                "What rta says of the kernels of a GPU. The verdict and the response bounds are proved under what is assumed; \
                 the estimates are not.",
            ),
            Self::Measured => (
                "measured",
                "Measured runs",
                "What a GPU did, beside what the scheduling rules compute, and which rules its blocks keep.",
            ),
            Self::Tiles => (
                "prem",
                "Times of time-triggered tiles",
                "What prem says of a schedule of tiles in prefetch, compute and writeback phases. Times are in nanoseconds.",
            ),
            Self::Partitions => (
                "partitioned",
                "Partitions",
                "What partition says of which tasks share which multiprocessors. Times are in the unit of the file.",
            ),
            Self::Policies => (
                "simulated",
                "Makespans of policies",
                "Runs of warp-scheduling policies. In the model, none is longer than the worst case or shorter than the best.",
            ),
        }
    }
}
