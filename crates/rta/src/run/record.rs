//! The events of a run that are kept.

use crate::Event;
use warpspan_model::time::Duration;

/// The most events that are simulated where the simulator only looks for misses, and that are verified where the
/// simulator is the method.
pub(crate) const MOST_EVENTS: u64 = 4_000_000;

/// The first events of a run in order, without releases.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) events: Vec<Event>,
    /// Whether there were more events than are kept.
    pub(crate) full: bool,
    seen: u64,
}

impl Record {
    /// The most events that are kept.
    const MOST: usize = 1_000_000;

    /// Forgets the recorded events, since another run begins.
    pub(super) fn begin(&mut self) {
        *self = Self::default();
    }

    pub(super) fn add(&mut self, event: Event) {
        self.seen += 1;
        self.full |= self.events.len() == Self::MOST || self.seen > MOST_EVENTS;
        if !self.full && !matches!(event, Event::Released(_)) {
            self.events.push(event);
        }
    }

    /// Removes the events of the last time if they may be incomplete, and returns the time before which all
    /// events are known.
    pub(crate) fn cut(&mut self) -> Duration {
        let now = |event: &Event| match event {
            Event::Placed(placed) if placed.rounds > 1 => None,
            event => Some(event.time()),
        };
        let last = self.events.iter().filter_map(now).max().unwrap_or_default();
        if self.full {
            self.events.retain(|event| event.time() < last);
        }
        last
    }
}
