//! A safe bound on the makespan of a grid.
//!
//! A block has b warps, each of which issues I letters and gains a; R blocks are on a multiprocessor at once.
//! c is the price of a switch and n counts the switches of a warp, as in the
//! [phase bound](crate::phase::bound()); e is 1 if the code ends with a slow letter and begins with a
//! fast one, and otherwise 0. Then the blocks that a multiprocessor runs until it ends, and those that it runs
//! until the last one starts, take at most
//!
//! ```text
//! P(x) = x b a + K (I - a) + c (K n + (K - 1) e)      with K = ceil(x / R), for x blocks
//! Q(y) = the same with K = floor(y / R), and 0 for y < R
//! ```
//!
//! where a sum over units takes the place of the waits if it is smaller, as in the critical path. With L, the
//! phase bound of R blocks, the makespan of G blocks on M multiprocessors is at most
//!
//! ```text
//! P(G)                                                                              M = 1
//! the largest over 1 <= x <= G of min(P(x), L + Q(floor((G - x) / (M - 1))))        M > 1
//! ```
//!
//! The second line holds since x blocks are on the multiprocessor that ends last: no multiprocessor has room
//! before the last block starts, one of the others has at most (G - x) / (M - 1) of the blocks until then, and no
//! block starts afterwards. The code is *odd* if both sigmas are 1, R is at least 2, and it has no barrier and no
//! maximal alternating block of even length. Then P(x) is x b a + I - a and Q(y) is y b a from y = R on. For
//! programs, `docs/relay.md` says which maxima over paths replace I, n and a.

use num_traits::{CheckedAdd, CheckedMul};
use warpspan_check::seal::SEAL;

use crate::crossing::largest_minimum;
use crate::phase::{self, Rational};
use crate::program::{self, BlockTerms, CoRunning, ProgramError};
use warpspan_check::bound::{Letters, Theorem, Upper};
use warpspan_model::{Cycles, Grid, Instance, Unit};

/// The number of thetas that are tried besides the two ends of their range.
const MOST_THETAS: usize = 40;

/// The bound on the makespan of a grid.
///
/// ```
/// use warpspan_engines::relay::bound;
/// use warpspan_model::{Code, Grid};
///
/// // ten blocks of LLCLL, 8 warps each, two at once
/// let grid = Grid::new("LLCLL".parse::<Code>()?, Default::default(), 8, 10)?;
/// assert_eq!(bound(&grid.clone().on(1, 2)?)?.cycles().0, 321);
/// assert_eq!(bound(&grid.on(2, 2)?)?.cycles().0, 193);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a program has no bound or a number does not fit.
pub fn bound(grid: &Grid) -> Result<Upper, ProgramError> {
    let m = grid.multiprocessors();
    Ok(bounds(grid, &[m])?[0])
}

/// The bounds on the makespan of the blocks of a grid on each of these numbers of multiprocessors, instead of
/// its own number.
///
/// # Errors
/// As [`bound()`].
pub fn bounds(grid: &Grid, multiprocessors: &[u64]) -> Result<Vec<Upper>, ProgramError> {
    let relay = Relay::new(grid)?;
    multiprocessors.iter().map(|&m| relay.makespan(m.max(1))).collect()
}

struct Relay<'a> {
    grid: &'a Grid,
    /// The terms of a block at each theta.
    terms: Vec<BlockTerms>,
    path: Letters,
    chain: Letters,
    /// The letters that each unit issues in a cycle, unless no warp ever waits for it.
    scarce: [Option<u128>; 2],
    /// Whether the code is odd: every cycle but those of one warp's letters then issues a letter that counts in A.
    odd: bool,
    /// The bound on the makespan of blocks that start together.
    together: Upper,
    /// What the bound follows from where blocks follow one another, or are on several multiprocessors.
    theorem: Theorem,
}

impl<'a> Relay<'a> {
    fn new(grid: &'a Grid) -> Result<Self, ProgramError> {
        let blocks = std::slice::from_ref(grid.block());
        let co_running = CoRunning::new(blocks, grid.together().total_warps())?;
        let thetas = co_running.thetas(MOST_THETAS)?;
        let letters = co_running.letters(0)?;
        let together = grid.together();
        let odd = grid.resident() >= 2 && together.instance().is_some_and(has_odd_blocks);
        let plain = together.instance().is_some_and(|instance| !instance.has_barriers());
        Ok(Self {
            grid,
            terms: thetas.iter().map(|&theta| co_running.terms(0, theta)).collect::<Result<_, _>>()?,
            path: letters.path,
            chain: letters.chain,
            scarce: Unit::ALL.map(|unit| co_running.scarce(unit)),
            odd,
            together: match together.instance() {
                Some(instance) => phase::bound(instance).makespan,
                None => program::bound(together)?.makespan,
            },
            theorem: if plain { Theorem::EqualBlocks } else { Theorem::Relay },
        })
    }

    fn makespan(&self, multiprocessors: u64) -> Result<Upper, ProgramError> {
        let (blocks, slots) = (self.grid.blocks(), self.grid.resident());
        if slots.saturating_mul(multiprocessors) >= blocks {
            // Blocks that are spread over several multiprocessors are not one instance of the phase bound.
            let spread = multiprocessors > 1 && self.grid.together().instance().is_some();
            return Ok(if spread {
                Upper::proved(self.together.cycles(), self.theorem, SEAL)
            } else {
                self.together
            });
        }
        let cycles = match multiprocessors - 1 {
            0 => self.to_end(blocks)?,
            others => {
                let together = u128::from(self.together.cycles().0);
                let (most, others) = (i128::from(blocks), i128::from(others));
                let count = |x: i128| u64::try_from(x).map_err(|_| ProgramError::Overflow);
                let end = |x: i128| self.to_end(count(x)?);
                let late = |x: i128| Ok(together + self.to_start(count((most - x) / others)?)?);
                largest_minimum(most, end, late, |&cycles| cycles)?.unwrap_or(together)
            }
        };
        let cycles = u64::try_from(cycles).ok().filter(|&cycles| cycles < 1 << 63);
        Ok(Upper::proved(Cycles(cycles.ok_or(ProgramError::Overflow)?), self.theorem, SEAL))
    }

    /// P, what `blocks` blocks take at most on a multiprocessor.
    fn to_end(&self, blocks: u64) -> Result<u128, ProgramError> {
        let relay = self.relay(blocks, blocks.div_ceil(self.grid.resident()))?;
        let Some(terms) = self.odd() else { return Ok(relay) };
        let others = times(terms.beside()?, blocks - 1)?;
        Ok(relay.min(floor(others.checked_add(&terms.first()?).ok_or(ProgramError::Overflow)?)?))
    }

    /// Q, the time until the last block of the queue starts, on a multiprocessor that gets this many blocks before.
    fn to_start(&self, blocks: u64) -> Result<u128, ProgramError> {
        match (blocks / self.grid.resident(), self.odd()) {
            (0, _) => Ok(0),
            (_, Some(terms)) => floor(times(terms.beside()?, blocks)?),
            (followed, None) => self.relay(blocks, followed),
        }
    }

    /// The terms of an odd code.
    fn odd(&self) -> Option<&BlockTerms> {
        // at sigma 1 there is one theta
        self.terms.first().filter(|_| self.odd)
    }

    /// The cost of `blocks` blocks of which `followed` are followed one after another.
    fn relay(&self, blocks: u64, followed: u64) -> Result<u128, ProgramError> {
        let mut least = self.by_units(blocks, followed)?;
        for terms in &self.terms {
            let beside = times(terms.beside()?, blocks - followed)?;
            let cost = beside.checked_add(&terms.relay(followed)?).ok_or(ProgramError::Overflow)?;
            least = least.min(floor(cost)?);
        }
        Ok(least)
    }

    /// The same by the critical path: the letters of the warps that are followed, and for each unit that can
    /// make a warp wait those of all others.
    fn by_units(&self, blocks: u64, followed: u64) -> Result<u128, ProgramError> {
        let warps = self.grid.warps_per_block();
        let own = if warps == 1 { self.path.all } else { self.chain.all };
        let sum = || {
            let mut sum = own.checked_mul(followed.into())?;
            for (unit, sigma) in Unit::ALL.into_iter().zip(self.scarce) {
                let Some(sigma) = sigma else { continue };
                let same =
                    self.chain.on[unit].checked_mul((warps - 1).into())?.checked_mul(followed.into())?;
                let other = self.path.on[unit].checked_mul(warps.into())?;
                let others = other.checked_mul((blocks - followed).into())?.checked_add(same)?;
                sum = sum.checked_add(others / sigma)?;
            }
            Some(sum)
        };
        sum().ok_or(ProgramError::Overflow)
    }
}

/// Whether both sigmas are 1, and the code has no barrier and no maximal alternating block of even length.
/// While two warps are on such a multiprocessor, one of them is ready for the unit of the phase.
pub(crate) fn has_odd_blocks(instance: &Instance) -> bool {
    let kernel = &instance.groups()[0].kernel;
    let even = |units: &[Unit]| units.chunk_by(|a, b| a != b).any(|block| block.len().is_multiple_of(2));
    instance.has_unit_sigma() && kernel.barriers().is_empty() && !even(kernel.units())
}

fn times(cost: Rational, blocks: u64) -> Result<Rational, ProgramError> {
    cost.checked_mul(&Rational::from(i128::from(blocks))).ok_or(ProgramError::Overflow)
}

fn floor(cost: Rational) -> Result<u128, ProgramError> {
    u128::try_from(cost.floor().to_integer()).map_err(|_| ProgramError::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::{Code, Multiprocessor};

    fn cycles(code: &str, sigmas: [&str; 2], [warps, blocks, resident, multiprocessors]: [u64; 4]) -> u64 {
        let multiprocessor = Multiprocessor::new(sigmas[0].parse().unwrap(), sigmas[1].parse().unwrap());
        let grid = Grid::new(code.parse::<Code>().unwrap(), multiprocessor, warps, blocks).unwrap();
        bound(&grid.on(multiprocessors, resident).unwrap()).unwrap().cycles().0
    }

    #[test]
    fn ten_blocks_on_one_to_five_multiprocessors() {
        let found = [1, 2, 3, 4, 5].map(|m| cycles("LLCLL", ["1", "1"], [8, 10, 2, m]));
        assert_eq!(found, [321, 193, 129, 129, 65]);
    }

    /// Exact worst cases, which an exhaustive search found, that exceed rounds of the worst case of one round.
    #[test]
    fn rounds_are_too_low_and_this_is_not() {
        assert!(cycles("LCL", ["1", "1"], [1, 4, 2, 1]) >= 9);
        assert!(cycles("LL", ["1", "1"], [1, 12, 3, 2]) >= 14);
        assert!(cycles("CC", ["2", "3"], [1, 6, 2, 1]) >= 6);
    }

    /// A program whose arms are equal and the string that it stands for have the same bounds. (A program is
    /// not known to be odd, so these strings have alternating blocks of even length.)
    #[test]
    fn programs_of_one_path_are_strings() {
        let pairs = [("[LC/LC]LCC", "LCLCC"), ("C([LLC/LLC]|)2..2L", "CLLC|LLC|L"), ("[CC/C]L3", "CCLLL")];
        for (program, string) in pairs {
            let program = program.parse::<Code>().unwrap();
            assert!(program.kernel().is_none());
            for sigmas in [["1", "1"], ["1", "2"], ["3", "2"], ["1/2", "4"]] {
                for numbers in [[1, 7, 3, 1], [2, 9, 2, 1], [3, 11, 2, 3], [2, 4, 4, 1]] {
                    let found = cycles(&program.to_string(), sigmas, numbers);
                    assert_eq!(found, cycles(string, sigmas, numbers), "{string} {sigmas:?} {numbers:?}");
                }
            }
        }
    }

    #[test]
    fn vast_grids_are_answered_or_refused() {
        assert_eq!(cycles("LC", ["1", "1"], [1, 1 << 60, 1, 1]), 1 << 61);
        assert!(cycles("LC", ["1", "1"], [32, 1 << 50, 2, 28]) > 0);
    }
}
