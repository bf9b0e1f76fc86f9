//! Writing results: stdout, and files that are proved writable before work begins.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::guard::answered;
use crate::{Failure, host, progress};
use warpspan_model::source::{escaped, is_writable, write_whole};

/// Writes to stdout. A reader that has gone (`| head`) is no error; anything else is.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    if host::print(text) {
        return Ok(());
    }
    let _answered = answered();
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::internal(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints something in addition to the answer: on stderr, where that is not another program's.
pub(super) fn tell(text: String) {
    if let Some(text) = host::tell(escaped(&text)) {
        progress::aside(|| eprintln!("warpspan: {text}"));
    }
}

/// The ending of a file's name, in lower case.
pub(super) fn extension(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// The ending of a file's name, if it is one of these and this build can write such a file.
pub(super) fn ending(path: &Path, endings: &[&str]) -> Result<String, Failure> {
    let ending = extension(path);
    if !endings.contains(&ending.as_str()) {
        let dotted: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
        let want = match &dotted[..] {
            [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            all => all.concat(),
        };
        return Err(Failure::usage(format!("{}: want a name that ends in {want}", path.display())));
    }
    if ending == "svg" && cfg!(not(feature = "figures")) {
        return Err(no_drawings());
    }
    Ok(ending)
}

/// A file to be written at the end, which is proved writable at the beginning. It appears whole or not at all, so that
/// nothing empty or half passes for a result.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
    /// The ending of its name, in lower case.
    ending: String,
}

impl Target {
    /// Proves that the file can be written, without touching what it holds.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        is_writable(path)
            .map_err(|error| Failure::usage(format!("{}: cannot be written: {error}", path.display())))?;
        Ok(Self { path: path.to_owned(), ending: extension(path) })
    }

    /// Opens a file whose name has one of these endings.
    pub(super) fn with_ending(path: &Path, endings: &[&str]) -> Result<Self, Failure> {
        ending(path, endings)?;
        Self::open(path)
    }

    /// Replaces what it holds by a content that may depend on the ending of its name.
    pub(super) fn write(
        self,
        content: impl FnOnce(&str, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let _answered = answered();
        write_whole(&self.path, |out| content(&self.ending, out))
            .map_err(|error| Failure::internal(format!("{}: {error}", self.path.display())))
    }
}

/// The answer to a flag or a command that draws, where the build has no drawings.
pub(super) fn no_drawings() -> Failure {
    Failure::usage("this build draws nothing: build with the feature figures")
}
