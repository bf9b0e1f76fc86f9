//! What was found of the routines of a listing, kept for further questions about it.

use std::collections::{BTreeMap, HashSet};

use crate::LoopBounds;
use crate::affine::{Inferred, footprint::Places};
use crate::classes::Given;
use crate::dependences::KnownWaits;
use crate::flow::{Findings, KnownFunctions, ListingWith, StructureError};
use crate::memo::Memo;
use crate::params::Launch;
use crate::routine::Listing;
use crate::unreachable::Place;
use warpspan_model::device::Capability;
use warpspan_model::program::Piece;

/// A listing with what was found of it, each by all that it depends on besides the listing.
#[derive(Debug)]
pub(crate) struct Studied<'a> {
    pub(crate) listing: Listing<'a>,
    /// What accesses touch, and where they go if the sizes of the block are known.
    pub(crate) addresses: Memo<AddressesOf, (Inferred, Option<Places>)>,
    /// The programs of routines over the letters of the paper, or why there are none.
    pub(crate) programs: Memo<ProgramOf, (Result<Piece, StructureError>, Findings)>,
    /// What is known of its functions.
    pub(crate) functions: KnownFunctions<'a>,
    /// What the instruction of each line waits for.
    pub(crate) waits: KnownWaits,
    /// The listing without the paths of an entry that lead to these places.
    pub(crate) left: Memo<(usize, HashSet<Place>), Result<Self, String>>,
}

impl<'a> From<Listing<'a>> for Studied<'a> {
    fn from(listing: Listing<'a>) -> Self {
        let (addresses, programs, functions) = (Memo::default(), Memo::default(), KnownFunctions::default());
        Self { listing, addresses, programs, functions, waits: Memo::default(), left: Memo::default() }
    }
}

impl<'a> Studied<'a> {
    /// The listing with what is known of its functions.
    pub(crate) const fn with_functions(&self) -> ListingWith<'_, 'a> {
        (&self.listing, &self.functions)
    }
}

/// What the program of a routine depends on.
#[derive(Debug, PartialEq)]
pub(crate) struct ProgramOf {
    pub(crate) routine: usize,
    pub(crate) given: Vec<Given>,
    pub(crate) capability: Capability,
    pub(crate) strict: bool,
    pub(crate) loop_bounds: LoopBounds,
    pub(crate) loop_totals: LoopBounds,
    pub(crate) uniform: HashSet<String>,
    pub(crate) launch: Launch,
}

/// What the addresses of a routine depend on.
#[derive(Debug, PartialEq)]
pub(crate) struct AddressesOf {
    pub(crate) routine: usize,
    pub(crate) launch: Launch,
    /// The power of two that divides each pointer among the parameters.
    pub(crate) aligned: u32,
    /// The most passes of loops by the lines of their headers.
    pub(crate) bounds: BTreeMap<u32, u64>,
}
