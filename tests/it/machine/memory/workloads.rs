//! The worst case of a workload over all paths of its warps.

use warpspan::model::machine::MachineWorkload;

use super::oracle::{Ends, Member, System};
use super::random::{MOST, lines};

/// The worst ends of each group over all paths of its warps, if that is not too much work.
pub(crate) fn worst(workload: &MachineWorkload, every_service: bool) -> Option<Ends> {
    let mut lines_of = vec![];
    let mut blocks: Vec<Vec<Member>> = vec![];
    let mut choices: Vec<std::ops::Range<usize>> = vec![];
    for (class, group) in workload.groups().iter().enumerate() {
        let from = lines_of.len();
        lines_of.extend(lines(&group.code));
        let size = usize::try_from(workload.warps_per_block().unwrap_or(group.warps)).unwrap();
        let schedulers = usize::try_from(workload.machine().schedulers()).unwrap();
        let members: Vec<Member> = workload
            .warps_of(class)
            .map(|warp| Member { line: from, class, scheduler: usize::try_from(warp).unwrap() % schedulers })
            .collect();
        choices.extend(members.iter().map(|_| from..lines_of.len()));
        blocks.extend(members.chunks(size).map(<[Member]>::to_vec));
    }
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for choice in choices {
        all =
            all.iter().flat_map(|one| choice.clone().map(move |line| [&one[..], &[line]].concat())).collect();
    }
    let mut ends = vec![[0; 2]; workload.groups().len()];
    for chosen in all {
        let mut chosen = chosen.into_iter();
        let mut blocks = blocks.clone();
        blocks.iter_mut().flatten().for_each(|warp| warp.line = chosen.next().unwrap());
        let system = System {
            machine: workload.machine(),
            lines: lines_of.clone(),
            start: vec![blocks],
            queue: vec![],
            waiting: 0,
            places: 0,
            held: 0,
            classes: ends.len(),
            declared: vec![],
            every_service,
        };
        for (end, found) in ends.iter_mut().zip(system.worst(MOST)?) {
            *end = [end[0].max(found[0]), end[1].max(found[1])];
        }
    }
    Some(ends)
}
