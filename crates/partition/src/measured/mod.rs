//! Measured execution times by the number of multiprocessors: what they say of a kernel (Si21 section 3.3).
//!
//! | Si21 | what | here |
//! |---|---|---|
//! | Definition 1 | memory- or compute-intensive | [`definition_1`] |
//! | section 3.3.2, 3.6.1 | a, b and k by least squares: an estimate | [`Fit`] |
//! | ours | a curve that no measured time lies above | [`Curve`] |
//! | Fig. 3.3 | times beside another kernel | [`MeasuredBeside`] |
//!
//! Nothing here is a bound: a time that was not measured may be longer.

mod classes;
mod definition;
mod fit;
mod read;
mod tasks_file;

pub use classes::{Classes, MeasuredBeside, MeasuredClass};
pub use definition::{Classified, Tolerance, definition_1};
pub use fit::{Curve, Fit, Residual};
pub use read::{MeasuredTask, MeasuredTimes, read_measured};
pub use tasks_file::{Unwritten, tasks_file};
