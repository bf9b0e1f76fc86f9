//! What is known of the functions of a listing, kept for further questions about it.

use crate::flow::analysis::callees::FunctionId;
use crate::flow::analysis::counts::{Numbers, NumbersOf};
use crate::flow::graph::ControlFlowGraph;
use crate::memo::Memo;
use crate::routine::Listing;
use warpspan_isa::effects::Registers;

/// What is known, each by all that it depends on besides the listing.
#[derive(Debug, Default)]
pub(crate) struct KnownFunctions<'a> {
    /// The numbers in their registers.
    pub(super) numbers: Memo<NumbersOf, Numbers<'a>>,
    /// What is uniform in those of SASS that call no others.
    pub(super) uniform: Memo<UniformOf, Inferred>,
}

/// All that decides what is uniform in a function of SASS that calls no other, besides the listing.
#[derive(Debug, PartialEq)]
pub(super) struct UniformOf {
    pub(super) id: FunctionId,
    pub(super) graph: ControlFlowGraph,
    pub(super) called: bool,
    pub(super) independent_threads: bool,
    /// What the listing or the user says to be uniform.
    pub(super) said: Vec<bool>,
    pub(super) barriers: Vec<bool>,
}

/// What is found of a function.
#[derive(Debug, Default)]
pub(super) struct Inferred {
    /// Whether each instruction is uniform: all threads of a warp that are there together have the same predicate, and go the
    /// same way. What the listing or the user says is taken for granted.
    pub(super) uniform: Vec<bool>,
    /// The branches of which only a shuffle of all lanes says so.
    pub(super) of_shuffles: Vec<usize>,
    /// What is called, with the registers that hold the same there in all threads that call together.
    pub(super) calls: Vec<(FunctionId, Registers)>,
}

/// A listing with what is known of its functions.
pub(crate) type ListingWith<'f, 'a> = (&'f Listing<'a>, &'f KnownFunctions<'a>);
