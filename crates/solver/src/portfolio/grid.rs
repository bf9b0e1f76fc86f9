//! The answer to a grid: the narrowest interval that the engines prove within the limits.
//!
//! Where all blocks start together, it is that of the blocks on one multiprocessor. Elsewhere the lower end
//! is the longest schedule of simple rules or of the exhaustive search, replayed, and the upper end the relay
//! bound or the search. The two share nothing, so the interval is also where they would contradict each
//! other.

use std::time::Duration;

use crate::portfolio::{
    Disagreement, EngineChoice, EngineName, NotApplicable, Note, Progress, Solution, SolveError, Solver,
};
use warpspan_check::bound::{Interval, Lower, grid_bottleneck};
use warpspan_check::schedule::{Issue, Schedule, Start, Witness, replay};
use warpspan_engines::grid::{self, Outcome, Unfinished};
use warpspan_engines::{program, relay, simulate};
use warpspan_model::limits::{Ending, Instant, Limits, NotExact};
use warpspan_model::{Cycles, Grid};

/// What is known of the worst case of a grid, and why. Only a [`Solver`] constructs one.
#[derive(Debug, Clone)]
pub struct GridSolution {
    interval: Interval,
    witness: Option<Witness>,
    best_case: Option<Cycles>,
    states: Option<u64>,
    engine: EngineName,
    ending: Ending,
    notes: Vec<Note>,
    elapsed: Duration,
}

impl GridSolution {
    /// An interval with lower bound <= worst case <= upper bound.
    pub fn worst_case(&self) -> Interval {
        self.interval
    }

    /// A schedule that attains the lower bound. It is `None` for a program, and if it was too large to write
    /// out and replay.
    pub fn witness(&self) -> Option<&Witness> {
        self.witness.as_ref()
    }

    /// The smallest makespan, if every state was visited.
    pub fn best_case(&self) -> Option<Cycles> {
        self.best_case
    }

    /// The number of states searched, if every one was.
    pub fn states(&self) -> Option<u64> {
        self.states
    }

    /// The engine that answered.
    pub fn engine(&self) -> EngineName {
        self.engine
    }

    /// How the computation ended.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// Notes for the user.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The wall-clock time of the computation.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Replays a schedule that an engine claims, and keeps it if it is the longest.
    fn meet(&mut self, grid: &Grid, engine: EngineName, schedule: Schedule) -> Result<Cycles, Disagreement> {
        let witness = replay(grid, schedule)
            .map_err(|violation| Disagreement::Schedule { engine, violation: Box::new(violation) })?;
        let makespan = witness.makespan();
        self.interval = self.interval.at_least(Lower::replayed(&witness))?;
        if self.witness.as_ref().is_none_or(|longest| makespan > longest.makespan()) {
            self.witness = Some(witness);
        }
        Ok(makespan)
    }
}

/// How long the exhaustive search may take if nobody asks for it.
const SEARCH_TIME: Duration = Duration::from_secs(10);

/// Grids with more states than this are not searched if nobody asks for it.
const MOST_STATES: u64 = 1_000_000_000;

/// Grids with at most this many states are searched even if their worst case is known, as a check of the
/// other engines and for the best case.
const FEW_STATES: u64 = 10_000;

/// The number of bytes that an issue takes while a schedule is copied and replayed.
const BYTES_AN_ISSUE: u64 = 160;

impl Solver<'_> {
    /// Solves a grid within the limits. Code with several paths has an upper bound and only the trivial lower
    /// bound.
    ///
    /// ```
    /// use warpspan_model::{Code, Cycles, Grid};
    /// use warpspan_solver::portfolio::Solver;
    ///
    /// // four blocks of one warp, two at once: two rounds of T(2) = 4 cycles would say 8
    /// let grid = Grid::new("LCL".parse::<Code>()?, Default::default(), 1, 4)?.on(1, 2)?;
    /// let worst = Solver::new().solve_grid(&grid)?.worst_case();
    /// assert!(worst.is_exact());
    /// assert_eq!(worst.upper().cycles(), Cycles(9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the engine does not apply or fails, a program has no bound, or two sources disagree. A limit that
    /// is reached is not an error.
    pub fn solve_grid(&self, grid: &Grid) -> Result<GridSolution, SolveError> {
        let start = Instant::now();
        let limits = self.limits_now();
        let solution = if grid.starts_together() {
            together(grid, self.solve(grid.together())?, &limits)?
        } else {
            self.following(grid, &limits)?
        };
        Ok(GridSolution { elapsed: start.elapsed(), ..solution })
    }

    /// Solves a grid some of whose blocks follow others.
    fn following(&self, grid: &Grid, limits: &Limits) -> Result<GridSolution, SolveError> {
        if matches!(self.choice(), EngineChoice::Ilp(_) | EngineChoice::Beam(_)) {
            return Err(NotApplicable::Grid.into());
        }
        let upper = relay::bound(grid)?;
        let lower = bottleneck(grid)?;
        let mut solution = GridSolution {
            interval: Interval::new(lower, upper).map_err(Disagreement::from)?,
            witness: None,
            best_case: None,
            states: None,
            engine: EngineName::Relay,
            ending: Ending::Proved,
            notes: Vec::new(),
            elapsed: Duration::ZERO,
        };
        if grid.block().instance().is_none() {
            let assumes = program::bound(grid.together())?.assumes;
            let notes = assumes.into_iter().map(Note::Assumed).chain([Note::OfProgram]).collect();
            return Ok(GridSolution { ending: NotExact::Paths.into(), notes, ..solution });
        }
        for schedule in simulate::grid::schedules(grid, limits) {
            solution.meet(grid, EngineName::Simulate, schedule)?;
        }
        if let Some(observer) = self.observer() {
            observer(Progress::Known(solution.interval));
        }
        let states = grid::states(grid);
        let search = match self.choice() {
            EngineChoice::States => Some(limits.clone()),
            EngineChoice::Auto if states <= FEW_STATES => Some(limits.clone()),
            EngineChoice::Auto if states <= MOST_STATES && !solution.interval.is_exact() => {
                Some(limits.within(SEARCH_TIME))
            }
            _ => None,
        };
        let mut ending = limits.stopped().map_or(NotExact::NoEngine.into(), Ending::from);
        if let Some(within) = search {
            ending = self.search(grid, &mut solution, &within)?;
            if ending == Ending::Stopped(warpspan_model::limits::Stop::TimeLimit)
                && limits.stopped().is_none()
            {
                // The time limit of the search is not the user's, so it is not reported.
                ending = NotExact::NoEngine.into();
            }
        }
        solution.ending = if solution.interval.is_exact() { Ending::Proved } else { ending };
        Ok(solution)
    }

    /// Searches all states of a grid, on top of what is known.
    fn search(
        &self,
        grid: &Grid,
        solution: &mut GridSolution,
        limits: &Limits,
    ) -> Result<Ending, SolveError> {
        let report = |states| {
            if let Some(observer) = self.observer() {
                observer(Progress::Grid { states });
            }
        };
        match grid::solve(grid, limits, &report) {
            Ok(Outcome { worst, schedule, best, states }) => {
                solution.interval = solution.interval.at_most(worst).map_err(Disagreement::from)?;
                let engine = EngineName::States;
                let (claimed, replayed) = (worst.cycles(), solution.meet(grid, engine, schedule)?);
                if claimed != replayed {
                    return Err(Disagreement::Makespan { engine, claimed, replayed }.into());
                }
                solution.engine = engine;
                solution.best_case = Some(best);
                solution.states = Some(states);
                Ok(Ending::Proved)
            }
            Err(why) => {
                solution.notes.push(Note::GridUnfinished(why));
                Ok(match why {
                    Unfinished::Stopped { stop, .. } => stop.into(),
                    Unfinished::NotApplicable => NotExact::NoEngine.into(),
                })
            }
        }
    }
}

/// The answer to a grid all of whose blocks start in cycle 1, from that to the most blocks that one
/// multiprocessor can hold.
///
/// The two worst cases are equal. No multiprocessor affects another, so the makespan is the most that one of
/// them takes, and none gets more than `min(N, R)` of the N blocks, while one can get so many. Fewer blocks
/// never take longer in the worst case: add a block to a schedule of fewer, and let its warps issue only
/// where a unit has room. No other warp changes, a warp that waits is still one whose unit is full, and so
/// the schedule is work-conserving and no shorter.
fn together(grid: &Grid, solution: Solution, limits: &Limits) -> Result<GridSolution, SolveError> {
    let interval = solution.worst_case().at_most(relay::bound(grid)?).map_err(Disagreement::from)?;
    let alone = grid.at_once() == grid.blocks();
    let schedule = solution.witness().and_then(|witness| spread(grid, witness, limits));
    let mut answer = GridSolution {
        interval,
        witness: None,
        best_case: solution.best_case().filter(|_| alone && grid.multiprocessors() == 1),
        states: solution.states(),
        engine: solution.engine(),
        ending: solution.ending(),
        notes: solution.notes().to_vec(),
        elapsed: Duration::ZERO,
    };
    if let (Some(schedule), Some(witness)) = (schedule, solution.witness()) {
        let (engine, claimed) = (answer.engine, witness.makespan());
        let replayed = answer.meet(grid, engine, schedule)?;
        if claimed != replayed {
            return Err(Disagreement::Makespan { engine, claimed, replayed }.into());
        }
    }
    if answer.interval.is_exact() {
        answer.ending = Ending::Proved;
    }
    Ok(answer)
}

/// The schedule of a grid whose first multiprocessor holds as many blocks as it can, with the schedule of
/// these. Other multiprocessors that are full do the same, and the last one the first simple rule. It is
/// `None` if it would exceed the memory limit, or the time to make it.
fn spread(grid: &Grid, witness: &Witness, limits: &Limits) -> Option<Schedule> {
    let letters = grid.block().instance()?.total_issues() * grid.blocks();
    if letters.saturating_mul(BYTES_AN_ISSUE) > limits.memory {
        return None;
    }
    let (warps, full) = (grid.warps_per_block(), grid.at_once());
    let (mut starts, mut issues) = (Vec::new(), Vec::new());
    let mut add = |multiprocessor: u64, first: u64, block: Schedule| {
        let start = |start: &Start| Start { multiprocessor, block: start.block + first, ..*start };
        starts.extend(block.starts().iter().map(start));
        let before = u32::try_from(first * warps).unwrap_or(u32::MAX);
        let issue = |issue: &Issue| Issue { warp: issue.warp.saturating_add(before), ..*issue };
        issues.extend(block.issues().iter().map(issue));
    };
    let worst = || {
        let start = |slot| Start { cycle: 1, multiprocessor: 0, slot, block: slot };
        Schedule::of_blocks((0..full).map(start).collect(), witness.schedule().issues().to_vec())
    };
    let mut started = 0;
    for multiprocessor in 0..grid.blocks().div_ceil(full) {
        let left = grid.blocks() - started;
        if left >= full {
            add(multiprocessor, started, worst());
            started += full;
        } else {
            let part = Grid::new(grid.code().clone(), grid.block().multiprocessor(), warps, left).ok()?;
            add(multiprocessor, started, simulate::grid::schedules(&part, limits).next()?);
            started += left;
        }
    }
    Some(Schedule::of_blocks(starts, issues))
}

/// Lower bound on the worst case by the fullest unit. All warps of a program take the path with the most
/// letters for it; one multiprocessor has an equal share of the blocks, or as many as it holds at once.
pub(super) fn bottleneck(grid: &Grid) -> Result<Lower, program::ProgramError> {
    if let Some(lower) = grid_bottleneck(grid) {
        return Ok(lower);
    }
    let share = grid.blocks().div_ceil(grid.multiprocessors()).max(grid.at_once());
    let on_one = Grid::new(grid.code().clone(), grid.block().multiprocessor(), grid.warps_per_block(), share);
    Ok(program::demand(on_one.as_ref().unwrap_or(grid).together())?.bottleneck())
}
