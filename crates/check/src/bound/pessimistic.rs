//! The pessimistic makespan of Be12 section 4.

use crate::bound::{Demand, Theorem, Upper};
use crate::seal::SEAL;
use warpspan_model::{Cycles, Instance};

/// The T of Be12 Eq. 5-7, and whether it is an upper bound at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pessimistic {
    cycles: Cycles,
    safe: bool,
}

impl Pessimistic {
    /// T, in cycles, as published.
    pub fn cycles(self) -> Cycles {
        self.cycles
    }

    /// The upper bound, if T is one, that is, if `sigma_L = sigma_C = 1`.
    pub fn upper(self) -> Option<Upper> {
        self.safe.then(|| Upper::proved(self.cycles, Theorem::Pessimistic, SEAL))
    }
}

/// T = ceil(W / `sigma_L`) `I_L` + ceil(W / `sigma_C`) `I_C`, in cycles (Be12 Eq. 5-7), summed over the
/// groups (Be12 has one).
///
/// It is safe only where both sigmas are 1. There it is the number of all instructions. Above that it fails:
/// LL with `sigma_L` = 2 and W = 4 has a schedule of 5 cycles, but T is 4; CCCC with `sigma_C` = 4 and W = 8
/// has a schedule of 11 cycles, but T is 8.
pub fn pessimistic(instance: &Instance) -> Pessimistic {
    // An instance is so small that the number fits. The largest number would be an upper bound, too.
    let cycles = Demand::from(instance).pessimistic().unwrap_or(Cycles(u64::MAX));
    Pessimistic { cycles, safe: instance.has_unit_sigma() }
}
