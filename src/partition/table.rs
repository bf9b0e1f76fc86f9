//! The table of an experiment on disk: written row by row, continued after a crash.
//!
//! A row is written by one call. What a full disk or a crash has left of one is cut off.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::input::InputError;
use crate::partition::{Experiment, Method, Row};
use crate::sweep::TableError;

/// A table that is being written.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    file: File,
    /// Where the last whole row ends.
    end: u64,
    rows: Vec<Row>,
}

/// Reads a table of an experiment; `place` is its name in messages.
///
/// # Errors
/// With the line of the first row that does not read.
pub fn read_rows(place: &str, bytes: &[u8]) -> Result<Vec<Row>, InputError> {
    let mut rows = Vec::new();
    for (line, row) in (2..).zip(csv::Reader::from_reader(bytes).deserialize()) {
        let wrong = |what: String| InputError {
            place: place.to_owned(),
            line: Some(line),
            what: format!("{what}: want a table of partition --experiment"),
        };
        let row: Row = row.map_err(|error| match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => wrong(err.kind().to_string()),
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                wrong(format!("{len} fields, not {expected_len}"))
            }
            _ => wrong(error.to_string()),
        })?;
        if row.schedulable > row.sets || !(0.0..1e9).contains(&row.seconds) {
            return Err(wrong(format!(
                "{} of {} sets schedulable in {} s each",
                row.schedulable, row.sets, row.seconds
            )));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Whether the first line of a file names the columns of an experiment's table.
pub fn is_table(bytes: &[u8]) -> bool {
    bytes.starts_with(header().trim_ascii_end())
}

impl Table {
    /// Opens a new table, or one to go on with.
    ///
    /// # Errors
    /// If it cannot be written, holds rows and is not to be continued, is in use, or is of another experiment.
    pub fn open(path: &Path, experiment: &Experiment, resume: bool) -> Result<Self, TableError> {
        let name = path.display().to_string();
        let wrong = |what: String| InputError::new(name.clone(), what);
        let unwritable = |error: std::io::Error| wrong(format!("cannot be written: {error}"));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(unwritable)?;
        if !file.metadata().map_err(unwritable)?.is_file() {
            return Err(wrong("not a regular file: want one that can be gone on with".into()).into());
        }
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(wrong("in use by another experiment".into()).into());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unwritable)?;
        bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1));
        if !bytes.is_empty() && !resume {
            let what = "there is a table already: --resume to go on with it, or want another name";
            return Err(wrong(what.into()).into());
        }
        let rows = read_rows(&name, &bytes)?;
        let point = experiment.points()[0];
        let own = experiment.row(point, Method::OnePartition);
        if let Some(other) = rows.iter().find(|row| !row.is_beside(&own)) {
            let what = format!(
                "a row of another experiment (figure {}, test {}, seed {}, {} sets a point): want the same flags, or \
                 another name",
                other.figure, other.test, other.seed, other.sets
            );
            return Err(wrong(what).into());
        }
        let end = bytes.len() as u64;
        let mut table = Self { path: path.to_owned(), file, end, rows };
        table.cut().map_err(unwritable)?;
        if end == 0 {
            table.append(&header())?;
        }
        Ok(table)
    }

    /// The methods that lack a row at a point.
    pub fn missing(&self, point: (usize, u32)) -> Vec<Method> {
        let there =
            |method: &Method| self.rows.iter().any(|row| row.key() == (point.0, point.1, method.name()));
        Method::all().filter(|method| !there(method)).collect()
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the disk is full, say; the table then ends with the row before.
    pub fn add(&mut self, row: Row) -> Result<(), TableError> {
        self.append(&csv_line(&row))?;
        self.rows.push(row);
        Ok(())
    }

    /// The rows so far.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn append(&mut self, line: &[u8]) -> Result<(), TableError> {
        if let Err(error) = self.file.write_all(line) {
            let _ = self.cut(); // if even that fails, --resume does it
            return Err(TableError::Write { path: self.path.display().to_string(), error });
        }
        self.end += line.len() as u64;
        Ok(())
    }

    fn cut(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end)).map(|_| ())
    }
}

/// The names of the columns, as a line.
pub fn header() -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(Row::default()).expect("a row is plain");
    let both = writer.into_inner().expect("memory takes it");
    both.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default().to_vec()
}

/// A row as a line.
pub fn csv_line(row: &Row) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row).expect("a row is plain");
    writer.into_inner().expect("memory takes it")
}
