//! Reading schedules of machines back. What is read is a claim until
//! [`replay`](crate::schedule::machine::replay()) has judged it.

use crate::schedule::ScheduleFileError;
use crate::schedule::machine::{MachineIssue, MachineIssueRecord, MachineSchedule};
use crate::schedule::read::csv_row;
use warpspan_model::machine::MachineWorkload;

/// Reads what [`write_csv`](super::write_csv) writes.
///
/// # Errors
/// At the first row that cannot be read, or that names no letter of the workload correctly.
pub fn read_csv(workload: &MachineWorkload, text: &[u8]) -> Result<MachineSchedule, ScheduleFileError> {
    let mut reader = csv::Reader::from_reader(text);
    let mut records = Vec::new();
    for record in reader.deserialize() {
        let columns = "cycle,group,warp,instruction,letter,latency";
        records.push(record.map_err(|error| csv_row(&error, columns))?);
    }
    from_records(workload, &records)
}

/// Reads what [`write_json`](super::write_json) writes.
///
/// # Errors
/// At the first value that cannot be read, or that names no letter of the workload correctly.
pub fn read_json(workload: &MachineWorkload, text: &[u8]) -> Result<MachineSchedule, ScheduleFileError> {
    let records: Vec<MachineIssueRecord> = serde_json::from_slice(text)
        .map_err(|error| ScheduleFileError::Row { line: error.line() as u64, what: error.to_string() })?;
    from_records(workload, &records)
}

/// Turns records into a schedule, checking that each names a letter of the workload correctly. Code with several
/// paths has no letters to name.
///
/// # Errors
/// At the first record that names none.
#[doc(hidden)]
pub fn from_records(
    workload: &MachineWorkload,
    records: &[MachineIssueRecord],
) -> Result<MachineSchedule, ScheduleFileError> {
    let lines: Vec<Vec<_>> = workload.lines().into_iter().flatten().map(|line| line.concat()).collect();
    let issue = |(at, record): (usize, &MachineIssueRecord)| {
        let &MachineIssueRecord { cycle, group, warp, instruction, ref letter, latency } = record;
        let wrong = |what: String| ScheduleFileError::Record { number: at + 1, cycle, what };
        let from_one = |value: u32, name: &str| {
            value.checked_sub(1).ok_or_else(|| wrong(format!("{name} 0: indexes count from 1")))
        };
        let issue = MachineIssue {
            cycle,
            group: from_one(group, "group")?,
            warp: from_one(warp, "warp")?,
            instruction: from_one(instruction, "instruction")?,
            latency,
        };
        let found = lines.get(issue.group as usize).and_then(|line| line.get(issue.instruction as usize));
        let found = found.ok_or_else(|| wrong(format!("no instruction {instruction} in group {group}")))?;
        let name = &workload.machine().letter(*found).name;
        if name != letter {
            return Err(wrong(format!("instruction {instruction} of group {group} is {name}, not {letter}")));
        }
        Ok(issue)
    };
    Ok(MachineSchedule::new(records.iter().enumerate().map(issue).collect::<Result<_, _>>()?))
}
