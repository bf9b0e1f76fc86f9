//! `--declare` where the file does not exist yet: it is written, and an existing file is never overwritten.

use std::path::Path;

use crate::Failure;
use crate::output::Target;
use warpspan_document::words::several;
use warpspan_listing::{Options, Text, Undeclared, declare};
use warpspan_model::source::is_there;

/// Whether a run is to write the file, because there is nothing to read.
pub(super) fn is_to_be_written(path: &Path) -> bool {
    path == Path::new("-") || !is_there(path)
}

/// The text of the file for standard output, or nothing once the file is written.
pub(super) fn write(path: &Path, text: &Text, options: &Options) -> Result<Option<String>, Failure> {
    let Undeclared { text, loops, branches, opcodes } = declare(text, options)?;
    if path == Path::new("-") {
        return Ok(Some(text));
    }
    Target::open(path)?.write(|_, out| out.write_all(text.as_bytes()))?;
    let open = [
        (loops, several(loops as u64, "loop") + " without a bound"),
        (branches, plural(branches, "branch") + " in the way of a program"),
        (opcodes, several(opcodes as u64, "opcode") + " without a number of letters"),
    ];
    let open: Vec<String> = open.into_iter().filter(|(count, _)| *count > 0).map(|(_, what)| what).collect();
    let open = if open.is_empty() { "nothing is missing".to_owned() } else { open.join(", ") };
    tell!("{}: written: {open}; a run with the same flags reads it", path.display());
    Ok(None)
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "es" })
}
