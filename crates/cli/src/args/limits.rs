//! Flags of limits, and the limits that they mean.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::guard::elapsed;
use crate::{host, progress};
use warpspan_model::limits::{Limits, default_threads, half_of};

const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The exit code of a process that Ctrl-C ends.
const INTERRUPTED: i32 = 130;

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Stop after so long: 30s, 5m, 1h
    ///
    /// The answer is then what is known by that time.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time_limit: Option<Duration>,
    /// Memory that engines may use: 500M, 2G [default: half of what is available]
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<ByteSize>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl LimitArgs {
    /// The limits on time and memory, as far as they are given.
    pub(crate) fn given(&self) -> (Option<Duration>, Option<u64>) {
        (self.time_limit, self.memory_limit.map(|size| size.as_u64()))
    }

    /// Limits that began with the process and end with Ctrl-C; a second Ctrl-C ends the process at once.
    pub(crate) fn limits(&self) -> std::io::Result<Limits> {
        limits(self.time_limit, self.memory_limit, self.threads)
    }
}

pub(crate) fn limits(
    time: Option<Duration>,
    memory: Option<ByteSize>,
    threads: Option<u16>,
) -> std::io::Result<Limits> {
    let embedded = host::stop();
    let flag = embedded.clone().unwrap_or_default();
    // The signals of another program are its own affair.
    if embedded.is_none() {
        watch(Arc::clone(&flag))?;
    }
    let memory = memory.map_or_else(|| half_of(available_memory()), |size| size.as_u64());
    let threads = threads.map_or_else(default_threads, usize::from);
    // Reading the input takes time, too; another program may have run for long before.
    let spent = if embedded.is_some() { Duration::ZERO } else { elapsed() };
    let left = time.map(|time| time.saturating_sub(spent));
    Ok(Limits::new(left, memory, threads, flag))
}

/// Sets the flag with the first signal. The second one takes the line of progress away and ends the process, and
/// where a blocked terminal holds that up, the third one ends it.
fn watch(flag: Arc<AtomicBool>) -> std::io::Result<()> {
    let ending = Arc::new(AtomicBool::new(false));
    for signal in SIGNALS {
        signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&ending))?;
    }
    let mut signals = Signals::new(SIGNALS)?;
    let wait = move || {
        for _ in signals.forever() {
            if flag.swap(true, Ordering::SeqCst) {
                ending.store(true, Ordering::SeqCst);
                progress::clear();
                signal_hook::low_level::exit(INTERRUPTED);
            }
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    Ok(())
}

/// The memory that is available now on any system, in bytes; 0 where the system does not tell.
fn available_memory() -> u64 {
    sysinfo::System::new().map_or(0, |mut system| {
        system.refresh_memory();
        system.available_memory()
    })
}
