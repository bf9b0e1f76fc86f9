//! What a warp does in a cycle.

/// An instruction that a warp has issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// The warp.
    pub warp: usize,
    /// The instruction of its line.
    pub instruction: usize,
    /// The letter.
    pub letter: String,
    /// The cycle of the issue.
    pub cycle: u64,
    /// The last cycle in which it holds its unit.
    pub until: u64,
}

/// What a warp does in a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doing {
    /// Its block waits for a slot until before this cycle.
    Absent {
        /// The first cycle in which the block is in its slot.
        starts: u64,
    },
    /// It issues this.
    Issues(Issued),
    /// It waits for the result of its last instruction.
    Latency {
        /// The instruction that it waits for.
        of: Issued,
        /// The cycle from which on the result is there.
        ready: u64,
    },
    /// It waits at a barrier.
    Barrier {
        /// The instruction after the barrier.
        instruction: usize,
        /// The warps of its block that have not come in this cycle.
        missing: Vec<usize>,
        /// The cycle from which on the barrier is open.
        opens: u64,
    },
    /// It is ready, and its unit takes no more in this cycle.
    Unit {
        /// What it is ready for.
        next: Next,
        /// The name of the unit.
        unit: String,
        /// How many issues the unit holds at once.
        instances: u64,
        /// The issues that hold it.
        by: Vec<Issued>,
    },
    /// It is ready, and its scheduler issues no more in this cycle.
    Width {
        /// What it is ready for.
        next: Next,
        /// How many instructions the scheduler issues in a cycle.
        width: u64,
        /// What it issues in this cycle.
        by: Vec<Issued>,
    },
    /// It has issued its last instruction.
    Finished {
        /// The cycle of it; 0 for a warp without instructions.
        last: u64,
    },
}

/// What a waiting warp is ready for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// The instruction of its line.
    pub instruction: usize,
    /// The letter.
    pub letter: String,
    /// The first cycle in which it was ready.
    pub since: u64,
    /// How many warps are ready for the same unit, or for the same scheduler, in this cycle, those that issue
    /// among them.
    pub ready: u64,
}
