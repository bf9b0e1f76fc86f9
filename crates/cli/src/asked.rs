//! The words of the command line.

use std::sync::atomic::{AtomicBool, Ordering};

use warpspan_launch::flags::in_shell;

/// Whether the arguments of the process are those of the command that runs, and not of a program around it.
static IS_COMMAND_LINE: AtomicBool = AtomicBool::new(false);

/// Notes that the arguments of the process are those of the command that runs.
pub(super) fn by_command_line() {
    IS_COMMAND_LINE.store(true, Ordering::Relaxed);
}

/// The words of the command line behind the name of the program, and the command quoted for a shell, if it is one that runs.
pub(super) fn asked() -> Option<(Vec<String>, String)> {
    let asked = || {
        let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let words: Vec<String> = words.collect();
        let quoted = words.iter().map(|word| format!(" {}", in_shell(word)));
        (words.clone(), format!("warpspan{}", quoted.collect::<String>()))
    };
    IS_COMMAND_LINE.load(Ordering::Relaxed).then(asked)
}
