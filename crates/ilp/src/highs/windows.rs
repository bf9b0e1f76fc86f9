//! Windows: the cycles in which the k-th warp of a group can issue its i-th instruction.
//!
//! Warps of a group are interchangeable, so they may be named by the order in which they issue: if two warps
//! stand at the same instruction, the lower number goes first. Then a warp never overtakes a lower number. At
//! any time warps 1..k-1 have issued at least as much as warp k, and warps k+1.. at most as much. Let
//! `P_U(i)` be the number of instructions for U among the first i.
//!
//! The earliest cycle is the largest of three: one cycle after instruction i-1; one cycle after warp
//! `k - sigma_U` issued i (at most `sigma_U` warps issue i in a cycle); and the first cycle by which the
//! first i instructions of k warps fit, `ceil(k P_U(i) / sigma_U)`.
//!
//! The latest cycle is the smallest of several. Until it issues i, warp k issues, or waits for a unit U while
//! `sigma_U` others issue on it. Warps ahead of it issue all of their instructions, those behind at most
//! their first i-1, and those of other groups all. So the cycle is at most
//! `i + sum over U of floor(others' instructions for U / sigma_U)`. It is also at most I - i cycles before
//! the horizon, before the cycle of its own instruction i+1, and before that in which warp `k + sigma_U`
//! issues i.
//!
//! An instruction whose earliest cycle exceeds its latest shows that no schedule ends within the horizon.

use warpspan_model::{Instance, PerUnit, Unit};

/// The windows of all instructions of all warps.
pub(super) struct Windows {
    groups: Vec<Group>,
}

struct Group {
    kernel_length: usize,
    cells: Vec<(u64, u64)>, // the earliest and latest cycles, by warp and within it by instruction
}

impl Windows {
    /// The windows within a horizon if warps are ordered.
    pub(super) fn ordered(instance: &Instance, horizon: u64) -> Self {
        let groups = (0..instance.groups().len()).map(|group| Group::ordered(instance, group, horizon));
        Self { groups: groups.collect() }
    }

    /// The windows that allow every instruction in every cycle of the horizon.
    pub(super) fn open(instance: &Instance, horizon: u64) -> Self {
        let group = |group: &warpspan_model::WarpGroup| Group {
            kernel_length: group.kernel.len(),
            cells: vec![(1, horizon); group.kernel.len() * warps(group.warps)],
        };
        Self { groups: instance.groups().iter().map(group).collect() }
    }

    /// The earliest and latest cycle. Warp and instruction count from 0.
    pub(super) fn get(&self, group: usize, warp: usize, instruction: usize) -> (u64, u64) {
        let group = &self.groups[group];
        group.cells[warp * group.kernel_length + instruction]
    }
}

impl Group {
    fn ordered(instance: &Instance, group: usize, horizon: u64) -> Self {
        let members = &instance.groups()[group];
        let units = members.kernel.units();
        let (length, count) = (units.len(), warps(members.warps));
        let sigma = |unit| usize::try_from(instance.sigma(unit)).unwrap_or(usize::MAX);
        let mut prefix = vec![PerUnit::from_fn(|_| 0_u64)];
        for &unit in units {
            let mut next = *prefix.last().expect("begins with one");
            next[unit] += 1;
            prefix.push(next);
        }
        let mut cells = vec![(1, horizon); length * count];
        let at = |warp: usize, instruction: usize| warp * length + instruction;
        for warp in 0..count {
            for i in 0..length {
                let k = warp as u64 + 1;
                let full = |unit: &Unit| (k * prefix[i + 1][*unit]).div_ceil(instance.sigma(*unit));
                let mut earliest = Unit::ALL.iter().map(full).max().unwrap_or(1).max(1);
                if i > 0 {
                    earliest = earliest.max(cells[at(warp, i - 1)].0 + 1);
                }
                if let Some(ahead) = warp.checked_sub(sigma(units[i])) {
                    earliest = earliest.max(cells[at(ahead, i)].0 + 1);
                }
                cells[at(warp, i)].0 = earliest;
            }
        }
        for warp in (0..count).rev() {
            for i in (0..length).rev() {
                let (ahead, behind) = (warp as u64, (count - warp - 1) as u64);
                let waits = |unit: &Unit| {
                    let own = members.warps * members.kernel.count(*unit);
                    let elsewhere = instance.total_issues_on(*unit) - own;
                    let others = ahead * members.kernel.count(*unit) + behind * prefix[i][*unit] + elsewhere;
                    others / instance.sigma(*unit)
                };
                let mut latest = (i as u64 + 1 + Unit::ALL.iter().map(waits).sum::<u64>()).min(horizon);
                if i + 1 < length {
                    latest = latest.min(cells[at(warp, i + 1)].1.saturating_sub(1));
                }
                let behind = warp.saturating_add(sigma(units[i]));
                if behind < count {
                    latest = latest.min(cells[at(behind, i)].1.saturating_sub(1));
                }
                cells[at(warp, i)].1 = latest;
            }
        }
        Self { kernel_length: length, cells }
    }
}

/// A number of warps as an index. The memory estimate has refused what would not fit.
pub(super) fn warps(count: u64) -> usize {
    usize::try_from(count).expect("models of so many warps are refused by their size")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::Multiprocessor;

    /// For LLCLL, W = 2 and horizon 10, warp 1 issues its first L in cycle 1, and warp 2 its last L in 8 to
    /// 10.
    #[test]
    fn llcll() {
        let instance = Instance::single("LLCLL".parse().unwrap(), 2, Multiprocessor::default()).unwrap();
        let windows = Windows::ordered(&instance, 10);
        assert_eq!(windows.get(0, 0, 0), (1, 1));
        assert_eq!(windows.get(0, 0, 4), (5, 9));
        assert_eq!(windows.get(0, 1, 4), (8, 10));
        let tight = Windows::ordered(&instance, 7);
        assert!(tight.get(0, 1, 4).0 > tight.get(0, 1, 4).1, "eight L's do not fit into seven cycles");
    }
}
