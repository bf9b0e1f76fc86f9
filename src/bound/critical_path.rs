//! The critical path: the simplest bound that is safe for every sigma and every mix of groups.

use crate::bound::{Basis, Upper};
use crate::model::{Cycles, Instance, Unit};

/// Upper bound on the makespan, in cycles: the largest, over the groups present, of
///
/// `I + sum over U of floor(other warps' instructions for U / sigma_U)`,
///
/// which for one kernel is `I + floor((W-1) I_L / sigma_L) + floor((W-1) I_C / sigma_C)`; a unit that takes every warp adds
/// nothing.
///
/// Proof: follow the warp that finishes last. In each cycle until then it issues, which happens I times, or it waits
/// for a unit U, and then `sigma_U` *other* warps issue on U, which they do no more often in all than they have
/// instructions for U, and never where there are not so many of them. This is the horizon of the ILP (Be12 uses its Eq. 5-7, which is unsafe above sigma = 1).
pub fn critical_path(instance: &Instance) -> Upper {
    let finish = |group: &crate::model::WarpGroup| {
        let waits = |unit: Unit| match instance.sigma(unit) {
            sigma if sigma >= instance.total_warps() => 0,
            sigma => (instance.total_issues_on(unit) - group.kernel.count(unit)) / sigma,
        };
        group.kernel.instructions() + Unit::ALL.iter().map(|&unit| waits(unit)).sum::<u64>()
    };
    let longest = instance.groups().iter().map(finish).max().unwrap_or(0);
    Upper::formula(Cycles(longest), Basis::CriticalPath, "critical path")
}
