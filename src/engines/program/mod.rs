//! Structured programs: what a warp runs when its code has loops, branches and barriers, and how late it can
//! finish.
//!
//! # Theory
//!
//! What the [phase bound](crate::engines::phase::bound()) needs of a warp's string is a best labelling, and
//! that composes: a piece of code is a 2x2 matrix over (max, +), a sequence a product, a branch an entrywise
//! maximum, a loop a power (`matrix`). A barrier is a free change of label, and where the warps of a block
//! may take different ways, the maximum is taken from barrier to barrier (`track`). [`bound()`] puts it
//! together; `docs/programs.md` has all statements and proofs.
//!
//! # What is assumed
//!
//! * A warp takes any path of its program, whatever the others take.
//! * All warps of a block go round a loop that holds a barrier equally often, as CUDA demands;
//!   [`ProgramBound::assumes`] names each such loop whose count is not fixed.
//! * Barriers of a block are counted: the k-th barrier that a warp comes to opens when all warps of its
//!   block have come to their k-th, or have ended.
//!
//! Not covered: barriers under a divergent branch, arms with different numbers of barriers (but for a warp
//! that ends early), recursion.
//!
//! The text of programs is told in [`crate::model::program`].
//!
//! ```
//! use warpspan::engines::program::bound;
//! use warpspan::model::{Code, Workload};
//!
//! let program: Code = "C2(LLC|)0..1000000[LC/]L".parse()?;
//! assert_eq!(program.to_string(), "CC(LLC|)0..1000000[LC/]L");
//! let found = bound(&Workload::single(program, 48, Default::default())?)?;
//! assert_eq!(found.makespan.0, 3_000_005 + 47 * 2_000_003);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assumptions;
mod bound;
mod error;
mod labels;
mod matrix;
mod minimum;
mod prices;
mod terms;
mod track;
mod value;

pub use bound::{ProgramBound, bound, demand};
pub use error::{Line, ProgramError};
pub use labels::PieceLabels;
