//! What the blocks of a kernel take on one multiprocessor: those that it holds at once, and each of many.

use std::time::Duration;

use thiserror::Error;

use crate::bound::{Basis, Interval, Upper};
use crate::engines::phase;
use crate::engines::portfolio::{Engine, IlpOptions, SolveError, program, solve};
use crate::engines::program::{ProgramError, bound};
use crate::limits::Limits;
use crate::model::{Code, Cycles, Multiprocessor, Workload, WorkloadError};

/// Two worst cases of the blocks of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residents {
    /// Of blocks that start together on a multiprocessor that runs nothing else. It does *not* hold for blocks that follow one
    /// another: LCL, blocks of one warp, two of them at a time, sigma 1 has T(2) = 4, but four such blocks can take 9 cycles.
    pub together: Interval,
    /// What a block adds to the time that a multiprocessor is busy, at most, whatever else is on it ([`phase::busy`]).
    pub busy: Upper,
}

/// Why there is no worst case.
#[derive(Debug, Error)]
pub enum ResidentsError {
    /// The kernel and its warps are no instance.
    #[error(transparent)]
    Instance(#[from] WorkloadError),
    /// The program has no bound.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The engines failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Engines are given at most so long for a kernel.
const MOST_TIME: Duration = Duration::from_secs(2);

/// The worst cases of some blocks of `block` warps each.
///
/// # Errors
/// If there are too many warps or instructions, the program has no bound, or an engine fails. A limit that is reached is no
/// error: the interval is wider.
pub fn residents(
    code: &Code,
    [blocks, block]: [u64; 2],
    multiprocessor: Multiprocessor,
    limits: &Limits,
) -> Result<Residents, ResidentsError> {
    let warps = blocks.checked_mul(block).ok_or(WorkloadError::Overflow)?;
    let of = |warps| Workload::single(code.clone(), warps, multiprocessor)?.in_blocks_of(block);
    let (together, one) = (of(warps)?, of(block)?);
    if let (Some(together), Some(one)) = (together.instance(), one.instance()) {
        let limits = limits.within(MOST_TIME);
        let solution = solve(together, Engine::Auto, &IlpOptions::default(), &limits, None)?;
        return Ok(Residents { together: solution.interval, busy: phase::busy(one) });
    }
    // While a block is there, one of its warps stands at no barrier, so something issues in each cycle of a busy time: the
    // block adds at most the letters of its warps, on their longest paths.
    let (solution, _) = program(&together)?;
    let alone = bound(&of(1)?)?.makespan;
    let letters = alone.0.checked_mul(block).ok_or(ProgramError::Overflow)?;
    Ok(Residents {
        together: solution.interval,
        busy: Upper::formula(Cycles(letters), Basis::Program, "sum over blocks"),
    })
}
