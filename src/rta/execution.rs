//! C of a kernel that is given as a string: a bound on the makespan of the warps that one multiprocessor holds at once.
//!
//! A multiprocessor that holds R blocks of w warps runs W = R w warps; C is the *upper* end of the interval that
//! [`solve`](crate::solve) proves for them, over the clock. Nothing else may be used: a lower bound, an estimate and the
//! middle of an interval are all too low for somebody.
//!
//! That C holds for blocks that start together on a multiprocessor that runs nothing else meanwhile. It does *not* hold for
//! blocks that follow one another: LCL, blocks of one warp, two of them at a time, sigma 1 has T(2) = 4, but four such blocks
//! can take 9 cycles, more than two rounds of 4. [`Solved::serial`] holds whatever the company: see [`bound`](super::bound).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::bound::{Interval, Upper};
use crate::limits::Limits;
use crate::model::{Cycles, Instance, InstanceError, Kernel};
use crate::phase;
use crate::rta::{Source, System, Time, Unit, WARP};
use crate::solve::{Engine, IlpOptions, SolveError, solve};

/// The execution time of a kernel's blocks, and why.
#[derive(Debug, Clone)]
pub struct Execution {
    /// C.
    pub time: Time,
    /// Where it comes from, if it is not given.
    pub solved: Option<Solved>,
}

/// What was solved for a kernel string.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The warps of the blocks that a multiprocessor holds at once.
    pub instance: Arc<Instance>,
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
    let mut known: HashMap<(&Kernel, u64, u64), (Arc<Instance>, Interval)> = HashMap::new();
    let mut executions = Vec::with_capacity(system.tasks.len());
    for task in &system.tasks {
        let kernel = match &task.execution {
            &Source::Given(time) => {
                executions.push(Execution { time, solved: None });
                continue;
            }
            Source::Code(kernel) => kernel,
        };
        let resident = system.gpu.room.fits(&task.block).min(task.blocks);
        let in_a_block = task.threads.div_ceil(WARP);
        let warps = resident.saturating_mul(in_a_block);
        let wrong = |error| ExecutionError::Instance { name: task.name.clone(), error };
        let of = |warps| {
            let instance = Instance::single(kernel.clone(), warps, system.multiprocessor);
            instance.and_then(|instance| instance.in_blocks_of(in_a_block)).map_err(wrong)
        };
        let key = (kernel, warps, in_a_block);
        let (instance, interval) = match known.get(&key) {
            Some((instance, interval)) => (Arc::clone(instance), *interval),
            None => {
                let instance = of(warps)?;
                let limits = limits.within(MOST_TIME);
                let interval =
                    solve(&instance, Engine::Auto, &IlpOptions::default(), &limits, None)?.interval;
                let instance = Arc::new(instance);
                known.insert(key, (Arc::clone(&instance), interval));
                (instance, interval)
            }
        };
        let time = |cycles| {
            let time = system.unit.of_cycles(cycles, system.gpu.clock);
            time.ok_or_else(|| ExecutionError::Clock(task.name.clone(), cycles, system.unit))
        };
        let serial = time(safe(phase::busy(&of(in_a_block)?)))?;
        let solved = Solved { resident, interval, serial, instance };
        executions.push(Execution { time: time(safe(interval.upper()))?, solved: Some(solved) });
    }
    Ok(executions)
}

/// Engines are given at most so long for a kernel.
const MOST_TIME: Duration = Duration::from_secs(2);

/// The cycles that may stand for an execution time: those of an upper bound, and of nothing else.
fn safe(upper: Upper) -> Cycles {
    upper.cycles()
}
