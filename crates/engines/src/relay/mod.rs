//! Blocks that follow one another: a safe bound on the makespan of a grid, and what a block costs others.
//!
//! # Why rounds are unsafe
//!
//! Blocks of a grid wait for room on a multiprocessor and start when others end. The worst case of the blocks that a
//! multiprocessor holds at once does not bound such rounds: with LCL in blocks of one warp, two at once and sigma 1,
//! T(2) is 4, but four blocks can take 9 cycles. On several multiprocessors with one queue, not even rounds of an upper
//! bound are safe.
//!
//! # Theory
//!
//! Follow one block after another through an interval of time, and in each block a warp that arrives last at
//! its next barrier. With the labellings of the [phase bound](crate::phase::bound()) at any theta, a
//! block b whose warps gain a each costs `A_b`, the sum of a over its warps, if it is present in the interval;
//! if it is followed, it costs `C_b` on top, which is the length of one warp less its own a, and the price of
//! its switches. The interval is no longer than the sum of all these costs (`docs/relay.md` has the proof).
//! The blocks that are followed can be chosen: of R slots that are never empty, one holds no more than an
//! R-th of the blocks.
//!
//! [`bound()`] adds up the costs of a grid, on one multiprocessor or on several with one queue. [`costs`] are
//! those of single blocks, from which `rta` makes response times. All terms of a sum
//! are taken at one theta; whichever theta gives the smallest sum is safe. Nothing is computed in floating
//! point.
//!
//! Not covered are blocks of several kernels in one grid, and blocks that a multiprocessor preempts.

mod costs;
mod grid;

pub use costs::{Cost, Costs, costs};
pub(crate) use grid::has_odd_blocks;
pub use grid::{bound, bounds};
