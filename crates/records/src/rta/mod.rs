//! The record of `rta`: response times of kernels on a GPU, and whether all deadlines are met.

mod checked_bounds;
mod explain;
mod fill;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::solve;
use crate::verify::Found;
use crate::{Assumption, Body, Limit};
pub use checked_bounds::CheckedBounds;
pub use explain::{Explanation, Freed, Late, Launch, Share, Step};
pub use warpspan_model::time::TimeUnit;
pub use warpspan_rta::{Basis as VerdictBy, DeadlineMet as Meets, Measured, Method, Verdict};

/// An analysis of the kernels of a system. All times are in its `unit`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rta {
    /// Whether every launch there will be meets its deadline, if blocks take at most C.
    pub verdict: Verdict,
    /// What the verdict rests on; null where it is undecided.
    pub by: Option<VerdictBy>,
    /// What the verdict rests on, and the numbers but for those of `bounds_rest_on`, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// What response bounds rest on, where the verdict is `refuted` and so rests on something else; else absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds_rest_on: Vec<Assumption>,
    /// How the verdict and the response bounds are checked.
    pub checked: Checks,
    /// Whether the machine has no server that says how fast the data of its code moves, so that no deadline is said to be met.
    pub without_limit: bool,
    /// What the file leaves out that would make bounds smaller, a sentence for each kernel; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mends: Vec<String>,
    /// Whether the verdict is `proved`.
    pub schedulable: bool,
    /// The limit that stopped something; null where none did.
    pub stop: Option<Limit>,
    /// The method of the estimates. They take what is given of blocks alone: registers and shared memory that are not given
    /// limit nothing, as in Pa19.
    pub method: Method,
    /// Whether estimates of Algorithm 2 are those of the simulator: its assumptions hold, except that a release or what a block
    /// needs may be missing.
    pub follows_algorithm2: bool,
    /// The unit of all times.
    pub unit: TimeUnit,
    /// What the kernels run on.
    pub gpu: Gpu,
    /// The kernels, in the order in which they are launched.
    pub kernels: Vec<Kernel>,
    /// Threads that are busy in the long run: the sum over the kernels.
    pub utilisation: f64,
    /// The threads that the whole GPU holds at once.
    pub capacity: u64,
    /// Whether more threads are asked for in the long run than there are.
    pub overloaded: bool,
    /// The method covers launches before this time; null where that covers all launches.
    pub horizon: Option<Number>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
    /// What ran where in one run; absent unless it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<Stay>>,
    /// How Algorithm 2 places launches; absent unless it was asked for and its assumptions hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<Launch>>,
}

impl Body for Rta {
    const SCHEMA: &'static str = "warpspan/rta/5";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.rta(self))
    }
}

/// How a verdict and response bounds are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checks {
    /// The verdict; null where there is none, and where it rests on what the bounds rest on.
    pub verdict: Option<CheckedBy>,
    /// The response bounds.
    pub bounds: CheckedBy,
}

/// How something is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedBy {
    /// What it rests on.
    pub by: VerdictBy,
    /// How that is checked, and where Algorithm 2 takes C as it was solved, no better than C.
    pub checked: solve::Checked,
}

/// The GPU of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gpu {
    /// Its multiprocessors.
    pub multiprocessors: u64,
    /// The threads that each of them holds at once.
    pub threads: u64,
}

/// What is known of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// C: a block takes at most so long.
    pub execution: Number,
    /// With which co-running blocks a measured C holds; null where C was computed from code.
    #[serde(default)]
    pub measured: Option<Measured>,
    /// Blocks of a launch.
    pub blocks: u64,
    /// Threads of a block.
    pub threads_per_block: u64,
    /// The time between launches; null where there is one launch only.
    pub period: Option<Number>,
    /// Whether launches may be more than a period apart.
    #[serde(default)]
    pub sporadic: bool,
    /// How long after its arrival a launch is released at most.
    #[serde(default = "zero")]
    pub jitter: Number,
    /// The time of the first arrival.
    pub release: Number,
    /// How long a launch may take from its arrival; null where it has no deadline.
    pub deadline: Option<Number>,
    /// Whether all launches meet the deadline, as far as is proved.
    pub meets: Meets,
    /// Why `meets` is not `yes`; else null.
    pub reason: Option<String>,
    /// An upper bound on response times, which count from the arrival: no launch takes longer. Null where there is none, for the `reason`.
    pub response_bound: Option<Number>,
    /// A lower bound on response times where blocks take C: no launch is faster. Null where there is none.
    pub response_least: Option<Number>,
    /// An estimate, on neither side: the longest response time that the method finds. Null where it finds
    /// none.
    pub response_estimate: Option<Number>,
    /// The release of the launch that takes `response_estimate`.
    pub estimate_release: Option<Number>,
    /// An estimate of the time at which the first launch completes, by the method.
    pub completion: Option<Number>,
    /// How many launches the method covers.
    pub launches: u64,
    /// The longest response time that the simulator finds; null where the simulator is the method, or did not
    /// run.
    pub simulated_estimate: Option<Number>,
    /// A launch that misses its deadline; null where none was found.
    pub missed: Option<Missed>,
    /// Threads that the kernel keeps busy in the long run.
    pub utilisation: f64,
    /// How C was solved from code; null where C was given.
    pub solved: Option<Solved>,
    /// Where the bound comes from that needs no assumption of Algorithm 2, which is the response bound where Algorithm 2 gives
    /// none; absent unless it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// Why there is no explanation; absent unless one was asked for and there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_bound: Option<String>,
}

/// The jitter in records that name none.
fn zero() -> Number {
    Number::from(0)
}

/// A launch that misses its deadline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missed {
    /// Which launch of the kernel, from 1.
    pub launch: u64,
    /// When it is released.
    pub release: Number,
    /// When it completes; null where it was not seen to complete.
    pub completion: Option<Number>,
}

/// How C was solved from code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Solved {
    /// The kernel string, or the text of a program.
    pub kernel: String,
    /// The blocks that a multiprocessor holds at once.
    pub resident_blocks: u64,
    /// The warps of these blocks.
    pub warps: u64,
    /// The worst case of these warps is at least so many cycles; null where nothing is proved from below.
    pub lower: Option<u64>,
    /// The worst case of these warps is at most so many cycles; on a machine, without what servers of its memory add.
    pub upper: u64,
    /// What `upper` follows from; null in older records.
    #[serde(default)]
    pub evidence: Option<solve::Basis>,
    /// What a block takes alone, as a time.
    pub serial: Number,
}

/// Blocks of a launch on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stay {
    /// The name of the kernel.
    pub kernel: String,
    /// Which launch of the kernel, from 1.
    pub launch: u64,
    /// Which multiprocessor, from 1.
    pub multiprocessor: usize,
    /// When the first of the blocks starts.
    pub start: Number,
    /// When the last of the blocks ends.
    pub end: Number,
    /// How many blocks run side by side.
    pub blocks: u64,
    /// How many times they run, one after the other.
    pub rounds: u64,
}
