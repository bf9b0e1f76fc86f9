//! The events of a run, in order.

use crate::Job;
use warpspan_model::time::Duration;

/// Blocks of one kernel on one multiprocessor: equal batches, each of which begins when the one before ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occupation {
    /// The start of the first batch.
    pub start: Duration,
    /// The launch that the blocks belong to.
    pub job: Job,
    /// The multiprocessor, from 0.
    pub multiprocessor: usize,
    /// The blocks of a batch.
    pub blocks: u64,
    /// The number of batches; each takes the kernel's execution time.
    pub rounds: u64,
}

/// An event of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A launch was released.
    Released(Job),
    /// Blocks were placed.
    Placed(Occupation),
    /// A kernel reached the head of its stream and entered the queue of its priority at this time.
    Queued(Job, Duration),
    /// The last operation of a launch was complete at this time.
    Completed(Job, Duration),
}

impl Event {
    /// The time of the event.
    pub fn time(&self) -> Duration {
        match *self {
            Self::Released(job) => job.release,
            Self::Placed(placed) => placed.start,
            Self::Queued(_, time) | Self::Completed(_, time) => time,
        }
    }
}
