//! How long one launch of a kernel on a GPU takes at most: what stands behind the command `time`.
//!
//! A [`Question`] holds the texts of a listing and of the files that go with it, the names of the GPU and of the machine, and
//! what is declared of the launch. [`answer`] makes the record [`Time`](warpspan_records::Time) of it, or says in a [`Failure`] what is
//! missing. Nothing here reads files, parses a command line or writes to a terminal, so that the page in a browser asks
//! by the same route as the command.
//!
//! ```
//! use warpspan_launch::{Code, Listing, Question, answer, block, grid};
//! use warpspan_model::source::Remedy;
//!
//! // A loop whose passes come from memory, so that only its user knows how many there are.
//! let listing = "
//! .version 8.0
//! .target sm_87
//! .entry k(.param .u64 p) {
//! ld.param.u64 %rd1, [p];
//! AGAIN:
//! ld.global.u32 %r1, [%rd1];
//! setp.ne.u32 %p1, %r1, 0;
//! @%p1 bra AGAIN;
//! exit;
//! }
//! ";
//! let question = |code: Code| -> Result<Question, String> {
//!     Ok(Question {
//!         listing: Listing { place: "k.ptx".to_owned(), bytes: listing.into() },
//!         code,
//!         gpu: Some("jetson-orin".to_owned()),
//!         grid: grid("16")?,
//!         block: block("32x8")?,
//!         ..Question::default()
//!     })
//! };
//! let missing = answer(&question(Code::default())?).unwrap_err();
//! assert!(missing.remedies().any(|one| *one == Remedy::LoopBounds(vec!["AGAIN".to_owned()])));
//!
//! let code = Code { loop_bound: vec!["AGAIN=10".to_owned()], ..Code::default() };
//! let found = answer(&question(code)?)?;
//! assert!(found.bound_ns.is_some_and(|bound| bound >= found.least_ns) && !found.assumptions.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The record says what was declared by the flags of the command (`hints`, `assumptions`), which are the names of these declarations
//! wherever the record is read. So this is the one crate below the command line that knows flags: [`flags`] has them for
//! every [`Remedy`](warpspan_model::source::Remedy).

// Layers: a module uses only those of the groups above its own.
#[doc(hidden)]
pub mod flags;
mod parse;
mod texts;
#[doc(hidden)]
pub mod words;

mod caches;
mod code;
mod failure;

mod machine;
mod waits;

mod kernel;
mod question;

mod given;
mod totals;

mod assumes;
mod gpu;
mod kept;

mod co_running;
mod enough;
mod hints;
mod traffic;

mod answer;

mod alone;

mod margins;
mod with_others;

mod run;

pub use alone::on_gpu_alone;
pub use caches::{FirstCache, Held, Kept};
pub use code::{Code, with_transactions};
pub use failure::{Failure, Kind};
pub use machine::{MachineFrom, Numbers};
pub use margins::with_margins;
pub use parse::{Clocks, Sizes, block, clocks, grid, time};
pub use question::{LaunchFacts, Other, OtherKernels, Question, Traffic};
pub use run::answer;
pub use texts::{File, Listing};
