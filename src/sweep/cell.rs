//! One cell solved.

use std::sync::Mutex;
use std::time::Instant;

use rustc_hash::FxHashMap;

use crate::bound::{Basis, Contradiction, Demand, Lower, Upper, bottleneck, min_over_y};
use crate::engines::phase;
use crate::engines::policy::{Machine, RunError, simulate};
use crate::engines::portfolio::{Disagreement, Engine, IlpOptions, SolveError, solve};
use crate::engines::program::{self, ProgramError};
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance, Unit, Workload};
use crate::sweep::{Asked, Cell, Grid, Row};

/// T(y) of instances with few warps, for the estimate: each is wanted by many cells.
#[derive(Default)]
pub(super) struct Few(Mutex<FxHashMap<Instance, Option<Cycles>>>);

impl Few {
    /// T(y) for y = 1..x, as far as it is found exactly within the limits.
    fn terms(
        &self,
        instance: &Instance,
        up_to: u64,
        limits: &Limits,
    ) -> Result<Vec<(u64, Cycles)>, SolveError> {
        let mut terms = Vec::new();
        for y in 1..=up_to {
            let Some(Ok(few)) = instance.with_warps(y) else { continue };
            let known = self.0.lock().ok().and_then(|known| known.get(&few).copied());
            let exact = match known {
                Some(exact) => exact,
                None => {
                    let solution = solve(&few, Engine::Auto, &IlpOptions::default(), limits, None)?;
                    let exact = solution.interval.is_exact().then(|| solution.interval.upper().cycles());
                    if let Ok(mut known) = self.0.lock() {
                        known.insert(few, exact);
                    }
                    exact
                }
            };
            terms.extend(exact.map(|exact| (y, exact)));
        }
        Ok(terms)
    }
}

/// What is known of a workload before an engine runs.
struct Bounds {
    lower: Cycles,
    bottleneck: Cycles,
    phase: Cycles,
    demand: Demand,
    /// Why the worst case is not known exactly, if it is not.
    not_exact: Stop,
}

impl Bounds {
    fn of_instance(instance: &Instance, limits: &Limits) -> Self {
        let bottleneck = bottleneck(instance).cycles();
        let (lower, phase) = match phase::solve(instance, limits) {
            Ok(closed) => (closed.lower.cycles(), closed.upper.cycles()),
            Err(_) => (bottleneck, phase::bound(instance).makespan),
        };
        Self { lower, bottleneck, phase, demand: instance.into(), not_exact: Stop::NoEngine }
    }

    /// Of code with several paths, nothing is proved from below.
    fn of_paths(workload: &Workload) -> Result<Self, ProgramError> {
        Ok(Self {
            lower: Cycles(0),
            bottleneck: Cycles(0),
            phase: program::bound(workload)?.makespan,
            demand: program::demand(workload)?,
            not_exact: Stop::Paths,
        })
    }
}

/// The row of a cell; `None` if it was interrupted.
pub(super) fn row(grid: &Grid, cell: &Cell, few: &Few, limits: &Limits) -> Result<Option<Row>, SolveError> {
    let Cell { workload, asked, up_to, .. } = cell;
    let instance = workload.instance();
    let estimate = match (instance, up_to) {
        (Some(instance), Some(up_to)) => {
            let terms = few.terms(instance, *up_to, &limits.within(grid.time_limit))?;
            min_over_y(workload.total_warps(), &terms)
        }
        _ => None,
    };
    let limits = &limits.within(grid.time_limit);
    let start = Instant::now();
    let bounds = instance.map_or_else(
        || Bounds::of_paths(workload).ok(),
        |instance| Some(Bounds::of_instance(instance, limits)),
    );
    // The grid has looked at the numbers of the most warps.
    let Some(bounds) = bounds else { return Ok(None) };
    let plain = bounds.demand.pessimistic().zip(bounds.demand.critical_path());
    let Some((pessimistic, critical_path)) = plain else { return Ok(None) };
    let solution = instance.and_then(|instance| asked.solve(instance, limits)).transpose()?;
    let (lower, upper) = match &solution {
        Some(solution) => (solution.interval.lower().cycles(), solution.interval.upper().cycles()),
        None => (bounds.lower, bounds.phase),
    };
    let unsolved = if lower == upper { Stop::Proved } else { bounds.not_exact };
    let stop = solution.as_ref().map_or(unsolved, |solution| solution.stop);
    if stop == Stop::Interrupted || limits.stopped() == Some(Stop::Interrupted) {
        return Ok(None);
    }
    let model = solution.as_ref().and_then(|solution| solution.model);
    let engine = match (&solution, asked) {
        (Some(solution), _) => solution.engine,
        (None, Asked::Bounds) => "bounds",
        (None, _) => "program",
    };
    Ok(Some(Row {
        lower: lower.0,
        upper: upper.0,
        verdict: if lower == upper { "exact" } else { "bounded" }.to_owned(),
        best_case: solution.as_ref().and_then(|solution| solution.best_case).map(|cycles| cycles.0),
        pessimistic: pessimistic.0,
        critical_path: critical_path.0,
        phase: bounds.phase.0,
        bottleneck: bounds.bottleneck.0,
        min_over_y: estimate.map(|estimate| estimate.cycles.0),
        engine: engine.to_owned(),
        stop: stop.limit().map(str::to_owned),
        not_exact: stop.not_exact().map(str::to_owned),
        seconds: start.elapsed().as_secs_f64(),
        states: solution.as_ref().and_then(|solution| solution.states),
        rows: model.map(|model| model.rows),
        columns: model.map(|model| model.columns),
        nonzeros: model.map(|model| model.nonzeros),
        policies: instance.map_or(Ok(None), |instance| policies(grid, instance, upper, limits))?,
        ..named(grid, cell)
    }))
}

/// A row with what names its cell.
fn named(grid: &Grid, cell: &Cell) -> Row {
    let sigma = |unit| cell.workload.multiprocessor().sigma(unit).to_string();
    Row {
        grid: grid.name().to_owned(),
        cell: cell.number,
        kernel: cell.kernel(),
        entry: cell.entry.clone(),
        warps: cell.workload.total_warps(),
        sigma_l: sigma(Unit::LoadStore),
        sigma_c: sigma(Unit::CudaCore),
        asked: cell.asked.to_string(),
        up_to: cell.up_to,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Row::default()
    }
}

/// The makespans of the grid's policies on the machine of the model; `None` where none is asked for, and
/// those left out that a limit stops.
fn policies(
    grid: &Grid,
    instance: &Instance,
    upper: Cycles,
    limits: &Limits,
) -> Result<Option<String>, SolveError> {
    let machine = Machine::of_model(instance);
    let mut makespans = Vec::new();
    for &policy in &grid.policies {
        match simulate(instance, policy, &machine, limits) {
            Ok(run) if run.makespan() > upper => {
                let lower =
                    Lower::formula(run.makespan(), Basis::Schedule, "the schedule of a policy, replayed");
                let upper = Upper::formula(upper, Basis::Phase, "the upper bound of the cell");
                return Err(Disagreement::from(Contradiction { lower, upper }).into());
            }
            Ok(run) => makespans.push(format!("{policy}={}", run.makespan())),
            Err(RunError::Disagreement { violation, .. }) => {
                return Err(Disagreement::Schedule { engine: policy.name(), violation: *violation }.into());
            }
            Err(_) => {}
        }
    }
    Ok((!makespans.is_empty()).then(|| makespans.join(";")))
}
