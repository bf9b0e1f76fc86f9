//! The answer to a workload or a grid on a machine with latency and issue width.
//!
//! The upper end is the smallest of the bounds of [`latency`](warpspan_engines::latency), or the result of the search
//! over [`positions`](warpspan_engines::positions), and the lower end a schedule that the judge has replayed, of a
//! search or of a policy, or what the fullest unit needs. The bounds and the search share nothing, so the interval is also where they would
//! contradict each other.

use std::time::Duration;
use warpspan_check::seal::SEAL;

use crate::portfolio::findings::Found;
use crate::portfolio::machine_runs;
use crate::portfolio::{
    Disagreement, EngineChoice, EngineName, NotApplicable, Note, Solution, SolveError, Solver,
};
use warpspan_check::bound::{Interval, Lower, Theorem, Upper, machine_bottleneck};
use warpspan_engines::latency::{self, Block, Blocks, LatencyError, MachineBounds};
use warpspan_engines::own::own;
use warpspan_engines::positions::{self, Solved, Unsolved};
use warpspan_model::Cycles;
use warpspan_model::limits::{Ending, Instant, Limits, NotExact, SEARCH_SECONDS, Stop};
use warpspan_model::machine::{Letter, Machine, MachineGrid, MachineWorkload, Order, Step};
use warpspan_model::program::{Divergence, Piece};

/// Workloads with more states than this are not searched if nobody asks for it.
const MOST_STATES: u64 = 50_000_000;

impl Solver<'_> {
    /// Solves a workload on a machine.
    pub(super) fn solve_on_machine(&self, workload: &MachineWorkload) -> Result<Solution, SolveError> {
        let start = Instant::now();
        let limits = self.limits_now();
        self.is_for_others(NotApplicable::Machine)?;
        let bounds = latency::bounds_under(workload, self.order)?.with_blocks(workload)?;
        let MachineBounds { makespan, completion, .. } = bounds;
        let mut solution = bounded(machine_lower(workload), makespan, completion.cycles())?;
        if let Some(witness) = machine_runs::longest(workload, self.order, &limits)? {
            solution.found.take(EngineName::Simulate, witness)?;
        }
        // The search looks at schedules of every order.
        let searched = match self.choice() {
            _ if self.order != Order::Any => None,
            EngineChoice::States => Some(limits.clone()),
            EngineChoice::Auto
                if positions::estimate(workload, &limits).is_some_and(|states| states <= MOST_STATES) =>
            {
                Some(limits.within(Duration::from_secs(SEARCH_SECONDS)))
            }
            _ => None,
        };
        match searched {
            Some(within) => self.search_positions(&mut solution, workload, &within, &limits)?,
            None if self.order != Order::Any => solution.ending = NotExact::Order.into(),
            None if *self.choice() != EngineChoice::Auto => solution.ending = NotExact::NotAsked.into(),
            None => solution.ending = why_not_searched(workload).into(),
        }
        solution.ending = solution.found.or_proved(solution.ending);
        solution.order = self.order;
        Ok(solution.after(start.elapsed()))
    }

    /// Solves a grid on machines. No search is made of blocks that follow one another.
    pub(super) fn solve_grid_on_machine(&self, grid: &MachineGrid) -> Result<Solution, SolveError> {
        if grid.starts_together() {
            let mut solution = self.solve_on_machine(grid.together())?;
            solution.found.notes.extend(without_spread(grid, solution.worst_case().upper().cycles())?);
            return Ok(solution);
        }
        let start = Instant::now();
        if *self.choice() != EngineChoice::Auto {
            return Err(NotApplicable::Machine.into());
        }
        let GridBounds { makespan, completion, without_spread } = grid_bounds(grid)?;
        // Some multiprocessor may start with as many blocks as it holds, and more never take less.
        let mut solution = bounded(machine_lower(grid.together()), makespan, completion)?;
        solution.engine = EngineName::Relay;
        solution.found.notes.extend(without_spread.map(|without| Note::spread(grid, without)));
        solution.ending = solution.found.or_proved(NotExact::MachineGrid);
        Ok(solution.after(start.elapsed()))
    }
}

/// Bounds on a grid.
pub(super) struct GridBounds {
    /// On the last issue.
    pub(super) makespan: Upper,
    /// On the last result.
    pub(super) completion: Cycles,
    /// The bound on the last issue if nothing is assumed of the schedulers of warps; none where neither is larger then.
    pub(super) without_spread: Option<Upper>,
}

/// The bounds on the last issue of a grid and on its last result.
pub(super) fn grid_bounds(grid: &MachineGrid) -> Result<GridBounds, LatencyError> {
    let (any, any_completion) = spread_bounds(grid, false)?;
    if !grid.machine().spreads() {
        return Ok(GridBounds { makespan: any, completion: any_completion, without_spread: None });
    }
    let (makespan, completion) = spread_bounds(grid, true)?;
    let same = (makespan.cycles(), completion) == (any.cycles(), any_completion);
    Ok(GridBounds { makespan, completion, without_spread: (!same).then_some(any) })
}

/// The note on a grid whose blocks start together and have this bound because of how warps are spread: none on one
/// scheduler, and where nothing larger is known if they are not.
pub(super) fn without_spread(grid: &MachineGrid, bound: Cycles) -> Result<Option<Note>, LatencyError> {
    if grid.machine().schedulers() == 1 {
        return Ok(None);
    }
    let (any, _) = spread_bounds(grid, false)?;
    Ok((any.cycles() > bound).then(|| Note::spread(grid, any)))
}

/// The same where each scheduler gets no more than its share of the warps of a block, or any.
fn spread_bounds(grid: &MachineGrid, spread: bool) -> Result<(Upper, Cycles), LatencyError> {
    let machine = grid.together().shared_machine();
    let block = Block { code: grid.code(), warps: grid.warps_per_block() };
    let (number, resident, multiprocessors) = (grid.blocks(), grid.resident(), grid.multiprocessors());
    let blocks = Blocks { block, number, resident, multiprocessors, spread };
    let traffic = blocks.traffic(&machine)?;
    let completed = latency::followed(&machine, &blocks, 0, &traffic)?.upper;
    if block.code.has_barrier() {
        return Ok((completed, completed.cycles()));
    }
    let of = |later| latency::grid_followed(&machine, &blocks, later, &traffic).map(|found| found.upper);
    let issued = of(0)?;
    let issued = if completed.cycles() < issued.cycles() { completed } else { issued };
    // Every result is there when the greatest latency after the last issue is over.
    let longest = grid.machine().letters().iter().map(|letter| letter.latency.most).max().unwrap_or(1);
    let late = of(longest - 1)?.cycles();
    Ok((issued, completed.cycles().min(late)))
}

/// What is known without a search.
fn bounded(lower: Lower, upper: Upper, completion: Cycles) -> Result<Solution, SolveError> {
    let interval = Interval::new(lower, upper).map_err(Disagreement::from)?;
    let found = Found { completion: Some(completion), ..Found::new(interval) };
    Ok(Solution::new(EngineName::Latency, found, Ending::Proved))
}

/// A lower bound on the worst case: what the fullest unit needs, and how long a warp takes alone on its longest
/// path if every latency is the greatest.
pub(super) fn machine_lower(workload: &MachineWorkload) -> Lower {
    let mut cycles = machine_bottleneck(workload).map_or(0, |lower| lower.cycles().0);
    // An occupancy of 1 keeps a warp from waiting for itself, which it need not do where there are several instances.
    let unheld = unheld(workload.machine());
    // What instructions with dependences wait for may be more than what the hardware waits for.
    for group in workload.groups().iter().filter(|_| !workload.has_dependences()) {
        // E of arms that alternate is an upper bound alone, but each arm by itself is a path.
        if let Ok(alone) = own(&one_arm_each(&group.code), &unheld) {
            cycles = cycles.max(alone.last_issue);
        }
    }
    Lower::proved(Cycles(cycles), Theorem::Bottleneck, SEAL)
}

/// The same code whose warps take one arm of each branch.
fn one_arm_each(code: &Piece<Step>) -> Piece<Step> {
    code.fold(|piece, inside| match piece {
        &Piece::Branch { line, .. } => {
            Piece::Branch { arms: inside.into(), divergence: Divergence::Uniform, line }
        }
        _ => piece.with_inside(inside),
    })
}

/// The same machine with occupancies of 1.
fn unheld(machine: &Machine) -> Machine {
    let letters = machine.letters().iter().map(|letter| Letter { occupancy: 1, ..letter.clone() });
    letters.fold(machine.clone(), |machine, letter| machine.clone().with_letter(letter).unwrap_or(machine))
}

/// Whether some letter asks something of the memory, so that results may be later than their latencies say.
fn asks_memory(workload: &MachineWorkload) -> bool {
    latency::Traffic::of_workload(workload).is_ok_and(|traffic| !traffic.is_none())
}

/// Why no search is made.
fn why_not_searched(workload: &MachineWorkload) -> NotExact {
    match workload.lines() {
        None => NotExact::Paths,
        Some(_) if workload.has_dependences() => NotExact::Dependences,
        Some(_) => NotExact::States,
    }
}

impl Solver<'_> {
    /// Searches all states, on top of what is known.
    fn search_positions(
        &self,
        solution: &mut Solution,
        workload: &MachineWorkload,
        within: &Limits,
        limits: &Limits,
    ) -> Result<(), SolveError> {
        solution.found.tell(self.observer());
        let found = &mut solution.found;
        solution.ending = match positions::solve(workload, within, &|states| self.tell_states(states)) {
            // Memory that keeps results waiting is in no state that the search looks at, so what it has found is one
            // schedule of many.
            Ok(Solved { witness, .. }) if asks_memory(workload) => {
                found.take(EngineName::States, witness)?;
                solution.engine = EngineName::States;
                NotExact::Memory.into()
            }
            Ok(Solved { worst, best, states, witness, best_witness }) => {
                found.interval = found.interval.at_most(worst).map_err(Disagreement::from)?;
                let most = found.completion.unwrap_or(Cycles(u64::MAX));
                found.take(EngineName::States, witness)?;
                // Every result is there when the greatest latency after the last issue is over.
                let longest = workload.machine().letters().iter().map(|letter| letter.latency.most).max();
                let late = worst.cycles().0.saturating_add(longest.unwrap_or(1) - 1);
                found.completion = Some(most.min(Cycles(late)));
                (found.best_case, found.states) = (Some(best), Some(states));
                found.best_witness = Some(best_witness);
                solution.engine = EngineName::States;
                Ending::Proved
            }
            // The time limit of the search is not the user's, so it is not reported.
            Err(Unsolved::Stopped { stop: Stop::TimeLimit, .. }) if limits.stopped().is_none() => {
                NotExact::SearchTime.into()
            }
            Err(Unsolved::Stopped { stop, .. }) => stop.into(),
            Err(Unsolved::Paths) => NotExact::Paths.into(),
            Err(Unsolved::Dependences) => NotExact::Dependences.into(),
            Err(why @ (Unsolved::Refused(_) | Unsolved::Disagreement { .. })) => {
                return Err(Disagreement::OnMachine(Box::new(why)).into());
            }
        };
        Ok(())
    }
}
