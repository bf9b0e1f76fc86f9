//! Tables on disk with rows of any type. They are written line by line and can be resumed after a crash, and
//! errors in them are reported with their line.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::source::{InputError, Message, Remedy};

/// What can go wrong with a table.
#[derive(Debug, Error)]
pub enum TableError {
    /// The table cannot be used, for a reason that the user can mend.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The table could not be written.
    #[error("{}", self.message())]
    Write {
        /// The name of the file.
        path: String,
        /// The error of the operating system.
        error: io::Error,
    },
}

impl TableError {
    /// Says what went wrong and what would help.
    pub fn message(&self) -> Message {
        match self {
            Self::Input(error) => error.message(),
            Self::Write { path, error } => {
                let what = Message::text(format!("{path}: {error}; what was written is whole, "));
                what.remedy(Remedy::Resume).then(" goes on from there")
            }
        }
    }
}

/// A file to which lines are appended.
///
/// Each line is written by one call, and the place where the last whole line ends is remembered. What a full
/// disk leaves of a line is therefore cut off at once, and what a crash leaves of one is cut off when the
/// table is resumed.
#[derive(Debug)]
#[doc(hidden)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    /// The offset at which the last whole line ends.
    end: u64,
}

impl TableFile {
    /// Opens a new file, or one that is to be resumed, which must begin with `begins`; its contents are not
    /// touched. Also returns its whole lines, and whether a broken line follows them.
    ///
    /// # Errors
    /// If the file cannot be written, is in use, is not empty although it is not to be resumed, or begins
    /// otherwise.
    pub fn open(path: &Path, begins: &[u8], resume: bool) -> Result<(Self, Vec<u8>, bool), InputError> {
        let wrong = |what: &str| InputError::new(path.display().to_string(), what);
        let unwritable = |error: io::Error| wrong(&format!("cannot be written: {error}"));
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(unwritable)?;
        if !file.metadata().map_err(unwritable)?.is_file() {
            return Err(wrong("not a regular file: want one that can be resumed"));
        }
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(wrong("in use by another run")),
            Err(TryLockError::Error(_)) | Ok(()) => {} // some file systems have no locks
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unwritable)?;
        if bytes.iter().zip(begins).any(|(found, want)| found != want) {
            return Err(wrong("not a table as this version writes them: want another name"));
        }
        if !bytes.is_empty() && !resume {
            let what = Message::text("there is a table already: ").remedy(Remedy::Resume);
            let what = what.then(" to go on with it, or want another name");
            return Err(InputError::with(path.display().to_string(), what));
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let broken = whole < bytes.len();
        bytes.truncate(whole);
        Ok((Self { path: path.to_owned(), file, end: whole as u64 }, bytes, broken))
    }

    /// Cuts off what follows the last whole line, and writes the header if there is none yet.
    ///
    /// # Errors
    /// Those of [`append`](Self::append).
    pub fn begin(&mut self, header: &[u8]) -> Result<(), TableError> {
        self.append(if self.end == 0 { header } else { b"" })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If the line cannot be written, for example because the disk is full; the file then ends with the line
    /// before.
    pub fn append(&mut self, line: &[u8]) -> Result<(), TableError> {
        if let Err(error) = self.cut().and_then(|()| self.file.write_all(line)) {
            let _ = self.cut(); // if this fails too, the line is cut when the table is resumed
            return Err(TableError::Write { path: self.path.display().to_string(), error });
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Cuts off what is left of a broken line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end)).map(|_| ())
    }
}

/// The rows of a CSV table whose first line names the columns, each with the number of its line. Messages
/// call the table `of`.
#[doc(hidden)]
pub fn csv_rows<R: DeserializeOwned>(
    name: &str,
    bytes: &[u8],
    of: &Message,
) -> Result<Vec<(usize, R)>, InputError> {
    let mut reader = csv::Reader::from_reader(bytes);
    let wrong = |line: usize, what: Message| InputError { place: name.to_owned(), line: Some(line), what };
    let want = |what: String| Message::text(what + ": want ").append(of.clone());
    let broken = |error: &csv::Error| {
        let what = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{len} fields: want {expected_len}, as the header has").into()
            }
            csv::ErrorKind::Utf8 { .. } => want("not UTF-8 text".to_owned()),
            _ => want(error.to_string()),
        };
        wrong(line_of(bytes, error.position()), what)
    };
    let headers = reader.headers().map_err(|error| broken(&error))?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| broken(&error))?;
        let line = line_of(bytes, record.position());
        let row = record.deserialize(Some(&headers)).map_err(|error| match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => {
                let field = err.field().and_then(|at| usize::try_from(at).ok());
                let found = field.and_then(|at| Some((headers.get(at)?, record.get(at)?)));
                let (column, value) = found.unwrap_or(("a column", ""));
                let what = Message::text(format!("{column} {value:?}: {}: want the values of ", err.kind()));
                wrong(line, what.append(of.clone()))
            }
            _ => broken(&error),
        })?;
        rows.push((line, row));
    }
    Ok(rows)
}

/// The line at which a record begins. The position that the reader gives is too low after blank lines and
/// after the line ends of Windows.
fn line_of(bytes: &[u8], position: Option<&csv::Position>) -> usize {
    let at =
        position.and_then(|position| usize::try_from(position.byte()).ok()).unwrap_or(0).min(bytes.len());
    let ends = bytes[at..].iter().take_while(|byte| b"\r\n".contains(byte)).count();
    1 + bytes[..at + ends].iter().filter(|&&byte| byte == b'\n').count()
}

/// A row as a line of CSV.
#[doc(hidden)]
pub fn csv_line(row: &impl Serialize) -> Vec<u8> {
    both_lines(row, false)
}

/// The line that names the columns.
#[doc(hidden)]
pub fn csv_header<R: Serialize + Default>() -> Vec<u8> {
    let both = both_lines(&R::default(), true);
    both.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default().to_vec()
}

fn both_lines(row: &impl Serialize, headers: bool) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(headers).from_writer(Vec::new());
    writer.serialize(row).expect("a row is plain");
    writer.into_inner().expect("memory takes it")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is in the file after an attempt to open it, and what the attempt returned.
    fn attempt(content: &[u8], resume: bool) -> (Vec<u8>, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, content).unwrap();
        let said = match TableFile::open(&path, b"a,b\n", resume) {
            Ok((mut file, whole, broken)) => {
                file.begin(b"a,b\n").unwrap();
                format!("{} {broken}", whole.len())
            }
            Err(error) => error.what.to_string().split(':').next().unwrap_or_default().to_owned(),
        };
        (std::fs::read(&path).unwrap(), said)
    }

    #[test]
    fn only_the_broken_line_of_a_table_is_cut() {
        let foreign = "not a table as this version writes them".to_owned();
        for content in ["important data without newline", "a,c\n", "a,b,c\n1,2", "x\n", "\n"] {
            for resume in [false, true] {
                let kept = content.as_bytes().to_vec();
                assert_eq!(attempt(content.as_bytes(), resume), (kept, foreign.clone()), "{content}");
            }
        }
        for content in ["a", "a,b\n", "a,b\n1,2\n", "a,b\n1,2\n3"] {
            let said = "there is a table already".to_owned();
            assert_eq!(attempt(content.as_bytes(), false), (content.as_bytes().to_vec(), said), "{content}");
        }
        assert_eq!(attempt(b"", false), (b"a,b\n".to_vec(), "0 false".to_owned()));
        assert_eq!(attempt(b"a,", true), (b"a,b\n".to_vec(), "0 true".to_owned()));
        assert_eq!(attempt(b"a,b\n1,2\n3,", true), (b"a,b\n1,2\n".to_vec(), "8 true".to_owned()));
    }

    #[test]
    fn lines_are_counted_as_an_editor_does() {
        let read = |text: &str| {
            csv_rows::<(u8, u8)>("t.csv", text.as_bytes(), &"a table".into()).unwrap_err().to_string()
        };
        assert_eq!(
            read("a,b\n1,2\n\n\n3,x\n"),
            "t.csv:5: b \"x\": invalid digit found in string: want the values of a table"
        );
        assert_eq!(read("a,b\r\n1,2\r\n\r\n3\r\n"), "t.csv:4: 1 fields: want 2, as the header has");
    }
}
