//! What a policy is: an order of warps.

/// A warp that is present and not finished, as a policy sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Its number in order of launch; smaller is older.
    pub warp: u32,
    /// The priority of its group; larger is more urgent.
    pub priority: u64,
}

/// What a scheduler remembers of the cycles before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Last {
    /// The warp issued last, the first of them if several were in the same cycle: `W_greedy`. Cycles without an issue
    /// leave it as it is.
    pub greedy: Option<Candidate>,
    /// The head of `Q_prev`, the order of the last cycle in which the head of the order was passed over (Si21 Algorithm 4,
    /// line 14); none before that.
    pub head: Option<Candidate>,
}

/// A policy of one scheduler, with its state.
pub trait SortWarps {
    /// Puts the warps into `queue`, which is empty, in the order in which the issue unit is to try them. It is called once a
    /// cycle; the warps are those of the scheduler, from the oldest to the youngest, ready or not.
    fn sort(&mut self, last: Last, warps: &[Candidate], queue: &mut Vec<u32>);
}
