//! The most that the warps of a workload issue, which suffices for all bounds that do not look at phases.

use crate::bound::{Lower, Theorem};
use crate::seal::SEAL;
use warpspan_model::{Cycles, Instance, PerUnit, Unit, WarpGroup};

/// The most letters that a warp issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letters {
    /// The letters of both units.
    pub all: u128,
    /// The letters of each unit, where each count may come from another path.
    pub on: PerUnit<u128>,
}

/// The most that the warps of one group issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupDemand {
    /// The number of warps.
    pub warps: u64,
    /// The number of warps of its largest block.
    pub block: u64,
    /// The letters on one path from the first letter to the last.
    pub path: Letters,
    /// The letters on a chain that may change to another path at each barrier, because in a block one warp
    /// may determine the time before a barrier and another the time after it.
    pub chain: Letters,
}

/// The most that the warps of all groups issue, where each sigma is a whole number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    groups: Vec<GroupDemand>,
    sigma: PerUnit<u64>,
    warps: u64,
    /// The letters of all warps, each on the path with the most letters for the unit; `None` where they do not fit.
    total: PerUnit<Option<u128>>,
}

impl From<&Instance> for Demand {
    fn from(instance: &Instance) -> Self {
        let group = |group: &WarpGroup| {
            let letters = Letters {
                all: group.kernel.instructions().into(),
                on: PerUnit::from_fn(|unit| group.kernel.count(unit).into()),
            };
            GroupDemand { warps: group.warps, block: group.warps, path: letters, chain: letters }
        };
        let groups = instance.groups().iter().map(group).collect();
        Self::new(groups, PerUnit::from_fn(|unit| instance.sigma(unit)), instance.total_warps())
    }
}

impl Demand {
    /// The demand of groups that have `warps` warps in all, where no sigma is larger than that.
    #[doc(hidden)]
    pub fn new(groups: Vec<GroupDemand>, sigma: PerUnit<u64>, warps: u64) -> Self {
        let total = PerUnit::from_fn(|unit| {
            groups.iter().try_fold(0_u128, |sum, group: &GroupDemand| {
                sum.checked_add(group.path.on[unit].checked_mul(group.warps.into())?)
            })
        });
        Self { groups, sigma, warps, total }
    }

    /// The [critical path](crate::bound::critical_path()); `None` if the number is 2^63 or more.
    pub fn critical_path(&self) -> Option<Cycles> {
        let finishes = (0..self.groups.len()).map(|group| self.finish(group));
        cycles(finishes.collect::<Option<Vec<_>>>()?.into_iter().max().unwrap_or(0))
    }

    /// The latest cycle in which the last warp of a group finishes, by the critical path. It is `None` if a
    /// number does not fit.
    #[doc(hidden)]
    pub fn finish(&self, group: usize) -> Option<u128> {
        let own = &self.groups[group];
        let mut finish = if own.block == 1 { own.path.all } else { own.chain.all };
        for unit in Unit::ALL {
            let waits_never = self.sigma[unit] >= self.warps || own.chain.on[unit] == 0;
            if !waits_never {
                finish = finish.checked_add(self.others(group, unit)? / u128::from(self.sigma[unit]))?;
            }
        }
        Some(finish)
    }

    /// The letters for a unit of all warps except one of this group.
    fn others(&self, group: usize, unit: Unit) -> Option<u128> {
        // Of its block, all but one warp go on along the chain; all others are counted in the total.
        let own = &self.groups[group];
        let others = self.total[unit]?.checked_sub(own.path.on[unit].checked_mul(own.block.into())?)?;
        others.checked_add(own.chain.on[unit].checked_mul(own.block.saturating_sub(1).into())?)
    }

    /// Lower bound on the worst case: what the fullest unit needs if each warp takes the path with the most
    /// letters for it. Each count of letters for a unit is that of some path, and in blocks with barriers all
    /// warps can take the same one.
    pub fn bottleneck(&self) -> Lower {
        let of = |unit: Unit| self.total[unit].map_or(0, |sum| sum.div_ceil(self.sigma[unit].into()));
        let fullest = Unit::ALL.into_iter().map(of).max().unwrap_or(0);
        Lower::proved(cycles(fullest).unwrap_or_default(), Theorem::Bottleneck, SEAL)
    }

    /// The [pessimistic makespan](crate::bound::pessimistic()), which is an upper bound only at sigma 1;
    /// `None` if the number is 2^63 or more.
    pub fn pessimistic(&self) -> Option<Cycles> {
        let mut sum = 0_u128;
        for group in &self.groups {
            for unit in Unit::ALL {
                let rounds = u128::from(group.warps.div_ceil(self.sigma[unit]));
                sum = sum.checked_add(group.path.on[unit].checked_mul(rounds)?)?;
            }
        }
        cycles(sum)
    }
}

/// A number of cycles, if it is small enough that other numbers can be added to it.
fn cycles(number: u128) -> Option<Cycles> {
    u64::try_from(number).ok().filter(|&cycles| cycles < 1 << 63).map(Cycles)
}
