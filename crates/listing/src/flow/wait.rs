//! Loops that end only when memory says so that other blocks write.

/// What a loop waits for: an access of memory on whose result each way out of it depends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wait {
    /// What kind of wait it is.
    pub kind: WaitKind,
    /// The line of the first such load or atomic operation.
    pub line: u32,
    /// Its opcode.
    pub opcode: String,
}

/// How a loop depends on what other blocks write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WaitKind {
    /// Each pass takes a number from a counter that all blocks share, and the loop ends when the numbers do.
    Queue,
    /// It tries to replace what it has read, and goes on only if another thread was faster.
    Retry,
    /// It counts up to a limit that stands in memory.
    Limit,
    /// It goes on until another block, or another warp, has written something.
    Spin,
}

impl Wait {
    /// Whether the loop may go on for ever where some blocks of the launch have not begun.
    pub fn needs_all_blocks(&self) -> bool {
        self.kind == WaitKind::Spin
    }
}
