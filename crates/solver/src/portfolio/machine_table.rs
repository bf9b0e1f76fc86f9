//! Every bound on a machine with latency and issue width as rows of one table.

use crate::portfolio::machine::{GridBounds, grid_bounds, machine_lower, without_spread};
use crate::portfolio::{Disagreement, Note, Row, Side, SolveError, Value, machine_runs};
use warpspan_check::bound::{Interval, Lower, Theorem, Upper};
use warpspan_engines::latency::{self, PriceList};
use warpspan_model::Cycles;
use warpspan_model::limits::Limits;
use warpspan_model::machine::{MachineGrid, MachineWorkload, Order};

/// The bounds on a machine, and why others are missing.
#[derive(Debug, Clone)]
pub struct MachineTable {
    /// The bounds that apply.
    pub rows: Vec<Row>,
    /// The names of those that do not, each with the reason.
    pub skipped: Vec<(&'static str, String)>,
    /// The cycle at whose end every result is there at the latest.
    pub completion: Cycles,
    /// What they rest on.
    pub notes: Vec<Note>,
}

/// The table of warps that start together, which the schedulers try in an order.
///
/// # Errors
/// If a program has no bound, numbers do not fit, or a schedule contradicts a bound.
pub fn machine_table(
    workload: &MachineWorkload,
    order: Order,
    limits: &Limits,
) -> Result<MachineTable, SolveError> {
    let found = latency::bounds_under(workload, order)?;
    let mut rows: Vec<Row> = found
        .applied
        .iter()
        .map(|bound| {
            let row = row(bound.makespan, source(bound.makespan.theorem(), bound.prices));
            let finish = bound.groups.iter().map(|group| group.cycles()).collect::<Vec<_>>();
            if finish.len() > 1 { row.with(Value::Finish { finish }) } else { row }
        })
        .collect();
    if rows.iter().all(|row| row.value > found.makespan.cycles()) {
        rows.push(row(found.makespan, "no issue is later than the last result"));
    }
    let mut completion = found.completion.cycles();
    if let Some(blocks) = latency::as_blocks(workload)?.filter(|blocks| blocks.cycles() < completion) {
        completion = blocks.cycles();
        if rows.iter().all(|row| row.value > completion) {
            rows.push(row(blocks, "sum over the blocks of what each costs, present or followed"));
        }
    }
    if let Some(witness) = machine_runs::longest(workload, order, limits)? {
        let simulated = Lower::replayed(&witness);
        Interval::new(simulated, found.makespan).map_err(Disagreement::from)?;
        rows.push(Row::lower(
            "simulated",
            simulated,
            match order {
                Order::Any => "the longest run of several policies",
                _ => "the longest run of the policy",
            },
        ));
    }
    rows.push(lower(workload));
    let skipped = found.skipped.into_iter().map(|skipped| {
        let why = match skipped.prices {
            Some(PriceList::Neutral) => format!("with neutral prices: {}", skipped.why),
            _ => skipped.why,
        };
        (skipped.theorem.name(), why)
    });
    Ok(MachineTable { rows, skipped: skipped.collect(), completion, notes: Vec::new() })
}

/// The table of blocks that follow one another, for any order of warps, or start together.
///
/// # Errors
/// As [`machine_table`].
pub fn machine_grid_table(
    grid: &MachineGrid,
    order: Order,
    limits: &Limits,
) -> Result<MachineTable, SolveError> {
    if grid.starts_together() {
        let table = machine_table(grid.together(), order, limits)?;
        let least = table.rows.iter().filter(|row| row.side == Side::Upper).map(|row| row.value).min();
        let notes = without_spread(grid, least.unwrap_or(table.completion))?.into_iter().collect();
        return Ok(MachineTable { notes, ..table });
    }
    let GridBounds { makespan, completion, without_spread } = grid_bounds(grid)?;
    let source = "sum over the blocks of what each costs, present or followed";
    let spread = "the same, if no scheduler has more than its share of the warps of a block";
    let mut rows = vec![row(without_spread.unwrap_or(makespan), source)];
    rows.extend(without_spread.map(|_| row(makespan, spread)));
    rows.push(lower(grid.together()));
    let notes = without_spread.map(|without| Note::spread(grid, without)).into_iter().collect();
    Ok(MachineTable { rows, skipped: Vec::new(), completion, notes })
}

fn row(upper: Upper, source: &'static str) -> Row {
    Row::upper(upper.theorem().name(), upper, source)
}

fn lower(workload: &MachineWorkload) -> Row {
    let source = "the fullest unit or scheduler, or the longest warp alone";
    Row::lower("bottleneck", machine_lower(workload), source)
}

fn source(theorem: Theorem, prices: Option<PriceList>) -> &'static str {
    match (theorem, prices) {
        (Theorem::PhaseWidthLatency, Some(PriceList::Neutral)) => "I + Lambda + sum of best, neutral prices",
        (Theorem::PhaseWidthLatency, _) => "I + Lambda + sum of best, uniform prices",
        (Theorem::Memory, _) => "a warp alone + the weights of all other warps + what the servers need",
        (Theorem::Reachable, _) => "the same, of letters that others can have issued",
        (Theorem::RoundRobin, _) => "a warp alone + as many letters of each other warp as it has itself",
        (Theorem::OldestFirst, _) => "a warp alone + the weights of older warps",
        (Theorem::GreedyOldest | Theorem::GreedyYoungest, _) => {
            "a warp alone + the weights of warps before it + what others issue in a row"
        }
        (Theorem::Pipelined, _) => "1 + sum of hi + N floor((W-1)/m)",
        (Theorem::Segments(_), _) => "sum over the segments between barriers",
        _ => "a warp alone + the weights of all other warps",
    }
}
