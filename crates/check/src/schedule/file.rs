//! Schedules as records, in CSV and in JSON. What is read is a claim until [`replay`](super::replay()) has accepted it.

mod record;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use thiserror::Error;

use crate::schedule::{Issue, Launch, Schedule, Start};
pub use record::{GridIssueRecord, IssueRecord, MachineIssueRecord, Record};
use warpspan_model::machine::{LetterId, MachineWorkload};
use warpspan_model::source::json;
use warpspan_model::{Grid, Instance};

/// Why a text is not a schedule of a launch.
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
    /// A record cannot belong to the launch.
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

/// The issues of a schedule of warps that start together.
pub fn records<'a>(instance: &'a Instance, schedule: &'a Schedule) -> impl Iterator<Item = IssueRecord> + 'a {
    schedule.issues().iter().map(|&Issue { cycle, group, warp, instruction, .. }| IssueRecord {
        cycle,
        group: group + 1,
        warp: warp + 1,
        instruction: instruction + 1,
        unit: instance.groups()[group as usize].kernel.units()[instruction as usize].letter(),
    })
}

/// The issues of a schedule of a grid. There are none for a grid whose code has branches or loops, and none for a block
/// that never starts; no witness has such issues.
pub fn grid_records<'a>(
    grid: &'a Grid,
    schedule: &'a Schedule,
) -> impl Iterator<Item = GridIssueRecord> + 'a {
    let starts: BTreeMap<u64, &Start> = schedule.starts().iter().map(|start| (start.block, start)).collect();
    let units = grid.block().instance().map_or(&[][..], |instance| instance.groups()[0].kernel.units());
    schedule.issues().iter().filter_map(move |&Issue { cycle, warp, instruction, .. }| {
        let (block, warp) =
            (u64::from(warp) / grid.warps_per_block(), u64::from(warp) % grid.warps_per_block());
        let start = starts.get(&block)?;
        Some(GridIssueRecord {
            cycle,
            multiprocessor: start.multiprocessor + 1,
            slot: start.slot + 1,
            block: block + 1,
            start: start.cycle,
            warp: warp + 1,
            instruction: u64::from(instruction) + 1,
            unit: units.get(instruction as usize)?.letter(),
        })
    })
}

/// The issues of a schedule on a machine.
pub fn machine_records(workload: &MachineWorkload, schedule: &Schedule) -> Vec<MachineIssueRecord> {
    let lines = lines(workload);
    let name = |issue: &Issue| {
        let letter = lines.get(issue.group as usize)?.get(issue.instruction as usize)?;
        Some(workload.machine().letter(*letter).name.clone())
    };
    let record = |issue: &Issue| MachineIssueRecord {
        cycle: issue.cycle,
        group: issue.group + 1,
        warp: issue.warp + 1,
        instruction: issue.instruction + 1,
        letter: name(issue).unwrap_or_default(),
        latency: issue.latency,
    };
    schedule.issues().iter().map(record).collect()
}

/// The letters of each group; none if some code has several paths.
fn lines(workload: &MachineWorkload) -> Vec<Vec<LetterId>> {
    workload.lines().into_iter().flatten().map(|line| line.concat()).collect()
}

/// How a file holds a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The names of the fields, and one row for each issue.
    Csv,
    /// A JSON array with one line for each issue.
    Json,
}

/// Writes a schedule.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write<'a>(
    launch: impl Into<Launch<'a>>,
    schedule: &Schedule,
    form: Form,
    out: impl Write,
) -> io::Result<()> {
    match launch.into() {
        Launch::Instance(instance) => write_records(records(instance, schedule), form, out),
        Launch::Grid(grid) => write_records(grid_records(grid, schedule), form, out),
        Launch::Machine(workload) => write_records(machine_records(workload, schedule), form, out),
    }
}

fn write_records(
    records: impl IntoIterator<Item = impl Serialize>,
    form: Form,
    mut out: impl Write,
) -> io::Result<()> {
    if form == Form::Csv {
        let mut writer = csv::Writer::from_writer(out);
        for record in records {
            writer.serialize(record).map_err(io::Error::other)?;
        }
        return writer.flush();
    }
    let mut before = "[\n";
    for record in records {
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut out, &record)?;
        before = ",\n";
    }
    out.write_all(b"\n]\n")?;
    out.flush()
}

/// Reads what [`write`](write()) writes.
///
/// # Errors
/// At the first row or value that cannot be read, or that names no letter correctly.
pub fn read<'a>(
    launch: impl Into<Launch<'a>>,
    form: Form,
    text: &[u8],
) -> Result<Schedule, ScheduleFileError> {
    match launch.into() {
        Launch::Instance(instance) => from_records(instance, &read_records::<IssueRecord>(form, text)?),
        Launch::Grid(grid) => from_records(grid, &read_records::<GridIssueRecord>(form, text)?),
        Launch::Machine(workload) => from_records(workload, &read_records::<MachineIssueRecord>(form, text)?),
    }
}

fn read_records<R: Record>(form: Form, text: &[u8]) -> Result<Vec<R>, ScheduleFileError> {
    if form == Form::Csv {
        let mut reader = csv::Reader::from_reader(text);
        let row = |record: Result<R, csv::Error>| record.map_err(|error| csv_row(&error, R::COLUMNS));
        return reader.deserialize().map(row).collect();
    }
    json(text, "").map_err(|error| ScheduleFileError::Row { line: error.line as u64, what: error.what })
}

/// Turns records into a schedule, checking that each names a letter correctly, and that all of a block agree.
///
/// # Errors
/// At the first record that does not.
pub fn from_records<R: Record>(of: &R::Of, records: &[R]) -> Result<Schedule, ScheduleFileError> {
    R::schedule(of, records)
}

/// What is wrong with a row, and the columns that are wanted.
fn csv_row(error: &csv::Error, columns: &str) -> ScheduleFileError {
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
