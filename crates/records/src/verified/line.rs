//! How the numbers of a line are checked.

use crate::verify::{Verify, evidence};
use crate::{ReadError, Record, read};

impl Verify {
    /// How the numbers of a line are checked.
    ///
    /// # Errors
    /// If the line is no record; `Ok(None)` if its record holds nothing that claims to be proved.
    pub fn of(line: &[u8]) -> Result<Option<Self>, ReadError> {
        let (line, doubts) = evidence::without_doubts(line);
        let record = read(&line)?;
        let of = match &record {
            Record::SweepRow(_) => "sweep-row".to_owned(),
            other => other.schema().to_owned(),
        };
        let Some(mut found) = record.found() else { return Ok(None) };
        found.notes.extend(doubts);
        found.beside(record.numbers());
        Ok(Some(found.record(of)))
    }
}
