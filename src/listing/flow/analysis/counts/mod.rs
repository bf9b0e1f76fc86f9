//! Counts of passes: loops whose number of passes is evident from a counter.
//!
//! | file | is |
//! |---|---|
//! | `formula` | expressions in the parameters of a launch |
//! | `interval` | integers between two ends, and the bits that they stand for |
//! | `effect` | what an instruction writes, the same for both languages |
//! | `ptx`, `sass`, `half` | the effects of their instructions |
//! | `ranges` | the intervals of all registers everywhere in a routine |
//! | `counter` | what a pass of a loop does to a register, and the tests that leave the loop |
//! | `recurrence` | how often such a counter is tested before the test fails |
//! | `uniform` | registers of SASS that a warp has once |
//!
//! `docs/extract.md` has the rule, and why no count is too low.

mod counter;
mod effect;
mod formula;
mod half;
mod interval;
mod ptx;
mod ranges;
mod recurrence;
mod sass;
mod uniform;

pub(crate) use counter::CountedLoop;
pub use formula::Formula;
pub(in crate::listing) use formula::{End, Number};
pub(in crate::listing) use interval::Interval;
pub(crate) use uniform::apart;

use std::collections::HashSet;

use crate::listing::flow::analysis::counts::ranges::Ranges;
use crate::listing::flow::analysis::definitions::ambiguous;
use crate::listing::flow::graph::ControlFlowGraph;
use crate::listing::params::Launch;
use crate::listing::routine::{Language, Routine};

/// What counts are found with: the ranges of the registers of a function.
#[derive(Debug)]
pub(crate) struct Numbers<'a> {
    ranges: Ranges<'a>,
    /// Registers whose value nobody knows: names of several of them, and those that groups of threads share
    /// while they are apart.
    untracked: HashSet<&'a str>,
}

impl<'a> Numbers<'a> {
    /// Runs the analysis for a function. `apart` says which instructions threads of a warp may issue while
    /// others are elsewhere; `called` says that it is no kernel.
    pub(crate) fn new(
        routine: &Routine<'a>,
        language: Language,
        graph: &ControlFlowGraph,
        launch: &Launch,
        called: bool,
        apart: &HashSet<usize>,
    ) -> Self {
        let sizes = launch.sizes_only();
        let launch = if called && language == Language::Ptx { &sizes } else { launch };
        let effects: Vec<_> = routine
            .instructions
            .iter()
            .map(|instruction| match language {
                Language::Ptx => ptx::effect(instruction, launch),
                Language::Sass => sass::effect(instruction, launch),
            })
            .collect();
        let untracked = match language {
            Language::Ptx => ambiguous(routine),
            Language::Sass => uniform::shared(routine, &effects, called, apart).into_iter().collect(),
        };
        let ranges = Ranges::new(routine, graph, effects, &untracked);
        Self { ranges, untracked }
    }
}
