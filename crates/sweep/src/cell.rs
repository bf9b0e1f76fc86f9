//! Solving one cell.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::{Cell, CellEngine, Grid, Row};
use warpspan_check::bound::{Contradiction, Demand, Lower, Upper, bottleneck, min_over_y};
use warpspan_check::schedule::replay;
use warpspan_engines::phase;
use warpspan_engines::program::{self, ProgramError};
use warpspan_model::limits::{Ending, Instant, Limits, NotExact, Stop};
use warpspan_model::{Cycles, Instance, Unit, Workload};
use warpspan_solver::policy::{RunError, Scenario, of_model, simulate};
use warpspan_solver::portfolio::{Disagreement, Solution, SolveError, Solver};

/// Memory of T(y) for instances with few warps, which the estimates of many cells need.
#[derive(Default)]
pub(super) struct FewWarps(Mutex<FxHashMap<Instance, Option<Cycles>>>);

impl FewWarps {
    /// T(y) for y = 1..x. Values that are not found exactly within the limits are left out.
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
                    let worst = Solver::new().limits(limits).solve(&few)?.worst_case();
                    let exact = worst.is_exact().then(|| worst.upper().cycles());
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
    phase: Upper,
    demand: Demand,
    /// The reason to give if the worst case is not known exactly.
    not_exact: NotExact,
}

impl Bounds {
    fn of_instance(instance: &Instance, limits: &Limits) -> Self {
        let bottleneck = bottleneck(instance).cycles();
        let (lower, phase) = match phase::solve(instance, limits) {
            Ok(closed) => (closed.lower.cycles(), closed.upper),
            Err(_) => (bottleneck, phase::bound(instance).makespan),
        };
        Self { lower, bottleneck, phase, demand: instance.into(), not_exact: NotExact::NoEngine }
    }

    /// The bounds of code with several paths, for which nothing is proved from below.
    fn of_paths(workload: &Workload) -> Result<Self, ProgramError> {
        Ok(Self {
            lower: Cycles(0),
            bottleneck: Cycles(0),
            phase: program::bound(workload)?.makespan,
            demand: program::demand(workload)?,
            not_exact: NotExact::Paths,
        })
    }
}

/// The row of a cell; `None` if the cell was interrupted.
pub(crate) fn row(
    grid: &Grid,
    cell: &Cell,
    few: &FewWarps,
    limits: &Limits,
) -> Result<Option<Row>, SolveError> {
    let Cell { workload, engine: wanted, up_to, .. } = cell;
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
    // `Grid::new` has checked that the bounds of the most warps can be computed.
    let Some(bounds) = bounds else { return Ok(None) };
    let plain = bounds.demand.pessimistic().zip(bounds.demand.critical_path());
    let Some((pessimistic, critical_path)) = plain else { return Ok(None) };
    let solution = instance.and_then(|instance| wanted.solve(instance, limits)).transpose()?;
    let (lower, upper) = match &solution {
        Some(solution) => (solution.worst_case().lower().cycles(), solution.worst_case().upper()),
        None => (bounds.lower, bounds.phase),
    };
    let exact = lower == upper.cycles();
    let unsolved = if exact { Ending::Proved } else { bounds.not_exact.into() };
    let ending = solution.as_ref().map_or(unsolved, Solution::ending);
    if ending.stop() == Some(Stop::Interrupted) || limits.stopped() == Some(Stop::Interrupted) {
        return Ok(None);
    }
    let model = solution.as_ref().and_then(Solution::model);
    let engine = match (&solution, wanted) {
        (Some(solution), _) => solution.engine().name(),
        (None, CellEngine::Bounds) => "bounds",
        (None, _) => "program",
    };
    let mut row = Row {
        lower: lower.0,
        upper: upper.cycles().0,
        verdict: if exact { "exact" } else { "bounded" }.to_owned(),
        best_case: solution.as_ref().and_then(Solution::best_case).map(|cycles| cycles.0),
        pessimistic: pessimistic.0,
        critical_path: critical_path.0,
        phase: bounds.phase.cycles().0,
        bottleneck: bounds.bottleneck.0,
        min_over_y: estimate.as_ref().map(|estimate| estimate.cycles.0),
        term: estimate.zip(*up_to).and_then(|(estimate, x)| {
            let last = estimate.terms.into_iter().find(|term| term.y == x);
            last.map(|term| term.value.0)
        }),
        engine: engine.to_owned(),
        stop: ending.stop().map(|stop| stop.name().to_owned()),
        not_exact: ending.not_exact().map(|why| why.name().to_owned()),
        seconds: start.elapsed().as_secs_f64(),
        states: solution.as_ref().and_then(Solution::states),
        rows: model.map(|model| model.rows),
        columns: model.map(|model| model.columns),
        nonzeros: model.map(|model| model.nonzeros),
        ..named(grid, cell)
    };
    if let Some(instance) = instance {
        simulate_policies(&mut row, grid, instance, upper, limits)?;
    }
    Ok(Some(row))
}

/// A row that names its cell and holds no results yet.
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
        asked: cell.engine.to_string(),
        up_to: cell.up_to,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Row::default()
    }
}

/// Adds the makespans of the grid's policies on the machine of the model. Policies that a limit stops are left
/// out.
fn simulate_policies(
    row: &mut Row,
    grid: &Grid,
    instance: &Instance,
    upper: Upper,
    limits: &Limits,
) -> Result<(), SolveError> {
    let Ok(workload) = of_model(instance) else { return Ok(()) };
    let scenario = Scenario::of(&workload);
    for &policy in &grid.policies {
        let refused = |violation| Disagreement::Policy { policy: policy.name(), violation };
        match simulate(&workload, policy, &scenario, limits) {
            Ok(run) => {
                if let Some(column) = row.column(policy) {
                    *column = Some(run.makespan().0);
                }
                if run.makespan() > upper.cycles() {
                    let witness =
                        replay(instance, run.schedule()).map_err(|violation| refused(violation.into()))?;
                    let lower = Lower::replayed(&witness);
                    return Err(Disagreement::from(Contradiction { lower, upper }).into());
                }
            }
            Err(RunError::Disagreement { violation, .. }) => return Err(refused(violation).into()),
            Err(_) => {}
        }
    }
    Ok(())
}
