//! C of a kernel that is given as a string: a bound on the makespan of the warps that a multiprocessor holds
//! at once.
//!
//! A multiprocessor that holds R blocks of w warps runs W = R w warps. C is the *upper* end of the interval
//! that [`solve`](warpspan_solver::portfolio) proves for them, divided by the clock. Nothing else is safe: a
//! lower bound, an estimate and the middle of an interval are each too low for some kernel.
//!
//! For a program with branches and loops C is its bound ([`program`](warpspan_engines::program)); nothing is
//! proved of its best case.
//!
//! On a machine with latency and issue width C is the upper bound on the cycle in which the last result is
//! there ([`latency`](warpspan_engines::latency::completion)), without the memory that all multiprocessors share: how long
//! a block waits for that depends on what others ask. Nothing is proved from below there.
//!
//! This C holds for blocks that start together on a multiprocessor that runs nothing else meanwhile. It does
//! *not* hold for blocks that follow one another: at sigma 1, LCL in blocks of one warp, two of them at a
//! time, has T(2) = 4, but four such blocks can take 9 cycles, more than two rounds of 4. [`Solved::serial`]
//! holds whatever else runs: see [`bound`](super::bound).

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

use crate::{Source, System, Task};
use warpspan_check::bound::{Lower, Upper, bottleneck};
use warpspan_engines::latency::{Block, Blocks, LatencyError, block_costs, completion};
use warpspan_model::Code;
use warpspan_model::device::WARP;
use warpspan_model::limits::Limits;
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_model::{Cycles, Instance, Multiprocessor};
use warpspan_solver::portfolio::{Residents, ResidentsError, SolveError, residents};

/// The execution time of a kernel's blocks, and its origin.
#[derive(Debug, Clone)]
pub struct Execution {
    /// C, an upper bound on the time of a block.
    pub time: Duration,
    /// The solution that C was taken from; `None` if C is given.
    pub solved: Option<Solved>,
}

/// The solution for a kernel string or a program.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The number of warps of the blocks that a multiprocessor holds at once.
    pub warps: u64,
    /// The number of these blocks.
    pub resident: u64,
    /// The worst case of these warps is at least so many cycles; `None` where nothing is proved from below.
    pub lower: Option<Lower>,
    /// The worst case of these warps is at most so many cycles; on a machine, without what servers of its memory add.
    pub upper: Upper,
    /// The most that a block adds to the time that a multiprocessor is busy, whatever else is on it
    /// ([`Residents::busy`]; on a machine, what it costs if it is
    /// [followed](warpspan_engines::latency::BlockCost::followed)).
    pub serial: Duration,
    /// The least that a block takes, whatever else is on its multiprocessor: the time that its fullest unit
    /// or its longest warp needs where the sources leave the most units. It is zero for a program and on a
    /// machine, since nothing is proved of their best case.
    pub least: Duration,
}

impl Solved {
    /// Whether the worst case is known.
    pub fn is_exact(&self) -> bool {
        self.lower.is_some_and(|lower| lower.cycles() == self.upper.cycles())
    }
}

impl System {
    /// The code that each warp of a kernel runs, as it is written; none if its time is given.
    pub fn written(&self, task: &Task) -> Option<String> {
        match &task.execution {
            Source::Given(_) => None,
            Source::Code(code) | Source::Listing(code) => Some(code.to_string()),
            Source::OnMachine(code) => self.machine().map(|machine| machine.text(code)),
        }
    }
}

impl Execution {
    /// The least that a block takes. Where C is given this is C, since a block may always take that long.
    pub fn least(&self) -> Duration {
        self.solved.as_ref().map_or(self.time, |solved| solved.least)
    }
}

/// Why a kernel has no C.
#[derive(Debug, Error)]
pub enum ExecutionError {
    /// The code of a kernel has no worst case.
    #[error("kernel {name}: {error}")]
    Code {
        /// The kernel.
        name: String,
        /// Why it has none.
        error: ResidentsError,
    },
    /// The code of a kernel has no bound on its machine.
    #[error("kernel {name}: {error}")]
    OnMachine {
        /// The kernel.
        name: String,
        /// Why it has none.
        error: LatencyError,
    },
    /// Cycles cannot be converted into the system's unit.
    #[error(
        "kernel {0}: {1} cycles are no time in {2}: want unit = \"cycles\", or ns, us, ms, s and [gpu] clock_mhz"
    )]
    Clock(String, Cycles, TimeUnit),
    /// The engines failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// What is known of strings and programs: of the blocks that a multiprocessor holds at once, the warps of each.
#[derive(Debug, Default)]
pub struct KnownCode(HashMap<(Code, u64, u64, Multiprocessor), Residents>);

/// C of every kernel, within the limits. Each distinct string is solved once for each number of warps.
///
/// # Errors
/// If a string cannot be solved, or its cycles cannot be converted into a time. A limit that is reached is
/// not an error: it makes the interval wider.
pub fn executions(system: &System, limits: &Limits) -> Result<Vec<Execution>, ExecutionError> {
    executions_knowing(&mut KnownCode::default(), system, limits)
}

/// The same where some code may be known from another system, as one with other periods.
///
/// # Errors
/// As [`executions`].
pub fn executions_knowing(
    KnownCode(known): &mut KnownCode,
    system: &System,
    limits: &Limits,
) -> Result<Vec<Execution>, ExecutionError> {
    let mut executions = Vec::with_capacity(system.tasks().len());
    for task in system.tasks() {
        let resident = system.gpu().resources.fits(&task.least).min(task.blocks);
        let block = task.threads.div_ceil(WARP);
        let code = match &task.execution {
            &Source::Given(time) => {
                executions.push(Execution { time, solved: None });
                continue;
            }
            Source::OnMachine(code) => {
                executions.push(on_machine(system, task, code, [resident, block])?);
                continue;
            }
            Source::Code(code) | Source::Listing(code) => code,
        };
        let of_code = (code.clone(), resident, block, system.multiprocessor());
        let Residents { together: interval, busy } = match known.get(&of_code) {
            Some(found) => *found,
            None => {
                let found = residents(code, [resident, block], system.multiprocessor(), limits);
                let found = found.map_err(|error| match error {
                    ResidentsError::Solve(error) => ExecutionError::Solve(error),
                    error => ExecutionError::Code { name: task.name.clone(), error },
                })?;
                known.insert(of_code, found);
                found
            }
        };
        let c = time(system, task, safe(interval.upper()))?;
        // The letters of a listing are an upper limit, so they prove nothing from below.
        let least = match (&task.execution, code) {
            (Source::Code(_), Code::Kernel(kernel)) => {
                let alone = Instance::single(kernel.clone(), block, system.fastest());
                alone.map_or(Cycles(0), |alone| bottleneck(&alone).cycles())
            }
            _ => Cycles(0),
        };
        // Times are rounded up, but a lower end must not be.
        let rounding = u64::from(system.unit() != TimeUnit::Cycles);
        let least = Duration(time(system, task, least)?.0.saturating_sub(rounding));
        let solved = Solved {
            warps: resident * block,
            resident,
            lower: Some(interval.lower()),
            upper: interval.upper(),
            serial: time(system, task, safe(busy))?,
            least,
        };
        executions.push(Execution { time: c, solved: Some(solved) });
    }
    Ok(executions)
}

/// C of a kernel whose code is over the letters of the system's machine.
fn on_machine(
    system: &System,
    task: &Task,
    code: &Piece<Step>,
    [resident, block]: [u64; 2],
) -> Result<Execution, ExecutionError> {
    let wrong = |error| ExecutionError::OnMachine { name: task.name.clone(), error };
    let machine: &Arc<Machine> = system.machine().ok_or_else(|| wrong(LatencyError::Overflow))?;
    let block = Block { code, warps: block };
    let blocks = Blocks { block, number: resident, resident, multiprocessors: 1, spread: false };
    // Memory requests of others do not belong to these blocks, so no C includes memory.
    let free = Arc::new(Machine::clone(machine).without_servers());
    let upper = completion(&free, &blocks, system.overhang()).map_err(wrong)?;
    let c = time(system, task, safe(upper))?;
    let most_warps = system.gpu().resources.threads / WARP;
    let costs = block_costs(machine, &[block], most_warps).map_err(wrong)?;
    let followed = costs.first().and_then(|cost| u64::try_from(cost.followed.ceil().to_integer()).ok());
    let followed = Cycles(followed.ok_or_else(|| wrong(LatencyError::Overflow))?);
    let solved = Solved {
        warps: resident * block.warps,
        resident,
        lower: None,
        upper,
        serial: time(system, task, followed)?,
        least: Duration(0),
    };
    Ok(Execution { time: c, solved: Some(solved) })
}

/// Cycles as a time of the system, rounded up.
fn time(system: &System, task: &Task, cycles: Cycles) -> Result<Duration, ExecutionError> {
    let time = system.unit().time_up(cycles, system.gpu().clock);
    time.ok_or_else(|| ExecutionError::Clock(task.name.clone(), cycles, system.unit()))
}

/// The cycles that may become an execution time: those of an upper bound, and of nothing else.
fn safe(upper: Upper) -> Cycles {
    upper.cycles()
}
