//! The record of `rta` for graphs: makespans and response times, and whether all deadlines are met.

use crate::Assumption;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Body;
use crate::rta::{CheckedBounds, Gpu, Meets, TimeUnit, Verdict, VerdictBy};
use crate::verify::Found;
use warpspan_model::words;
pub use warpspan_rta::graph::Policy;

/// An analysis of graphs. All times are in its `unit`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RtaGraphs {
    /// Whether every launch of every graph meets its deadline.
    pub verdict: Verdict,
    /// What the verdict rests on; null where it is undecided.
    pub by: Option<VerdictBy>,
    /// What the verdict rests on, and the numbers but for those of `bounds_rest_on`, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// What response bounds rest on, where the verdict is `refuted` and so rests on something else; else absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds_rest_on: Vec<Assumption>,
    /// What the bounds follow from.
    pub checked: CheckedBounds,
    /// Whether the machine has no server that says how fast the data of its code moves, so that no deadline is said to be met.
    pub without_limit: bool,
    /// What the file leaves out that would make bounds smaller, a sentence for each kernel; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mends: Vec<String>,
    /// Whether the verdict is `proved`.
    pub schedulable: bool,
    /// The unit of all times.
    pub unit: TimeUnit,
    /// What kernels run on.
    pub gpu: Gpu,
    /// What host nodes run on.
    pub cores: Cores,
    /// What copies run on.
    pub copies: Copies,
    /// How the search for multiprocessors ended; null where no graph asks for one.
    pub search: Option<Search>,
    /// The graphs, in the order of the file.
    pub graphs: Vec<Graph>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
}

impl Body for RtaGraphs {
    const SCHEMA: &'static str = "warpspan/rta-graphs/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.rta_graphs(self))
    }
}

/// The cores of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cores {
    /// Their number.
    pub count: u64,
    /// In which order they serve what is ready.
    pub policy: Policy,
}

/// The copy engines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Copies {
    /// Their names.
    pub engines: Vec<String>,
    /// In which order they serve what is ready.
    pub policy: Policy,
}

/// How a search for multiprocessors ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    /// How many allocations were tried.
    pub allocations: usize,
    /// Whether one was found with which the bounds prove all deadlines.
    pub found: bool,
    /// Whether, if none was found, the bounds prove the deadlines with none at all.
    pub complete: bool,
}

/// What is known of a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// The least time between arrivals; null where it is launched once.
    pub period: Option<Number>,
    /// How long after its arrival a launch is released at most.
    pub jitter: Number,
    /// The time from the arrival by which all nodes must be complete; null where there is none.
    pub deadline: Option<Number>,
    /// How urgent it is; larger is more urgent.
    pub priority: i64,
    /// The multiprocessors that run its blocks; 0 if it launches no kernel.
    pub multiprocessors: u64,
    /// Whether they run blocks of other graphs too.
    pub shares: bool,
    /// A launch takes at most so long from its release if nothing else runs; null where that is not known.
    pub makespan: Option<Number>,
    /// The worst case is at least so long, from the arrival: a launch that is alone, all of whose nodes take as long as they
    /// may; null if it is too large.
    pub worst_case_at_least: Option<Number>,
    /// A launch takes at most so long from its arrival; null for the `reason`.
    pub response_bound: Option<Number>,
    /// Whether all launches meet the deadline.
    pub meets: Meets,
    /// Why `meets` is not `yes`; else null.
    pub reason: Option<String>,
    /// Its nodes, in the order of the file.
    pub nodes: Vec<Node>,
    /// Where the bound comes from; absent unless it was asked for and there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// A node of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What it does.
    pub work: Work,
    /// The kernel that it launches, or the copy engine that it uses; else null.
    pub on: Option<String>,
    /// The time of its copy or on a core, or C of its kernel's blocks; null if it does nothing.
    pub time: Option<Number>,
    /// The nodes that must be complete before it begins.
    pub after: Vec<String>,
}

words! {
    /// What a node does.
    Work {
        /// It launches a kernel.
        Kernel = "kernel",
        /// It copies.
        Copy = "copy",
        /// It runs on a core.
        Host = "host",
        /// It only joins edges.
        Nothing = "nothing",
    }
}

/// Where a bound comes from. Each time is rounded up, so the parts may add up to a little more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The nodes of the longest path.
    pub path: Vec<String>,
    /// The launches of the graph itself: those before one that it may have to wait for, and that one.
    pub launches: u64,
    /// What they take with all their nodes, if nothing else runs.
    pub own: Number,
    /// What other graphs add.
    pub others: Vec<Added>,
    /// For how long copies of less urgent graphs that have begun delay it.
    pub blocking: Number,
    /// For how long the memory keeps results waiting.
    pub memory: Number,
    /// The jitter.
    pub jitter: Number,
}

/// What launches of one graph add to the bound of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Added {
    /// The graph.
    pub graph: String,
    /// What nodes of both wait for: `multiprocessors`, `cores`, or the name of a copy engine.
    pub resource: String,
    /// How many of its launches may be there.
    pub launches: u64,
    /// What they add, which may be less than what so many launches do where one is there only in part.
    pub time: Number,
}
