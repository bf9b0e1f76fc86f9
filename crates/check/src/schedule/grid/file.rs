//! Reading and writing schedules of grids as CSV and JSON. What is read is a claim until
//! [`replay`](super::replay()) has judged it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schedule::ScheduleFileError;
use crate::schedule::grid::{Issue, Schedule, Start};
use crate::schedule::read::csv_row;
use warpspan_model::Grid;

/// One issue of a schedule of a grid as it stands in files and in the JSON of `solve`: every index from 1.
/// The place and the first cycle of a block stand in each of its issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "GridIssueRecord")]
pub struct IssueRecord {
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

/// The issues of a schedule as records. There are none for a grid whose code has branches or loops, and none
/// for a block that never starts; no witness has such issues.
pub fn records<'a>(grid: &'a Grid, schedule: &'a Schedule) -> impl Iterator<Item = IssueRecord> + 'a {
    let starts: BTreeMap<u64, &Start> = schedule.starts().iter().map(|start| (start.block, start)).collect();
    let units = grid.block().instance().map_or(&[][..], |instance| instance.groups()[0].kernel.units());
    schedule.issues().iter().filter_map(move |&Issue { cycle, block, warp, instruction }| {
        let start = starts.get(&block)?;
        Some(IssueRecord {
            cycle,
            multiprocessor: start.multiprocessor + 1,
            slot: start.slot + 1,
            block: block + 1,
            start: start.cycle,
            warp: warp + 1,
            instruction: instruction + 1,
            unit: units.get(usize::try_from(instruction).ok()?)?.letter(),
        })
    })
}

/// Writes the fields of [`IssueRecord`] as a head and one row for each issue.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_csv(grid: &Grid, schedule: &Schedule, out: impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for record in records(grid, schedule) {
        writer.serialize(record).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Writes a JSON array with one line for each issue.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_json(grid: &Grid, schedule: &Schedule, mut out: impl Write) -> io::Result<()> {
    let mut before = "[\n";
    for record in records(grid, schedule) {
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut out, &record)?;
        before = ",\n";
    }
    out.write_all(b"\n]\n")?;
    out.flush()
}

/// Reads what [`write_csv`] writes.
///
/// # Errors
/// At the first row that cannot be read.
pub fn read_csv(grid: &Grid, text: &[u8]) -> Result<Schedule, ScheduleFileError> {
    let mut reader = csv::Reader::from_reader(text);
    let mut records = Vec::new();
    for record in reader.deserialize() {
        records.push(record.map_err(|error| {
            csv_row(&error, "cycle,multiprocessor,slot,block,start,warp,instruction,unit")
        })?);
    }
    from_records(grid, &records)
}

/// Reads what [`write_json`] writes.
///
/// # Errors
/// At the first value that cannot be read.
pub fn read_json(grid: &Grid, text: &[u8]) -> Result<Schedule, ScheduleFileError> {
    let records: Vec<IssueRecord> = serde_json::from_slice(text)
        .map_err(|error| ScheduleFileError::Row { line: error.line() as u64, what: error.to_string() })?;
    from_records(grid, &records)
}

/// Turns records into a schedule, checking that the records of a block agree and that each names a letter of
/// the kernel correctly.
#[doc(hidden)]
pub fn from_records(grid: &Grid, records: &[IssueRecord]) -> Result<Schedule, ScheduleFileError> {
    let units = grid.block().instance().map_or(&[][..], |instance| instance.groups()[0].kernel.units());
    let mut starts: BTreeMap<u64, Start> = BTreeMap::new();
    let mut issues = Vec::new();
    for (number, record) in (1..).zip(records) {
        let wrong = |what: String| ScheduleFileError::Record { number, cycle: record.cycle, what };
        let from_one = |value: u64, name: &str| {
            value.checked_sub(1).ok_or_else(|| wrong(format!("{name} 0: indexes count from 1")))
        };
        let start = Start {
            cycle: record.start,
            multiprocessor: from_one(record.multiprocessor, "multiprocessor")?,
            slot: from_one(record.slot, "slot")?,
            block: from_one(record.block, "block")?,
        };
        let known = *starts.entry(start.block).or_insert(start);
        if known != start {
            return Err(wrong(format!(
                "block {} starts in cycle {} in slot {} of multiprocessor {}, but an earlier record says cycle {}, slot {}, \
                 multiprocessor {}",
                record.block,
                record.start,
                record.slot,
                record.multiprocessor,
                known.cycle,
                known.slot + 1,
                known.multiprocessor + 1
            )));
        }
        let instruction = from_one(record.instruction, "instruction")?;
        let letter = usize::try_from(instruction).ok().and_then(|at| units.get(at)).map(|unit| unit.letter());
        match letter {
            None => return Err(wrong(format!("no instruction {} in the kernel", record.instruction))),
            Some(letter) if letter != record.unit => {
                let what = format!("instruction {} is {letter}, not {}", record.instruction, record.unit);
                return Err(wrong(what));
            }
            Some(_) => {}
        }
        let warp = from_one(record.warp, "warp")?;
        issues.push(Issue { cycle: record.cycle, block: start.block, warp, instruction });
    }
    Ok(Schedule::new(starts.into_values().collect(), issues))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::grid::{chart, chart_size, replay};
    use warpspan_model::Code;

    const CSV: &str = "cycle,multiprocessor,slot,block,start,warp,instruction,unit\n\
                       1,1,1,1,1,1,1,L\n1,2,1,2,1,1,1,L\n2,1,1,1,1,1,2,C\n2,2,1,2,1,1,2,C\n3,2,1,3,3,1,1,L\n\
                       4,2,1,3,3,1,2,C\n";

    fn grid() -> Grid {
        Grid::new("LC".parse::<Code>().unwrap(), Default::default(), 1, 3).unwrap().on(2, 1).unwrap()
    }

    #[test]
    fn csv_and_json_come_back() {
        let grid = grid();
        let schedule = read_csv(&grid, CSV.as_bytes()).unwrap();
        assert_eq!(replay(&grid, schedule.clone()).unwrap().makespan().0, 4);
        let (mut csv, mut json) = (Vec::new(), Vec::new());
        write_csv(&grid, &schedule, &mut csv).unwrap();
        write_json(&grid, &schedule, &mut json).unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), CSV);
        assert_eq!(read_json(&grid, &json).unwrap(), schedule);
    }

    #[test]
    fn a_broken_row_is_named() {
        let broken = |from: &str, to: &str| {
            read_csv(&grid(), CSV.replace(from, to).as_bytes()).unwrap_err().to_string()
        };
        assert!(broken("2,1,1,1,1,1,2,C", "2,1").starts_with("line 4: 2 fields instead of 8"));
        assert_eq!(
            broken("2,1,1,1,1,1,2,C", "2,1,1,1,1,1,2,L"),
            "issue 3 (cycle 2): instruction 2 is C, not L"
        );
        assert_eq!(
            broken("2,1,1,1,1,1,2,C", "2,1,1,1,1,1,3,C"),
            "issue 3 (cycle 2): no instruction 3 in the kernel"
        );
        assert_eq!(
            broken("2,1,1,1,1,1,2,C", "2,1,0,1,1,1,2,C"),
            "issue 3 (cycle 2): slot 0: indexes count from 1"
        );
        assert_eq!(
            broken("4,2,1,3,3,1,2,C", "4,2,1,3,2,1,2,C"),
            "issue 6 (cycle 4): block 3 starts in cycle 2 in slot 1 of multiprocessor 2, but an earlier record says cycle 3, \
             slot 1, multiprocessor 2"
        );
    }

    #[test]
    fn a_chart_says_where_blocks_start() {
        let schedule = read_csv(&grid(), CSV.as_bytes()).unwrap();
        let whole = "cycle      1  2  3  4\n1: slot 1 1L  C\n2: slot 1 2L  C 3L  C\n";
        assert_eq!(chart(&grid(), &schedule, 80), whole);
        assert_eq!(chart_size(&grid(), &schedule), (2, 21));
        assert_eq!(chart(&grid(), &schedule, 15).lines().next(), Some("cycle      1  2"));
    }
}
