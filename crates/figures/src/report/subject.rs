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

/// A subject: the records, what an answer is, the title of a page with one and with several, and the section.
const fn subject(
    records: &'static [&'static str],
    what: &'static str,
    of: &'static str,
    many: (&'static str, &'static str),
    [id, title, text]: [&'static str; 3],
) -> Subject {
    Subject { records, what, of, many, id, title, text }
}

/// All subjects, in the order of their sections.
pub(super) const SUBJECTS: [Subject; 12] = [
    subject(
        &["solve"],
        "worst case",
        "The worst case of",
        ("Worst cases of", "instances"),
        [
            "worst",
            "Worst cases",
            "What solve says of the makespan over all work-conserving schedules, and what stands behind it.",
        ],
    ),
    subject(
        &["bound"],
        "bounds",
        "Bounds of",
        ("Bounds of", "instances"),
        [
            "bounds",
            "Bounds",
            "What bound says of the makespan. What is NOT SAFE, and every estimate, may be on either side of the worst case.",
        ],
    ),
    subject(
        &["budget"],
        "deadlines",
        "Deadlines of",
        ("Deadlines of", "budgets"),
        [
            "deadlines",
            "Deadlines",
            "What budget says of launches of kernels. A verdict and its bound hold under the conditions beside them and what is \
               assumed.",
        ],
    ),
    subject(
        &["time"],
        "time of a launch",
        "The time of",
        ("Times of", "launches"),
        [
            "times",
            "Times of launches",
            "What time says of a launch of a kernel. The verdict and the bound hold under the conditions below them and what is \
               assumed; what is not covered may make a launch longer.",
        ],
    ),
    subject(
        &["compare"],
        "comparison",
        "Changes of",
        ("Changes of", "pairs of versions"),
        [
            "comparisons",
            "Comparisons",
            "What compare says of two versions: how the upper bounds changed, and which lines add more or less.",
        ],
    ),
    subject(
        &["rta", "rta-graphs", "rta-model", "rta-processes"],
        "response times",
        "Response times of",
        ("Response times of", "systems"),
        [
            "response-times",
            "Response times",
            "What rta says of the kernels of a GPU. The verdict and the response bounds are proved under what is assumed; the \
               estimates are not.",
        ],
    ),
    subject(
        &["measured"],
        "measured run",
        "A measured run of",
        ("Measured runs of", "systems"),
        [
            "measured",
            "Measured runs",
            "What a GPU did, beside what the scheduling rules compute, and which rules its blocks keep.",
        ],
    ),
    subject(
        &["prem", "prem-plan", "prem-offsets", "prem-measured"],
        "tiles",
        "Time-triggered tiles of",
        ("Time-triggered tiles of", "sets of kernels"),
        [
            "prem",
            "Times of time-triggered tiles",
            "What prem says of a schedule of tiles in prefetch, compute and writeback phases. Times are in nanoseconds.",
        ],
    ),
    subject(
        &["partition", "co-located", "partition-classes"],
        "partitions",
        "Partitions for",
        ("Partitions for", "task sets"),
        [
            "partitioned",
            "Partitions",
            "What partition says of which tasks share which multiprocessors. Times are in the unit of the file.",
        ],
    ),
    subject(
        &["simulate"],
        "policies",
        "Warp-scheduling policies on",
        ("Warp-scheduling policies on", "instances"),
        [
            "simulated",
            "Makespans of policies",
            "Runs of warp-scheduling policies. In the model, none is longer than the worst case or shorter than the best.",
        ],
    ),
    subject(
        &["extract"],
        "listing",
        "The listing of",
        ("The listings of", "kernels"),
        [
            "kernels",
            "Kernels",
            "What extract reads of compiled kernels: each instruction with its letter and the number of letters that it is. With a \
               bound, the phase in which it acts on a path of the largest a, and what it adds to a there, the cycles that each \
               further warp takes; on a machine, what it adds to the critical path. Without an instruction that sum is smaller by \
               no more than it adds.",
        ],
    ),
    subject(
        &["check", "explain", "trace", "gpus"],
        "answer",
        "What is known of",
        ("What is known of", "subjects"),
        ["further", "Further answers", "What other commands say."],
    ),
];
