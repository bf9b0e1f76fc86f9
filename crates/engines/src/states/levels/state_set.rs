//! Sets of states without an allocation for each state: one array of the states, and a table of indexes into
//! it.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

use crate::states::levels::arrival::Arrival;

/// A part of a level: the states whose hashes fall into it, with their arrivals.
pub(super) struct Part {
    warps: usize,
    states: Vec<u16>,
    arrivals: Vec<Arrival>,
    places: HashTable<u32>,
}

/// States that one thread has reached, with their hashes, before they are added to a part. Some occur many
/// times.
pub(super) struct Reached {
    warps: usize,
    states: Vec<u16>,
    arrivals: Vec<(u64, Arrival)>,
}

/// The hash of a state.
pub(super) fn hash(state: &[u16]) -> u64 {
    FxBuildHasher.hash_one(state)
}

impl Part {
    pub(super) fn new(warps: usize) -> Self {
        Self { warps, states: Vec::new(), arrivals: Vec::new(), places: HashTable::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.arrivals.len()
    }

    /// The number of bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let arrivals = self.arrivals.capacity() * size_of::<Arrival>();
        (2 * self.states.capacity() + arrivals + self.places.allocation_size()) as u64
    }

    /// Adds a state, or merges its arrival with the one that is known.
    pub(super) fn reach(&mut self, hash: u64, state: &[u16], arrival: Arrival) {
        let (warps, states) = (self.warps, &self.states);
        let at = |&place: &u32| &states[place as usize * warps..][..warps];
        match self.places.entry(hash, |place| at(place) == state, |place| self::hash(at(place))) {
            Entry::Occupied(place) => self.arrivals[*place.get() as usize].meet(arrival),
            Entry::Vacant(vacant) => {
                let place = u32::try_from(self.arrivals.len()).expect("memory does not hold so many states");
                vacant.insert(place);
                self.states.extend_from_slice(state);
                self.arrivals.push(arrival);
            }
        }
    }

    /// Adds the states that a thread has reached.
    pub(super) fn meet(&mut self, reached: &Reached) {
        for (state, &(hash, arrival)) in reached.states.chunks_exact(self.warps).zip(&reached.arrivals) {
            self.reach(hash, state, arrival);
        }
    }

    /// Frees the table once no more states will be added.
    pub(super) fn close(&mut self) {
        self.places = HashTable::new();
        self.states.shrink_to_fit();
        self.arrivals.shrink_to_fit();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u16], &Arrival)> {
        self.states.chunks_exact(self.warps).zip(&self.arrivals)
    }

    /// The states of a range, with their arrivals.
    pub(super) fn range(&self, range: Range<usize>) -> impl Iterator<Item = (&[u16], &Arrival)> {
        let states = &self.states[range.start * self.warps..range.end * self.warps];
        states.chunks_exact(self.warps).zip(&self.arrivals[range])
    }

    /// Changes the arrivals.
    pub(super) fn update(&mut self, mut change: impl FnMut(&[u16], &mut Arrival)) {
        for (state, arrival) in self.states.chunks_exact(self.warps).zip(&mut self.arrivals) {
            change(state, arrival);
        }
    }
}

impl Reached {
    pub(super) fn new(warps: usize) -> Self {
        Self { warps, states: Vec::new(), arrivals: Vec::new() }
    }

    pub(super) fn push(&mut self, hash: u64, state: &[u16], arrival: Arrival) {
        debug_assert_eq!(state.len(), self.warps);
        self.states.extend_from_slice(state);
        self.arrivals.push((hash, arrival));
    }
}
