//! Writing results: stdout, and files that are proved writable before work begins.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use crate::cli::{Failure, embedded, no_drawings};

/// Writes to stdout. A reader that has gone (`| head`) is no error; anything else is.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    if embedded::print(text) {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::internal(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Says something beside the answer: on stderr, where that is not another program's.
pub(super) fn tell(text: String) {
    if let Some(text) = embedded::tell(text) {
        eprintln!("warpspan: {text}");
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

/// A file to be written at the end; opened, and so proved writable, at the beginning. One that was not there before and is
/// never written, or not to the end, is removed again, so that no empty file passes for a result.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
    file: File,
    /// The ending of its name, in lower case.
    ending: String,
    /// Whether it is ours to remove.
    is_new: bool,
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.is_new {
            let _ = std::fs::remove_file(&self.path); // nothing better is left to do
        }
    }
}

impl Target {
    /// Opens the file without touching what it holds.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let new = OpenOptions::new().write(true).create_new(true).open(path);
        let is_new = new.is_ok();
        let file = match new {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                OpenOptions::new().write(true).create(true).truncate(false).open(path)
            }
            new => new,
        };
        let file =
            file.map_err(|error| Failure::usage(format!("{}: cannot be written: {error}", path.display())))?;
        Ok(Self { path: path.to_owned(), file, ending: extension(path), is_new })
    }

    /// Opens a file whose name has one of these endings.
    pub(super) fn with_ending(path: &Path, endings: &[&str]) -> Result<Self, Failure> {
        ending(path, endings)?;
        Self::open(path)
    }

    /// Replaces what it holds by a content that may depend on the ending of its name.
    pub(super) fn write(
        mut self,
        content: impl FnOnce(&str, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut write = || -> io::Result<()> {
            if self.file.metadata()?.is_file() {
                self.file.set_len(0)?;
                self.file.rewind()?;
            }
            Ok(())
        };
        let done = write().and_then(|()| {
            let mut out = BufWriter::new(&self.file);
            content(&self.ending, &mut out)?;
            out.flush()
        });
        self.is_new &= done.is_err();
        done.map_err(|error| Failure::internal(format!("{}: {error}", self.path.display())))
    }
}
