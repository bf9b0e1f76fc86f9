//! The statements behind the ends of `solve` and the rows of `bound`.

use super::{Coq, Statement};
use crate::bound::Checked;

/// A schedule of this length.
pub const SCHEDULE: Statement = Statement {
    name: "schedule",
    says: "a schedule takes so long, and the verifier replayed it in the run that found it",
    checked: Checked::Machine,
    page: "certificates",
    section: "What proves the ends",
    coq: &[],
    rest: "the record does not prove that it was replayed: `warpspan check` replays a schedule again, and so does a certificate",
};

/// The closed form of one kernel.
pub const CLOSED_FORM: Statement = Statement {
    name: "closed-form",
    says: "I + (W-1) a, the exact worst case of one kernel at sigma 1, but for two warps",
    checked: Checked::Machine,
    page: "closed-form",
    section: "Theorem 2",
    coq: coq! {
        "Exact/Schedule.v": exact exact_one straggler_schedule;
        "Exact/Blocks.v": sigma_one_upper sigma_one_any_mix;
    },
    rest: "",
};

/// The longest path over pairs of positions.
pub const LONGEST_PAIR: Statement = Statement {
    name: "longest-pair",
    says: "the longest path over pairs of positions, the exact worst case of two warps at sigma 1",
    checked: Checked::Machine,
    page: "closed-form",
    section: "4",
    coq: coq! { "Exact/TwoWarps.v": exact_two; },
    rest: "",
};

/// The phase bound.
pub const PHASE: Statement = Statement {
    name: "phase",
    says: "the phase bound of straight kernels: any mix, any whole sigma, any blocks with barriers",
    checked: Checked::Machine,
    page: "closed-form",
    section: "Theorem 1",
    coq: coq! {
        "Phase/PhaseBound.v": phase_bound phase_bound_one_kernel;
        "Phase/Potential.v": phase_bound_any_state;
        "Phase/InsertedLetters.v": phase_value_safe inserted_letters;
        "Barriers/BarrierBound.v": barrier_bound;
    },
    rest: "",
};

/// The critical path.
pub const CRITICAL_PATH: Statement = Statement {
    name: "critical-path",
    says: "I + the waits on each unit, of straight kernels",
    checked: Checked::Machine,
    page: "model",
    section: "Which bounds are safe",
    coq: coq! {
        "Bounds/CriticalPath.v": critical_path critical_path_one;
        "Barriers/BlockPath.v": barrier_path;
    },
    rest: "",
};

/// Be12 Eq. 5-7 where both sigmas are 1.
pub const PESSIMISTIC: Statement = Statement {
    name: "pessimistic",
    says: "the number of all letters, at sigma 1 (Be12 Eq. 5-7)",
    checked: Checked::Paper,
    page: "model",
    section: "Which bounds are safe",
    coq: &[],
    rest: "",
};

/// What the fullest unit needs.
pub const BOTTLENECK: Statement = Statement {
    name: "bottleneck",
    says: "what the fullest unit needs, or the longest kernel",
    checked: Checked::Paper,
    page: "model",
    section: "Which bounds are safe",
    coq: coq! { "Bounds/Bottleneck.v": bottleneck bottleneck_best; },
    rest: "on paper only: grids, programs, machines with latency, and the longest kernel",
};

/// The sum over the segments between barriers.
pub const SEGMENTS: Statement = Statement {
    name: "segments",
    says: "the sum over the segments between barriers, of one block alone",
    checked: Checked::Machine,
    page: "programs",
    section: "Theorem 3",
    coq: coq! {
        "Barriers/OneBlock.v": one_block one_block_best one_block_safe one_block_sigma_one
            one_block_two_warps one_block_one_warp;
        "Checker/BarrierSegments.v": barrier_segments_bounded barrier_segments_reached;
    },
    rest: "the sum is checked no better than the bounds of its segments; on a machine with latency it is on paper only",
};

/// The phase bound of structured programs.
pub const PROGRAM: Statement = Statement {
    name: "program",
    says: "the phase bound of programs with branches, loops and barriers",
    checked: Checked::Paper,
    page: "programs",
    section: "4",
    coq: coq! {
        "Programs/Composition.v": gain_max;
        "Programs/FreePaths.v": program_rate_max program_length_max free_paths free_paths_one shared_path;
        "Programs/Matrices.v": matrix_gain rounds_gain matrix_max;
        "Programs/ProgramMatrices.v": label_matrix_max;
        "Programs/Divergence.v": divergent_branch loop_rounds;
        "Programs/Segments.v": columns_sound;
        "Programs/ProgramBarriers.v": program_barriers;
    },
    rest: "on paper only: arms that alternate, loops with barriers and a count from a range, branches with barriers and co-running blocks, and the critical path",
};

/// The closed form of paths of a program.
pub const PATH_CLOSED_FORM: Statement = Statement {
    name: "path-closed-form",
    says: "|z| + (W-1) a(p) of paths z and p that the warps of a program can take, at sigma 1",
    checked: Checked::Paper,
    page: "paths",
    section: "Theorem 6",
    coq: coq! { "Programs/SharedPath.v": program_exact; },
    rest: "on paper only: a path of its own for the straggler",
};

/// Blocks that follow one another.
pub const RELAY: Statement = Statement {
    name: "relay",
    says: "the sum over blocks that follow one another of what each costs",
    checked: Checked::Paper,
    page: "relay",
    section: "Theorem R",
    coq: coq! {
        "Relay/RelayBound.v": relay_theorem;
        "Relay/MidwayRelay.v": relay_any_entry;
        "Relay/Cover.v": cover;
        "Relay/Covered.v": relay_weights relay_queue relay_slots relay_slots_equal relay_sizes relay_full;
    },
    rest: "on paper only: barriers on several multiprocessors and in the sum over units, programs, machines with latency",
};

/// Equal blocks of a string without barriers that follow one another.
pub const EQUAL_BLOCKS: Statement = Statement {
    name: "equal-blocks",
    says: "the same for equal blocks of a string without barriers, on any number of multiprocessors with one queue",
    checked: Checked::Machine,
    page: "relay",
    section: "6",
    coq: coq! {
        "Relay/GridBounds.v": equal_slots;
        "Relay/ByUnits.v": followed_by_units;
        "Relay/OddStrings.v": odd_strings odd_strings_full;
        "Relay/LeftOver.v": left_over_phases;
        "Relay/GridBounds.v": blocks_fit several_multiprocessors;
        "Checker/RelayInput.v": equal_blocks;
    },
    rest: "",
};

/// What a block adds to a busy time.
pub const BUSY_TIME: Statement = Statement {
    name: "busy-time",
    says: "what a block adds to a busy time of its multiprocessor, whatever else runs there",
    checked: Checked::Paper,
    page: "response-times",
    section: "5",
    coq: &[],
    rest: "",
};

/// What a block of a program adds to a busy time.
pub const PROGRAM_BUSY_TIME: Statement = Statement {
    name: "program-busy-time",
    says: "the same for a block that runs a program: all its letters",
    checked: Checked::Paper,
    page: "response-times",
    section: "5",
    coq: &[],
    rest: "",
};

/// The critical path on a machine with latency.
pub const CRITICAL_PATH_ON_MACHINE: Statement = Statement {
    name: "critical-path-on-machine",
    says: "a warp alone, and the weights of all other warps, on a machine with latency",
    checked: Checked::Paper,
    page: "machines",
    section: "Theorem 1",
    coq: coq! {
        "Machine/CP.v": cp cp_any_state;
        "Machine/Embedding.v": model_in_class;
        "Machine/CPBarriers.v": cp_barriers;
        "Machine/Scoreboards.v": scoreboards scoreboards_any_state;
    },
    rest: "on paper only: the longest of several paths, scoreboards together with barriers, the sum over the segments of a block, grids, and the time to the last result",
};

/// Grids whose warps are spread over the schedulers.
pub const SPREAD_WARPS: Statement = Statement {
    name: "spread-warps",
    says: "equal blocks that follow one another, each scheduler having no more than its share of the warps of a block",
    checked: Checked::Paper,
    page: "machines",
    section: "Spread warps",
    coq: coq! {
        "Machine/Pinned.v": pinned_chain;
        "Memory/PinnedMemory.v": pinned_chain_memory;
        "Memory/SpreadSeveral.v": spread_grid;
        "Memory/SpreadWindows.v": spread_window;
    },
    rest: "on paper only: E in place of A, scoreboards, barriers, R = 1 where \
           W + V is more than A, P and Q where the width does not limit the blocks at once, and response times",
};

/// The cycles in which memory may keep results waiting.
pub const MEMORY_TERM: Statement = Statement {
    name: "memory-term",
    says: "no more cycles are stalled than the servers of the memory need for what is sent to them",
    checked: Checked::Paper,
    page: "servers",
    section: "Stalled cycles",
    coq: coq! {
        "Memory/MemoryRuns.v": stalled_in_window stalled_cycles;
        "Memory/MemoryScoreboards.v": sstalled_cycles;
        "Memory/Examples.v": without_memory;
    },
    rest: "on paper only: how long pauses are, dirty lines, and what a real memory does; rates, amounts and declared traffic \
           are the user's",
};

/// The critical path with the memory that all multiprocessors share.
pub const CRITICAL_PATH_WITH_MEMORY: Statement = Statement {
    name: "critical-path-with-memory",
    says: "the critical path on a machine, and once the time that the servers of the memory need",
    checked: Checked::Paper,
    page: "servers",
    section: "Theorem M",
    coq: coq! {
        "Memory/MemoryCP.v": memory_cp memory_cp_any_state;
        "Memory/MemoryScoreboards.v": memory_scoreboards memory_scoreboards_any_state;
        "Memory/MemoryBarriers.v": memory_barriers;
        "Memory/Followed.v": followed followed_any_state;
    },
    rest: "on paper only: the longest of several paths, scoreboards together with barriers, the sum over the segments of a block, \
           blocks on machines, and the time to the last result",
};

/// Grids with the memory that all multiprocessors share.
pub const GRID_WITH_MEMORY: Statement = Statement {
    name: "grid-with-memory",
    says: "equal blocks that follow one another, and once the time that the servers of the memory need",
    checked: Checked::Paper,
    page: "servers",
    section: "Grids",
    coq: coq! { "Memory/Grid.v": grid full; "Memory/SeveralGrid.v": left_over several; },
    rest: "on paper only: the maximum over the blocks of a multiprocessor, scoreboards, programs, and the time to the last result",
};

/// Windows whose traffic depends on their length.
pub const MEMORY_WINDOW: Statement = Statement {
    name: "memory-window",
    says: "a number of cycles, no less than the bound with all that comes to the memory in so many cycles",
    checked: Checked::Paper,
    page: "servers",
    section: "Theorem W",
    coq: coq! {
        "Memory/Windows.v": memory_window;
        "Memory/ScoreboardWindows.v": scoreboards_window;
        "Memory/BarrierWindows.v": barriers_window;
        "Memory/FollowedWindows.v": followed_window;
        "Memory/GridWindows.v": grid_window several_window;
    },
    rest: "on paper only: how long pauses are, how much others send, the time to the last result",
};

/// The phase bound with issue width and latency.
pub const PHASE_WIDTH_LATENCY: Statement = Statement {
    name: "phase-width-latency",
    says: "the phase bound with issue width and latency",
    checked: Checked::Paper,
    page: "machines",
    section: "Theorem 2",
    coq: coq! {
        "Latency/LatencyPotential.v": theorem_L_any_state;
        "Latency/TheoremL.v": theorem_L_uniform theorem_L_neutral theorem_L_paths;
        "Latency/Wide.v": theorem_L_wide;
        "Programs/TakenLettersPaths.v": total_gain_max;
        "Programs/ProgramMatrices.v": taken_matrix_max;
    },
    rest: "on paper only: barriers, several groups on several paths, grids, and the time to the last result",
};

/// Few warps with long latencies.
pub const PIPELINED: Statement = Statement {
    name: "pipelined",
    says: "few warps with long latencies, which never meet at different letters",
    checked: Checked::Paper,
    page: "machines",
    section: "Theorem 3",
    coq: &[],
    rest: "",
};

/// A search of every state.
pub const EXHAUSTIVE: Statement = Statement {
    name: "exhaustive",
    says: "the largest makespan, and the smallest as best case, by a search of every state",
    checked: Checked::Tested,
    page: "certificates",
    section: "What is machine-checked",
    coq: &[],
    rest: "the program that searches has no proof; for a certificate Coq searches small instances itself",
};

/// The phase bound from the states that a search left out.
pub const PHASE_OF_STATES: Statement = Statement {
    name: "phase-of-states",
    says: "the phase bound from every state that a search could not rule out",
    checked: Checked::Tested,
    page: "closed-form",
    section: "5",
    coq: &[],
    rest: "the program that searches has no proof",
};

/// The critical path from the states that a search had reached.
pub const CRITICAL_PATH_OF_STATES: Statement = Statement {
    name: "critical-path-of-states",
    says: "the critical paths from the states that a search had come to when a limit stopped it",
    checked: Checked::Tested,
    page: "records",
    section: "What a number follows from",
    coq: &[],
    rest: "the program that searches has no proof",
};

/// A dual bound of HiGHS.
pub const ILP_DUAL: Statement = Statement {
    name: "ilp-dual",
    says: "the dual bound of HiGHS over a horizon that no schedule exceeds",
    checked: Checked::Tested,
    page: "records",
    section: "What a number follows from",
    coq: &[],
    rest: "HiGHS computes with floating-point numbers and has no proof",
};
