//! The path back from a state to the start.

use std::collections::VecDeque;

use crate::beam::options::WarpsAt;
use crate::phase::Remaining;
use warpspan_check::schedule::{Issue, Schedule};
use warpspan_model::Instance;

/// How the states of a front were reached.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// For each state, the state before it and the end of the warps that issued.
    states: Vec<(u32, u32)>,
    issuing: Vec<WarpsAt>,
}

impl Step {
    pub(super) fn push(&mut self, parent: u32, issuing: impl Iterator<Item = WarpsAt>) {
        self.issuing.extend(issuing);
        let end = u32::try_from(self.issuing.len()).expect("places are counted in 32 bits");
        self.states.push((parent, end));
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.states.capacity() * size_of::<(u32, u32)>() + self.issuing.capacity() * size_of::<WarpsAt>())
            as u64
    }

    fn get(&self, state: u32) -> (u32, &[WarpsAt]) {
        let at = state as usize;
        let first = if at > 0 { self.states[at - 1].1 } else { 0 };
        let (parent, end) = self.states[at];
        (parent, &self.issuing[first as usize..end as usize])
    }
}

/// The schedule that led to a state of the last step. Of the warps at a place, the one that arrived first
/// issues first.
pub(super) fn schedule(instance: &Instance, remaining: &Remaining, steps: &[Step], last: u32) -> Schedule {
    let mut state = last;
    let mut cycles: Vec<&[WarpsAt]> = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let (parent, issuing) = step.get(state);
        cycles.push(issuing);
        state = parent;
    }
    let mut queues: Vec<VecDeque<u32>> = Vec::new();
    let mut named: Vec<(u32, u32)> = Vec::new(); // the group and instruction of each place
    for (group, members) in (0..).zip(instance.groups()) {
        debug_assert_eq!(remaining.first(group as usize), queues.len());
        let warps = u32::try_from(members.warps).expect("a search has fewer warps");
        queues.push((0..warps).collect());
        queues.extend(members.kernel.units().iter().map(|_| VecDeque::new()));
        let last = u32::try_from(members.kernel.len()).expect("a search has fewer instructions");
        named.extend((0..=last).map(|instruction| (group, instruction)));
    }
    let mut issues = Vec::new();
    for (cycle, issuing) in (1..).zip(cycles.into_iter().rev()) {
        let first = issues.len();
        let mut moved = Vec::new();
        for &(place, count) in issuing {
            let place = usize::from(place);
            let (group, instruction) = named[place];
            for warp in queues[place].drain(..usize::from(count)) {
                issues.push(Issue { cycle, group, warp, instruction, latency: 1 });
                moved.push((place + 1, warp));
            }
        }
        issues[first..].sort_unstable_by_key(|issue| (issue.group, issue.warp));
        moved.into_iter().for_each(|(place, warp)| queues[place].push_back(warp));
    }
    Schedule::new(issues)
}
