//! What answers are about: the words of the page for each kind of record.

/// What answers are about; those of one subject stand in one section.
#[derive(Debug)]
pub(super) struct Subject {
    /// The names of the records.
    pub(super) records: &'static [&'static str],
    /// What an answer is, in the table on top of the page.
    pub(super) what: &'static str,
    /// What the title of the page says before the names.
    pub(super) of: &'static str,
    /// The same before the number of several answers, and the plural of what they are of.
    pub(super) many: (&'static str, &'static str),
    /// The anchor of the section.
    pub(super) id: &'static str,
    /// Its title.
    pub(super) title: &'static str,
    /// Its introduction.
    pub(super) text: &'static str,
}

/// All subjects, in the order of their sections.
pub(super) const SUBJECTS: [Subject; 11] = [
    Subject {
        records: &["solve"],
        what: "worst case",
        of: "The worst case of",
        many: ("Worst cases of", "instances"),
        id: "worst",
        title: "Worst cases",
        text: "What solve says of the makespan over all work-conserving schedules, and what stands behind it.",
    },
    Subject {
        records: &["bound"],
        what: "bounds",
        of: "Bounds of",
        many: ("Bounds of", "instances"),
        id: "bounds",
        title: "Bounds",
        text: "What bound says of the makespan. What is NOT SAFE, and every estimate, may be on either side of the worst case.",
    },
    Subject {
        records: &["budget"],
        what: "deadlines",
        of: "Deadlines of",
        many: ("Deadlines of", "budgets"),
        id: "deadlines",
        title: "Deadlines",
        text: "What budget says of launches of kernels. A verdict and its bound hold under the conditions beside them and what is \
               assumed.",
    },
    Subject {
        records: &["time"],
        what: "time of a launch",
        of: "The time of",
        many: ("Times of", "launches"),
        id: "times",
        title: "Times of launches",
        text: "What time says of a launch of a kernel. The verdict and the bound hold under the conditions below them and what is \
               assumed; what is not covered may make a launch longer.",
    },
    Subject {
        records: &["compare"],
        what: "comparison",
        of: "Changes of",
        many: ("Changes of", "pairs of versions"),
        id: "comparisons",
        title: "Comparisons",
        text: "What compare says of two versions: how the upper bounds changed, and which lines add more or less.",
    },
    Subject {
        records: &["rta", "rta-graphs", "rta-model", "rta-processes"],
        what: "response times",
        of: "Response times of",
        many: ("Response times of", "systems"),
        id: "response-times",
        title: "Response times",
        text: "What rta says of the kernels of a GPU. The verdict and the response bounds are proved under what is assumed; the \
               estimates are not.",
    },
    Subject {
        records: &["measured"],
        what: "measured run",
        of: "A measured run of",
        many: ("Measured runs of", "systems"),
        id: "measured",
        title: "Measured runs",
        text: "What a GPU did, beside what the scheduling rules compute, and which rules its blocks keep.",
    },
    Subject {
        records: &["prem"],
        what: "tiles",
        of: "Time-triggered tiles of",
        many: ("Time-triggered tiles of", "sets of kernels"),
        id: "prem",
        title: "Times of time-triggered tiles",
        text: "What prem says of a schedule of tiles in prefetch, compute and writeback phases. Times are in nanoseconds.",
    },
    Subject {
        records: &["partition", "co-located"],
        what: "partitions",
        of: "Partitions for",
        many: ("Partitions for", "task sets"),
        id: "partitioned",
        title: "Partitions",
        text: "What partition says of which tasks share which multiprocessors. Times are in the unit of the file.",
    },
    Subject {
        records: &["simulate"],
        what: "policies",
        of: "Warp-scheduling policies on",
        many: ("Warp-scheduling policies on", "instances"),
        id: "simulated",
        title: "Makespans of policies",
        text: "Runs of warp-scheduling policies. In the model, none is longer than the worst case or shorter than the best.",
    },
    Subject {
        records: &["extract"],
        what: "listing",
        of: "The listing of",
        many: ("The listings of", "kernels"),
        id: "kernels",
        title: "Kernels",
        text: "What extract reads of compiled kernels: each instruction with its letter and the number of letters that it is. With a \
               bound, the phase in which it acts on a path of the largest a, and what it adds to a there, the cycles that each \
               further warp takes; on a machine, what it adds to the critical path. Without an instruction that sum is smaller by \
               no more than it adds.",
    },
];
