//! Writes a file of declarations with everything that may be said of a listing, unknown numbers left open.
//!
//! | module | has |
//! |---|---|
//! | `writer` | the tables and marks of all that is written |
//! | `branches` | the part about branches |
//! | `write` | the file |

mod branches;
mod write;
pub(crate) mod writer;

pub use branches::divergent_branches;
pub use write::{Undeclared, declare};
