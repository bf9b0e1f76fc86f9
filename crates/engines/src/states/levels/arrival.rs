//! When a state is reached.

use crate::states::Extreme;

/// The cycles in which a state is reached. Beyond the middle of the run each has the name of the middle state
/// on its path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub(super) latest: (u32, u32),
    pub(super) earliest: (u32, u32),
}

impl Arrival {
    pub(super) const START: Self = Self { latest: (0, 0), earliest: (0, 0) };

    /// The latest or earliest cycle after which the state is reached.
    pub(super) fn cycle(&self, extreme: Extreme) -> u32 {
        match extreme {
            Extreme::Worst => self.latest.0,
            Extreme::Best => self.earliest.0,
        }
    }

    /// The name of the middle state on the path.
    pub(super) fn by(&self, extreme: Extreme) -> u32 {
        match extreme {
            Extreme::Worst => self.latest.1,
            Extreme::Best => self.earliest.1,
        }
    }

    pub(super) fn next(self) -> Self {
        let next = |(cycle, by)| (cycle + 1, by);
        Self { latest: next(self.latest), earliest: next(self.earliest) }
    }

    /// Merges two arrivals. Of equal arrivals the one with the smaller name is kept, so that the order of
    /// visits does not matter.
    pub(super) fn meet(&mut self, other: Self) {
        let later = other.latest.0 > self.latest.0;
        if later || (other.latest.0 == self.latest.0 && other.latest.1 < self.latest.1) {
            self.latest = other.latest;
        }
        self.earliest = self.earliest.min(other.earliest);
    }
}
