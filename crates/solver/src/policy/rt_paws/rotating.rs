//! RT-PAWS with a list of groups that rotates.

use crate::policy::gto::greedy_then_oldest;
use crate::policy::rt_paws::{enter, is_one_group, is_there, of};
use crate::policy::{Candidate, Last, SortWarps};

/// Real-time priority aware warp scheduling (Si21 Algorithm 5), with `g_0` as the first of a list that rotates, for
/// any number of priorities.
///
/// Warps of equal priority are a group. They stand in a list, whose first is `g_0`. The order is `g_0`, greedy then oldest, followed by the other groups,
/// each oldest first. `Q_prev` is the order of the last cycle in which the head of the order was passed over,
/// and its head counts as stalled until it is again the warp issued last. While it does, each issue of `g_0`
/// takes one from its budget, which is its priority at first. When none is left, its budget is reset to its
/// priority and it goes to the end of the order; all groups are oldest first in that cycle. With one group the
/// order is [`Gto`](super::super::Gto).
///
/// # Decisions
///
/// The algorithm leaves some cases open. They are decided as follows:
///
/// * *When `Q_prev` is kept.* Line 14 of Algorithm 4 stands inside the loop, after the exit, so an order
///   whose head issues at once is not kept. The text says that `Q_prev` is the order of the cycle before.
///   This code follows the line, because only then do the three averages of Si21's example come out
///   (docs/policies.md). By the text a group would lose budget only in the cycle after its head was passed over.
/// * *Which group is `g_0` at first.* It is the group of the kernel that runs when the others arrive, so
///   that this kernel runs on greedily until its head stalls, as Si21 says (section 4.4.3). If all arrive at
///   once and so nothing ran, it is the most urgent group.
/// * *Before any head was passed over*, no head counts as stalled.
/// * *Cycles without an issue* change no budget. The warp issued last stays the one issued last, and is the
///   head. (There is one exception: where the turn passes to the group that issued last, which needs a priority
///   of 0 or a group that ends, and nothing can issue in that cycle, the last issue is counted.)
/// * *The budget of the group that goes first* is its full priority, because it was reset when the group last
///   went back.
/// * *A priority of 0* is a budget of 0, so the group goes back as soon as its head is passed over.
/// * *When one group is left*, its budget is forgotten. If another group arrives later, all budgets begin
///   anew.
/// * *A budget* belongs to a group on one scheduler. The algorithm keeps it in each warp, with the same
///   value.
///
/// # More than two priorities
///
/// Si21 assumes two groups at most, and leaves more to future work (section 4.6). What follows is ours. With
/// two groups it is Algorithm 5.
///
/// * *Who follows.* Algorithm 5 swaps its two groups. Here the groups stand in a list, the first of which is
///   `g_0`. A group whose budget is spent goes to the end of the list, and the next one has its turn. So each
///   group has one turn in every round, however urgent the others are, and its priority is its share of the
///   issues that are counted.
/// * *Who fills the gaps.* Where all warps of `g_0` stall, those of the next group in the list are tried, then
///   those of the one after it. An issue of a group that has no turn costs it nothing, as in Algorithm 5.
/// * *Where a group enters.* It enters behind `g_0`, in front of the first group that is less urgent than it.
///   Those that come together therefore stand behind `g_0` from the most urgent to the least.
/// * *When a group has no warps left* while others have, the list keeps its place, and it is passed over. If
///   its kernel is launched again, it gains no turn by that. If it was `g_0`, the next group has its turn, with
///   its full budget and all groups oldest first.
///
/// Hence, while a group has warps and waits for its turn, every other group begins one turn at most. A turn ends
/// as soon as its group has made as many issues as its priority while a head counted as stalled. A group whose
/// warps never stall keeps its turn, as in Algorithm 5.
#[derive(Debug, Clone, Default)]
pub struct RtPawsRotating {
    /// The priorities in the order of their turns, from that of `g_0` on; none while there is one group.
    turns: Vec<u64>,
    /// What is left of the budget of `g_0`.
    budget: u64,
    /// Whether the last call changed the list or the budget.
    changed: bool,
}

impl SortWarps for RtPawsRotating {
    fn sort(&mut self, last: Last, warps: &[Candidate], queue: &mut Vec<u32>) {
        if is_one_group(warps) {
            self.changed = !self.turns.is_empty();
            self.turns.clear();
            return greedy_then_oldest(last.greedy, warps.iter(), queue);
        }
        self.changed = false;
        self.enter(last, warps);
        let passes = self.passes(last, warps);
        greedy_then_oldest(last.greedy.filter(|_| !passes), of(self.turns[0], warps), queue);
        for &priority in &self.turns[1..] {
            queue.extend(of(priority, warps).map(|candidate| candidate.warp));
        }
    }

    fn is_settled(&self) -> bool {
        !self.changed
    }
}

impl RtPawsRotating {
    /// Puts the groups that are new into the list.
    fn enter(&mut self, last: Last, warps: &[Candidate]) {
        if self.turns.is_empty() {
            let ran = last.head.or(last.greedy).map(|warp| warp.priority);
            let first = ran.filter(|&ran| is_there(ran, warps));
            let first = first.or(warps.iter().map(|candidate| candidate.priority).max()).unwrap_or(0);
            (self.turns, self.budget, self.changed) = (vec![first], first, true);
        }
        self.changed |= enter(&mut self.turns, warps);
    }

    /// Takes from the budget of `g_0`, and says whether the turn passes on to the next group that has warps.
    fn passes(&mut self, last: Last, warps: &[Candidate]) -> bool {
        if is_there(self.turns[0], warps) {
            if last.head.is_none() || last.head == last.greedy {
                return false;
            }
            if last.greedy.is_some_and(|greedy| greedy.priority == self.turns[0]) && self.budget > 0 {
                self.budget -= 1;
                self.changed = true;
            }
            if self.budget > 0 {
                return false;
            }
        }
        self.turns.rotate_left(1);
        while !is_there(self.turns[0], warps) {
            self.turns.rotate_left(1);
        }
        (self.budget, self.changed) = (self.turns[0], true);
        true
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
    fn order(policy: &mut RtPawsRotating, head: Option<u32>, greedy: Option<u32>, warps: &[u32]) -> Vec<u32> {
        let warps: Vec<Candidate> = warps.iter().copied().map(warp).collect();
        let mut queue = Vec::new();
        policy.sort(Last { greedy: greedy.map(warp), head: head.map(warp) }, &warps, &mut queue);
        queue
    }

    #[test]
    fn a_kernel_that_runs_goes_on_until_its_head_stalls() {
        let mut policy = RtPawsRotating::default();
        assert_eq!(order(&mut policy, None, None, &[0, 1]), [0, 1], "one group: GTO");
        assert_eq!(order(&mut policy, Some(0), Some(0), &[0, 1, 2, 3]), [0, 1, 2, 3]);
        // Warp 0 stalls and warp 1 issues, so the budget of 1 is used up.
        assert_eq!(order(&mut policy, Some(0), Some(1), &[0, 1, 2, 3]), [2, 3, 0, 1]);
        // There are two issues while a head counts as stalled, so the budget of 2 is used up.
        assert_eq!(order(&mut policy, Some(2), Some(3), &[0, 1, 2, 3]), [3, 2, 0, 1]);
        assert_eq!(order(&mut policy, Some(3), Some(3), &[0, 1, 2, 3]), [3, 2, 0, 1], "no stall, no loss");
        assert_eq!(order(&mut policy, Some(3), Some(2), &[0, 1, 2, 3]), [0, 1, 2, 3], "both oldest first");
        // The budget of the first group was reset when it went back. An issue of the other group's warp costs
        // nothing.
        assert_eq!(order(&mut policy, Some(0), Some(2), &[0, 1, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(order(&mut policy, Some(0), Some(1), &[0, 1, 2, 3]), [2, 3, 0, 1]);
    }

    #[test]
    fn the_more_urgent_is_first_where_both_come_at_once() {
        assert_eq!(order(&mut RtPawsRotating::default(), None, None, &[0, 1, 2, 3]), [2, 3, 0, 1]);
    }

    #[test]
    fn cycles_without_an_issue_cost_nothing() {
        let mut policy = RtPawsRotating::default();
        order(&mut policy, None, None, &[0, 1, 2, 3]);
        for _ in 0..9 {
            assert_eq!(order(&mut policy, Some(3), Some(3), &[0, 1, 2, 3]), [3, 2, 0, 1]);
        }
        assert_eq!((policy.turns, policy.budget), (vec![2, 1], 2));
    }

    #[test]
    fn priority_0_goes_back_as_soon_as_its_head_is_passed_over() {
        let zero = |warp: u32| Candidate { warp, priority: u64::from(warp / 2) };
        let warps: Vec<Candidate> = (0..4).map(zero).collect();
        let mut queue = Vec::new();
        let last = Last { greedy: Some(zero(2)), head: Some(zero(0)) };
        RtPawsRotating { turns: vec![0, 1], ..RtPawsRotating::default() }.sort(last, &warps, &mut queue);
        assert_eq!(queue, [2, 3, 0, 1]);
    }
}
