//! What happens in a run, in order.

use crate::model::time::Duration;
use crate::realtime::rta::Job;

/// Blocks of one kernel on one multiprocessor, one batch after the other without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occupation {
    /// When the first batch begins.
    pub start: Duration,
    /// The launch it belongs to.
    pub job: Job,
    /// The multiprocessor, from 0.
    pub multiprocessor: usize,
    /// Blocks of a batch.
    pub blocks: u64,
    /// How many batches, one after the other; each takes the kernel's execution time.
    pub rounds: u64,
}

/// What happens, for those who want to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A launch was released.
    Released(Job),
    /// Blocks were placed.
    Placed(Occupation),
    /// A kernel reached the head of its stream and entered the queue of its priority.
    Queued(Job, Duration),
    /// The last operation of a launch is complete.
    Completed(Job, Duration),
}

impl Event {
    /// When it happens.
    pub fn time(&self) -> Duration {
        match *self {
            Self::Released(job) => job.release,
            Self::Placed(placed) => placed.start,
            Self::Queued(_, time) | Self::Completed(_, time) => time,
        }
    }
}
