//! RT-PAWS as the text of Si21 has it: `Q_prev` says which group is the first.

use crate::policy::gto::greedy_then_oldest;
use crate::policy::rt_paws::{enter, is_one_group, is_there, of};
use crate::policy::{Candidate, Last, SortWarps};

/// Real-time priority aware warp scheduling (Si21 Algorithm 5), with `g_0` as its text defines it, for any number
/// of priorities.
///
/// Warps of equal priority are a group. `Q_prev` is the order of the last cycle in which the head of the order
/// was passed over (Algorithm 4, line 14), and `g_0` is the group of its head. The order is `g_0`, greedy then
/// oldest, followed by the other groups, each oldest first. The head of `Q_prev` counts as stalled until it is
/// again the warp issued last. While it does, each issue of `g_0` takes one from its budget, which is its
/// priority at first. When none is left, its budget is reset to its priority and it stands behind the others *in
/// that cycle*, all groups oldest first. If the head of this order is passed over, the order becomes `Q_prev`, and
/// another group is `g_0`; if the head issues at once, `Q_prev` stays as it is, and `g_0` goes first again, with its
/// whole budget. With one group the order is [`Gto`](super::super::Gto).
///
/// # Decisions
///
/// The algorithm leaves some cases open. They are decided as follows:
///
/// * *When `Q_prev` is kept.* Line 14 of Algorithm 4 stands inside the loop, after the exit, so an order whose head
///   issues at once is not kept. The text says that `Q_prev` is the order of the cycle before. This code follows
///   the line, because only then do the three averages of Si21's example come out (docs/policies.md).
/// * *Which group is `g_0` where `Q_prev` does not say it*, since no head was passed over yet, or its group has
///   ended: the next group of `Q_prev` that has warps; else that of the warp issued last, so that a kernel that
///   runs when others arrive goes on greedily until it stalls, as Si21 says (section 4.4.3); else, where nothing
///   ran, the most urgent one.
/// * *Before any head was passed over*, no head counts as stalled.
/// * *Cycles without an issue* change no budget. The warp issued last stays the one issued last, and is the head
///   where it is of `g_0`. (There is one exception: where `g_0` passes to the group that issued last, which needs a
///   priority of 0, and nothing can issue in that cycle, the last issue is counted.)
/// * *A priority of 0* is a budget of 0, so the group stands behind for as long as its head counts as stalled.
/// * *A budget* is that of a group on one scheduler, for as long as the group has warps. The algorithm keeps it in
///   each warp, with the same value.
///
/// # More than two priorities
///
/// Si21 assumes two groups at most, and leaves more to future work (section 4.6). What follows is ours. With two
/// groups it is Algorithm 5.
///
/// * *Who follows.* `Q_prev` is read as `g_0`, `g_1` and so on to the last, and each order has its groups in this
///   order. When the budget of `g_0` is spent, it stands at the end of the order.
/// * *Where a group enters.* It enters behind `g_0`, in front of the first group that is less urgent than it.
///
/// The schedule is work-conserving, as every order is. But no group is sure of a turn: while the heads of others
/// issue at once, `Q_prev` stays, and a group that stands behind them only fills gaps. [`RtPawsRotating`] has
/// turns for all.
///
/// [`RtPawsRotating`]: super::RtPawsRotating
#[derive(Debug, Clone, Default)]
pub struct RtPaws {
    /// The groups of `Q_prev`, in its order.
    before: Vec<u64>,
    /// The groups of the last order, in its order, which is `Q_prev` if its head was passed over.
    groups: Vec<u64>,
    /// Each group that has warps, and what is left of its budget.
    budgets: Vec<(u64, u64)>,
    /// Whether the last call changed any of these, so that another one may give another order.
    changed: bool,
}

impl SortWarps for RtPaws {
    fn sort(&mut self, last: Last, warps: &[Candidate], queue: &mut Vec<u32>) {
        self.changed = false;
        // Any other order was not kept: its head, of another group, issued at once.
        if last.head.map(|head| head.priority) == self.groups.first().copied() && self.before != self.groups {
            self.before.clone_from(&self.groups);
            self.changed = true;
        }
        self.keep_budgets(warps);
        let was = std::mem::take(&mut self.groups);
        self.arrange(last, warps);
        let swaps = !is_one_group(warps) && self.swaps(last);
        if swaps {
            self.groups.rotate_left(1);
        }
        self.changed |= was != self.groups || self.before != self.groups;
        let Some((&first, others)) = self.groups.split_first() else { return };
        greedy_then_oldest(last.greedy.filter(|_| !swaps), of(first, warps), queue);
        for &priority in others {
            queue.extend(of(priority, warps).map(|candidate| candidate.warp));
        }
    }

    fn is_settled(&self) -> bool {
        !self.changed
    }
}

impl RtPaws {
    /// Forgets the budgets of groups that have no warps, and gives those that are new their priority.
    fn keep_budgets(&mut self, warps: &[Candidate]) {
        let before = self.budgets.len();
        self.budgets.retain(|&(priority, _)| is_there(priority, warps));
        self.changed |= self.budgets.len() != before;
        for &Candidate { priority, .. } in warps {
            if !self.budgets.iter().any(|&(other, _)| other == priority) {
                self.budgets.push((priority, priority));
                self.changed = true;
            }
        }
    }

    /// Puts the groups in the order of `Q_prev`.
    fn arrange(&mut self, last: Last, warps: &[Candidate]) {
        self.groups.extend(self.before.iter().filter(|&&priority| is_there(priority, warps)));
        if self.groups.is_empty() {
            let ran = last.greedy.map(|warp| warp.priority).filter(|&ran| is_there(ran, warps));
            self.groups.extend(ran.or(warps.iter().map(|candidate| candidate.priority).max()));
        }
        enter(&mut self.groups, warps);
    }

    /// Takes from the budget of `g_0`, and says whether it is spent; then it is reset.
    fn swaps(&mut self, last: Last) -> bool {
        if last.head.is_none() || last.head == last.greedy {
            return false;
        }
        let first = self.groups[0];
        let is_counted = last.greedy.is_some_and(|greedy| greedy.priority == first);
        let Some((_, budget)) = self.budgets.iter_mut().find(|(group, _)| *group == first) else {
            return false;
        };
        let left = budget.saturating_sub(u64::from(is_counted));
        let next = if left == 0 { first } else { left };
        self.changed |= *budget != next;
        *budget = next;
        left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Warps 0 and 1 have priority 1, warps 2 and 3 priority 2.
    fn warp(warp: u32) -> Candidate {
        Candidate { warp, priority: u64::from(warp / 2 + 1) }
    }

    /// The order if `Q_prev` has this head and this warp was issued last.
    fn order(policy: &mut RtPaws, head: Option<u32>, greedy: Option<u32>, warps: &[u32]) -> Vec<u32> {
        let warps: Vec<Candidate> = warps.iter().copied().map(warp).collect();
        let mut queue = Vec::new();
        policy.sort(Last { greedy: greedy.map(warp), head: head.map(warp) }, &warps, &mut queue);
        queue
    }

    #[test]
    fn the_first_group_comes_back_unless_the_swapped_order_is_kept() {
        let (mut policy, all) = (RtPaws::default(), [0, 1, 2, 3]);
        assert_eq!(order(&mut policy, None, None, &[0, 1]), [0, 1], "one group: GTO");
        assert_eq!(order(&mut policy, None, Some(0), &all), [0, 1, 2, 3], "the kernel that runs goes on");
        // Warp 0 stalls and warp 1 issues, so the budget of 1 is used up.
        assert_eq!(order(&mut policy, Some(0), Some(1), &all), [2, 3, 0, 1]);
        // Warp 2 issued at once, so that order is not kept. Warp 0 still counts as stalled.
        assert_eq!(order(&mut policy, Some(0), Some(2), &all), [0, 1, 2, 3]);
        assert_eq!(order(&mut policy, Some(0), Some(1), &all), [2, 3, 0, 1]);
        // Now 2 was passed over and 3 issued: the other group is g_0, and one of its budget of 2 is gone.
        assert_eq!(order(&mut policy, Some(2), Some(3), &all), [3, 2, 0, 1]);
        assert_eq!(order(&mut policy, Some(2), Some(2), &all), [2, 3, 0, 1], "no stall, no loss");
        assert_eq!(order(&mut policy, Some(2), Some(0), &all), [2, 3, 0, 1], "another group's issue");
        assert_eq!(order(&mut policy, Some(2), Some(3), &all), [0, 1, 2, 3], "both oldest first");
    }

    #[test]
    fn the_more_urgent_is_first_where_both_come_at_once() {
        assert_eq!(order(&mut RtPaws::default(), None, None, &[0, 1, 2, 3]), [2, 3, 0, 1]);
    }

    #[test]
    fn it_is_settled_once_an_order_is_that_of_the_cycle_before() {
        let mut policy = RtPaws::default();
        order(&mut policy, None, Some(0), &[0, 1, 2, 3]);
        assert!(!policy.is_settled());
        order(&mut policy, Some(0), Some(0), &[0, 1, 2, 3]);
        assert!(!policy.is_settled(), "the order has become that of Q_prev");
        order(&mut policy, Some(0), Some(0), &[0, 1, 2, 3]);
        assert!(policy.is_settled());
    }

    #[test]
    fn priority_0_stands_behind_while_its_head_counts_as_stalled() {
        let zero = |warp: u32| Candidate { warp, priority: u64::from(warp / 2) };
        let warps: Vec<Candidate> = (0..4).map(zero).collect();
        let mut policy = RtPaws { groups: vec![0, 1], ..RtPaws::default() };
        for (greedy, expected) in [(2, [2, 3, 0, 1]), (3, [2, 3, 0, 1]), (0, [0, 1, 2, 3])] {
            let mut queue = Vec::new();
            policy.sort(Last { greedy: Some(zero(greedy)), head: Some(zero(0)) }, &warps, &mut queue);
            assert_eq!(queue, expected);
        }
    }
}
