//! Limits on what a computation may use, and how it learns that it must stop.

mod clock;
mod ending;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
use rayon::prelude::*;

#[doc(hidden)]
pub use clock::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
pub use ending::{Ending, NotExact, SEARCH_SECONDS, Stop};

/// Limits shared by all engines of a run.
#[derive(Debug, Clone)]
pub struct Limits {
    deadline: Option<Instant>,
    /// Bytes that an engine may use.
    pub memory: u64,
    /// Threads that an engine may use, at least 1. In WebAssembly there is one.
    pub threads: usize,
    interrupt: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Self {
        Self::generous()
    }
}

impl Limits {
    /// Limits whose time begins now. Ctrl-C sets `interrupt`.
    pub fn new(time: Option<Duration>, memory: u64, threads: usize, interrupt: Arc<AtomicBool>) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, memory, threads: threads.max(1), interrupt }
    }

    /// Limits without a time limit, with half of the available memory and every core.
    pub fn generous() -> Self {
        Self::until(Arc::default())
    }

    /// The same, which end when this is set.
    pub fn until(interrupt: Arc<AtomicBool>) -> Self {
        Self::new(None, default_memory(), default_threads(), interrupt)
    }

    /// The same limits, with at most this much time from now.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let sooner = Instant::now().checked_add(time);
        let deadline = match (self.deadline, sooner) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { deadline, ..self.clone() }
    }

    /// The limits of one of several computations that run side by side: one thread and its share of the
    /// memory.
    #[must_use]
    pub fn share(&self) -> Self {
        Self { threads: 1, memory: self.memory / self.threads as u64, ..self.clone() }
    }

    /// Ends all computations under these limits, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// Runs `work` in a rayon pool with as many threads as the limits allow. [`Limits::side_by_side`] uses
    /// it.
    #[cfg(not(target_family = "wasm"))]
    #[doc(hidden)]
    pub fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        if self.threads == 1 {
            return work();
        }
        match rayon::ThreadPoolBuilder::new().num_threads(self.threads).build() {
            Ok(pool) => pool.install(work),
            Err(_) => work(), // the system grants no threads, so the work runs in the global pool
        }
    }

    /// The same without other threads.
    #[cfg(target_family = "wasm")]
    #[doc(hidden)]
    pub fn in_pool<T>(&self, work: impl FnOnce() -> T) -> T {
        work()
    }

    /// The results of `work`, in the order of the items. The items are shared among the threads of the pool
    /// if there are several of each.
    #[doc(hidden)]
    pub fn side_by_side<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Sync + Send,
    ) -> Vec<R> {
        #[cfg(not(target_family = "wasm"))]
        if self.threads > 1 && items.len() > 1 {
            return items.into_par_iter().map(work).collect();
        }
        items.into_iter().map(work).collect()
    }

    /// The time that is left, if it is limited.
    #[doc(hidden)]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The reason to stop now, if there is one.
    pub fn stopped(&self) -> Option<Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            Some(Stop::Interrupted)
        } else if self.time_left().is_some_and(|left| left.is_zero()) {
            Some(Stop::TimeLimit)
        } else {
            None
        }
    }

    /// Succeeds if the computation may go on.
    ///
    /// # Errors
    /// The reason to stop.
    #[doc(hidden)]
    pub fn go_on(&self) -> Result<(), Stop> {
        self.stopped().map_or(Ok(()), Err)
    }
}

/// Half of the memory that is available now, in bytes. It is 1 GiB on other systems than Linux.
pub fn default_memory() -> u64 {
    half_of(reported("/proc/meminfo", "MemAvailable:"))
}

/// Half of the available memory in bytes. 0 says that the memory is not known, and the answer is then 1 GiB.
#[doc(hidden)]
pub fn half_of(available: u64) -> u64 {
    match available / 2 {
        0 => 1 << 30,
        half => half,
    }
}

/// Memory that this process holds now, in bytes. It is 0 where the system does not tell.
pub fn resident_memory() -> u64 {
    reported("/proc/self/status", "VmRSS:")
}

/// The bytes that a file of Linux tells in the line that begins with a name. They are 0 without such a line or file.
fn reported(file: &str, name: &str) -> u64 {
    let Ok(text) = std::fs::read_to_string(file) else { return 0 };
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0).saturating_mul(1024)
}

/// The number of cores that this process may use.
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
