//! The schedule behind a table: from the start, each choice leads to a state that has one cycle less to go.

use std::collections::VecDeque;

use crate::states::choices::{Choices, Issues};
use crate::states::layout::{Layout, Place};
use crate::states::table::{Count, Table};
use warpspan_check::schedule::{Issue, Schedule};
use warpspan_model::Instance;

/// A schedule of named warps that takes as long as the table says. No parent was stored for any state.
pub(super) fn schedule<T: Count>(instance: &Instance, layout: &Layout, table: &Table<T>) -> Schedule {
    let mut state = layout.start();
    let mut waiting = Waiting::new(layout);
    let mut choices = Choices::new(instance, layout);
    let mut issues = Vec::new();
    let mut left = table.start();
    for cycle in 1..=table.start() {
        let (block, rank) = number(layout, &state);
        let mut next: Option<Vec<Issues>> = None;
        choices.each(&state, &mut |choice, step| {
            if next.is_none() && table.after(block, rank, step) + 1 == left {
                next = Some(choice.to_vec());
            }
        });
        left -= 1;
        for (position, count) in next.expect("a state is one more than its best choice") {
            state[position] -= count;
            waiting.issue(layout, cycle, position, count, &mut issues);
        }
        waiting.arrive();
    }
    Schedule::new(issues)
}

/// The block and the rank within it of a state.
fn number(layout: &Layout, state: &[u64]) -> ((u64, u64), u64) {
    let (mut block, mut rank) = ((0, 0), 0);
    for (position, &count) in layout.positions.iter().zip(state) {
        match position.place {
            Place::Outer => block.0 = count,
            Place::Second => block.1 = count,
            Place::Inner(stride) => rank += layout.fall(position.instruction, count, count) * stride,
        }
    }
    (block, rank)
}

/// The warps that stand at each position. Warps are named in the order in which they arrive there.
struct Waiting {
    queues: Vec<VecDeque<u32>>,
    arriving: Vec<(usize, u32)>, // these arrive at the end of the cycle
}

impl Waiting {
    fn new(layout: &Layout) -> Self {
        let queue = |position: &crate::states::layout::Position| match position.instruction {
            0 => (0..u32::try_from(layout.warps[position.group])
                .expect("tables of so many warps are refused"))
                .collect(),
            _ => VecDeque::new(),
        };
        Self { queues: layout.positions.iter().map(queue).collect(), arriving: Vec::new() }
    }

    fn issue(&mut self, layout: &Layout, cycle: u64, position: usize, count: u64, issues: &mut Vec<Issue>) {
        let at = &layout.positions[position];
        for _ in 0..count {
            let warp = self.queues[position].pop_front().expect("a choice takes only warps that are ready");
            let narrow = |value: usize| u32::try_from(value).expect("a table fits in memory");
            issues.push(Issue {
                cycle,
                group: narrow(at.group),
                warp,
                instruction: narrow(at.instruction),
                latency: 1,
            });
            if let Some(above) = at.above {
                self.arriving.push((above, warp));
            }
        }
    }

    fn arrive(&mut self) {
        for (position, warp) in self.arriving.drain(..) {
            self.queues[position].push_back(warp);
        }
    }
}
