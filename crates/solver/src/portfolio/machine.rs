//! The answer to a workload or a grid on a machine with latency and issue width.
//!
//! The upper end is the smallest of the bounds of [`latency`](warpspan_engines::latency), or the result of the search
//! over [`positions`](warpspan_engines::positions), and the lower end a schedule that the judge has replayed or what
//! the fullest unit needs. The bounds and the search share nothing, so the interval is also where they would
//! contradict each other.

use std::time::Duration;
use warpspan_check::seal::SEAL;

use crate::portfolio::{
    Disagreement, EngineChoice, EngineName, NotApplicable, Note, Progress, SolveError, Solver,
};
use warpspan_check::bound::{Interval, Lower, Theorem, Upper, machine_bottleneck};
use warpspan_check::schedule::Witness;
use warpspan_engines::latency::{self, Block, Blocks, LatencyError, MachineBounds};
use warpspan_engines::own::own;
use warpspan_engines::positions::{self, Solved, Unsolved};
use warpspan_model::Cycles;
use warpspan_model::limits::{Ending, Instant, Limits, NotExact, Stop};
use warpspan_model::machine::{Letter, Machine, MachineGrid, MachineWorkload, Step};
use warpspan_model::program::{Divergence, Piece};

/// What is known of the worst case on a machine, and why. Only a [`Solver`] constructs one.
#[derive(Debug, Clone)]
pub struct MachineSolution {
    interval: Interval,
    completion: Cycles,
    witness: Option<Witness>,
    best: Option<Witness>,
    best_case: Option<Cycles>,
    states: Option<u64>,
    engine: EngineName,
    ending: Ending,
    notes: Vec<Note>,
    elapsed: Duration,
}

impl MachineSolution {
    /// An interval with lower bound <= worst case <= upper bound of the last cycle in which a warp issues.
    pub fn worst_case(&self) -> Interval {
        self.interval
    }

    /// The cycle at whose end every result is there at the latest.
    pub fn completion_upper(&self) -> Cycles {
        self.completion
    }

    /// A schedule that attains the lower bound. It is `None` if no search found one.
    pub fn witness(&self) -> Option<&Witness> {
        self.witness.as_ref()
    }

    /// A schedule of the best case, if every state was visited.
    pub fn best_witness(&self) -> Option<&Witness> {
        self.best.as_ref()
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
}

/// How long the search may take if nobody asks for it.
const SEARCH_TIME: Duration = Duration::from_secs(10);

/// Workloads with more states than this are not searched if nobody asks for it.
const MOST_STATES: u64 = 50_000_000;

impl Solver<'_> {
    /// Solves a workload on a machine within the limits.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpspan_model::machine::{Machine, MachineWorkload, Unit};
    /// use warpspan_model::{Cycles, Group};
    /// use warpspan_solver::portfolio::Solver;
    ///
    /// // one issue a cycle: the bound of the paper's machine, 3, would be too low
    /// let units = vec![Unit::simple("L"), Unit::simple("C")];
    /// let machine = Arc::new(Machine::new(1, Some(1), units, vec![])?);
    /// let group = Group { code: machine.code("LC")?, warps: 2 };
    /// let solution = Solver::new().solve_on_machine(&MachineWorkload::new(machine, vec![group])?)?;
    /// assert!(solution.worst_case().is_exact());
    /// assert_eq!(solution.worst_case().upper().cycles(), Cycles(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the engine does not apply, a program has no bound, or two sources disagree. A limit that is reached
    /// is not an error.
    pub fn solve_on_machine(&self, workload: &MachineWorkload) -> Result<MachineSolution, SolveError> {
        let start = Instant::now();
        let limits = self.limits_now();
        if matches!(self.choice(), EngineChoice::Ilp(_) | EngineChoice::Beam(_)) {
            return Err(NotApplicable::Machine.into());
        }
        let MachineBounds { makespan, completion, .. } = latency::bounds(workload)?;
        let mut solution = bounded(machine_lower(workload), makespan, completion.cycles())?;
        let searched = match self.choice() {
            EngineChoice::States => Some(limits.clone()),
            EngineChoice::Auto
                if positions::estimate(workload, &limits).is_some_and(|states| states <= MOST_STATES) =>
            {
                Some(limits.within(SEARCH_TIME))
            }
            _ => None,
        };
        match searched {
            Some(within) => solution.search(workload, &within, &limits, self)?,
            None => solution.ending = why_not_searched(workload).into(),
        }
        if solution.interval.is_exact() {
            solution.ending = Ending::Proved;
        }
        Ok(MachineSolution { elapsed: start.elapsed(), ..solution })
    }

    /// Solves a grid on machines within the limits. No search is made of blocks that follow one another.
    ///
    /// # Errors
    /// As [`solve_on_machine`](Self::solve_on_machine).
    pub fn solve_grid_on_machine(&self, grid: &MachineGrid) -> Result<MachineSolution, SolveError> {
        if grid.starts_together() {
            return self.solve_on_machine(grid.together());
        }
        let start = Instant::now();
        if *self.choice() != EngineChoice::Auto {
            return Err(NotApplicable::Machine.into());
        }
        let (makespan, completion) = grid_bounds(grid)?;
        // Some multiprocessor may start with as many blocks as it holds, and more never take less.
        let mut solution = bounded(machine_lower(grid.together()), makespan, completion)?;
        solution.engine = EngineName::Relay;
        solution.ending =
            if solution.interval.is_exact() { Ending::Proved } else { NotExact::NoEngine.into() };
        Ok(MachineSolution { elapsed: start.elapsed(), ..solution })
    }
}

/// The bound on the last issue of a grid, and that on its last result.
pub(super) fn grid_bounds(grid: &MachineGrid) -> Result<(Upper, Cycles), LatencyError> {
    let machine = grid.together().shared_machine();
    let (code, warps_per_block) = (grid.code(), grid.warps_per_block());
    let (blocks, resident, multiprocessors) = (grid.blocks(), grid.resident(), grid.multiprocessors());
    let block = Block { code, warps: warps_per_block };
    let all = Blocks { block, number: blocks, resident, multiprocessors };
    let completed = latency::completion(&machine, &all, 0)?;
    if code.has_barrier() {
        return Ok((completed, completed.cycles()));
    }
    let machine = &machine;
    let of = |later| {
        let grid = latency::MachineGrid { machine, code, warps_per_block, blocks, resident, multiprocessors };
        Ok::<_, LatencyError>(latency::grid_followed(&grid, &all.traffic(machine)?, later)?.upper)
    };
    let issued = of(0)?;
    let issued = if completed.cycles() < issued.cycles() { completed } else { issued };
    // Every result is there when the greatest latency after the last issue is over.
    let longest = grid.machine().letters().iter().map(|letter| letter.latency.most).max().unwrap_or(1);
    let late = of(longest - 1)?.cycles();
    Ok((issued, completed.cycles().min(late)))
}

/// What is known without a search.
fn bounded(lower: Lower, upper: Upper, completion: Cycles) -> Result<MachineSolution, SolveError> {
    Ok(MachineSolution {
        interval: Interval::new(lower, upper).map_err(Disagreement::from)?,
        completion,
        witness: None,
        best: None,
        best_case: None,
        states: None,
        engine: EngineName::Latency,
        ending: Ending::Proved,
        notes: Vec::new(),
        elapsed: Duration::ZERO,
    })
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
    let all = |pieces: &[Piece<Step>]| pieces.iter().map(one_arm_each).collect();
    match code {
        Piece::Letters { .. } | Piece::Barrier { .. } => code.clone(),
        Piece::Sequence(pieces) => Piece::Sequence(all(pieces)),
        Piece::Branch { arms, line, .. } => {
            Piece::Branch { arms: all(arms), divergence: Divergence::Uniform, line: *line }
        }
        Piece::Loop { body, least, most, line } => {
            Piece::Loop { body: Box::new(one_arm_each(body)), least: *least, most: *most, line: *line }
        }
    }
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
    if workload.lines().is_none() { NotExact::Paths } else { NotExact::NoEngine }
}

impl MachineSolution {
    /// Searches all states, on top of what is known.
    fn search(
        &mut self,
        workload: &MachineWorkload,
        within: &Limits,
        limits: &Limits,
        solver: &Solver<'_>,
    ) -> Result<(), SolveError> {
        let tell = |progress| {
            if let Some(observer) = solver.observer() {
                observer(progress);
            }
        };
        tell(Progress::Known(self.interval));
        let report = |states| tell(Progress::Grid { states });
        match positions::solve(workload, within, &report) {
            // Memory that keeps results waiting is in no state that the search looks at, so what it has found is one
            // schedule of many.
            Ok(Solved { witness, .. }) if asks_memory(workload) => {
                let replayed = Lower::replayed(&witness);
                self.interval = self.interval.at_least(replayed).map_err(Disagreement::from)?;
                self.witness = Some(witness);
                self.engine = EngineName::States;
                self.ending = NotExact::NoEngine.into();
            }
            Ok(Solved { worst, best, states, witness, best_witness }) => {
                self.interval = self.interval.at_most(worst).map_err(Disagreement::from)?;
                let replayed = Lower::replayed(&witness);
                self.interval = self.interval.at_least(replayed).map_err(Disagreement::from)?;
                if witness.completion() > self.completion {
                    let (engine, most) = (EngineName::States, self.completion);
                    return Err(Disagreement::Result { engine, found: witness.completion(), most }.into());
                }
                // Every result is there when the greatest latency after the last issue is over.
                let longest = workload.machine().letters().iter().map(|letter| letter.latency.most).max();
                let late = worst.cycles().0.saturating_add(longest.unwrap_or(1) - 1);
                self.completion = self.completion.min(Cycles(late));
                (self.best_case, self.states) = (Some(best), Some(states));
                (self.witness, self.best) = (Some(witness), Some(best_witness));
                self.engine = EngineName::States;
                self.ending = Ending::Proved;
            }
            Err(Unsolved::Stopped { stop, .. }) => {
                // The time limit of the search is not the user's, so it is not reported.
                let own = stop == Stop::TimeLimit && limits.stopped().is_none();
                self.ending = if own { NotExact::NoEngine.into() } else { stop.into() };
            }
            Err(Unsolved::Paths) => self.ending = NotExact::Paths.into(),
            Err(Unsolved::Dependences) => self.ending = NotExact::NoEngine.into(),
            Err(why @ (Unsolved::Refused(_) | Unsolved::Disagreement { .. })) => {
                return Err(Disagreement::OnMachine(Box::new(why)).into());
            }
        }
        Ok(())
    }
}
