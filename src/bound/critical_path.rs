//! The critical path: the simplest bound that is safe for every sigma and every mix of groups.

use crate::bound::{Basis, Demand, Upper};
use crate::model::{Cycles, Instance};

/// Upper bound on the makespan, in cycles: the largest, over the groups present, of
///
/// `I + sum over U of floor(other warps' instructions for U / sigma_U)`,
///
/// which for one kernel is `I + floor((W-1) I_L / sigma_L) + floor((W-1) I_C / sigma_C)`. A unit adds nothing
/// if it takes every warp, or if the warp has no instruction for it.
///
/// Proof: follow the warp that finishes last. In each cycle until then it issues, which happens I times, or
/// it waits for a unit U, and then `sigma_U` *other* warps issue on U, which they do no more often in all
/// than they have instructions for U, and never where there are not so many of them. This is the horizon of
/// the ILP. (Be12 uses its Eq. 5-7, which is unsafe above sigma = 1.)
pub fn critical_path(instance: &Instance) -> Upper {
    // An instance is so small that the number fits; and the largest number is an upper bound too.
    let cycles = Demand::from(instance).critical_path().unwrap_or(Cycles(u64::MAX));
    Upper::formula(cycles, Basis::CriticalPath, "critical path")
}
