//! Structured programs: a bound on the finish of warps whose code has loops, branches and barriers.
//!
//! # Theory
//!
//! What the [phase bound](crate::phase::bound()) needs of a warp's string is a best labelling, and
//! best labellings compose: a piece of code is a 2x2 matrix over (max, +), a sequence is a product, a branch
//! an entrywise maximum, and a loop a power (`matrix`). A barrier is a free change of label. Where the warps
//! of a block may take different paths, the maximum is taken from barrier to barrier (`track`). [`bound()`]
//! combines these parts. `docs/programs.md` has all statements and proofs.
//!
//! # Assumptions
//!
//! * A warp takes any path of its program, whatever the others take, unless the workload says that all
//!   warps of a group take the same path ([`Workload::with_same_path`](warpspan_model::Workload::with_same_path)).
//! * All warps of a block make equally many rounds of a loop that holds a barrier, as CUDA demands.
//!   [`ProgramBound::assumes`] names each such loop whose count is not fixed.
//! * Barriers of a block are counted: the k-th barrier that a warp reaches opens when all warps of its block
//!   have reached their k-th, or have ended.
//!
//! The analysis does not cover barriers under a divergent branch, arms with different numbers of barriers
//! (except for a warp that ends early), or recursion.
//!
//! The text of programs is described in [`warpspan_model::program`].
//!
//! ```
//! use warpspan_engines::program::bound;
//! use warpspan_model::{Code, Workload};
//!
//! let program: Code = "C2(LLC|)0..1000000[LC/]L".parse()?;
//! assert_eq!(program.to_string(), "CC(LLC|)0..1000000[LC/]L");
//! let found = bound(&Workload::single(program, 48, Default::default())?)?;
//! assert_eq!(found.makespan.cycles().0, 3_000_005 + 47 * 2_000_003);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assumptions;
mod best;
mod blocks;
mod bound;
mod co_running;
mod error;
mod heaviest;
mod joint;
mod labels;
mod lower;
mod matrix;
mod minimum;
mod prices;
mod states;
#[doc(hidden)]
pub mod symbolic;
mod terms;
mod trace;
mod track;
mod value;

pub use bound::{ProgramBound, bound, demand};
pub(crate) use co_running::{BlockTerms, CoRunning};
pub use error::{Line, ProgramError};
pub use heaviest::{Heaviest, Passed, heaviest};
pub use labels::PieceLabels;
#[doc(hidden)]
pub use lower::{Choice, choices};
pub use symbolic::Expression;
