//! C of a kernel that is given as a string: a bound on the makespan of the warps that one multiprocessor holds at once.
//!
//! A multiprocessor that holds R blocks of w warps runs W = R w warps; C is the *upper* end of the interval that
//! [`solve`](crate::solve) proves for them, over the clock. Nothing else may be used: a lower bound, an estimate and the
//! middle of an interval are all too low for somebody.
//!
//! Of a program with branches and loops C is its bound ([`program`](crate::program)), and nothing is proved from below.
//!
//! That C holds for blocks that start together on a multiprocessor that runs nothing else meanwhile. It does *not* hold for
//! blocks that follow one another: LCL, blocks of one warp, two of them at a time, sigma 1 has T(2) = 4, but four such blocks
//! can take 9 cycles, more than two rounds of 4. [`Solved::serial`] holds whatever the company: see [`bound`](super::bound).

use std::collections::HashMap;
use std::time::Duration;

use thiserror::Error;

use crate::bound::{Interval, Upper};
use crate::limits::Limits;
use crate::model::{Cycles, Instance, InstanceError, Multiprocessor};
use crate::phase;
use crate::program::{Code, ProgramError, ProgramGroup, bound as program_bound};
use crate::rta::{Source, System, Time, Unit, WARP};
use crate::solve::{Engine, IlpOptions, SolveError, program, solve};

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
    /// What a block adds to the time that a multiprocessor is busy, at most, whatever else is on it ([`phase::busy`]).
    pub serial: Time,
}

/// Why there is no C.
#[derive(Debug, Error)]
pub enum ExecutionError {
    /// The kernel and its warps are no instance.
    #[error("kernel {name}: {error}")]
    Instance {
        /// The kernel.
        name: String,
        /// What is wrong.
        error: InstanceError,
    },
    /// The program has no bound.
    #[error("kernel {name}: {error}")]
    Program {
        /// The kernel.
        name: String,
        /// What is wrong.
        error: ProgramError,
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
    let mut known: HashMap<(&Code, u64, u64), (Interval, Cycles)> = HashMap::new();
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
        let warps = resident.saturating_mul(block);
        let (interval, serial) = match known.get(&(code, warps, block)) {
            Some(found) => *found,
            None => {
                let found = worst(&task.name, code, [warps, block], system.multiprocessor, limits)?;
                known.insert((code, warps, block), found);
                found
            }
        };
        let time = |cycles| {
            let time = system.unit.of_cycles(cycles, system.gpu.clock);
            time.ok_or_else(|| ExecutionError::Clock(task.name.clone(), cycles, system.unit))
        };
        let solved = Solved { code: code.clone(), warps, resident, interval, serial: time(serial)? };
        executions.push(Execution { time: time(safe(interval.upper()))?, solved: Some(solved) });
    }
    Ok(executions)
}

/// The worst case of so many warps in blocks of so many, and what a block adds to a busy time.
fn worst(
    name: &str,
    code: &Code,
    [warps, block]: [u64; 2],
    multiprocessor: Multiprocessor,
    limits: &Limits,
) -> Result<(Interval, Cycles), ExecutionError> {
    match code {
        Code::Kernel(kernel) => {
            let of = |warps| {
                Instance::single(kernel.clone(), warps, multiprocessor)
                    .and_then(|instance| instance.in_blocks_of(block))
                    .map_err(|error| ExecutionError::Instance { name: name.to_owned(), error })
            };
            let limits = limits.within(MOST_TIME);
            let solution = solve(&of(warps)?, Engine::Auto, &IlpOptions::default(), &limits, None)?;
            Ok((solution.interval, safe(phase::busy(&of(block)?))))
        }
        Code::Program(piece) => {
            // While a block is there, one of its warps stands at no barrier, so something issues in each cycle of a busy time: the
            // block adds at most the letters of its warps, on their longest paths.
            let wrong = |error| ExecutionError::Program { name: name.to_owned(), error };
            let group = |warps| ProgramGroup { program: piece.clone(), warps, warps_per_block: Some(block) };
            let (solution, _) = program(&group(warps), multiprocessor).map_err(wrong)?;
            let alone = program_bound(&[group(1)], multiprocessor).map_err(wrong)?.makespan;
            let serial = alone.0.checked_mul(block).ok_or_else(|| wrong(ProgramError::Overflow))?;
            Ok((solution.interval, Cycles(serial)))
        }
    }
}

/// Engines are given at most so long for a kernel.
const MOST_TIME: Duration = Duration::from_secs(2);

/// The cycles that may stand for an execution time: those of an upper bound, and of nothing else.
fn safe(upper: Upper) -> Cycles {
    upper.cycles()
}
