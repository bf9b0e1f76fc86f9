//! What a computation may use, and how it learns that it must stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

/// Why a computation ended: it had proved what it wanted to, a limit stopped it ([`Stop::limit`]), or nothing stopped it and
/// still it could not know ([`Stop::not_exact`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It ended by itself, and what it says is proved.
    Proved,
    /// The time limit.
    TimeLimit,
    /// The memory limit, reached or foreseen.
    MemoryLimit,
    /// Ctrl-C.
    Interrupted,
    /// A beam: only the most promising states were looked at.
    Beam,
    /// The ILP's horizon was shorter than is safe: longer schedules were not looked at.
    Horizon,
    /// Several blocks with barriers: no engine searches their schedules.
    Blocks,
    /// A program with branches or loops: no engine searches its paths.
    Paths,
    /// No engine of this build takes an instance of this size, whatever the limits.
    NoEngine,
}

impl Stop {
    /// The limit that stopped it, if one did, as it stands in records.
    pub fn limit(self) -> Option<&'static str> {
        match self {
            Self::TimeLimit | Self::MemoryLimit | Self::Interrupted => Some(self.name()),
            _ => None,
        }
    }

    /// Why nothing is proved though no limit stopped it, as it stands in records.
    pub fn not_exact(self) -> Option<&'static str> {
        match self {
            Self::Beam | Self::Horizon | Self::Blocks | Self::Paths | Self::NoEngine => Some(self.name()),
            _ => None,
        }
    }

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::TimeLimit => "time-limit",
            Self::MemoryLimit => "memory-limit",
            Self::Interrupted => "interrupted",
            Self::Beam => "beam",
            Self::Horizon => "horizon",
            Self::Blocks => "several-blocks",
            Self::Paths => "paths",
            Self::NoEngine => "no-engine",
        }
    }
}

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

/// Half of the memory that is available now, in bytes.
pub fn default_memory() -> u64 {
    let available = sysinfo::System::new().map_or(0, |mut system| {
        system.refresh_memory();
        system.available_memory()
    });
    match available / 2 {
        0 => 1 << 30, // a system that does not tell
        half => half,
    }
}

/// Memory that this process holds now, in bytes; 0 where the system does not tell.
pub fn resident_memory() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/status") else { return 0 };
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
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
