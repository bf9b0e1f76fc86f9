//! Where a bound on response times comes from.

use num_rational::Ratio;

use warpspan_model::time::Duration;

/// The parts of a kernel's bound. They add up to [`bound`](Self::bound): all times of the shares,
/// [`copy_wait`](Self::copy_wait), [`memory`](Self::memory), [`jitter`](Self::jitter) and
/// [`rounding`](Self::rounding), less [`before`](Self::before).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The bound, counted from the arrival.
    pub bound: Duration,
    /// The theta at which the sum is the smallest; `None` where every C is measured, so that there is no
    /// choice.
    pub theta: Option<Ratio<i128>>,
    /// What the launches of each kernel contribute; kernels of which no launch counts are left out.
    pub shares: Vec<Share>,
    /// How long its copies, and those of launches before it in its stream, wait for other copies.
    pub copy_wait: Duration,
    /// For how long servers of the memory keep results waiting, those that do.
    pub memory: Vec<Late>,
    /// How long after its arrival the launch is released.
    pub jitter: Duration,
    /// What is left: each other time is rounded down to a grain.
    pub rounding: Duration,
    /// How long before the launch enters its queue the window begins in which the shares add up. What happens until it
    /// enters does not delay it, so this is taken off.
    pub before: Duration,
}

/// What a server of the memory adds to a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    /// Its name.
    pub server: String,
    /// For how long it may keep results waiting, whatever the multiprocessors do meanwhile.
    pub time: Duration,
}

/// What the launches of a kernel contribute to a bound. Each time is rounded down to a grain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The kernel.
    pub kernel: usize,
    /// The number of launches that count. `None` if there may be any number, since they pile up, and only
    /// what their stream can take of the GPU is limited.
    pub launches: Option<u64>,
    /// The number of their blocks that may be present while ours wait.
    pub ahead: Option<u64>,
    /// The number of their blocks that may start after our last block has started.
    pub later: Option<u64>,
    /// Whether less counts than the blocks cost, because one launch of their stream at a time is on the GPU.
    pub limited: bool,
    /// The time of its copies, if it is of our stream.
    pub copies: Duration,
    /// The run of the last block of each launch, if it is of our stream.
    pub run: Duration,
    /// What is on the multiprocessor of that last block when it starts.
    pub beside: Duration,
    /// What blocks that are present while ours wait add to the time of their multiprocessors: A.
    pub ahead_a: Duration,
    /// What they add because they are followed, or fill their multiprocessors: w C.
    pub ahead_c: Duration,
    /// What blocks that start after our last one add to the time of their multiprocessors: A.
    pub later_a: Duration,
    /// What blocks take of the multiprocessors that were there when the window began, and no more than that of their
    /// kernel.
    pub resident: Duration,
    /// What stays free of the multiprocessors after one of its launches has come to the head of its queue.
    pub lost: Duration,
}

impl Share {
    /// The sum of its times.
    pub fn total(&self) -> Duration {
        [
            self.copies,
            self.run,
            self.beside,
            self.ahead_a,
            self.ahead_c,
            self.later_a,
            self.resident,
            self.lost,
        ]
        .into_iter()
        .fold(Duration::ZERO, |all, part| all + part)
    }
}

impl Explanation {
    /// The sum of all parts, which is the bound.
    pub fn total(&self) -> Duration {
        let shares = self.shares.iter().map(Share::total);
        let all = shares
            .chain(self.memory.iter().map(|late| late.time))
            .chain([self.copy_wait, self.jitter, self.rounding])
            .fold(Duration::ZERO, |all, part| all + part);
        Duration(all.0.saturating_sub(self.before.0))
    }
}
