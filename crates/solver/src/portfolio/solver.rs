//! The solver, which a user gives an engine, limits and a workload.

use std::time::Duration;

use crate::portfolio::cross_check::{self, Budget};
use crate::portfolio::program::of_paths;
use crate::portfolio::task::Task;
use crate::portfolio::{
    EngineChoice, NotApplicable, Observer, Progress, Solution, SolveError, Subject, segments,
};
use warpspan_model::Instance;
use warpspan_model::limits::{Instant, Limits};
use warpspan_model::machine::Order;

/// Finds the worst case of workloads.
///
/// ```
/// use warpspan_model::{Code, Cycles, Multiprocessor, Workload};
/// use warpspan_solver::portfolio::{EngineChoice, Solver};
///
/// let workload = Workload::single("LLCLL".parse::<Code>()?, 600, Multiprocessor::default())?;
/// let solution = Solver::new().engine(EngineChoice::Phase).solve(&workload)?;
/// assert!(solution.worst_case().is_exact());
/// assert_eq!(solution.worst_case().upper().cycles(), Cycles(2401));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Solver<'a> {
    choice: EngineChoice,
    limits: Option<Limits>,
    time: Option<Duration>,
    memory: Option<u64>,
    threads: Option<usize>,
    unchecked: bool,
    pub(super) order: Order,
    observer: Option<Observer<'a>>,
}

impl<'a> Solver<'a> {
    /// A solver that chooses the engine that suits the workload, without a time limit, with half of the
    /// available memory and every core.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the engine.
    #[must_use]
    pub fn engine(self, choice: EngineChoice) -> Self {
        Self { choice, ..self }
    }

    /// Sets what is known of the order in which the schedulers of a machine try their warps. The worst case is that of all schedules of
    /// this order then.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Sets limits that run already and that other computations may share. A [`time_limit`](Self::time_limit)
    /// tightens their time; [`memory`](Self::memory) and [`threads`](Self::threads) replace theirs.
    #[must_use]
    pub fn limits(self, limits: &Limits) -> Self {
        Self { limits: Some(limits.clone()), ..self }
    }

    /// Limits the time of each solution.
    #[must_use]
    pub fn time_limit(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Limits the bytes that an engine may use.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Sets the number of threads that an engine may use, at least 1.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads: Some(threads.max(1)), ..self }
    }

    /// Says whether a second engine checks exact answers of [`EngineChoice::Auto`] where that is quick. By
    /// default it does.
    #[must_use]
    pub fn check(self, check: bool) -> Self {
        Self { unchecked: !check, ..self }
    }

    /// Sets the function that is called with the progress.
    #[must_use]
    pub fn on_progress(self, observer: Observer<'a>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Solves a subject within the limits. The worst case of code with several paths is that over all paths of its
    /// warps; no engine searches them, so the two ends often differ.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpspan_model::machine::{Machine, MachineWorkload, Unit};
    /// use warpspan_model::{Code, Cycles, Grid, Group};
    /// use warpspan_solver::portfolio::Solver;
    ///
    /// // Four blocks of one warp, two at once: two rounds of T(2) = 4 cycles would say 8.
    /// let grid = Grid::new("LCL".parse::<Code>()?, Default::default(), 1, 4)?.on(1, 2)?;
    /// let worst = Solver::new().solve(&grid)?.worst_case();
    /// assert!(worst.is_exact());
    /// assert_eq!(worst.upper().cycles(), Cycles(9));
    ///
    /// // With an issue width of 1 only one unit works in a cycle.
    /// let units = vec![Unit::simple("L"), Unit::simple("C")];
    /// let machine = Arc::new(Machine::new(1, Some(1), units, vec![])?);
    /// let group = Group { code: machine.code("LC")?, warps: 2 };
    /// let worst = Solver::new().solve(&MachineWorkload::new(machine, vec![group])?)?.worst_case();
    /// assert_eq!(worst.upper().cycles(), Cycles(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the engine does not apply or fails, a program has no bound, or two sources disagree. A limit that
    /// is reached is not an error.
    pub fn solve<'s>(&self, subject: impl Into<Subject<'s>>) -> Result<Solution, SolveError> {
        match subject.into() {
            Subject::Workload(workload) => match workload.instance() {
                Some(instance) => self.solve_instance(instance),
                None => of_paths(workload, &self.limits_now()),
            },
            Subject::Instance(instance) => self.solve_instance(instance),
            Subject::Grid(grid) => self.solve_grid(grid),
            Subject::Machine(workload) => self.solve_on_machine(workload),
            Subject::MachineGrid(grid) => self.solve_grid_on_machine(grid),
        }
    }

    /// Solves the letters that the engines schedule.
    fn solve_instance(&self, instance: &Instance) -> Result<Solution, SolveError> {
        let start = Instant::now();
        let task = Task {
            choice: &self.choice,
            limits: self.limits_now(),
            checked: !self.unchecked,
            observer: self.observer,
        };
        let parts = instance.segments().filter(|_| instance.has_barriers());
        let solution = match (parts, &self.choice) {
            (Some(parts), choice) if !matches!(choice, EngineChoice::Ilp(_)) => {
                segments::solve(instance, &parts, &task)?
            }
            _ => {
                let mut solution = task.answer(instance)?;
                if task.is_checked() && !instance.has_barriers() {
                    let mut budget = Budget::new(&task.limits, start.elapsed());
                    cross_check::look(instance, &mut solution, &task.limits, &mut budget)?;
                }
                solution
            }
        };
        Ok(solution.after(start.elapsed()))
    }

    /// The engine that was chosen.
    pub(super) fn choice(&self) -> &EngineChoice {
        &self.choice
    }

    /// That neither the ILP nor the beam was chosen, which take straight lines on the paper's multiprocessor alone.
    pub(super) fn is_for_others(&self, why: NotApplicable) -> Result<(), SolveError> {
        match self.choice {
            EngineChoice::Ilp(_) | EngineChoice::Beam(_) => Err(why.into()),
            _ => Ok(()),
        }
    }

    /// Tells of a search that it has seen so many states.
    pub(super) fn tell_states(&self, states: u64) {
        if let Some(observer) = self.observer {
            observer(Progress::Grid { states });
        }
    }

    /// The function that is called with the progress.
    pub(super) fn observer(&self) -> Option<Observer<'a>> {
        self.observer
    }

    /// The limits, whose time begins now.
    pub(super) fn limits_now(&self) -> Limits {
        let mut limits = self.limits.clone().unwrap_or_else(Limits::generous);
        if let Some(time) = self.time {
            limits = limits.within(time);
        }
        if let Some(memory) = self.memory {
            limits.memory = memory;
        }
        if let Some(threads) = self.threads {
            limits.threads = threads;
        }
        limits
    }
}
