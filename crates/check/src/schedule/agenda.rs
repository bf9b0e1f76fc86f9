//! The events of later cycles of a replay.

use std::collections::BTreeMap;

/// Events by cycle. Most are of the cycle after this one, which has a list of its own.
#[derive(Debug)]
pub(super) struct Agenda<E> {
    cycle: u64,
    next: Vec<E>,
    later: BTreeMap<u64, Vec<E>>,
}

impl<E> Agenda<E> {
    /// An agenda before cycle 1, with its events.
    pub(super) fn new(first: Vec<E>) -> Self {
        Self { cycle: 0, next: first, later: BTreeMap::new() }
    }

    /// Adds an event of a cycle after the present one.
    pub(super) fn add(&mut self, cycle: u64, event: E) {
        if cycle == self.cycle.saturating_add(1) {
            self.next.push(event);
        } else {
            self.later.entry(cycle).or_default().push(event);
        }
    }

    /// The first cycle with an event.
    pub(super) fn first(&self) -> Option<u64> {
        if self.next.is_empty() {
            self.later.keys().next().copied()
        } else {
            Some(self.cycle.saturating_add(1))
        }
    }

    /// Goes on to a cycle that is no later than the first one with an event, and takes its events.
    pub(super) fn advance(&mut self, cycle: u64) -> Vec<E> {
        let mut events = std::mem::take(&mut self.next);
        self.cycle = cycle;
        events.extend(self.later.remove(&cycle).unwrap_or_default());
        events
    }
}
