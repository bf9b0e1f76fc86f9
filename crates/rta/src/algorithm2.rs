//! Algorithm 2 of Pa19: completion times of kernels that are launched in order on one big multiprocessor.
//!
//! The symbols are those of the thesis: `t_a` is the time at which a block can be placed, `g_f` is what is
//! free at that time, and h holds pairs of a later time and of what becomes free then. In two places the code
//! follows the text of the thesis where the listing says nothing: pairs of equal times are merged (section
//! 3.6), and a kernel that is released later than `t_a` moves `t_a` to its release (Fig. 3.3). What is free
//! is counted in threads, so that blocks of different sizes can be analysed too; for equal blocks this is the
//! algorithm of the thesis, with the threads of `g_f` blocks in place of `g_f`.
//!
//! A kernel that fills the whole GPU many times over is not stepped through round by round: while only its own blocks
//! end, each execution time repeats the one before.

use std::collections::BTreeMap;

use warpspan_model::time::Duration;

/// What a kernel asks for when it is launched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// r, the time of the launch; it is never before the launch of the kernel ahead of it.
    pub release: Duration,
    /// C, the time that a block takes; it is above zero.
    pub execution: Duration,
    /// g, the number of blocks; it is 1 or more.
    pub blocks: u64,
    /// b, the threads of a block; they are at most those of the GPU.
    pub threads: u64,
}

/// The state of Algorithm 2 when blocks of a launch are to be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// `g_i`, the blocks of the launch that are left to be placed.
    pub left: u64,
    /// `t_a`, the time at which the next block can be placed.
    pub now: Duration,
    /// The threads that are free at `t_a`: `g_f` times b.
    pub free: u64,
    /// h: later times, and the threads that become free then.
    pub held: Vec<(Duration, u64)>,
}

/// The state of Algorithm 2 between two kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Algorithm2 {
    /// `t_a`.
    now: Duration,
    /// The threads that are free at `t_a`: `g_f` times b.
    free: u64,
    /// h: how many threads become free, by time; all times are later than `t_a`.
    held: BTreeMap<Duration, u64>,
}

impl Algorithm2 {
    /// An idle GPU with so many threads, `b_max` of Pa19 Eq. 3.6.
    pub fn new(threads: u64) -> Self {
        Self { now: Duration(0), free: threads, held: BTreeMap::new() }
    }

    /// Places all blocks of a kernel and tells when the last of them completes.
    ///
    /// ```
    /// use warpspan_model::time::Duration;
    /// use warpspan_rta::{Algorithm2, Request};
    ///
    /// // Pa19 section 3.6
    /// let mut gpu = Algorithm2::new(4096);
    /// let mut launch = |c, blocks| {
    ///     gpu.launch(Request { release: Duration(0), execution: Duration(c), blocks, threads: 512 }).0
    /// };
    /// assert_eq!([launch(4, 2), launch(6, 7), launch(6, 2), launch(5, 5)], [4, 10, 12, 11]);
    /// ```
    pub fn launch(&mut self, request: Request) -> Duration {
        self.follow(request, |_, _| {})
    }

    /// The same, step by step: `seen` gets the state each time that blocks are to be placed, and how many are
    /// left then.
    pub(super) fn follow(&mut self, request: Request, mut seen: impl FnMut(&Self, u64)) -> Duration {
        let Request { release, execution, blocks, threads } = request;
        self.wait_until(release);
        let mut left = blocks;
        loop {
            seen(self, left);
            let fit = (self.free / threads).min(left);
            if fit > 0 {
                self.free -= fit * threads;
                *self.held.entry(self.now + execution).or_default() += fit * threads;
                left -= fit;
            }
            if left == 0 {
                return self.now + execution;
            }
            left -= self.skip_rounds(left, request);
            let Some((time, threads)) = self.held.pop_first() else { return self.now + execution };
            self.now = time;
            self.free += threads;
        }
    }

    /// The state when so many blocks are left to be placed.
    pub(super) fn step(&self, left: u64) -> Step {
        let held = self.held.iter().map(|(&time, &threads)| (time, threads)).collect();
        Step { left, now: self.now, free: self.free, held }
    }

    /// Moves `t_a` to a later time, and frees the threads of all blocks that have ended by then.
    pub(crate) fn wait_until(&mut self, time: Duration) {
        while let Some(entry) = self.held.first_entry() {
            if *entry.key() > time {
                break;
            }
            self.now = self.now.max(*entry.key());
            self.free += entry.remove();
        }
        self.now = self.now.max(time);
    }

    /// Skips whole rounds of a kernel of which `left` blocks are still to be placed, and returns how many
    /// blocks these rounds hold.
    ///
    /// Rounds repeat where everything that ends within one execution time makes up whole blocks and nothing
    /// is free for another block: each of these blocks then ends one execution time later again, until
    /// something else ends or the kernel runs out of blocks.
    fn skip_rounds(&mut self, left: u64, request: Request) -> u64 {
        let Request { execution, threads, .. } = request;
        let end = self.now + execution;
        let mut turning = 0;
        for (_, &held) in self.held.range(..=end) {
            if held % threads != 0 {
                return 0;
            }
            turning += held / threads;
        }
        let other = self.held.range((std::ops::Bound::Excluded(end), std::ops::Bound::Unbounded)).next();
        let rounds = other.map_or(u64::MAX, |(&time, _)| (time.0 - 1 - self.now.0) / execution.0);
        let rounds = rounds.min((left - 1).checked_div(turning).unwrap_or(0));
        if rounds < 2 {
            return 0;
        }
        let later = self.held.split_off(&Duration(end.0 + 1));
        let shifted =
            std::mem::take(&mut self.held).into_iter().map(|(time, held)| (time + execution * rounds, held));
        self.held = shifted.collect();
        for (time, held) in later {
            *self.held.entry(time).or_default() += held;
        }
        self.now = self.now + execution * rounds;
        rounds * turning
    }

    /// The state as seen from `time`, so that it can be compared with another one: how many threads are free,
    /// and how many become free how much later.
    pub(crate) fn seen_from(&self, time: Duration) -> Vec<u64> {
        let mut state = self.clone();
        state.wait_until(time);
        let held = state.held.iter().flat_map(|(&end, &threads)| [(end - time).0, threads]);
        [(state.now - time).0, state.free].into_iter().chain(held).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Schedules block by block, as a list scheduler over slots does.
    fn block_by_block(slots: usize, requests: &[Request]) -> Vec<u64> {
        let mut free_at = vec![0; slots];
        let mut last = 0;
        let mut completions = Vec::new();
        for request in requests {
            let mut completion = 0;
            for _ in 0..request.blocks {
                let slot = (0..slots).min_by_key(|&slot| free_at[slot]).unwrap();
                last = free_at[slot].max(request.release.0).max(last);
                free_at[slot] = last + request.execution.0;
                completion = completion.max(free_at[slot]);
            }
            completions.push(completion);
        }
        completions
    }

    #[test]
    fn rounds_are_skipped_without_a_trace() {
        let request = |release, execution, blocks| Request {
            release: Duration(release),
            execution: Duration(execution),
            blocks,
            threads: 1,
        };
        let requests = [
            request(0, 7, 2),
            request(0, 100, 1),
            request(1, 3, 55),
            request(1, 5, 1234),
            request(400, 2, 9),
            request(2000, 2, 90),
        ];
        let mut gpu = Algorithm2::new(5);
        let found: Vec<u64> = requests.iter().map(|&request| gpu.launch(request).0).collect();
        assert_eq!(found, block_by_block(5, &requests));
        let huge = gpu.launch(request(2500, 1, 1 << 40));
        assert_eq!(huge, Duration(2500 + (1_u64 << 40).div_ceil(5)));
    }
}
