//! What was found of the routines of a listing, kept for further questions about it.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::LoopBounds;
use crate::affine::{Inferred, footprint::Places};
use crate::classes::Given;
use crate::flow::Inferred as Uniform;
use crate::flow::{Findings, Numbers, NumbersOf, StructureError, UniformOf};
use crate::params::Launch;
use crate::routine::Listing;
use crate::unreachable::Place;
use warpspan_model::device::Capability;
use warpspan_model::machine::Waits;
use warpspan_model::program::Piece;

/// What was found, each by all that it depends on besides the listing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known<'a> {
    /// What accesses touch, and where they go if the sizes of the block are known.
    pub(crate) addresses: Memo<AddressesOf, (Inferred, Option<Places>)>,
    /// What is known of the numbers in registers.
    pub(crate) numbers: Memo<NumbersOf, Numbers<'a>>,
    /// The programs of routines over the letters of the paper, or why there are none.
    pub(crate) programs: Memo<ProgramOf, (Result<Piece, StructureError>, Findings)>,
    /// What is uniform in functions of SASS that call no others.
    pub(crate) uniform: Memo<UniformOf, Uniform>,
    /// What the instruction of each line waits for, by the stall that a machine asks of PTX; empty if the listing does not say it.
    pub(crate) waits: Memo<Option<u32>, HashMap<u32, Arc<Waits>>>,
    /// The listing without the paths of an entry that lead to these places.
    pub(crate) left: Memo<(usize, HashSet<Place>), Result<Listing<'a>, String>>,
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

/// Values by their keys.
#[derive(Debug)]
pub(crate) struct Memo<K, V>(RefCell<Vec<(K, Rc<V>)>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

/// A copy is empty, since it is made to be changed.
impl<K, V> Clone for Memo<K, V> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<K: PartialEq, V> Memo<K, V> {
    /// The value of a key, which is found only if it is not known.
    pub(crate) fn get(&self, key: K, find: impl FnOnce(&K) -> V) -> Rc<V> {
        let known =
            self.0.borrow().iter().find(|(known, _)| *known == key).map(|(_, value)| Rc::clone(value));
        known.unwrap_or_else(|| {
            let value = Rc::new(find(&key));
            self.0.borrow_mut().push((key, Rc::clone(&value)));
            value
        })
    }
}
