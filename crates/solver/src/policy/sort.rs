//! The trait of a policy, which orders warps.

/// A warp that is present and not finished, as a policy sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The warp's number in the order of launch. A smaller number is older.
    pub warp: u32,
    /// The priority of the warp's group. A larger number is more urgent.
    pub priority: u64,
}

/// What a scheduler remembers of the cycles before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Last {
    /// The warp issued last, `W_greedy`. It is the first of them if several were issued in the same cycle.
    /// Cycles without an issue leave it as it is.
    pub greedy: Option<Candidate>,
    /// The head of `Q_prev`, which is the order of the last cycle in which the head of the order was passed
    /// over (Si21 Algorithm 4, line 14). It is `None` before there was such a cycle.
    pub head: Option<Candidate>,
}

/// A policy of one scheduler, with its state.
pub trait SortWarps {
    /// Puts the warps into `queue`, which is empty, in the order in which the issue unit is to try them. It
    /// is called once a cycle, or less often if the policy [is settled](Self::is_settled). The warps are those of the scheduler, ready or not, from the oldest to the
    /// youngest.
    fn sort(&mut self, last: Last, warps: &[Candidate], queue: &mut Vec<u32>);

    /// Whether the last call left the state of the policy as it was, so that the same warps and the same past
    /// give the same order again. Cycles without an issue are then passed over.
    fn is_settled(&self) -> bool {
        true
    }
}
