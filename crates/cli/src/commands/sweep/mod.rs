//! `warpspan sweep`.

mod grid;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::HumanDuration;

use crate::args::sweep::SweepArgs;
use crate::commands::sweep::grid::{listing, settings};
use crate::output::{ending, print};
use crate::progress::Bar;
use crate::record::line;
use crate::{Exit, Failure, progress};
use warpspan_model::limits::{Limits, Stop};
use warpspan_records::{Seconds, SweepPlan};
use warpspan_sweep::{Grid, Kind, Row, Table, TableError, predict, range, run as solve_cells};

/// Larger sweeps want a confirmation.
const MOST_CELLS: u64 = 100_000;
const LONGEST: Duration = Duration::from_secs(24 * 3600);

pub(crate) fn run(args: &SweepArgs) -> Result<Exit, Failure> {
    let mut settings = settings(args)?;
    let listed = listing(&args.listing, &mut settings)?;
    let grid = Grid::new(&settings, listed)?;
    let limits = args.limits().map_err(Failure::internal)?;
    let (part, parts) = args.shard.unwrap_or((1, 1));
    if args.output.is_some() || !args.dry_run {
        affordable(&grid, parts, args.yes, None)?;
    }
    let chosen: Vec<u64> =
        (part..=grid.cells()).step_by(usize::try_from(parts).unwrap_or(usize::MAX)).collect();
    let [least, roughly, most] = predicted(&grid, &chosen, &limits);
    if args.dry_run {
        print(&line(SweepPlan {
            grid: grid.name().to_owned(),
            cells: grid.cells(),
            chosen: chosen.len() as u64,
            predicted_seconds: Seconds { least: least.as_secs_f64(), most: most.as_secs_f64() },
        })?)?;
        return Ok(Exit::Done);
    }
    affordable(&grid, parts, args.yes, Some([least, roughly, most]))?;
    let Some(path) = &args.output else { return Err(Failure::usage("no table is named: want -o FILE")) };
    let kind = if ending(path, &["csv", "jsonl"])? == "csv" { Kind::Csv } else { Kind::JsonLines };
    let (table, rows, cut) = Table::open(path, kind, &grid, args.resume)?;
    if cut {
        tell!("{}: the last line was broken off; its cell is solved again", path.display());
    }
    sweep(&grid, &chosen, &limits, table, rows, path)
}

/// Solves the cells that the table lacks.
fn sweep(
    grid: &Grid,
    chosen: &[u64],
    limits: &Limits,
    mut table: Table,
    rows: Vec<Row>,
    path: &Path,
) -> Result<Exit, Failure> {
    let start = Instant::now();
    let again = |row: &Row| grid.wants_again(row) && chosen.binary_search(&row.cell).is_ok();
    let (stopped_before, mut rows): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(again);
    if !stopped_before.is_empty() {
        let count = stopped_before.len();
        tell!("{}: cells that a smaller time limit stopped are solved again: {count}", path.display());
    }
    let done: BTreeSet<u64> = rows.iter().map(|row| row.cell).collect();
    let todo: Vec<u64> = chosen.iter().copied().filter(|cell| !done.contains(cell)).collect();
    let bar = progress::bar(todo.len() as u64, "cells");
    let mut limited = rows.iter().filter(|row| row.verdict != "exact").count();
    let outcome = solve_cells(grid, &todo, limits, |row| -> Result<(), Failure> {
        table.add(&row)?;
        limited += usize::from(row.verdict != "exact");
        tell(&bar, limited);
        rows.push(row);
        Ok(())
    });
    bar.finish_and_clear();
    outcome?;
    let stopped = limits.stopped() == Some(Stop::Interrupted);
    let whole = chosen.len();
    let solved = rows.iter().filter(|row| chosen.binary_search(&row.cell).is_ok()).count();
    let exact = rows.len() - limited;
    let done: BTreeSet<u64> = rows.iter().map(|row| row.cell).collect();
    rows.extend(stopped_before.into_iter().filter(|row| !done.contains(&row.cell)));
    table.finish(rows)?;
    let seconds = start.elapsed().as_secs_f64();
    let text = format!(
        "{}: {solved} of {whole} cells, {exact} exact, {limited} bounded; {seconds:.1} s\n",
        path.display()
    );
    print(&text)?;
    if solved >= whole {
        Ok(Exit::Done)
    } else if stopped {
        tell!("interrupted: --resume goes on");
        Ok(Exit::Limit)
    } else {
        Err(Failure::internal("cells are missing; this is a bug, please report it"))
    }
}

fn tell(bar: &Bar, limited: usize) {
    bar.set_message(format!("cells, {limited} not exact, {:.1}/s", bar.per_sec()));
    bar.step();
}

/// What the cells take side by side: at least, roughly, and at most.
fn predicted(grid: &Grid, chosen: &[u64], limits: &Limits) -> [Duration; 3] {
    let threads = u32::try_from(limits.threads).unwrap_or(1);
    let mut sums = [Duration::ZERO; 3];
    let mut longest = Duration::ZERO;
    for &number in chosen {
        let cell = grid.cell(number);
        let [least, most] = range(grid, &cell, limits);
        let one = [least, predict(grid, &cell, limits).time, most];
        sums = std::array::from_fn(|at| sums[at].saturating_add(one[at]));
        longest = longest.max(most);
    }
    let [least, roughly, most] = sums.map(|sum| sum / threads);
    [least, roughly, most.saturating_add(longest)] // the last cell may begin when all others are done
}

/// Refuses a sweep that is larger than anyone may want, unless it is confirmed.
fn affordable(grid: &Grid, parts: u64, yes: bool, times: Option<[Duration; 3]>) -> Result<(), Failure> {
    let cells = grid.cells().div_ceil(parts);
    if yes || (cells <= MOST_CELLS && times.is_none_or(|[_, roughly, _]| roughly <= LONGEST)) {
        return Ok(());
    }
    let time = times.map_or_else(String::new, |[least, _, most]| {
        format!(", predicted to take from {} to {}", HumanDuration(least), HumanDuration(most))
    });
    Err(Failure::usage(format!(
        "{cells} cells{time}: --yes to start it all the same, or want a smaller grid"
    )))
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        match &error {
            TableError::Input(_) => Self::of(2, &error.message()),
            TableError::Write { .. } => Self::of(1, &error.message()),
        }
    }
}
