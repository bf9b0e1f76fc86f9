//! What a computation may use, how it learns that it must stop, and how it ended.

mod ending;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

pub use ending::{Ending, NotExact, Stop};

/// Limits shared by all engines of a run.
#[derive(Debug, Clone)]
pub struct Limits {
    deadline: Option<Instant>,
    /// Bytes that an engine may use.
    pub memory: u64,
    /// Threads that an engine may use, at least 1.
    pub threads: usize,
    interrupt: Arc<AtomicBool>,
}

impl Limits {
    /// Limits that begin now. `interrupt` is set by Ctrl-C.
    pub fn new(time: Option<Duration>, memory: u64, threads: usize, interrupt: Arc<AtomicBool>) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, memory, threads: threads.max(1), interrupt }
    }

    /// No time limit, half of the memory available, every core.
    pub fn generous() -> Self {
        Self::new(None, default_memory(), default_threads(), Arc::default())
    }

    /// The same limits, with at most so much time from now.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let sooner = Instant::now().checked_add(time);
        let deadline = match (self.deadline, sooner) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { deadline, ..self.clone() }
    }

    /// The same limits for one of several computations side by side: one thread, its share of the memory.
    #[must_use]
    pub fn share(&self) -> Self {
        Self { threads: 1, memory: self.memory / self.threads as u64, ..self.clone() }
    }

    /// Ends all computations under these limits, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// Runs `work` in a rayon pool of as many threads as the limits allow; [`Limits::side_by_side`] uses it.
    pub fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        if self.threads == 1 {
            return work();
        }
        match rayon::ThreadPoolBuilder::new().num_threads(self.threads).build() {
            Ok(pool) => pool.install(work),
            Err(_) => work(), // no threads to be had: the global pool
        }
    }

    /// The results of `work`, in the order of the items; on the threads of the pool where there are several of both.
    pub fn side_by_side<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Sync + Send,
    ) -> Vec<R> {
        if self.threads == 1 || items.len() == 1 {
            return items.into_iter().map(work).collect();
        }
        items.into_par_iter().map(work).collect()
    }

    /// Time left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Why to stop now, if one must.
    pub fn stopped(&self) -> Option<Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            Some(Stop::Interrupted)
        } else if self.time_left().is_some_and(|left| left.is_zero()) {
            Some(Stop::TimeLimit)
        } else {
            None
        }
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// Why not.
    pub fn go_on(&self) -> Result<(), Stop> {
        self.stopped().map_or(Ok(()), Err)
    }
}

/// Half of the memory that is available now, in bytes; 1 GiB where the system does not tell, as only Linux does.
pub fn default_memory() -> u64 {
    half_of(reported("/proc/meminfo", "MemAvailable:"))
}

/// Half of the available memory in bytes; 1 GiB if that is not known, which 0 stands for.
pub(crate) fn half_of(available: u64) -> u64 {
    match available / 2 {
        0 => 1 << 30,
        half => half,
    }
}

/// Memory that this process holds now, in bytes; 0 where the system does not tell.
pub fn resident_memory() -> u64 {
    reported("/proc/self/status", "VmRSS:")
}

/// The bytes in the line of a file of Linux that begins with a name; 0 if there is no such line or file.
fn reported(file: &str, name: &str) -> u64 {
    let Ok(text) = std::fs::read_to_string(file) else { return 0 };
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0).saturating_mul(1024)
}

/// The cores this process may use.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stop() {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::new(None, 1 << 20, 4, Arc::clone(&flag));
        assert_eq!(limits.stopped(), None);
        assert_eq!(limits.time_left(), None);
        assert_eq!(limits.within(Duration::ZERO).stopped(), Some(Stop::TimeLimit));
        assert_eq!(limits.share().memory, 1 << 18);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(limits.within(Duration::ZERO).stopped(), Some(Stop::Interrupted));
        assert!(default_memory() > 1 << 20);
    }
}
