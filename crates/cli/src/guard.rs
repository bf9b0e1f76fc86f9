//! The last guard of the limits. Engines check them and answer with what they know by then. Steps that check none,
//! since they are quick for every usual input (reading, expanding, a bound), are ended here when an input is so large
//! that they are not quick. The line on stderr then says which limit it was.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::{Exit, progress};
use warpspan_model::limits::{default_memory, resident_memory};

/// The time that an engine has to end by itself once its time is over.
const GRACE: Duration = Duration::from_secs(8);
/// What a process may hold beyond twice the memory that engines may use: the program and its input.
const SLACK: u64 = 512 << 20;
/// The time between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// When the process began.
static START: OnceLock<Instant> = OnceLock::new();
/// How many answers are being written at this moment, which nothing ends.
static ANSWERS: AtomicUsize = AtomicUsize::new(0);

/// Notes that the process begins.
pub(super) fn begin() {
    START.get_or_init(Instant::now);
}

/// How long the process runs.
pub(super) fn elapsed() -> Duration {
    START.get_or_init(Instant::now).elapsed()
}

/// An answer that is being written, from now until it is dropped.
#[must_use]
pub(super) struct Answered(());

/// Says that an answer is being written.
pub(super) fn answered() -> Answered {
    ANSWERS.fetch_add(1, Ordering::SeqCst);
    Answered(())
}

impl Drop for Answered {
    fn drop(&mut self) {
        ANSWERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Watches the limits until the process ends.
pub(super) fn watch(time: Option<Duration>, memory: Option<u64>) {
    // Engines use half of what is available by default; the whole of it is more than the system can give.
    let all = default_memory().saturating_mul(2) / 10 * 9;
    let most =
        memory.map_or(all, |memory| memory.saturating_mul(2).saturating_add(SLACK)).min(all.max(SLACK));
    let over = move || {
        if time.is_some_and(|time| elapsed() > time.saturating_add(GRACE)) {
            return Some(
                "the time limit is over, and there is no answer yet: want more time or a smaller input",
            );
        }
        (resident_memory() > most).then_some(
            "the memory limit is reached, and there is no answer yet: want more memory or a smaller input",
        )
    };
    let look = move || loop {
        std::thread::sleep(LOOK);
        if let Some(what) = over().filter(|_| ANSWERS.load(Ordering::SeqCst) == 0) {
            progress::clear();
            eprintln!("warpspan: {what}");
            signal_hook::low_level::exit(Exit::Limit as i32);
        }
    };
    // Without a thread there is no guard, and the engines still look at their limits.
    let _ = std::thread::Builder::new().name("limits".into()).spawn(look);
}
