//! Which scheduler has how many warps of each group, in closed form.

use warpspan_model::machine::MachineWorkload;

/// A scheduler with the number of its warps of each group. It stands for all schedulers with these numbers.
pub(super) type Pinned = Vec<u64>;

/// All schedulers, one for each list of numbers of warps. The warps of a group are numbered consecutively
/// over all groups, and warp i is on scheduler i mod S, so along the schedulers the numbers change only where
/// some group begins or ends.
pub(super) fn schedulers(workload: &MachineWorkload) -> Vec<Pinned> {
    let number = workload.machine().schedulers();
    let ranges: Vec<_> = (0..workload.groups().len()).map(|group| workload.warps_of(group)).collect();
    let ends = ranges.iter().flat_map(|range| [range.start % number, range.end % number]);
    let mut found: Vec<u64> = ends.chain([0]).collect();
    found.sort_unstable();
    found.dedup();
    // The numbers below `end` that leave the remainder `scheduler`.
    let below = |end: u64, scheduler: u64| end / number + u64::from(end % number > scheduler);
    let mut all: Vec<Pinned> = found
        .into_iter()
        .map(|scheduler| {
            ranges.iter().map(|range| below(range.end, scheduler) - below(range.start, scheduler)).collect()
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use warpspan_model::machine::{Machine, MachineGroup, Unit};

    /// The closed form is the count of all warps, one by one.
    #[test]
    fn counted_one_by_one() {
        for number in 1..=5 {
            for warps in [[1, 1, 1], [3, 4, 2], [9, 1, 6], [2, 5, 5]] {
                let machine = Machine::new(number, None, vec![Unit::simple("L")], vec![]).unwrap();
                let code = machine.code("L").unwrap();
                let groups = warps.map(|warps| MachineGroup { code: code.clone(), warps }).to_vec();
                let workload = MachineWorkload::new(Arc::new(machine), groups).unwrap();
                let mut counted = vec![vec![0; 3]; usize::try_from(number).unwrap()];
                for (group, _) in workload.groups().iter().enumerate() {
                    for warp in workload.warps_of(group) {
                        counted[usize::try_from(warp % number).unwrap()][group] += 1;
                    }
                }
                let counted: BTreeSet<Pinned> = counted.into_iter().collect();
                assert_eq!(schedulers(&workload).into_iter().collect::<BTreeSet<_>>(), counted);
            }
        }
    }
}
