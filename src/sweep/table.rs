//! The table on disk: written row by row, continued after a crash, in order at the end.
//!
//! While cells are solved rows stand in the order in which they were done; at the end the table is written anew in the order
//! of the cells and takes the place of the old one.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::source::InputError;
use crate::sweep::{Grid, Row, read};
use crate::tables::{TableError, TableFile, csv_header, csv_line};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Comma-separated values, the first line naming the columns.
    Csv,
    /// An object a line.
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
            rows.reverse(); // of a cell that was solved again the last row counts
            rows.sort_by_key(|row| row.cell);
            rows.dedup_by_key(|row| row.cell);
        }
        file.begin(header)?;
        Ok((Self { path: path.to_owned(), kind, file }, rows, cut))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the disk is full, say; the table then ends with the row before.
    pub fn add(&mut self, row: &Row) -> Result<(), TableError> {
        self.file.append(&line(self.kind, row))
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

/// A file in the same folder, for the copy in order.
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
