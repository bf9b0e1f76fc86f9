//! What was found of the routines of a listing, kept for further questions about it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::affine::{Inferred, footprint::Places};
use crate::flow::KnownNumbers;
use crate::memo::Memo;
use crate::params::Launch;
use crate::routine::Listing;
use crate::unreachable::Place;
use warpspan_model::machine::Waits;

/// A listing with what was found of it, each by all that it depends on besides the listing.
#[derive(Debug)]
pub(crate) struct Studied<'a> {
    pub(crate) listing: Listing<'a>,
    /// What accesses touch, and where they go if the sizes of the block are known.
    pub(crate) addresses: Memo<AddressesOf, (Inferred, Option<Places>)>,
    /// What is known of the numbers in registers.
    pub(crate) numbers: KnownNumbers<'a>,
    /// What the instruction of each line waits for, by the stall that a machine asks of PTX; empty if the listing does not say it.
    pub(crate) waits: Memo<Option<u32>, HashMap<u32, Arc<Waits>>>,
    /// The listing without the paths of an entry that lead to these places.
    pub(crate) left: Memo<(usize, HashSet<Place>), Result<Self, String>>,
}

impl<'a> From<Listing<'a>> for Studied<'a> {
    fn from(listing: Listing<'a>) -> Self {
        let (addresses, numbers) = (Memo::default(), Memo::default());
        Self { listing, addresses, numbers, waits: Memo::default(), left: Memo::default() }
    }
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
