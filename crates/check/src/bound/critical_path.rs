//! The critical path: the simplest bound that is safe for every sigma and every mix of groups.

use crate::bound::{Demand, Theorem, Upper};
use crate::seal::SEAL;
use warpspan_model::{Cycles, Instance};

/// Upper bound on the makespan, in cycles: the largest, over the groups present, of
///
/// `I + sum over U of floor(other warps' instructions for U / sigma_U)`,
///
/// For one kernel this is `I + floor((W-1) I_L / sigma_L) + floor((W-1) I_C / sigma_C)`. A unit adds nothing
/// if it takes every warp, or if the warp has no instruction for it.
///
/// Proof: follow the warp that finishes last. In each cycle until then it either issues, which happens I
/// times, or waits for a unit U. While it waits, `sigma_U` *other* warps issue on U. In all they do so no
/// more often than they have instructions for U, and they never do where there are fewer than `sigma_U` of
/// them. The bound is a safe horizon of the ILP. Be12 uses its Eq. 5-7 instead, which are unsafe above sigma
/// = 1.
pub fn critical_path(instance: &Instance) -> Upper {
    // An instance is so small that the number fits. The largest number would be an upper bound, too.
    let cycles = Demand::from(instance).critical_path().unwrap_or(Cycles(u64::MAX));
    Upper::proved(cycles, Theorem::CriticalPath, SEAL)
}
