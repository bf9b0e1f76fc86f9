//! Issues as they stand in files and in JSON, and schedules made of them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{ScheduleFileError, lines};
use crate::schedule::{Issue, Schedule, Start};
use warpspan_model::machine::MachineWorkload;
use warpspan_model::{Grid, Instance};

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

/// A record of an issue that files hold.
pub trait Record: Serialize + DeserializeOwned {
    /// What the record is of.
    type Of;
    /// The columns of a file.
    const COLUMNS: &'static str;

    /// As [`from_records`](super::from_records).
    ///
    /// # Errors
    /// As [`from_records`](super::from_records).
    fn schedule(of: &Self::Of, records: &[Self]) -> Result<Schedule, ScheduleFileError>;
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
