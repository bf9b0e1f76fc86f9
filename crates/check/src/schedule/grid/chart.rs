//! A schedule of a grid as text: columns are cycles, and rows are the warps of the block in each slot.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::schedule::grid::{Issue, Schedule};
use warpspan_model::Grid;

/// The row of a warp: its multiprocessor, its slot, and its index in the block there, all from 0.
type Lane = (u64, u64, u64);

/// The rows of a schedule in their order. A slot that never holds a block has none.
fn lanes(schedule: &Schedule) -> BTreeMap<Lane, Vec<&Issue>> {
    let mut lanes: BTreeMap<Lane, Vec<&Issue>> = BTreeMap::new();
    for (lane, issue) in placed(schedule) {
        lanes.entry(lane).or_default().push(issue);
    }
    lanes
}

/// The issues of a schedule, each with its row.
fn placed(schedule: &Schedule) -> impl Iterator<Item = (Lane, &Issue)> {
    let place = |start: &super::Start| (start.block, (start.multiprocessor, start.slot));
    let places: BTreeMap<u64, (u64, u64)> = schedule.starts().iter().map(place).collect();
    schedule.issues().iter().filter_map(move |issue| {
        let &(multiprocessor, slot) = places.get(&issue.block)?;
        Some(((multiprocessor, slot, issue.warp), issue))
    })
}

/// The issues of a schedule, each with the number of its row, and the names of all rows.
#[doc(hidden)]
pub fn lanes_of<'a>(grid: &Grid, schedule: &'a Schedule) -> (Vec<(usize, &'a Issue)>, Vec<String>) {
    let lanes = lanes(schedule);
    let numbers: BTreeMap<Lane, usize> = lanes.keys().copied().zip(0..).collect();
    let issues = placed(schedule).map(|(lane, issue)| (numbers[&lane], issue)).collect();
    (issues, lanes.keys().map(|&lane| head(grid, lane)).collect())
}

/// The name of a row. A number that can only be 1 is left out.
fn head(grid: &Grid, (multiprocessor, slot, warp): Lane) -> String {
    let mut name = format!("slot {}", slot + 1);
    if grid.multiprocessors() > 1 {
        name = format!("{}: {name}", multiprocessor + 1);
    }
    if grid.warps_per_block() > 1 {
        let _ = write!(name, " warp {}", warp + 1);
    }
    name
}

/// The number of the block that starts at each row and cycle.
fn starts(schedule: &Schedule) -> BTreeMap<(Lane, u64), u64> {
    let start = |start: &super::Start| (((start.multiprocessor, start.slot, 0), start.cycle), start.block);
    schedule.starts().iter().map(start).collect()
}

/// The size of a cell: a cycle, or a letter beside the number of a block that starts.
fn cell(schedule: &Schedule) -> usize {
    let makespan = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let block = schedule.starts().iter().map(|start| start.block + 1).max().unwrap_or(0);
    makespan.to_string().len().max(block.to_string().len() + 1) + 1
}

/// Draws the schedule with at most `columns` characters a line. Longer schedules continue in further bands.
/// In the first row of a slot the number of a block stands in the cycle from which the block is there, before
/// the letter that its first warp issues in that cycle, or before a dot if that warp waits.
pub fn chart(grid: &Grid, schedule: &Schedule, columns: usize) -> String {
    let units = grid.block().instance().map_or(&[][..], |instance| instance.groups()[0].kernel.units());
    let makespan = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let (lanes, starts, cell) = (lanes(schedule), starts(schedule), cell(schedule));
    let heads: Vec<String> = lanes.keys().map(|&lane| head(grid, lane)).collect();
    let margin = heads.iter().map(String::len).max().unwrap_or(0).max("cycle".len());
    let band = ((columns.saturating_sub(margin)) / cell).max(1) as u64;
    let mut out = String::new();
    let mut first = 1;
    while first <= makespan {
        let last = makespan.min(first + band - 1);
        let _ = write!(out, "{:<margin$}", "cycle");
        for cycle in first..=last {
            let _ = write!(out, "{cycle:>cell$}");
        }
        out.push('\n');
        for (head, (&lane, issues)) in heads.iter().zip(&lanes) {
            let mut line = format!("{head:<margin$}");
            for cycle in first..=last {
                let at = issues.binary_search_by_key(&cycle, |issue| issue.cycle).ok();
                let unit = at.and_then(|at| units.get(usize::try_from(issues[at].instruction).ok()?));
                let letter = unit.map(|unit| unit.letter());
                let text = match (starts.get(&(lane, cycle)), letter) {
                    (Some(block), letter) => format!("{}{}", block + 1, letter.unwrap_or('.')),
                    (None, letter) => letter.unwrap_or(' ').to_string(),
                };
                let _ = write!(line, "{text:>cell$}");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if last < makespan {
            out.push('\n');
        }
        first = last + 1;
    }
    out
}

/// The number of rows and of characters a line that a chart of the schedule in one band takes.
pub fn chart_size(grid: &Grid, schedule: &Schedule) -> (usize, usize) {
    let lanes = lanes(schedule);
    let margin = lanes.keys().map(|&lane| head(grid, lane).len()).max().unwrap_or(0).max("cycle".len());
    let makespan = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let width = usize::try_from(makespan).unwrap_or(usize::MAX).saturating_mul(cell(schedule));
    (lanes.len(), width.saturating_add(margin))
}
