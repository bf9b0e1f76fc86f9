//! Schedules as records, in CSV and in JSON. What is read is a claim until [`replay`](super::replay()) has accepted it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::schedule::{Issue, Launch, Schedule, Start};
use warpspan_model::machine::{LetterId, MachineWorkload};
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

/// One issue as it stands in files and in the JSON of `solve`: every index from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IssueRecord {
    /// Cycle.
    pub cycle: u64,
    /// Group.
    pub group: u32,
    /// Warp in the group.
    pub warp: u32,
    /// Instruction of the expanded kernel.
    pub instruction: u32,
    /// Letter of the instruction.
    pub unit: char,
}

/// One issue of a schedule of a grid as it stands in files and in the JSON of `solve`: every index from 1.
/// The place and the first cycle of a block stand in each of its issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridIssueRecord {
    /// Cycle.
    pub cycle: u64,
    /// Multiprocessor.
    pub multiprocessor: u64,
    /// Slot of the multiprocessor.
    pub slot: u64,
    /// Block.
    pub block: u64,
    /// Cycle from which the block is in its slot.
    pub start: u64,
    /// Warp in the block.
    pub warp: u64,
    /// Instruction of the expanded kernel.
    pub instruction: u64,
    /// Letter of the instruction.
    pub unit: char,
}

/// One issue on a machine as it stands in files: every index from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MachineIssueRecord {
    /// Cycle.
    pub cycle: u64,
    /// Group.
    pub group: u32,
    /// Warp in the group.
    pub warp: u32,
    /// Instruction of the line, barriers not counted.
    pub instruction: u32,
    /// Name of the letter.
    pub letter: String,
    /// Latency that the adversary chose, in cycles.
    pub latency: u64,
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
    serde_json::from_slice(text)
        .map_err(|error| ScheduleFileError::Row { line: error.line() as u64, what: error.to_string() })
}

/// Turns records into a schedule, checking that each names a letter correctly, and that all of a block agree.
///
/// # Errors
/// At the first record that does not.
pub fn from_records<R: Record>(of: &R::Of, records: &[R]) -> Result<Schedule, ScheduleFileError> {
    R::schedule(of, records)
}

/// A record of an issue that files hold.
pub trait Record: Serialize + DeserializeOwned {
    /// What the record is of.
    type Of;
    /// The columns of a file.
    const COLUMNS: &'static str;

    /// As [`from_records`].
    ///
    /// # Errors
    /// As [`from_records`].
    fn schedule(of: &Self::Of, records: &[Self]) -> Result<Schedule, ScheduleFileError>;
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

/// The place of a record in a file, for messages.
struct At {
    number: usize,
    cycle: u64,
}

impl At {
    fn wrong(&self, what: String) -> ScheduleFileError {
        ScheduleFileError::Record { number: self.number, cycle: self.cycle, what }
    }

    /// An index from 0 of a number from 1.
    fn index<N: TryInto<u64>>(&self, value: N, name: &str) -> Result<u32, ScheduleFileError> {
        let value = value.try_into().unwrap_or(u64::MAX);
        let index =
            value.checked_sub(1).ok_or_else(|| self.wrong(format!("{name} 0: indexes count from 1")))?;
        u32::try_from(index).map_err(|_| self.wrong(format!("{name} {value} is too large for a schedule")))
    }
}

impl Record for IssueRecord {
    type Of = Instance;
    const COLUMNS: &'static str = "cycle,group,warp,instruction,unit";

    fn schedule(instance: &Instance, records: &[Self]) -> Result<Schedule, ScheduleFileError> {
        let issue = |(number, record): (usize, &Self)| {
            let &Self { cycle, group, warp, instruction, unit } = record;
            let at = At { number, cycle };
            let issue = Issue {
                cycle,
                group: at.index(group, "group")?,
                warp: at.index(warp, "warp")?,
                instruction: at.index(instruction, "instruction")?,
                latency: 1,
            };
            let letter = instance
                .groups()
                .get(issue.group as usize)
                .and_then(|group| group.kernel.units().get(issue.instruction as usize))
                .ok_or_else(|| at.wrong(format!("no instruction {instruction} in group {group}")))?
                .letter();
            if letter != unit {
                return Err(
                    at.wrong(format!("instruction {instruction} of group {group} is {letter}, not {unit}"))
                );
            }
            Ok(issue)
        };
        Ok(Schedule::new((1..).zip(records).map(issue).collect::<Result<_, _>>()?))
    }
}

impl Record for GridIssueRecord {
    type Of = Grid;
    const COLUMNS: &'static str = "cycle,multiprocessor,slot,block,start,warp,instruction,unit";

    fn schedule(grid: &Grid, records: &[Self]) -> Result<Schedule, ScheduleFileError> {
        let units = grid.block().instance().map_or(&[][..], |instance| instance.groups()[0].kernel.units());
        let mut starts: BTreeMap<u64, Start> = BTreeMap::new();
        let mut issues = Vec::new();
        for (number, record) in (1..).zip(records) {
            let &Self { cycle, multiprocessor, slot, block, start, warp, instruction, unit } = record;
            let at = At { number, cycle };
            let start = Start {
                cycle: start,
                multiprocessor: at.index(multiprocessor, "multiprocessor")?.into(),
                slot: at.index(slot, "slot")?.into(),
                block: at.index(block, "block")?.into(),
            };
            let known = *starts.entry(start.block).or_insert(start);
            if known != start {
                return Err(at.wrong(format!(
                    "block {block} starts in cycle {} in slot {slot} of multiprocessor {multiprocessor}, but an earlier record \
                     says cycle {}, slot {}, multiprocessor {}",
                    start.cycle,
                    known.cycle,
                    known.slot + 1,
                    known.multiprocessor + 1
                )));
            }
            let index = at.index(instruction, "instruction")?;
            match units.get(index as usize).map(|unit| unit.letter()) {
                None => return Err(at.wrong(format!("no instruction {instruction} in the kernel"))),
                Some(letter) if letter != unit => {
                    return Err(at.wrong(format!("instruction {instruction} is {letter}, not {unit}")));
                }
                Some(_) => {}
            }
            let warps_per_block = grid.warps_per_block();
            let in_block = u64::from(at.index(warp, "warp")?);
            if in_block >= warps_per_block {
                return Err(at.wrong(format!("no warp {warp} in a block, which has {warps_per_block}")));
            }
            let of_all = start.block.saturating_mul(warps_per_block).saturating_add(in_block + 1);
            issues.push(Issue {
                cycle,
                group: 0,
                warp: at.index(of_all, "warp of all blocks")?,
                instruction: index,
                latency: 1,
            });
        }
        Ok(Schedule::of_blocks(starts.into_values().collect(), issues))
    }
}

impl Record for MachineIssueRecord {
    type Of = MachineWorkload;
    const COLUMNS: &'static str = "cycle,group,warp,instruction,letter,latency";

    fn schedule(workload: &MachineWorkload, records: &[Self]) -> Result<Schedule, ScheduleFileError> {
        let lines = lines(workload);
        let issue = |(number, record): (usize, &Self)| {
            let &Self { cycle, group, warp, instruction, ref letter, latency } = record;
            let at = At { number, cycle };
            let issue = Issue {
                cycle,
                group: at.index(group, "group")?,
                warp: at.index(warp, "warp")?,
                instruction: at.index(instruction, "instruction")?,
                latency,
            };
            let found = lines.get(issue.group as usize).and_then(|line| line.get(issue.instruction as usize));
            let found =
                found.ok_or_else(|| at.wrong(format!("no instruction {instruction} in group {group}")))?;
            let name = &workload.machine().letter(*found).name;
            if name != letter {
                return Err(
                    at.wrong(format!("instruction {instruction} of group {group} is {name}, not {letter}"))
                );
            }
            Ok(issue)
        };
        Ok(Schedule::new((1..).zip(records).map(issue).collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests;
