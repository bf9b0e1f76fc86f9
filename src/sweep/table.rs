//! The table on disk: written row by row, continued after a crash, in order at the end.
//!
//! A row is written whole by one call and its end is remembered, so that what a full disk has left of a row is cut off at once,
//! and what a crash has left of one when the table is opened again. While cells are solved rows stand in the order in which
//! they were done; at the end the table is written anew in the order of the cells and takes the place of the old one.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::input::InputError;
use crate::sweep::{Grid, Row, read};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Comma-separated values, the first line naming the columns.
    Csv,
    /// An object a line.
    JsonLines,
}

/// What can go wrong with a table.
#[derive(Debug, Error)]
pub enum TableError {
    /// It cannot be used: the user can mend it.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It could not be written.
    #[error("{path}: {error}; what was written is whole, --resume goes on from there")]
    Write {
        /// Which file.
        path: String,
        /// Why.
        error: io::Error,
    },
}

/// A table that is being written.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    kind: Kind,
    file: File,
    /// Where the last whole row ends.
    end: u64,
}

impl Table {
    /// Opens a new table, or one to go on with: then also the rows that it holds, and whether a damaged last line was cut off.
    ///
    /// # Errors
    /// If it cannot be written, holds rows and is not to be continued, holds rows of another grid, or is in use.
    pub fn open(
        path: &Path,
        kind: Kind,
        grid: &Grid,
        resume: bool,
    ) -> Result<(Self, Vec<Row>, bool), TableError> {
        let name = path.display().to_string();
        let wrong = |what: String| InputError::new(name.clone(), what);
        let unwritable = |error: io::Error| wrong(format!("cannot be written: {error}"));
        let beside = beside(path);
        File::create(&beside).and_then(|_| std::fs::remove_file(&beside)).map_err(unwritable)?;
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(unwritable)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(wrong("in use by another sweep".into()).into()),
            Err(TryLockError::Error(_)) | Ok(()) => {} // a file system without locks is no hindrance
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unwritable)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let cut = whole < bytes.len();
        bytes.truncate(whole);
        if whole > 0 && !resume {
            let what = "there is a table already: --resume to go on with it, or want another name";
            return Err(wrong(what.into()).into());
        }
        let mut table = Self { path: path.to_owned(), kind, file, end: whole as u64 };
        table.cut().map_err(unwritable)?;
        let mut rows = Vec::new();
        if whole > 0 {
            rows = read(&name, &bytes)?;
            if let Some(row) = rows.iter().find(|row| !grid.has(row)) {
                let what = format!(
                    "cell {} is of another grid ({}, not {}): want the same flags, or another name",
                    row.cell,
                    row.grid,
                    grid.name()
                );
                return Err(wrong(what).into());
            }
            rows.sort_by_key(|row| row.cell);
            rows.dedup_by_key(|row| row.cell);
        } else if kind == Kind::Csv {
            table.append(&header())?;
        }
        Ok((table, rows, cut))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the disk is full, say; the table then ends with the row before.
    pub fn add(&mut self, row: &Row) -> Result<(), TableError> {
        self.append(&line(self.kind, row))
    }

    fn append(&mut self, line: &[u8]) -> Result<(), TableError> {
        if let Err(error) = self.file.write_all(line) {
            let _ = self.cut(); // if even that fails, --resume does it
            return Err(TableError::Write { path: self.path.display().to_string(), error });
        }
        self.end += line.len() as u64;
        Ok(())
    }

    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end)).map(|_| ())
    }

    /// Puts the rows in order.
    ///
    /// # Errors
    /// If there is no room for a second copy, which is made first.
    pub fn finish(self, mut rows: Vec<Row>) -> Result<(), TableError> {
        rows.sort_by_key(|row| row.cell);
        let write = || -> io::Result<()> {
            let beside = beside(&self.path);
            let mut out = io::BufWriter::new(File::create(&beside)?);
            if self.kind == Kind::Csv {
                out.write_all(&header())?;
            }
            rows.iter().try_for_each(|row| out.write_all(&line(self.kind, row)))?;
            out.into_inner()?.sync_all()?;
            std::fs::rename(beside, &self.path)
        };
        write().map_err(|error| {
            let _ = std::fs::remove_file(beside(&self.path));
            TableError::Write { path: self.path.display().to_string(), error }
        })
    }
}

/// A file in the same folder, for the copy in order.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn line(kind: Kind, row: &Row) -> Vec<u8> {
    match kind {
        Kind::Csv => csv_line(row, false),
        Kind::JsonLines => {
            let mut line = serde_json::to_vec(row).expect("a row is plain");
            line.push(b'\n');
            line
        }
    }
}

/// The names of the columns.
fn header() -> Vec<u8> {
    let names = csv_line(&Row::default(), true);
    let end = names.iter().position(|&byte| byte == b'\n').map_or(names.len(), |at| at + 1);
    names[..end].to_vec()
}

fn csv_line(row: &Row, headers: bool) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(headers).from_writer(Vec::new());
    writer.serialize(row).expect("a row is plain");
    writer.into_inner().expect("memory takes it")
}
