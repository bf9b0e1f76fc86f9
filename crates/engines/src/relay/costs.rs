//! What a block costs the time of a multiprocessor that it shares with other blocks.

use crate::phase::Rational;
use crate::program::{CoRunning, ProgramError};
use warpspan_model::Workload;

/// What one block costs, in cycles, at some theta. Each number is at least the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// `A_b`, if it is present while other blocks are followed.
    pub beside: Rational,
    /// `A_b + C_b` if it is the first block that is followed, which is entered for nothing.
    pub first: Rational,
    /// `A_b + C_b` if it is followed after another block, whatever that runs.
    pub followed: Rational,
}

/// What blocks cost, at several thetas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costs {
    /// The thetas, at least one. A sum of costs takes all its terms at one of them, and every one is safe.
    pub thetas: Vec<Rational>,
    /// The costs of each block, one for each theta.
    pub of: Vec<Vec<Cost>>,
}

/// The number of thetas that are tried besides the two ends of their range.
const MOST_THETAS: usize = 6;

/// The costs of blocks of which at most `most_warps` warps are on the multiprocessor at once. Each block is a
/// workload of one group, and all are on the same kind of multiprocessor.
///
/// ```
/// use warpspan_engines::relay::costs;
/// use warpspan_model::{Code, Workload};
///
/// // LCL has I = 3 and a = 2, so a block of 4 warps costs 8 cycles, and 1 more where it is followed.
/// let block = Workload::single("LCL".parse::<Code>()?, 4, Default::default())?;
/// let found = costs(&[block], 8)?;
/// assert_eq!((found.of[0][0].beside, found.of[0][0].followed), (8.into(), 9.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a program has no bound or a number does not fit.
pub fn costs(blocks: &[Workload], most_warps: u64) -> Result<Costs, ProgramError> {
    let co_running = CoRunning::new(blocks, most_warps)?;
    let thetas = co_running.thetas(MOST_THETAS)?;
    let cost = |block, theta| {
        let terms = co_running.terms(block, theta)?;
        Ok(Cost { beside: terms.beside()?, first: terms.first()?, followed: terms.followed()? })
    };
    let of_block = |block| thetas.iter().map(|&theta| cost(block, theta)).collect();
    let of = (0..blocks.len()).map(of_block).collect::<Result<_, ProgramError>>()?;
    Ok(Costs { thetas, of })
}
