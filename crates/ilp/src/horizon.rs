//! The horizon T: the number of cycles that the ILP models.

use warpspan_check::bound::{Upper, critical_path, pessimistic};
use warpspan_model::{Cycles, Instance};

/// The choice of the horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Horizon {
    /// The smallest number of cycles that is known to hold every schedule.
    Safe,
    /// Be12's pessimistic T (Eq. 5-7), which is shorter than some schedules where a sigma is above 1.
    Paper,
    /// This number of cycles, but no more than the critical path.
    Cycles(u64),
}

impl Horizon {
    /// The horizon in cycles, for an instance of which no schedule is longer than `longest`.
    pub fn cycles(self, instance: &Instance, longest: Upper) -> Cycles {
        match self {
            Self::Safe => critical_path(instance).cycles().min(longest.cycles()),
            Self::Paper => pessimistic(instance).cycles(),
            Self::Cycles(cycles) => Cycles(cycles.min(critical_path(instance).cycles().0)),
        }
    }

    /// Whether every schedule of the instance fits, so that the optimum is the worst case.
    pub fn is_safe(self, instance: &Instance, longest: Upper) -> bool {
        let fits = self.cycles(instance, longest) >= Self::Safe.cycles(instance, longest);
        fits || self == Self::Paper && pessimistic(instance).upper().is_some()
    }
}
