//! What numbers follow from, how each of these is checked, and where it is proved.
//!
//! The table is the source of the word `checked` in records, and of what `verify` prints. A test compares it
//! with the tables of `proofs/README.md` and with the pages of the manual.

mod analyses;
mod engines;
mod policies;

use crate::bound::Checked;

/// What a number follows from: a theorem, a search, a schedule that was replayed, or an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// Its name, which no other statement has.
    pub name: &'static str,
    /// What the number is, or what is said of it.
    pub says: &'static str,
    /// How it is checked. It is `machine` only if Coq has checked all that the program uses of it, or a program that
    /// shares no code with the one that found the number verifies every instance.
    pub checked: Checked,
    /// The page of the manual that states it, without its ending.
    pub page: &'static str,
    /// Where on the page: the number or the title of a section, or the name of a theorem.
    pub section: &'static str,
    /// What Coq has checked of it.
    pub coq: &'static [Coq],
    /// What a reader has to believe besides what is checked; empty where there is nothing.
    pub rest: &'static str,
}

/// A theorem that Coq has checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coq {
    /// Its name.
    pub theorem: &'static str,
    /// Its file, from `proofs`.
    pub file: &'static str,
}

const fn coq(file: &'static str, theorem: &'static str) -> Coq {
    Coq { theorem, file }
}

pub use analyses::{
    ALGORITHM_2, AMALTHEA, CERTIFICATE, CO_LOCATED, FEWEST_MULTIPROCESSORS, GRAPH, LAUNCH, LEAST_LAUNCH,
    LEAST_RESPONSE, LISTING, MODEL, OVERLOAD, PARTITION, PREEMPTIVE_PROCESSES, RESPONSE_BOUND,
    RESPONSE_BOUND_WITH_MEMORY, RUN_OF_RULES, TILES, TILES_SEARCH, TILES_SHARED, TIME_SLICES,
    TIME_SLICES_OF_KERNELS,
};
pub use engines::{
    BOTTLENECK, BUSY_TIME, CLOSED_FORM, CRITICAL_PATH, CRITICAL_PATH_OF_STATES, CRITICAL_PATH_ON_MACHINE,
    CRITICAL_PATH_WITH_MEMORY, EQUAL_BLOCKS, EXHAUSTIVE, GRID_WITH_MEMORY, ILP_DUAL, LONGEST_PAIR,
    MEMORY_TERM, MEMORY_WINDOW, PATH_CLOSED_FORM, PESSIMISTIC, PHASE, PHASE_OF_STATES, PHASE_WIDTH_LATENCY,
    PIPELINED, PROGRAM, PROGRAM_BUSY_TIME, RELAY, SCHEDULE, SEGMENTS, SPREAD_WARPS,
};

pub use policies::{GREEDY_OLDEST, GREEDY_YOUNGEST, OLDEST_FIRST, REACHABLE, ROUND_ROBIN};

/// All statements, in the order of the manual.
pub const STATEMENTS: [&Statement; 53] = [
    &MODEL,
    &SCHEDULE,
    &CLOSED_FORM,
    &LONGEST_PAIR,
    &PHASE,
    &CRITICAL_PATH,
    &PESSIMISTIC,
    &BOTTLENECK,
    &SEGMENTS,
    &PROGRAM,
    &PATH_CLOSED_FORM,
    &RELAY,
    &EQUAL_BLOCKS,
    &BUSY_TIME,
    &PROGRAM_BUSY_TIME,
    &CRITICAL_PATH_ON_MACHINE,
    &REACHABLE,
    &ROUND_ROBIN,
    &OLDEST_FIRST,
    &GREEDY_OLDEST,
    &GREEDY_YOUNGEST,
    &SPREAD_WARPS,
    &MEMORY_TERM,
    &CRITICAL_PATH_WITH_MEMORY,
    &GRID_WITH_MEMORY,
    &MEMORY_WINDOW,
    &RESPONSE_BOUND_WITH_MEMORY,
    &PHASE_WIDTH_LATENCY,
    &PIPELINED,
    &EXHAUSTIVE,
    &PHASE_OF_STATES,
    &CRITICAL_PATH_OF_STATES,
    &ILP_DUAL,
    &CERTIFICATE,
    &RESPONSE_BOUND,
    &ALGORITHM_2,
    &RUN_OF_RULES,
    &LEAST_RESPONSE,
    &OVERLOAD,
    &AMALTHEA,
    &TIME_SLICES,
    &PREEMPTIVE_PROCESSES,
    &TIME_SLICES_OF_KERNELS,
    &GRAPH,
    &LAUNCH,
    &LEAST_LAUNCH,
    &LISTING,
    &TILES,
    &TILES_SHARED,
    &TILES_SEARCH,
    &PARTITION,
    &FEWEST_MULTIPROCESSORS,
    &CO_LOCATED,
];
