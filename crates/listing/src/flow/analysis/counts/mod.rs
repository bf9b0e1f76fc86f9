//! Counts of passes: loops whose number of passes is inferred from a counter.
//!
//! | file | is |
//! |---|---|
//! | `formula` | expressions in the parameters of a launch |
//! | `interval` | integers between two ends, and the bits that they stand for |
//! | `effect` | what an instruction writes, the same for both languages |
//! | `float` | bits of floating-point numbers that divide integers |
//! | `lifted` | what the steps of an instruction write |
//! | `ptx`, `sass` | the effects of their instructions |
//! | `ranges` | the intervals of all registers everywhere in a routine: `state` has what is known at a location, `execution` what an instruction does to it, `results`, `carries`, `masks` and `products` the results of operations, `form` and `forms` registers as sums of others, `predicates` what follows from predicates, `joins` and `thresholds` what becomes of it where paths join |
//! | `counter` | what a pass of a loop does to a register (`held`, `origins`, `words`), and the tests that leave the loop (`comparisons`, `tested`) |
//! | `counted_registers` | what loops with a count may add to registers |
//! | `paths` | what each path of a pass does to several registers together: `rooms` and `halving` have the counts that follow |
//! | `recurrence` | how often such a counter is tested before the test fails |
//! | `successive` | passes one after the other, where no counter is understood |
//! | `uniform` | registers of SASS that a warp has once |
//!
//! `docs/extract-loops.md` has the rule, and why no count is too low.

mod counted_registers;
mod counter;
mod effect;
mod lifted;
mod masked_comparisons;
mod paths;
mod ptx;
mod ranges;
mod recurrence;
mod sass;
mod successive;
mod uniform;

pub(crate) use counter::CountedLoop;
pub(crate) use recurrence::Tests;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crate::flow::analysis::Scope;
use crate::flow::analysis::callees::{self, FunctionId};
use crate::flow::analysis::counts::counted_registers::Counted;
use crate::flow::analysis::counts::effect::{CARRY, Effect, Source, ZERO};
use crate::flow::analysis::counts::ranges::{Live, Ranges};
use crate::flow::analysis::counts::uniform::Shared;
use crate::flow::analysis::definitions::ambiguous;
use crate::flow::graph::{BlockId, ControlFlowGraph, Shape};
use crate::params::Launch;
use crate::routine::{Listing, Routine};
use warpspan_isa::instruction::Language;
use warpspan_isa::register::Register;

/// All that the numbers in the registers of a function depend on besides the listing.
#[derive(Debug, PartialEq)]
pub(crate) struct NumbersOf {
    pub(crate) id: FunctionId,
    pub(crate) graph: ControlFlowGraph,
    pub(crate) launch: Launch,
    /// Whether it is called: no kernel.
    pub(crate) called: bool,
    /// The instructions that threads of a warp may issue while others are elsewhere; none where it is taken for granted that each
    /// group of threads reads in uniform registers what it wrote there itself.
    pub(crate) apart: Option<HashSet<usize>>,
}

/// What counts are found with: the ranges of the registers of a function.
#[derive(Debug)]
pub(crate) struct Numbers<'a> {
    ranges: Ranges<'a>,
    /// Registers whose value nobody knows: names of several of them, and those that groups of threads share
    /// while they have diverged.
    untracked: HashSet<&'a str>,
    /// Those that groups of threads may have written one after the other.
    of_groups: HashSet<&'a str>,
    /// How often the header of a loop is passed at most, by the shape of its pass.
    trip_counts: RefCell<HashMap<Shape, Option<Tests>>>,
}

impl<'a> Numbers<'a> {
    /// Runs the analysis for a function.
    pub(crate) fn new(listing: &Listing<'a>, of: &NumbersOf) -> Self {
        let NumbersOf { id, graph, launch, called, apart } = of;
        let (language, called, place) =
            (listing.language, *called, (id.routine, &listing.routines[id.routine]));
        let routine = place.1;
        let sizes = launch.sizes_only();
        let launch = if called && language == Language::Ptx { &sizes } else { launch };
        let mut effects: Vec<_> = routine
            .instructions
            .iter()
            .map(|instruction| match language {
                Language::Ptx => ptx::effect(instruction, launch),
                Language::Sass => sass::effect(instruction, launch),
            })
            .collect();
        if language == Language::Sass {
            let mut known = HashMap::new();
            for (at, effect) in effects.iter_mut().enumerate() {
                if let Some(callee) = callees::callee(listing, place, at) {
                    *effect = known.entry(callee).or_insert_with(|| of_call(listing, callee)).clone();
                }
            }
        }
        let ends = |at| callees::may_end(listing, place, at);
        let Shared { untracked, of_groups } = match (language, apart) {
            (Language::Ptx, _) => Shared { untracked: ambiguous(routine), ..Shared::default() },
            (Language::Sass, Some(apart)) => {
                uniform::shared((routine, graph), &mut effects, called, apart, ends)
            }
            (Language::Sass, None) => Shared::default(),
        };
        // Nothing that is said of a register that is not followed may come back to it.
        let unknown = |name: &str| untracked.contains(name).then_some(Source::Unknown);
        effects.iter_mut().for_each(|effect| effect.replace(&unknown));
        // SASS has few registers, and instructions read some that they do not name.
        let live = (language == Language::Ptx).then(|| Rc::new(Live::new(routine, graph)));
        let ranges =
            Ranges::new((routine, graph), (effects, live), [&untracked, &of_groups], |_, state, _| state);
        Self { ranges, untracked, of_groups, trip_counts: RefCell::default() }
    }

    /// Whether groups of threads may write registers that others read.
    pub(crate) fn has_shared_registers(&self) -> bool {
        !self.untracked.is_empty() || !self.of_groups.is_empty()
    }

    /// Whether some thread may go from a block to a successor, or to the end, as far as the numbers tell.
    pub(crate) fn may_go(
        &self,
        place: (&Routine<'a>, &ControlFlowGraph),
        edge: (BlockId, Option<BlockId>),
    ) -> bool {
        !self.ranges.complete || self.ranges.between(place, edge, &self.untracked).is_some()
    }

    /// The same with what the counts of loops say of the registers that these change.
    pub(crate) fn with_counts(self, routine: &Routine<'a>, whole: &Scope<'_>) -> Self {
        if !self.ranges.complete {
            return self;
        }
        let counted = Counted::all(routine, whole, &self);
        if counted.is_empty() {
            return self;
        }
        let place = (routine, whole.subgraph.graph());
        let (effects, live) = (self.ranges.effects.clone(), self.ranges.live.clone());
        let ranges =
            Ranges::new(place, (effects, live), [&self.untracked, &self.of_groups], |edge, state, known| {
                counted.iter().fold(state, |state, one| one.limited(state, edge, known))
            });
        if ranges.complete { Self { ranges, ..self } } else { self }
    }
}

/// What a call may write: what the instructions of the function may, with values that are not known.
fn of_call<'a>(listing: &Listing<'a>, callee: FunctionId) -> Effect<'a> {
    let all = callees::instructions(listing, callee);
    let written = all.and_then(|all| callees::registers_written(listing, &all));
    let Some(written) = written else { return Effect::everything() };
    let names = written.into_iter().filter_map(Register::name);
    Effect::unknown(names.chain([CARRY, ZERO]).collect::<BTreeSet<_>>())
}
