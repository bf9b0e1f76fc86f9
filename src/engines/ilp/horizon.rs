//! The horizon T: how many cycles the ILP looks at.

use crate::bound::{critical_path, pessimistic};
use crate::engines::phase;
use crate::model::{Cycles, Instance};

/// Which horizon to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Horizon {
    /// The smaller of the critical path and the phase bound: no schedule is longer.
    Safe,
    /// Be12's pessimistic T (Eq. 5-7): shorter than some schedules where a sigma is above 1.
    Paper,
    /// So many cycles.
    Cycles(u64),
}

impl Horizon {
    /// The horizon of an instance.
    pub fn cycles(self, instance: &Instance) -> Cycles {
        match self {
            Self::Safe => critical_path(instance).cycles().min(phase::bound(instance).makespan),
            Self::Paper => pessimistic(instance).cycles(),
            Self::Cycles(cycles) => Cycles(cycles.min(critical_path(instance).cycles().0)),
        }
    }

    /// Whether every schedule of the instance fits, so that the optimum is the worst case.
    pub fn is_safe(self, instance: &Instance) -> bool {
        let fits = self.cycles(instance) >= Self::Safe.cycles(instance);
        fits || self == Self::Paper && pessimistic(instance).upper().is_some()
    }
}
