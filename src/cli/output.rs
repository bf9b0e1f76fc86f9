//! Writing results: stdout, and files that are proved writable before work begins.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use crate::cli::Failure;

/// Writes to stdout. A reader that has gone (`| head`) is no error; anything else is.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::internal(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// A file to be written at the end; opened, and so proved writable, at the beginning. One that was not there before and is
/// never written, or not to the end, is removed again, so that no empty file passes for a result.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
    file: File,
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
        Ok(Self { path: path.to_owned(), file, is_new })
    }

    /// The ending of its name, in lower case.
    pub(super) fn extension(path: &Path) -> String {
        path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
    }

    /// Replaces what it holds.
    pub(super) fn write(
        mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
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
            content(&mut out)?;
            out.flush()
        });
        self.is_new &= done.is_err();
        done.map_err(|error| Failure::internal(format!("{}: {error}", self.path.display())))
    }
}
