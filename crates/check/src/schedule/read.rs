//! Reading schedules back. What is read is a claim until [`replay`](super::replay()) has judged it.

use thiserror::Error;

use crate::schedule::{Issue, IssueRecord, Schedule};
use warpspan_model::Instance;

/// Why a text is not a schedule of the instance.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScheduleFileError {
    /// A row or value cannot be read.
    #[error("line {line}: {what}")]
    Row {
        /// The line, from 1.
        line: u64,
        /// What is wrong and what is wanted.
        what: String,
    },
    /// A record cannot belong to the instance.
    #[error("issue {number} (cycle {cycle}): {what}")]
    Record {
        /// The number of the record, from 1.
        number: usize,
        /// The cycle of the record.
        cycle: u64,
        /// What is wrong and what is wanted.
        what: String,
    },
}

/// Reads what [`write_csv`](super::write_csv) writes.
///
/// # Errors
/// At the first row that cannot be read.
pub fn read_csv(instance: &Instance, text: &[u8]) -> Result<Schedule, ScheduleFileError> {
    let mut reader = csv::Reader::from_reader(text);
    let mut records = Vec::new();
    for record in reader.deserialize() {
        records.push(record.map_err(|error| csv_row(&error, "cycle,group,warp,instruction,unit"))?);
    }
    from_records(instance, &records)
}

/// What is wrong with a row, and the columns that are wanted.
pub(super) fn csv_row(error: &csv::Error, columns: &str) -> ScheduleFileError {
    let line = error.position().map_or(1, csv::Position::line);
    let what = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.kind().to_string(),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields instead of {expected_len}")
        }
        _ => error.to_string(),
    };
    ScheduleFileError::Row { line, what: format!("{what}: want {columns}") }
}

/// Reads what [`write_json`](super::write_json) writes.
///
/// # Errors
/// At the first value that cannot be read.
pub fn read_json(instance: &Instance, text: &[u8]) -> Result<Schedule, ScheduleFileError> {
    let records: Vec<IssueRecord> = serde_json::from_slice(text)
        .map_err(|error| ScheduleFileError::Row { line: error.line() as u64, what: error.to_string() })?;
    from_records(instance, &records)
}

/// Turns records into a schedule, checking that each names a letter of the instance correctly.
#[doc(hidden)]
pub fn from_records(instance: &Instance, records: &[IssueRecord]) -> Result<Schedule, ScheduleFileError> {
    let issue = |(at, record): (usize, &IssueRecord)| {
        let wrong = |what: String| ScheduleFileError::Record { number: at + 1, cycle: record.cycle, what };
        let from_one = |value: u32, name: &str| {
            value.checked_sub(1).ok_or_else(|| wrong(format!("{name} 0: indexes count from 1")))
        };
        let (group, warp) = (from_one(record.group, "group")?, from_one(record.warp, "warp")?);
        let instruction = from_one(record.instruction, "instruction")?;
        let letter = instance
            .groups()
            .get(group as usize)
            .and_then(|group| group.kernel.units().get(instruction as usize))
            .ok_or_else(|| wrong(format!("no instruction {} in group {}", record.instruction, record.group)))?
            .letter();
        if letter != record.unit {
            return Err(wrong(format!(
                "instruction {} of group {} is {letter}, not {}",
                record.instruction, record.group, record.unit
            )));
        }
        Ok(Issue { cycle: record.cycle, group, warp, instruction })
    };
    Ok(Schedule::new(records.iter().enumerate().map(issue).collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{write_csv, write_json};
    use warpspan_model::Multiprocessor;

    fn instance() -> Instance {
        Instance::single("LC".parse().unwrap(), 2, Multiprocessor::default()).unwrap()
    }

    const CSV: &str = "cycle,group,warp,instruction,unit\n1,1,1,1,L\n2,1,1,2,C\n2,1,2,1,L\n3,1,2,2,C\n";

    #[test]
    fn csv_and_json_come_back() {
        let instance = instance();
        let schedule = read_csv(&instance, CSV.as_bytes()).unwrap();
        let (mut csv, mut json) = (Vec::new(), Vec::new());
        write_csv(&instance, &schedule, &mut csv).unwrap();
        write_json(&instance, &schedule, &mut json).unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), CSV);
        assert_eq!(read_json(&instance, &json).unwrap(), schedule);
    }

    #[test]
    fn a_broken_row_is_named() {
        let broken = |from: &str, to: &str| {
            read_csv(&instance(), CSV.replace(from, to).as_bytes()).unwrap_err().to_string()
        };
        assert!(broken("2,1,1,2,C", "2,1,1,2").starts_with("line 3: 4 fields instead of 5"));
        assert!(broken("2,1,1,2,C", "2,1,x,2,C").starts_with("line 3: "));
        assert_eq!(
            broken("2,1,1,2,C", "2,1,1,2,L"),
            "issue 2 (cycle 2): instruction 2 of group 1 is C, not L"
        );
        assert_eq!(broken("2,1,1,2,C", "2,1,1,3,C"), "issue 2 (cycle 2): no instruction 3 in group 1");
        assert_eq!(broken("2,1,1,2,C", "2,0,1,2,C"), "issue 2 (cycle 2): group 0: indexes count from 1");
    }
}
