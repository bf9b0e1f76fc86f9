//! The bottleneck: the cycles that the fullest unit needs.

use crate::bound::{Lower, Theorem};
use crate::model::{Cycles, Instance, Unit};

/// Lower bound on every makespan, best and worst, in cycles: the largest of `ceil(W I_U / sigma_U)` over the
/// units U, where all groups are summed, and of the length of the longest kernel.
pub fn bottleneck(instance: &Instance) -> Lower {
    let on = |unit: &Unit| instance.total_issues_on(*unit).div_ceil(instance.sigma(*unit));
    let fullest = Unit::ALL.iter().map(on).max().unwrap_or(0);
    let longest = instance.groups().iter().map(|group| group.kernel.instructions()).max().unwrap_or(0);
    Lower::proved(Cycles(fullest.max(longest)), Theorem::Bottleneck)
}
