//! C of a kernel that is given as a string: a bound on the makespan of the warps that one multiprocessor holds at once.
//!
//! A multiprocessor that holds R blocks of w warps runs W = R w warps; C is the *upper* end of the interval that
//! [`solve`](crate::engines::portfolio) proves for them, over the clock. Nothing else may be used: a lower bound, an estimate and the
//! middle of an interval are all too low for somebody.
//!
//! Of a program with branches and loops C is its bound ([`program`](crate::engines::program)), and nothing is proved from below.
//!
//! That C holds for blocks that start together on a multiprocessor that runs nothing else meanwhile. It does *not* hold for
//! blocks that follow one another: LCL, blocks of one warp, two of them at a time, sigma 1 has T(2) = 4, but four such blocks
//! can take 9 cycles, more than two rounds of 4. [`Solved::serial`] holds whatever the company: see [`bound`](super::bound).

use std::collections::HashMap;

use thiserror::Error;

use crate::bound::{Interval, Upper, bottleneck};
use crate::engines::portfolio::{Residents, ResidentsError, SolveError, residents};
use crate::limits::Limits;
use crate::model::Code;
use crate::model::{Cycles, Instance};
use crate::realtime::rta::{Source, System, Time, Unit, WARP};

/// The execution time of a kernel's blocks, and why.
#[derive(Debug, Clone)]
pub struct Execution {
    /// C.
    pub time: Time,
    /// Where it comes from, if it is not given.
    pub solved: Option<Solved>,
}

/// What was solved for a kernel string or a program.
#[derive(Debug, Clone)]
pub struct Solved {
    /// What each warp runs.
    pub code: Code,
    /// The warps of the blocks that a multiprocessor holds at once.
    pub warps: u64,
    /// How many blocks these are.
    pub resident: u64,
    /// Their worst case, in cycles.
    pub interval: Interval,
    /// What a block adds to the time that a multiprocessor is busy, at most, whatever else is on it ([`Residents::busy`]).
    pub serial: Time,
    /// What a block takes at least, whatever else is on its multiprocessor: what its fullest unit or longest warp needs where sources leave the most units. Zero for
    /// a program, of which nothing is proved from below.
    pub least: Time,
}

impl Execution {
    /// What a block takes at least: C where it is given, as a block may always take just that.
    pub fn least(&self) -> Time {
        self.solved.as_ref().map_or(self.time, |solved| solved.least)
    }
}

/// Why there is no C.
#[derive(Debug, Error)]
pub enum ExecutionError {
    /// There is no worst case.
    #[error("kernel {name}: {error}")]
    Code {
        /// The kernel.
        name: String,
        /// Why.
        error: ResidentsError,
    },
    /// Cycles cannot be turned into the system's unit.
    #[error(
        "kernel {0}: {1} cycles are no time in {2}: want unit = \"cycles\", or ns, us, ms, s and [gpu] clock_mhz"
    )]
    Clock(String, Cycles, Unit),
    /// The engines failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// C of every kernel, each distinct string and number of warps solved once, within the limits.
///
/// # Errors
/// If a string cannot be solved or its cycles are no time. A limit that is reached is not an error: the interval is wider.
pub fn executions(system: &System, limits: &Limits) -> Result<Vec<Execution>, ExecutionError> {
    let mut known: HashMap<(&Code, u64, u64), Residents> = HashMap::new();
    let mut executions = Vec::with_capacity(system.tasks.len());
    for task in &system.tasks {
        let code = match &task.execution {
            &Source::Given(time) => {
                executions.push(Execution { time, solved: None });
                continue;
            }
            Source::Code(code) | Source::Listing(code) => code,
        };
        let resident = system.gpu.room.fits(&task.block).min(task.blocks);
        let block = task.threads.div_ceil(WARP);
        let Residents { together: interval, busy } = match known.get(&(code, resident, block)) {
            Some(found) => *found,
            None => {
                let found = residents(code, [resident, block], system.multiprocessor, limits);
                let found = found.map_err(|error| match error {
                    ResidentsError::Solve(error) => ExecutionError::Solve(error),
                    error => ExecutionError::Code { name: task.name.clone(), error },
                })?;
                known.insert((code, resident, block), found);
                found
            }
        };
        let time = |cycles| {
            let time = system.unit.of_cycles(cycles, system.gpu.clock);
            time.ok_or_else(|| ExecutionError::Clock(task.name.clone(), cycles, system.unit))
        };
        let upper = time(safe(interval.upper()))?;
        // The letters of a listing are an upper limit, which says nothing from below.
        let least = match (&task.execution, code) {
            (Source::Code(_), Code::Kernel(kernel)) => {
                let alone = Instance::single(kernel.clone(), block, system.fastest);
                alone.map_or(Cycles(0), |alone| bottleneck(&alone).cycles())
            }
            _ => Cycles(0),
        };
        // Times are rounded up; this one must not be.
        let rounding = u64::from(system.unit != Unit::Cycles);
        let least = Time(time(least)?.0.saturating_sub(rounding));
        let warps = resident * block;
        let solved =
            Solved { code: code.clone(), warps, resident, interval, serial: time(safe(busy))?, least };
        executions.push(Execution { time: upper, solved: Some(solved) });
    }
    Ok(executions)
}

/// The cycles that may stand for an execution time: those of an upper bound, and of nothing else.
fn safe(upper: Upper) -> Cycles {
    upper.cycles()
}
