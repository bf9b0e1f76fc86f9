//! E, the longest time that a warp takes by itself over all paths of its code, with scoreboards or registers
//! that say which instructions wait for which.
//!
//! # Theory
//!
//! On a path of letters 1 to I let E(1) = 1, and let E(i) be the largest of
//!
//! - E(i-1) + step(i-1), where the step is the stall of an instruction with
//!   [`Waits`](warpspan_model::machine::Waits), and hi for any other, whose result the next one waits for;
//! - E(j) + hi(j) for each earlier j that sets a token which i needs;
//! - E(j) + n(j) for each earlier j on the same unit, also where the unit has several instances.
//!
//! Then letter i issues no later than E(i) plus the number of cycles in which the warp was ready and blocked by
//! other warps alone. The theorem about finishing times in `docs/machines.md` ("E and scoreboards", with the
//! proof) adds the weights of the other warps to the largest E(I) over all paths, [`Own::last_issue`].
//!
//! Each letter is a linear map over (max, +) of the times at which the warp may issue, each token and each unit is
//! free, and everything is over (`rows`). A sequence is a product of maps and a uniform branch an entrywise maximum, so
//! for them E is the maximum over all paths and nothing is lost. No map lowers a time. Hence a loop is a power with its
//! greatest number of rounds, and a divergent branch is the maximum over all orders of all its arms. Interleaved arms
//! have no such map, and `interleave` bounds them.
//!
//! # Barriers
//!
//! A [barrier](warpspan_model#barriers) is crossed when everything before it is over, the last stall included, and then
//! all tokens and units are free. Machines may open it earlier and leave results pending; no last result comes later then
//! (`docs/own.md`, "Barriers"). So a segment between barriers has a time that does not depend on the code before it.
//!
//! ```
//! use warpspan_engines::own::own;
//! use warpspan_model::machine::{Latency, Machine, Unit};
//!
//! let load = Unit { occupancy: 2, latency: Latency { least: 1, most: 10 }, ..Unit::simple("L") };
//! let machine = Machine::new(1, None, vec![load, Unit::simple("C")], vec![])?;
//! let found = own(&machine.code("(L[C/])1000000")?, &machine)?;
//! assert_eq!((found.last_issue, found.completion), (11_000_000, 11_000_000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod error;
mod interleave;
mod places;
mod rows;
mod scope;

pub use error::{MOST_TOKENS, OwnError};

use std::cell::RefCell;

use apply::Rules;
use places::{LAST, NOW, OVER, Places};
use rows::Rows;
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;

/// How long a warp takes by itself, in cycles counted from cycle 1. All are 0 where no path has an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Own {
    /// E, the last cycle in which it issues.
    pub last_issue: u64,
    /// The last cycle in which a result is not ready or an instance of a unit is held.
    pub completion: u64,
    /// The last cycle in which it keeps a barrier behind the code from opening: [`completion`](Self::completion),
    /// or the end of the stall of the last instruction if that is later.
    pub arrival: u64,
}

/// The largest last issue, completion and arrival over all paths of the code of a warp.
///
/// Code with barriers is crossed from barrier to barrier as if the warp were alone in its block. With other warps in
/// the block, bounds need [`chain`].
///
/// # Errors
/// If the result is 2^64 cycles or more, pieces are nested too deeply, a loop has no number of rounds, a barrier
/// stands in an arm that not all threads take, or there are more than [`MOST_TOKENS`] tokens.
pub fn own(code: &Piece<Step>, machine: &Machine) -> Result<Own, OwnError> {
    let places = Places::new(code, machine)?;
    let rules =
        Rules { machine, places: &places, scopes: RefCell::default(), interleaved: RefCell::default() };
    let mut rows = Rows::start(places.len());
    rules.piece(code, &mut rows, &scope::Scope::default(), 0)?;
    let value = |place: usize| rows.only(place).unwrap_or_default();
    let (completion, next) = (value(OVER).saturating_sub(1), value(NOW).saturating_sub(1));
    Ok(Own { last_issue: value(LAST), completion, arrival: completion.max(next) })
}

/// The largest sums over chains of warps of a block that all run this code, one warp for each segment between
/// barriers: of the arrivals of all segments but the last, and of the last issue, completion or arrival of the
/// last one.
///
/// There is none if a branch holds a barrier, since the segments of a chain may then be those of different
/// arms. All warps of the block must make equally many rounds of a loop that holds a barrier.
///
/// # Errors
/// As [`own`].
pub fn chain(code: &Piece<Step>, machine: &Machine) -> Result<Option<Own>, OwnError> {
    // Without barriers in branches all paths have the same segments. Each of these begins in the same state,
    // so the largest sum over chains is that over paths.
    let in_branch = |piece: &Piece<Step>| matches!(piece, Piece::Branch { .. }) && piece.has_barrier();
    if code.pieces().any(in_branch) { Ok(None) } else { own(code, machine).map(Some) }
}

#[cfg(test)]
pub(crate) mod tests;
