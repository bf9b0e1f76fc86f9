//! Measured launches and their blocks.

use warpspan_model::time::Duration;

/// A block that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// When it started, by the timer of the GPU.
    pub start: Duration,
    /// When it ended, after the start.
    pub end: Duration,
    /// The multiprocessor that it was on, from 0.
    pub multiprocessor: usize,
}

/// A launch of a measured run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The number of the launch among those of its kernel, from 0.
    pub number: u64,
    /// When the host called the launch, by its own clock.
    pub called: Duration,
    /// When the call returned.
    pub returned: Duration,
    /// When the host had waited for the stream to be empty; `None` if it did not wait.
    pub synchronised: Option<Duration>,
    /// When the copy in before it was complete, and when the copy out after it was.
    pub copies: Option<[Duration; 2]>,
    /// The launch before it in its stream, an index of the launches of the run.
    pub ahead: Option<usize>,
    /// The blocks, one or more, in their order in the grid.
    pub blocks: Vec<Block>,
}

impl Launch {
    /// The first start of a block.
    pub fn start(&self) -> Duration {
        self.blocks.iter().map(|block| block.start).min().unwrap_or_default()
    }

    /// The block that starts last, and when.
    pub(super) fn last_start(&self) -> (Duration, usize) {
        let starts = self.blocks.iter().enumerate().map(|(number, block)| (block.start, number));
        starts.max().unwrap_or_default()
    }

    /// The block that ends last, and when.
    pub(super) fn last_end(&self) -> (Duration, usize) {
        let ends = self.blocks.iter().enumerate().map(|(number, block)| (block.end, number));
        ends.max().unwrap_or_default()
    }

    /// The last end of a block.
    pub fn end(&self) -> Duration {
        self.last_end().0
    }

    /// The time from the return of the launch call to the last end of a block, which is the response time.
    /// The two are of different clocks.
    pub fn response(&self) -> Duration {
        Duration(self.end().0.saturating_sub(self.returned.0))
    }

    /// The longest time of a block.
    pub fn longest(&self) -> Duration {
        self.blocks.iter().map(|block| block.end - block.start).max().unwrap_or_default()
    }

    /// How many blocks were on each multiprocessor.
    pub fn spread(&self, multiprocessors: usize) -> Vec<u64> {
        let mut spread = vec![0; multiprocessors];
        for block in &self.blocks {
            if let Some(count) = spread.get_mut(block.multiprocessor) {
                *count += 1;
            }
        }
        spread
    }
}
