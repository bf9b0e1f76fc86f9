//! The statements behind analyses of kernels, tasks and launches, and those that only certificates use.

use super::{Coq, Statement};
use crate::bound::Checked;

/// The rules of the model.
pub const MODEL: Statement = Statement {
    name: "model",
    says: "the program's two representations of states have the same schedules, and every schedule can be completed",
    checked: Checked::Machine,
    page: "model",
    section: "The model",
    coq: coq! { "Model/Positions.v": runs_agree; "Model/Progress.v": complete extends; },
    rest: "that the model covers a GPU is not proved at all",
};

/// What a certificate claims.
pub const CERTIFICATE: Statement = Statement {
    name: "certificate",
    says: "what a certificate of `solve` or `rta` claims, if `coqc` accepts the file",
    checked: Checked::Machine,
    page: "certificates",
    section: "What proves the ends",
    coq: coq! {
        "Checker/Input.v": phases_sound searched_sound schedule_sound theorem_sound;
        "Checker/BarrierInput.v": barrier_phases_sound barrier_schedule_sound barrier_theorem_sound;
        "Checker/Upper.v": upper_sound finish_sound;
        "Checker/Replay.v": lower_sound;
        "Checker/ExactCheck.v": exact_sound;
        "Search/Cycles.v": every_cycle;
        "Search/Search.v": search_sound;
        "Search/BlockSearch.v": block_search_sound;
        "Checker/BarrierUpper.v": barrier_upper_sound barrier_finish_sound;
        "Checker/BarrierReplay.v": barrier_lower_sound;
        "Checker/BarrierExact.v": barrier_exact_sound;
        "Checker/BarrierSearch.v": barrier_parts_sound barrier_searched_sound;
        "Checker/Input.v": bottleneck_sound;
        "Checker/RelayInput.v": relay_sound grid_schedule_sound;
        "Checker/ResponseInput.v": responses_sound;
        "Checker/PriorityInput.v": priorities_sound one_queue_sound;
    },
    rest: "",
};

/// Response times under any contention.
pub const RESPONSE_BOUND: Statement = Statement {
    name: "response-bound",
    says: "no launch takes longer from its arrival, if no block takes longer than C",
    checked: Checked::Paper,
    page: "response-times",
    section: "4",
    coq: coq! {
        "Relay/RelayBound.v": response_time;
        "Relay/Response.v": response_time_waiting;
        "Relay/Covered.v": response_from_release;
        "Realtime/OneLaunch.v": in_time;
        "Realtime/Responses.v": fixed_point response_bounds;
        "Realtime/BusyWindow.v": wait_bounded;
        "Realtime/PriorityResponses.v": priority_fixed_point priority_response_bounds;
        "Realtime/Priorities.v": one_priority;
    },
    rest: "on paper only: kernels of code on whole GPUs, exact releases, registers that lie in parts, machines with \
           latency, and of the bounds by level of priority windows from the release, losses, and blocks that count for \
           what they can have run",
};

/// Response times where memory that all share may keep results waiting.
pub const RESPONSE_BOUND_WITH_MEMORY: Statement = Statement {
    name: "response-bound-with-memory",
    says: "no launch takes longer from its arrival, if no block takes longer than C on an idle memory",
    checked: Checked::Paper,
    page: "servers",
    section: "Response times",
    coq: &[],
    rest: "",
};

/// Algorithm 2 where its assumptions hold.
pub const ALGORITHM_2: Statement = Statement {
    name: "algorithm-2",
    says: "response times by Algorithm 2 of Pa19, where all its assumptions hold",
    checked: Checked::Paper,
    page: "response-times",
    section: "3",
    coq: &[],
    rest: "",
};

/// A run of the scheduling rules.
pub const RUN_OF_RULES: Statement = Statement {
    name: "run-of-rules",
    says: "a simulated run, which a verifier replayed when it was found, misses a deadline",
    checked: Checked::Machine,
    page: "response-times",
    section: "2",
    coq: &[],
    rest: "the rules are those that were measured on a TX2; the record does not hold what the verifier replayed",
};

/// Lower bounds on response times.
pub const LEAST_RESPONSE: Statement = Statement {
    name: "least-response",
    says: "no launch is faster: its copies, and as many rounds as an empty GPU needs",
    checked: Checked::Paper,
    page: "response-times",
    section: "2",
    coq: &[],
    rest: "",
};

/// More is asked for than there is.
pub const OVERLOAD: Statement = Statement {
    name: "overload",
    says: "in the long run more threads are asked for than there are",
    checked: Checked::Paper,
    page: "response-times",
    section: "2",
    coq: &[],
    rest: "",
};

/// Tasks and event chains of AMALTHEA models.
pub const AMALTHEA: Statement = Statement {
    name: "amalthea",
    says: "response times and latencies of the tasks and event chains of a model",
    checked: Checked::Paper,
    page: "amalthea",
    section: "The bounds",
    coq: &[],
    rest: "some steps are published theorems, which the page names",
};

/// Tasks of several processes that take turns on a GPU.
pub const TIME_SLICES: Statement = Statement {
    name: "time-slices",
    says: "no job of a task takes longer from its arrival, nor less than alone, where processes take turns of a time slice on the GPU",
    checked: Checked::Paper,
    page: "processes",
    section: "Time slices",
    coq: &[],
    rest: "",
};

/// Tasks of several processes, of which the most urgent has the GPU.
pub const PREEMPTIVE_PROCESSES: Statement = Statement {
    name: "preemptive-processes",
    says: "no job of a task takes longer from its arrival, nor less than alone, where the most urgent process has the GPU, as GCAPS gives it",
    checked: Checked::Paper,
    page: "processes",
    section: "GCAPS",
    coq: &[],
    rest: "",
};

/// Kernels of several processes that take turns on a GPU.
pub const TIME_SLICES_OF_KERNELS: Statement = Statement {
    name: "time-slices-of-kernels",
    says: "no launch takes longer from its arrival, where processes take turns of a time slice on the GPU",
    checked: Checked::Paper,
    page: "processes",
    section: "Kernels",
    coq: &[],
    rest: "",
};

/// Graphs of kernels, copies and host work.
pub const GRAPH: Statement = Statement {
    name: "graph",
    says: "makespans and response times of graphs that are launched as a whole: the longest path, and what may delay it",
    checked: Checked::Paper,
    page: "graphs",
    section: "2",
    coq: &[],
    rest: "",
};

/// The time of a launch.
pub const LAUNCH: Statement = Statement {
    name: "launch",
    says: "cycles become time with the slowest clock, and overhead and copies are added",
    checked: Checked::Paper,
    page: "commands/time",
    section: "What it computes",
    coq: &[],
    rest: "",
};

/// The least time of a launch.
pub const LEAST_LAUNCH: Statement = Statement {
    name: "least-launch",
    says: "no launch is faster: the shortest path through the listing, on the fastest clock",
    checked: Checked::Tested,
    page: "commands/time",
    section: "Verdict and exit code",
    coq: &[],
    rest: "the program that reads the listing has no proof",
};

/// The translation of a listing.
pub const LISTING: Statement = Statement {
    name: "listing",
    says: "the letters and the program stand for the listing that they were read from",
    checked: Checked::Tested,
    page: "extract-structure",
    section: "Why the program covers the code",
    coq: &[],
    rest: "the page argues why, and the program that reads the listing has no proof",
};

/// Tiles on a timer.
pub const TILES: Statement = Statement {
    name: "tiles",
    says: "the schedule of tiles ends by then, if no phase takes longer than its duration",
    checked: Checked::Paper,
    page: "prem",
    section: "What is proved",
    coq: &[],
    rest: "",
};

/// Tiles that share the memory.
pub const TILES_SHARED: Statement = Statement {
    name: "tiles-shared",
    says: "the same however phases that overlap share the memory, if it serves so many blocks",
    checked: Checked::Paper,
    page: "prem",
    section: "Memory phases that overlap share the memory",
    coq: &[],
    rest: "",
};

/// The search for the least hyperperiod.
pub const TILES_SEARCH: Statement = Statement {
    name: "tiles-search",
    says: "no schedule of these tiles has a shorter hyperperiod or a smaller offset, by a search",
    checked: Checked::Tested,
    page: "prem",
    section: "What is proved",
    coq: &[],
    rest: "the program that searches has no proof",
};

/// The tests of partitions.
pub const PARTITION: Statement = Statement {
    name: "partition",
    says: "all deadlines of a partition hold, or no partitions at all meet them",
    checked: Checked::Paper,
    page: "partitions",
    section: "Tests",
    coq: &[],
    rest: "published tests of schedulability; a verifier confirmed each partition by other tests when it was found",
};

/// The search for the fewest multiprocessors.
pub const FEWEST_MULTIPROCESSORS: Statement = Statement {
    name: "fewest-multiprocessors",
    says: "no partitioning takes fewer multiprocessors, by an exhaustive search",
    checked: Checked::Tested,
    page: "partitions",
    section: "Against the optimum",
    coq: &[],
    rest: "the program that searches has no proof",
};

/// Kernels that run together.
pub const CO_LOCATED: Statement = Statement {
    name: "co-located",
    says: "response times of kernels that run together, in any work-conserving order of warps",
    checked: Checked::Paper,
    page: "partitions",
    section: "Kernels that run together",
    coq: &[],
    rest: "",
};
