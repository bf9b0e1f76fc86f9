//! The table on disk, which is written row by row, can be resumed after a crash, and is put in order at the
//! end.
//!
//! While cells are being solved, rows stand in the order in which they were found. At the end, the table is
//! written once more in the order of the cells, and this copy replaces the first one.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::{Grid, Row, read};
use warpspan_model::source::InputError;
use warpspan_model::tables::{TableError, TableFile, csv_header, csv_line};

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Comma-separated values, where the first line names the columns.
    Csv,
    /// JSON lines: one object on each line.
    JsonLines,
}

/// A table that is being written.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    kind: Kind,
    file: TableFile,
}

impl Table {
    /// Opens a new table, or one that is to be resumed. Also returns the rows that it already holds, and
    /// whether a damaged last line was cut off.
    ///
    /// # Errors
    /// If it cannot be written, is in use, holds rows of another grid, or holds rows although it is not to be
    /// resumed.
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
        let header = csv_header::<Row>();
        let (begins, header) = match kind {
            Kind::Csv => (&header[..], &header[..]),
            Kind::JsonLines => (&br#"{"grid":""#[..], &b""[..]),
        };
        let (mut file, bytes, cut) = TableFile::open(path, begins, resume)?;
        let mut rows = Vec::new();
        if !bytes.is_empty() {
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
            rows.reverse(); // the last row counts if a cell was solved again
            rows.sort_by_key(|row| row.cell);
            rows.dedup_by_key(|row| row.cell);
        }
        file.begin(header)?;
        Ok((Self { path: path.to_owned(), kind, file }, rows, cut))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the row cannot be written, for example because the disk is full; the table then ends with the row
    /// before.
    pub fn add(&mut self, row: &Row) -> Result<(), TableError> {
        self.file.append(&line(self.kind, row))
    }

    /// Puts the rows in order.
    ///
    /// # Errors
    /// If there is no space for a second copy of the table, which is written before the first one is
    /// replaced.
    pub fn finish(self, mut rows: Vec<Row>) -> Result<(), TableError> {
        rows.sort_by_key(|row| row.cell);
        let write = || -> io::Result<()> {
            let beside = beside(&self.path);
            let mut out = io::BufWriter::new(File::create(&beside)?);
            if self.kind == Kind::Csv {
                out.write_all(&csv_header::<Row>())?;
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

/// The file in the same folder in which the ordered copy is written.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn line(kind: Kind, row: &Row) -> Vec<u8> {
    match kind {
        Kind::Csv => csv_line(row),
        Kind::JsonLines => {
            let mut line = serde_json::to_vec(row).expect("a row is plain");
            line.push(b'\n');
            line
        }
    }
}
