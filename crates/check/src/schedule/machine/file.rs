//! Writing schedules of machines as CSV and JSON.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schedule::machine::{MachineIssue, MachineSchedule};
use warpspan_model::machine::MachineWorkload;

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

/// The issues of a schedule as records.
pub fn records(workload: &MachineWorkload, schedule: &MachineSchedule) -> Vec<MachineIssueRecord> {
    let lines: Vec<Vec<_>> = workload.lines().into_iter().flatten().map(|line| line.concat()).collect();
    let name = |issue: &MachineIssue| {
        let letter = lines.get(issue.group as usize)?.get(issue.instruction as usize)?;
        Some(workload.machine().letter(*letter).name.clone())
    };
    let record = |issue: &MachineIssue| MachineIssueRecord {
        cycle: issue.cycle,
        group: issue.group + 1,
        warp: issue.warp + 1,
        instruction: issue.instruction + 1,
        letter: name(issue).unwrap_or_default(),
        latency: issue.latency,
    };
    schedule.issues().iter().map(record).collect()
}

/// Writes `cycle,group,warp,instruction,letter,latency` and one row for each issue.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_csv(workload: &MachineWorkload, schedule: &MachineSchedule, out: impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for record in records(workload, schedule) {
        writer.serialize(record).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Writes a JSON array with one line for each issue.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_json(
    workload: &MachineWorkload,
    schedule: &MachineSchedule,
    mut out: impl Write,
) -> io::Result<()> {
    let mut before = "[\n";
    for record in records(workload, schedule) {
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut out, &record)?;
        before = ",\n";
    }
    out.write_all(b"\n]\n")?;
    out.flush()
}
