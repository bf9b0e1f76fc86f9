//! Writing schedules as CSV and JSON.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schedule::{Issue, Schedule};
use warpspan_model::Instance;

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

/// The issues of a schedule as records.
pub fn records<'a>(instance: &'a Instance, schedule: &'a Schedule) -> impl Iterator<Item = IssueRecord> + 'a {
    schedule.issues().iter().map(|&Issue { cycle, group, warp, instruction }| IssueRecord {
        cycle,
        group: group + 1,
        warp: warp + 1,
        instruction: instruction + 1,
        unit: instance.groups()[group as usize].kernel.units()[instruction as usize].letter(),
    })
}

/// Writes `cycle,group,warp,instruction,unit` and one row for each issue.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_csv(instance: &Instance, schedule: &Schedule, out: impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for record in records(instance, schedule) {
        writer.serialize(record).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Writes a JSON array with one line for each issue.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_json(instance: &Instance, schedule: &Schedule, mut out: impl Write) -> io::Result<()> {
    let mut before = "[\n";
    for record in records(instance, schedule) {
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut out, &record)?;
        before = ",\n";
    }
    out.write_all(b"\n]\n")?;
    out.flush()
}
