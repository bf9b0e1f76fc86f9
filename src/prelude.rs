//! The types that most users of the library need: workloads, the solver, and its results.

pub use crate::bound::{Interval, Lower, Upper};
pub use crate::engines::portfolio::{EngineChoice, Solution, SolveError, Solver};
pub use crate::limits::{Ending, Limits, NotExact, Stop};
pub use crate::model::device::Capability;
pub use crate::model::{Code, Cycles, Group, Kernel, Multiprocessor, Throughput, Workload};
