//! What numbers follow from, how each of these is checked, and where it is proved.
//!
//! The table is the source of the word `checked` in records, and of what `verify` prints. A test compares it
//! with the tables of `proofs/README.md` and with the pages of the manual.

/// What Coq has checked, file by file.
macro_rules! coq {
    ($($file:literal: $($theorem:ident)+;)+) => {
        &[$($(Coq { theorem: stringify!($theorem), file: $file }),+),+]
    };
}

mod analyses;
mod engines;
mod policies;

use warpspan_model::words;

words! {
    /// How a number is checked.
    #[derive(PartialOrd, Ord)]
    Checked {
        /// By tests against other engines; there is no proof of the program that found it.
        Tested = "tested",
        /// By a proof on paper.
        Paper = "paper",
        /// By a machine: Coq checked the theorem, or in this very run a program that shares no code with what
        /// found the number checked it.
        Machine = "machine",
    }
}

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

pub use analyses::*;
pub use engines::*;
pub use policies::*;

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
