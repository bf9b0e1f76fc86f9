//! The bottleneck: the cycles that the fullest unit needs.

use crate::bound::{Lower, Theorem};
use crate::seal::SEAL;
use warpspan_model::{Cycles, Grid, Instance, Unit};

/// Lower bound on every makespan, best and worst, in cycles: the largest of `ceil(W I_U / sigma_U)` over the
/// units U, where all groups are summed, and of the length of the longest kernel.
pub fn bottleneck(instance: &Instance) -> Lower {
    let on = |unit: &Unit| instance.total_issues_on(*unit).div_ceil(instance.sigma(*unit));
    let fullest = Unit::ALL.iter().map(on).max().unwrap_or(0);
    let longest = instance.groups().iter().map(|group| group.kernel.instructions()).max().unwrap_or(0);
    Lower::proved(Cycles(fullest.max(longest)), Theorem::Bottleneck, SEAL)
}

/// Lower bound on the worst-case makespan of a grid, in cycles. Let x blocks of B warps be on one
/// multiprocessor, of which it holds at most R at once. The bound is the larger of two numbers: the largest
/// of `ceil(x B I_U / sigma_U)` over the units U, and `I ceil(x / R)`, because the blocks of a slot follow
/// one another.
///
/// In any schedule one of the M multiprocessors has `x = ceil(N / M)` or more of the N blocks. There are also
/// schedules in which one has `x = min(N, R)` of them: those that start with a full multiprocessor. The bound
/// takes the larger x..
pub fn grid_bottleneck(grid: &Grid) -> Option<Lower> {
    let together = grid.together().instance()?;
    let kernel = &together.groups()[0].kernel;
    let blocks = grid.blocks().div_ceil(grid.multiprocessors()).max(grid.at_once());
    // The letters of all blocks of a grid fit into 61 bits.
    let on =
        |unit: &Unit| (blocks * grid.warps_per_block() * kernel.count(*unit)).div_ceil(together.sigma(*unit));
    let fullest = Unit::ALL.iter().map(on).max().unwrap_or(0);
    let slot = kernel.instructions() * blocks.div_ceil(grid.resident());
    Some(Lower::proved(Cycles(fullest.max(slot)), Theorem::Bottleneck, SEAL))
}
