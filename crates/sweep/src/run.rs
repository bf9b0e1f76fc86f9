//! Solving all cells in parallel.
//!
//! Cells differ in cost by orders of magnitude. Cells that are predicted to fit into a share of the memory
//! run first, each on one thread and as many at a time as there are jobs; the most expensive start first, so
//! that none of them is left over at the end. A cell that needs more memory than a share, or that its share
//! has stopped, runs alone afterwards, on all threads and with all of the memory. The number of jobs
//! therefore changes nothing in the rows but their times.

use std::cmp::Reverse;
use std::sync::mpsc::channel;
use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
use rayon::prelude::*;

use crate::cell::{FewWarps, row};
use crate::{Cell, CellEngine, Grid, Row};
use warpspan_engines::states::{self, Method};
use warpspan_model::Instance;
use warpspan_model::limits::{Limits, Stop};
use warpspan_solver::portfolio::SolveError;

/// A rough prediction of what a cell takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prediction {
    /// The time on one thread, which is at most the time limit of a cell.
    pub time: Duration,
    /// The memory in bytes, as far as it is known beforehand.
    memory: u64,
    /// Whether the cell may succeed with all of the memory if a share of it did not suffice.
    grows: bool,
}

/// States a second of the dense sweep, and below of the search by levels, on a slow machine.
const DENSE: u64 = 50_000_000;
const LEVELS: u64 = 500_000;

/// Predicts what a cell takes.
pub fn predict(grid: &Grid, cell: &Cell, limits: &Limits) -> Prediction {
    match cell.workload.instance() {
        Some(instance) => of_instance(grid, instance, cell.engine, limits),
        None => Prediction { time: Duration::from_millis(1), memory: 0, grows: false },
    }
}

fn of_instance(grid: &Grid, instance: &Instance, engine: CellEngine, limits: &Limits) -> Prediction {
    let least = Duration::from_micros(100 + instance.total_issues().min(1_000_000));
    let at_once = Prediction { time: least, memory: 0, grows: false };
    let mut prediction = match engine {
        CellEngine::Bounds => at_once,
        CellEngine::Auto | CellEngine::Phase if instance.has_unit_sigma() => at_once,
        CellEngine::Phase => Prediction { time: grid.time_limit, ..at_once },
        CellEngine::Ilp { .. } => Prediction { time: grid.time_limit, memory: 0, grows: true },
        CellEngine::Auto | CellEngine::States => {
            let states = states::predict(instance, limits);
            let seconds = |states: u64, rate: u64| Duration::from_millis(states.saturating_mul(1000) / rate);
            match states.method {
                Some(Method::Dense) => Prediction {
                    time: least + seconds(states.states, DENSE),
                    memory: states.dense_bytes,
                    grows: false,
                },
                Some(Method::Levels) => {
                    Prediction { time: least + seconds(states.states / 10, LEVELS), memory: 0, grows: true }
                }
                None if engine == CellEngine::States => {
                    Prediction { time: Duration::from_secs(3), ..at_once }
                }
                None => Prediction { time: grid.time_limit, ..at_once },
            }
        }
    };
    prediction.time = prediction.time.min(grid.time_limit);
    prediction
}

/// The time that `auto` gives to a second engine for checking an answer: as long as the answer took, at most
/// two seconds, and a tenth of a second more.
fn check(answer: Duration) -> Duration {
    answer.min(Duration::from_secs(2)) + Duration::from_millis(100)
}

/// `auto` searches state spaces up to this size before it tries anything else, whatever the method of the
/// search.
const FEW: u64 = 2_000_000;

/// The shortest and the longest time that a cell may take on one thread. The times of formulas, of dense
/// sweeps and of searches of small state spaces are predicted to a factor of about ten. The time of any other
/// search is unknown beforehand, so it may need its whole time limit, and the estimate may need as much
/// again.
pub fn range(grid: &Grid, cell: &Cell, limits: &Limits) -> [Duration; 2] {
    let roughly = predict(grid, cell, limits);
    let Some(instance) = cell.workload.instance() else { return [roughly.time / 10, known(roughly)] };
    let policies = u32::try_from(grid.policies.len()).unwrap_or(u32::MAX);
    let policies = known(roughly).saturating_mul(policies);
    let most = most(grid, instance, cell.engine, limits).saturating_add(policies).min(grid.time_limit);
    // The cell is solved once more, alone, if its share of the memory is too small.
    let most = if roughly.grows { 2 * most } else { most };
    let mut estimate = Duration::ZERO;
    for few in (1..=cell.up_to.unwrap_or(0)).filter_map(|y| instance.with_warps(y)?.ok()) {
        if estimate >= grid.time_limit {
            break;
        }
        estimate += self::most(grid, &few, CellEngine::Auto, limits);
    }
    let least = match cell.engine {
        CellEngine::Ilp { .. } => Duration::from_micros(100),
        _ if most >= grid.time_limit => Duration::from_micros(100),
        _ => roughly.time / 10,
    };
    [least.min(most), most + estimate.min(grid.time_limit)]
}

/// The longest time for a computation whose time is predicted to a factor of about ten.
fn known(roughly: Prediction) -> Duration {
    roughly.time.saturating_mul(10) + Duration::from_millis(10)
}

/// The longest time until an engine has answered and its answer has been checked.
fn most(grid: &Grid, instance: &Instance, engine: CellEngine, limits: &Limits) -> Duration {
    let states::Prediction { states, method, .. } = states::predict(instance, limits);
    let is_known = match (engine, method) {
        (CellEngine::Bounds, _) => true,
        (CellEngine::Auto | CellEngine::Phase, _) if instance.has_unit_sigma() => true,
        (CellEngine::Auto | CellEngine::States, Some(_)) if states <= FEW => true,
        (CellEngine::States, Some(Method::Dense)) => true,
        _ => false,
    };
    let answer = if is_known { known(of_instance(grid, instance, engine, limits)) } else { grid.time_limit };
    let checked = if engine == CellEngine::Auto { answer.saturating_add(check(answer)) } else { answer };
    checked.min(grid.time_limit)
}

/// Solves cells and hands over their rows as they are found. It ends when all cells are done, when the limits
/// are interrupted, or when an engine or `take` fails; unfinished cells are then given up.
///
/// # Errors
/// The first error of an engine or of `take`.
pub fn run<E: From<SolveError> + Send>(
    grid: &Grid,
    numbers: &[u64],
    limits: &Limits,
    mut take: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    let share = limits.share();
    let mut cells: Vec<(u64, Prediction)> =
        numbers.iter().map(|&number| (number, predict(grid, &grid.cell(number), limits))).collect();
    cells.sort_by_key(|&(number, prediction)| (Reverse(prediction.time), number));
    let (beside, alone): (Vec<_>, Vec<_>) =
        cells.into_iter().partition(|(_, prediction)| prediction.memory <= share.memory);
    let few = &FewWarps::default();
    let (rows, arrived) = channel();
    // Solves a cell and sends its row; returns true if the cell must be solved again with more memory.
    let one = move |number: u64, limits: &Limits, grows: bool| -> bool {
        if limits.stopped().is_some() {
            return false;
        }
        let outcome = row(grid, &grid.cell(number), few, limits).transpose();
        let short =
            matches!(&outcome, Some(Ok(row)) if row.stop.as_deref() == Some(Stop::MemoryLimit.name()));
        if short && grows {
            return true;
        }
        if let Some(outcome) = outcome {
            let _ = rows.send(outcome); // the receiver listens until this sender is dropped
        }
        false
    };
    let solve = move || {
        let again = |&(number, prediction): &(u64, Prediction)| {
            one(number, &share, prediction.grows && share.memory < limits.memory)
        };
        #[cfg(not(target_family = "wasm"))]
        let mut left: Vec<_> = match limits.threads {
            1 => beside.into_iter().filter(again).collect(),
            _ => limits.in_pool(|| beside.into_iter().par_bridge().filter(again).collect()),
        };
        #[cfg(target_family = "wasm")]
        let mut left: Vec<_> = beside.into_iter().filter(again).collect();
        left.extend(alone);
        left.sort_by_key(|&(number, _)| number);
        for (number, _) in left {
            one(number, limits, false);
        }
    };
    let mut failure = None;
    let take_all = || {
        for row in arrived {
            let taken = row.map_err(E::from).and_then(&mut take);
            if let Err(error) = taken {
                limits.interrupt();
                failure = failure.take().or(Some(error));
            }
        }
    };
    // WebAssembly has no threads, so all rows are found before the first is handed over.
    if cfg!(target_family = "wasm") {
        solve();
        take_all();
    } else {
        std::thread::scope(|scope| {
            scope.spawn(solve);
            take_all();
        });
    }
    failure.map_or(Ok(()), Err)
}
