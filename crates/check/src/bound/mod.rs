//! Bounds on the worst-case makespan, each with its side and its evidence in its type.
//!
//! The kernel has I instructions, of which `I_U` are for unit U, and W warps run it:
//!
//! | bound | side | safe | function | source |
//! |---|---|---|---|---|
//! | critical path | upper | always | [`critical_path`] | Be12 section 4, corrected |
//! | pessimistic T | upper | only at sigma = 1 | [`pessimistic`] | Be12 Eq. 5-7 |
//! | min over y | estimate | never | [`min_over_y`] | Be12 Eq. 42-43 |
//! | bottleneck | lower | always | [`bottleneck`] | capacity of the fullest unit |
//!
//! An [`Upper`] cannot be passed where a [`Lower`] is wanted, and an estimate is neither. [`Interval`] holds
//! one of each and refuses a contradiction.

mod bottleneck;
mod critical_path;
mod demand;
mod interval;
mod machine;
mod min_over_y;
mod pessimistic;
mod side;
pub mod statement;
mod theorem;

pub use bottleneck::{bottleneck, grid_bottleneck};
pub use critical_path::critical_path;
pub use demand::Demand;
#[doc(hidden)]
pub use demand::GroupDemand;
#[doc(hidden)]
pub use demand::Letters;
pub use interval::{Contradiction, Interval};
pub use machine::machine_bottleneck;
pub use min_over_y::{Estimate, Term, min_over_y};
pub use pessimistic::{Pessimistic, pessimistic};
pub use side::{Lower, Upper};
pub use statement::{Checked, Statement};
pub use theorem::{Family, Theorem};
