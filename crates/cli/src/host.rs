//! A program that calls commands, such as Python: what it gives a command, and who gets what a terminal would show.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::Failure;
use crate::screen::one_line;

/// How far a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The worst case is in this interval of cycles.
    Interval {
        /// No schedule that is longest takes less.
        lower: u64,
        /// No schedule takes more.
        upper: u64,
    },
    /// Of these cells or points so many are done.
    Steps {
        /// How many are done.
        done: u64,
        /// How many there are.
        steps: u64,
    },
}

/// A function that is told of progress, from any thread.
pub type Observer = Arc<dyn Fn(Standing) + Send + Sync>;

/// What the program that runs a command gives it.
#[derive(Clone)]
pub struct Host {
    /// Once it is true, the command ends as it does after Ctrl-C.
    pub stop: Arc<AtomicBool>,
    /// Who is told of progress.
    pub observer: Observer,
    /// What is read in place of files of these names, and of standard input for `-`.
    pub texts: BTreeMap<PathBuf, Vec<u8>>,
}

/// What a command printed, and how it ended.
#[derive(Debug, Default)]
pub struct Answer {
    /// The exit code that the command line has for it.
    pub code: u8,
    /// What stands on standard output: with `--format json` a record a line.
    pub out: String,
    /// What is said beside the answer.
    pub messages: Vec<String>,
    /// Why there is no answer.
    pub failure: Option<Failed>,
}

/// Why a command failed.
#[derive(Debug)]
pub struct Failed {
    /// The message of the command line.
    pub message: String,
    /// The file that is wrong, or the flag, where the message begins with one.
    pub place: Option<String>,
    /// The line of the file, from 1.
    pub line: Option<usize>,
    /// The flags that the message names as what would do.
    pub remedies: Vec<String>,
}

impl From<Failure> for Failed {
    fn from(Failure { message, place, remedies, .. }: Failure) -> Self {
        let (place, line) = place.map_or((None, None), |(place, line)| (Some(place), line));
        Self { message: one_line(&message), place, line, remedies }
    }
}

thread_local! {
    /// The host of the command that runs in this thread, and what it printed.
    pub(super) static RUN: RefCell<Option<(Host, Answer)>> = const { RefCell::new(None) };
}

/// Takes what is printed, if a host runs the command.
pub(super) fn print(text: &str) -> bool {
    RUN.with_borrow_mut(|run| match run {
        Some((_, answer)) => {
            answer.out.push_str(text);
            true
        }
        None => false,
    })
}

/// Collects what is printed in addition to the answer, or gives it back.
pub(super) fn tell(text: String) -> Option<String> {
    RUN.with_borrow_mut(|run| match run {
        Some((_, answer)) => {
            answer.messages.push(text);
            None
        }
        None => Some(text),
    })
}

/// The flag by which the host stops the command.
pub(super) fn stop() -> Option<Arc<AtomicBool>> {
    RUN.with_borrow(|run| run.as_ref().map(|(host, _)| Arc::clone(&host.stop)))
}

/// Whom the host wants told of progress.
pub(super) fn observer() -> Option<Observer> {
    RUN.with_borrow(|run| run.as_ref().map(|(host, _)| Arc::clone(&host.observer)))
}
