//! Worst cases of the blocks of a kernel on one multiprocessor: of those that it holds at once, and of each
//! in a stream of many.

use std::time::Duration;
use warpspan_check::seal::SEAL;

use thiserror::Error;

use crate::portfolio::{SolveError, Solver};
use warpspan_check::bound::{Interval, Theorem, Upper};
use warpspan_engines::phase;
use warpspan_engines::program::{ProgramError, bound};
use warpspan_model::limits::Limits;
use warpspan_model::{Code, Cycles, Multiprocessor, Workload, WorkloadError};

/// Two worst cases of the blocks of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residents {
    /// The worst case of blocks that start together on a multiprocessor that runs nothing else. It does *not*
    /// hold for blocks that follow one another: with LCL, blocks of one warp, two of them at a time and sigma
    /// 1, T(2) is 4, but four such blocks can take 9 cycles.
    pub together: Interval,
    /// Upper bound on the time that a block adds to a busy time of the multiprocessor, whatever else runs
    /// there ([`phase::busy`]).
    pub busy: Upper,
}

/// Why there is no worst case.
#[derive(Debug, Error)]
pub enum ResidentsError {
    /// The kernel and its warps do not make an instance.
    #[error(transparent)]
    Instance(#[from] WorkloadError),
    /// The program has no bound.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The engines failed.
    #[error(transparent)]
    Solve(SolveError),
}

impl From<SolveError> for ResidentsError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Program(error) => Self::Program(error),
            error => Self::Solve(error),
        }
    }
}

/// The most time that the engines are given for a kernel.
const MOST_TIME: Duration = Duration::from_secs(2);

/// The worst cases of some blocks of `block` warps each.
///
/// # Errors
/// If there are too many warps or instructions, the program has no bound, or an engine fails. A limit that is
/// reached is not an error, but makes the interval wider.
pub fn residents(
    code: &Code,
    [blocks, block]: [u64; 2],
    multiprocessor: Multiprocessor,
    limits: &Limits,
) -> Result<Residents, ResidentsError> {
    let warps = blocks.checked_mul(block).ok_or(WorkloadError::Overflow)?;
    let of = |warps| Workload::single(code.clone(), warps, multiprocessor)?.in_blocks_of(block);
    let (together, one) = (of(warps)?, of(block)?);
    let together = Solver::new().limits(limits).time_limit(MOST_TIME).solve(&together)?.worst_case();
    if let Some(one) = one.instance() {
        return Ok(Residents { together, busy: phase::busy(one) });
    }
    // While a block is resident, one of its warps stands at no barrier, so something issues in each cycle of
    // a busy time. The block therefore adds at most the letters of its warps, on their longest paths.
    let alone = bound(&of(1)?)?.makespan.cycles();
    let letters = alone.0.checked_mul(block).ok_or(ProgramError::Overflow)?;
    Ok(Residents { together, busy: Upper::proved(Cycles(letters), Theorem::ProgramBusyTime, SEAL) })
}
