//! Machines with latency, issue width, schedulers and any kinds of unit: safe bounds on the worst case.
//!
//! A simulation proves nothing here, because a shorter latency can make the makespan longer. [`bounds()`]
//! computes these upper bounds and takes the smallest for each group:
//!
//! | theorem | applies to |
//! |---|---|
//! | critical path | every machine and all code |
//! | phase bound with width and latency, uniform prices | occupancies of 1, no barriers |
//! | the same, neutral prices | as above, straight lines |
//! | pipelined | straight lines with latencies that are long for the number of warps, no barriers |
//! | sum over segments | one block alone with barriers |
//! | the letters that others can have issued | code without barriers, for others in straight lines that are no listing's |
//! | the same for a known order of warps | as above, [`bounds_under`] |
//!
//! The symbols: a warp's code has I letters; a letter has an occupancy n and a latency from lo to hi, and its
//! unit m instances; a scheduler issues d instructions a cycle. Lambda is the sum of max(hi, n) - 1 over all
//! letters of a warp but its last. All numbers are whole numbers of cycles, or of parts of a cycle that
//! divide each weight; nothing is rounded until a sum is, and every sum is checked for overflow.
//!
//! Where the warps of a block with barriers may take different paths, the maximum over the paths is taken from
//! barrier to barrier, and the segments of arms with two barriers or more are added up. Both are safe but
//! loose. All warps of a block make equally many rounds of a loop that holds a barrier, as CUDA demands.
//!
//! [`account()`] says what each line of the code adds to the critical path. [`grid()`] bounds blocks that follow
//! one another. `docs/machines.md` has all statements and proofs.
//!
//! ```
//! use std::sync::Arc;
//! use warpspan_engines::latency::bounds;
//! use warpspan_model::machine::{Latency, Machine, MachineGroup, MachineWorkload, Unit};
//!
//! let load = Unit { latency: Latency { least: 1, most: 10 }, ..Unit::simple("L") };
//! let machine = Machine::new(1, Some(2), vec![load, Unit::simple("C")], vec![])?;
//! let code = machine.code("LCCL")?;
//! let workload = MachineWorkload::new(Arc::new(machine), vec![MachineGroup { code, warps: 8 }])?;
//! let found = bounds(&workload)?;
//! // I, Lambda, and for each other warp the two C, which are worth as much as the two L.
//! assert_eq!(found.makespan.cycles().0, 4 + 9 + 7 * 2);
//! assert_eq!(found.completion.cycles().0, 4 + 9 + 7 * 2 + 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod bounds;
mod context;
mod costs;
mod critical;
mod error;
mod follow;
mod grid;
mod lines;
mod matrix;
mod memory;
mod most;
mod own;
mod phase;
mod pinned;
mod pipelined;
mod policy;
mod prices;
mod several;
mod spread;
mod together;
mod weights;
mod workload;

pub use account::{Account, Parts, Place, account};
pub use bounds::{Applied, MachineBounds, PriceList, Skipped, bounds, bounds_under};
pub use costs::{Block, BlockCost, block_costs, overhang, spread_costs};
pub use error::LatencyError;
pub use follow::{Blocks, Followed, Further, completion, followed, followed_with};
pub use grid::{grid, grid_followed};
pub use lines::{BlockLines, block_lines, spread_lines};
pub use memory::{Traffic, Window, stalls, window};
pub use workload::as_blocks;
