//! The answer to a workload: the narrowest interval that the engines prove within the limits.
//!
//! This is the only module that uses several engines together. Each engine gives a *claim*. A schedule is
//! replayed before it counts as a lower bound, a dual bound counts only over a safe horizon, and bounds that
//! contradict each other end the run with [`SolveError::Disagreement`] instead of a number.
//!
//! | engine | applies to | lower bound from | upper bound from |
//! |---|---|---|---|
//! | [`EngineChoice::Phase`] | one kernel, `sigma_L = sigma_C = 1` | its schedule, replayed | the theorem of [`warpspan_engines::phase`] |
//! | | everything else | a search guided by the phase bound, replayed | the phase bound, of all states not ruled out |
//! | [`EngineChoice::Beam`] | everything without barriers | one beam, replayed | the phase bound, of all states not ruled out |
//! | [`EngineChoice::States`] | what fits in memory | its schedule, replayed | having looked at every state |
//! | [`EngineChoice::Ilp`] | everything small | HiGHS's schedule, replayed | HiGHS's dual bound |
//! | all | | schedules of [`warpspan_engines::simulate`], replayed | critical path |
//!
//! All of them implement one trait (`engine`) with functions that check whether an engine applies, forecast
//! what it needs, solve, and narrow what is known. [`EngineChoice::Auto`] is a list of engines (`choice`):
//! the closed form where it applies, otherwise the states if they are few, and otherwise the phase bound and
//! its search; where that leaves a gap, the states if they fit in memory, or the ILP. A second engine checks
//! where that is quick ([`Check`]).
//!
//! Code with branches and loops has an upper bound ([`warpspan_engines::program`]) and, as its lower end, a
//! schedule of paths that its warps can take (`program`). With barriers, the segments
//! of one block are solved one by one and added up (`segments`). For several blocks there are bounds and
//! simulated schedules.
//!
//! Blocks of a grid that follow one another have engines of their own (`grid`), and so have machines with latency and
//! issue width (`machine`), whose lower ends are runs of policies (`machine_runs`).

mod agreement;
mod applicability;
mod choice;
mod closed_form;
mod cross_check;
mod engine;
mod engine_name;
mod error;
mod estimate;
mod findings;
mod grid;
mod guided;
mod ilp;
mod machine;
mod machine_runs;
mod machine_table;
mod note;
mod phases;
mod program;
mod progress;
mod residents;
mod row;
mod segments;
mod solution;
mod solver;
mod states;
mod subject;
mod table;
mod task;

pub use agreement::{Agreement, Check};
pub use choice::EngineChoice;
pub use engine_name::EngineName;
pub use error::{Disagreement, NotApplicable, SolveError};
#[doc(hidden)]
pub use estimate::free_terms;
pub use estimate::{Terms, terms};
pub use machine_table::{MachineTable, machine_grid_table, machine_table};
pub use note::Note;
pub use phases::Phase;
pub use program::table_of_paths;
pub use progress::{Observer, Progress};
pub use residents::{Residents, ResidentsError, residents};
pub use row::{Row, Side, Value};
pub use solution::Solution;
pub use solver::Solver;
pub use subject::Subject;
pub use table::{grid_table, table};

use findings::Found;
