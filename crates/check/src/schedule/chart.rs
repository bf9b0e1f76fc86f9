//! A schedule as text: columns are cycles and rows are warps, as in Be12 Fig. 2.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::schedule::file::machine_records;
use crate::schedule::{Issue, Launch, Schedule, Start};
use warpspan_model::machine::MachineWorkload;
use warpspan_model::{Grid, Instance};

/// Rows with the text of each cycle.
struct Chart {
    rows: Vec<(String, BTreeMap<u64, String>)>,
    /// The number of characters of a cell, of which the first is a space.
    cell: usize,
    makespan: u64,
}

/// Draws the schedule with at most `columns` characters a line. Longer schedules continue in further bands.
///
/// The cycles of a latency on a machine in which the warp waits are dots. Where blocks follow one another, the number of a
/// block stands in the first row of its slot, in the cycle from which it is there, before the letter that its first warp
/// issues in that cycle, or before a dot if that warp waits.
pub fn chart<'a>(launch: impl Into<Launch<'a>>, schedule: &Schedule, columns: usize) -> String {
    let Chart { rows, cell, makespan } = Chart::of(launch.into(), schedule);
    let margin = margin(rows.iter().map(|(head, _)| head.len()));
    let band = (columns.saturating_sub(margin) / cell).max(1) as u64;
    let mut out = String::new();
    let mut first = 1;
    while first <= makespan {
        let last = makespan.min(first + band - 1);
        let _ = write!(out, "{:<margin$}", "cycle");
        (first..=last).for_each(|cycle| _ = write!(out, "{cycle:>cell$}"));
        out.push('\n');
        for (head, cells) in &rows {
            let mut line = format!("{head:<margin$}");
            for cycle in first..=last {
                let text = cells.get(&cycle).map_or("", String::as_str);
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

/// The number of rows, and of characters a line, that a chart of the schedule in one band takes.
pub fn chart_size<'a>(launch: impl Into<Launch<'a>>, schedule: &Schedule) -> (usize, usize) {
    // What stands in the cells is not made here: a schedule may be far too large to be drawn.
    let (launch, makespan) = (launch.into(), makespan(schedule));
    let heads = match launch {
        Launch::Instance(instance) => heads(instance),
        Launch::Grid(grid) => rows_of_blocks(grid, schedule).1,
        Launch::Machine(workload) => {
            heads_of_machine(workload).into_iter().map(|(_, _, head)| head).collect()
        }
    };
    let cells = usize::try_from(makespan).unwrap_or(usize::MAX).saturating_mul(cell(launch, schedule));
    (heads.len(), margin(heads.iter().map(String::len)).saturating_add(cells))
}

fn margin(heads: impl Iterator<Item = usize>) -> usize {
    heads.max().unwrap_or(0).max("cycle".len())
}

fn makespan(schedule: &Schedule) -> u64 {
    schedule.issues().last().map_or(0, |issue| issue.cycle)
}

/// The number of characters of a cell, of which the first is a space: it holds a cycle, or the letters of the launch.
fn cell(launch: Launch<'_>, schedule: &Schedule) -> usize {
    let letters = match launch {
        Launch::Instance(_) => 1,
        Launch::Grid(_) => {
            let block = schedule.starts().iter().map(|start| start.block + 1).max().unwrap_or(0);
            block.to_string().len() + 1
        }
        Launch::Machine(workload) => {
            let lines = workload.lines().unwrap_or_default();
            let names =
                lines.iter().flatten().flatten().map(|letter| workload.machine().letter(*letter).name.len());
            names.max().unwrap_or(0)
        }
    };
    makespan(schedule).to_string().len().max(letters) + 1
}

impl Chart {
    fn of(launch: Launch<'_>, schedule: &Schedule) -> Self {
        let (cell, makespan) = (cell(launch, schedule), makespan(schedule));
        let rows = match launch {
            Launch::Instance(instance) => of_instance(instance, schedule),
            Launch::Grid(grid) => of_grid(grid, schedule),
            Launch::Machine(workload) => of_machine(workload, schedule, makespan),
        };
        Self { rows, cell, makespan }
    }
}

fn of_instance(instance: &Instance, schedule: &Schedule) -> Vec<(String, BTreeMap<u64, String>)> {
    let mut rows: Vec<_> = heads(instance).into_iter().map(|head| (head, BTreeMap::new())).collect();
    for issue in schedule.issues() {
        let group = issue.group as usize;
        let letter = instance.groups()[group].kernel.units()[issue.instruction as usize].letter();
        rows[row(instance, group, issue.warp)].1.insert(issue.cycle, letter.to_string());
    }
    rows
}

/// The row of a warp. Rows are in the order of groups, then of warps.
pub fn row(instance: &Instance, group: usize, warp: u32) -> usize {
    let before: u64 = instance.groups()[..group].iter().map(|group| group.warps).sum();
    usize::try_from(before + u64::from(warp)).unwrap_or(usize::MAX)
}

/// The names of all warps in the order of rows.
pub fn heads(instance: &Instance) -> Vec<String> {
    let warps: Vec<u64> = instance.groups().iter().map(|group| group.warps).collect();
    heads_of(&warps).into_iter().map(|(_, _, head)| head).collect()
}

/// Group and warp of each row, from 1, and its name, of groups of so many warps.
fn heads_of(groups: &[u64]) -> Vec<(u64, u64, String)> {
    let head = |group, warp| match groups {
        [_] => format!("warp {warp}"),
        _ => format!("{group}: warp {warp}"),
    };
    let of_group = |(group, &warps)| (1..=warps).map(move |warp| (group, warp, head(group, warp)));
    (1..).zip(groups).flat_map(of_group).collect()
}

fn of_machine(
    workload: &MachineWorkload,
    schedule: &Schedule,
    makespan: u64,
) -> Vec<(String, BTreeMap<u64, String>)> {
    let mut cells: BTreeMap<(u64, u64), BTreeMap<u64, String>> = BTreeMap::new();
    for record in machine_records(workload, schedule) {
        let row = cells.entry((record.group.into(), record.warp.into())).or_default();
        let last = makespan.min(record.cycle.saturating_add(record.latency) - 1);
        row.insert(record.cycle, record.letter);
        row.extend((record.cycle + 1..=last).map(|cycle| (cycle, ".".to_owned())));
    }
    let row = |(group, warp, head)| (head, cells.remove(&(group, warp)).unwrap_or_default());
    heads_of_machine(workload).into_iter().map(row).collect()
}

fn heads_of_machine(workload: &MachineWorkload) -> Vec<(u64, u64, String)> {
    let warps: Vec<u64> = workload.groups().iter().map(|group| group.warps).collect();
    heads_of(&warps)
}

/// The row of a warp: its multiprocessor, its slot, and its index in the block there, all from 0.
type Lane = (u64, u64, u64);

/// The issues of a schedule of a grid, each with its row.
fn placed<'a>(grid: &Grid, schedule: &'a Schedule) -> impl Iterator<Item = (Lane, &'a Issue)> {
    let place = |start: &Start| (start.block, (start.multiprocessor, start.slot));
    let places: BTreeMap<u64, (u64, u64)> = schedule.starts().iter().map(place).collect();
    let warps_per_block = grid.warps_per_block();
    schedule.issues().iter().filter_map(move |issue| {
        let warp = u64::from(issue.warp);
        let &(multiprocessor, slot) = places.get(&(warp / warps_per_block))?;
        Some(((multiprocessor, slot, warp % warps_per_block), issue))
    })
}

/// The issues of a schedule of a grid, each with the number of its row, and the names of all rows. A slot that never holds a
/// block has none.
pub fn rows_of_blocks<'a>(grid: &Grid, schedule: &'a Schedule) -> (Vec<(usize, &'a Issue)>, Vec<String>) {
    let lanes: BTreeMap<Lane, ()> = placed(grid, schedule).map(|(lane, _)| (lane, ())).collect();
    let numbers: BTreeMap<Lane, usize> = lanes.keys().copied().zip(0..).collect();
    let issues = placed(grid, schedule).map(|(lane, issue)| (numbers[&lane], issue)).collect();
    (issues, lanes.keys().map(|&lane| head_of(grid, lane)).collect())
}

/// The name of a row. A number that can only be 1 is left out.
fn head_of(grid: &Grid, (multiprocessor, slot, warp): Lane) -> String {
    let mut name = format!("slot {}", slot + 1);
    if grid.multiprocessors() > 1 {
        name = format!("{}: {name}", multiprocessor + 1);
    }
    if grid.warps_per_block() > 1 {
        let _ = write!(name, " warp {}", warp + 1);
    }
    name
}

fn of_grid(grid: &Grid, schedule: &Schedule) -> Vec<(String, BTreeMap<u64, String>)> {
    let units = grid.block().instance().map_or(&[][..], |instance| instance.groups()[0].kernel.units());
    let mut rows: BTreeMap<Lane, BTreeMap<u64, String>> = BTreeMap::new();
    for (lane, issue) in placed(grid, schedule) {
        let letter = units.get(issue.instruction as usize).map(|unit| unit.letter().to_string());
        rows.entry(lane).or_default().insert(issue.cycle, letter.unwrap_or_default());
    }
    for start in schedule.starts() {
        if let Some(cells) = rows.get_mut(&(start.multiprocessor, start.slot, 0)) {
            let letter = cells.get(&start.cycle).map_or(".", String::as_str);
            let text = format!("{}{letter}", start.block + 1);
            cells.insert(start.cycle, text);
        }
    }
    rows.into_iter().map(|(lane, cells)| (head_of(grid, lane), cells)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::Multiprocessor;

    #[test]
    fn bands_hold_what_fits() {
        let instance = Instance::single("LC".parse().unwrap(), 2, Multiprocessor::default()).unwrap();
        let issue = |cycle, warp, instruction| Issue { cycle, group: 0, warp, instruction, latency: 1 };
        let schedule = Schedule::new(vec![issue(1, 0, 0), issue(2, 0, 1), issue(2, 1, 0), issue(3, 1, 1)]);
        assert_eq!(chart(&instance, &schedule, 80), "cycle  1 2 3\nwarp 1 L C\nwarp 2   L C\n");
        assert_eq!(chart_size(&instance, &schedule), (2, 12));
        assert_eq!(
            chart(&instance, &schedule, 10),
            "cycle  1 2\nwarp 1 L C\nwarp 2   L\n\ncycle  3\nwarp 1\nwarp 2 C\n"
        );
    }
}
