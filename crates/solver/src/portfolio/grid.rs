//! The answer to a grid: the narrowest interval that the engines prove within the limits.
//!
//! Where all blocks start together, it is that of the blocks on one multiprocessor. Elsewhere the lower end
//! is the longest schedule of simple rules or of the exhaustive search, replayed, and the upper end the relay
//! bound or the search. The two share nothing, so the interval is also where they would contradict each
//! other.

use std::time::Duration;

use crate::portfolio::findings::{Claim, Found, Length};
use crate::portfolio::{
    Disagreement, EngineChoice, EngineName, NotApplicable, Note, Solution, SolveError, Solver,
};
use warpspan_check::bound::{Interval, Lower, grid_bottleneck};
use warpspan_check::schedule::{Issue, Schedule, Start, Witness};
use warpspan_engines::grid::{self, Outcome, Unfinished};
use warpspan_engines::{program, relay, simulate};
use warpspan_model::Grid;
use warpspan_model::limits::{Ending, Instant, Limits, NotExact, SEARCH_SECONDS, Stop};

/// Grids with more states than this are not searched if nobody asks for it.
const MOST_STATES: u64 = 1_000_000_000;

/// Grids with at most this many states are searched even if their worst case is known, as a check of the
/// other engines and for the best case.
const FEW_STATES: u64 = 10_000;

/// The number of bytes that an issue takes while a schedule is copied and replayed.
const BYTES_AN_ISSUE: u64 = 160;

impl Solver<'_> {
    /// Solves a grid. Code with several paths has an upper bound and only the trivial lower bound.
    pub(super) fn solve_grid(&self, grid: &Grid) -> Result<Solution, SolveError> {
        let start = Instant::now();
        let limits = self.limits_now();
        let solution = if grid.starts_together() {
            together(grid, &self.solve(grid.together())?, &limits)?
        } else {
            self.following(grid, &limits)?
        };
        Ok(Solution { elapsed: start.elapsed(), ..solution })
    }

    /// Solves a grid some of whose blocks follow others.
    fn following(&self, grid: &Grid, limits: &Limits) -> Result<Solution, SolveError> {
        self.is_for_others(NotApplicable::Grid)?;
        let upper = relay::bound(grid)?;
        let lower = bottleneck(grid)?;
        let interval = Interval::new(lower, upper).map_err(Disagreement::from)?;
        let mut solution = Solution::new(EngineName::Relay, Found::new(interval), Ending::Proved);
        if grid.block().instance().is_none() {
            let assumes = program::bound(grid.together())?.assumes;
            solution.found.notes = assumes.into_iter().map(Note::Assumed).chain([Note::OfProgram]).collect();
            return Ok(Solution { ending: NotExact::Paths.into(), ..solution });
        }
        for schedule in simulate::grid::schedules(grid, limits) {
            solution.found.meet(grid, None, Some(Claim::new(EngineName::Simulate, schedule)))?;
        }
        solution.found.tell(self.observer());
        let states = grid::states(grid);
        let search = match self.choice() {
            EngineChoice::States => Some(limits.clone()),
            EngineChoice::Auto if states <= FEW_STATES => Some(limits.clone()),
            EngineChoice::Auto if states <= MOST_STATES && !solution.found.interval.is_exact() => {
                Some(limits.within(Duration::from_secs(SEARCH_SECONDS)))
            }
            _ => None,
        };
        let is_auto = *self.choice() == EngineChoice::Auto;
        let why = if is_auto { NotExact::States } else { NotExact::NotAsked };
        let mut ending = limits.stopped().map_or(why.into(), Ending::from);
        if let Some(within) = search {
            ending = self.search(grid, &mut solution, &within)?;
            if ending == Ending::Stopped(Stop::TimeLimit) && limits.stopped().is_none() {
                // The time limit of the search is not the user's, so it is not reported.
                ending = NotExact::SearchTime.into();
            }
        }
        solution.ending = solution.found.or_proved(ending);
        Ok(solution)
    }

    /// Searches all states of a grid, on top of what is known.
    fn search(&self, grid: &Grid, solution: &mut Solution, limits: &Limits) -> Result<Ending, SolveError> {
        match grid::solve(grid, limits, &|states| self.tell_states(states)) {
            Ok(Outcome { worst, schedule, best, states }) => {
                solution.engine = EngineName::States;
                let claim = Claim::new(solution.engine, schedule).of(Length::Exactly(worst.cycles()));
                solution.found.meet(grid, Some(worst), Some(claim))?;
                (solution.found.best_case, solution.found.states) = (Some(best), Some(states));
                Ok(Ending::Proved)
            }
            Err(why) => {
                solution.found.notes.push(Note::GridUnfinished(why));
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
fn together(grid: &Grid, solution: &Solution, limits: &Limits) -> Result<Solution, SolveError> {
    let interval = solution.worst_case().at_most(relay::bound(grid)?).map_err(Disagreement::from)?;
    let alone = grid.at_once() == grid.blocks();
    let mut found = Found {
        best_case: solution.best_case().filter(|_| alone && grid.multiprocessors() == 1),
        states: solution.states(),
        notes: solution.notes().to_vec(),
        ..Found::new(interval)
    };
    let engine = solution.engine();
    if let Some(witness) = solution.witness()
        && let Some(schedule) = spread(grid, witness, limits)
    {
        let claim = Claim::new(engine, schedule).of(Length::Exactly(witness.makespan()));
        found.meet(grid, None, Some(claim))?;
    }
    let ending = found.or_proved(solution.ending());
    Ok(Solution::new(engine, found, ending))
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
