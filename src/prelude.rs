//! What most users need: a workload, a solver, and what it says.

pub use crate::bound::{Interval, Lower, Upper};
pub use crate::engines::portfolio::{EngineChoice, Solution, SolveError, Solver};
pub use crate::limits::{Ending, Limits, NotExact, Stop};
pub use crate::model::device::Capability;
pub use crate::model::{Code, Cycles, Group, Kernel, Multiprocessor, Throughput, Workload};
