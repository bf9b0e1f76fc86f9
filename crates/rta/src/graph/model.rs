//! Graphs of kernels, copies and host work, and what they run on.

use crate::graph::dag::Dag;
use crate::{System, Task};
use warpspan_model::time::Duration;
use warpspan_model::words;

/// The most nodes of a graph: the effort grows with their square.
pub const MOST_NODES: usize = 2_000;
/// The most copy engines.
pub const MOST_ENGINES: usize = 8;

/// Graphs that are launched again and again on one GPU, its copy engines and the cores of its host.
#[derive(Debug, Clone)]
pub struct Graphs {
    /// The GPU and the kernels that nodes launch, each once, with no times of launches.
    pub(super) system: System,
    pub(super) graphs: Vec<Graph>,
    pub(super) cores: Cores,
    pub(super) copies: Copies,
}

/// What host nodes run on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cores {
    /// The number of cores, 1 or more.
    pub count: u64,
    /// Who runs.
    pub policy: Policy,
}

/// What copy nodes run on: each engine makes one copy at a time and never interrupts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copies {
    /// The names of the engines, one or more.
    pub engines: Vec<String>,
    /// Who is next.
    pub policy: Policy,
}

words! {
    /// In which order cores or copy engines serve what is ready.
    Policy {
        /// Any order.
        // As long as none is idle while something waits for it.
        Any = "any",
        /// The most urgent first.
        // A less urgent graph is not served while a more urgent one waits: cores preempt, copy engines do not.
        FixedPriority = "fixed-priority",
    }
}

/// The multiprocessors of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiprocessors {
    /// Those that no graph has of its own, together with other graphs.
    Shared,
    /// So many that run nothing else.
    Own(u64),
    /// So many of its own that all deadlines are proved, if there are.
    Search,
}

/// A graph that is launched as a whole. One launch of it runs after the other.
#[derive(Debug, Clone)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// The least time between arrivals; `None` for a graph that is launched once.
    pub period: Option<Duration>,
    /// The longest time from the arrival of a launch to its release.
    pub jitter: Duration,
    /// The time from the arrival by which all nodes must be complete.
    pub deadline: Option<Duration>,
    /// How urgent it is where a policy asks; a larger number is more urgent.
    pub priority: i64,
    /// What its blocks run on.
    pub multiprocessors: Multiprocessors,
    /// Its nodes.
    pub nodes: Vec<Node>,
    pub(super) dag: Dag,
}

/// A node of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What it does.
    pub work: Work,
    /// The nodes that must be complete before it begins.
    pub after: Vec<usize>,
}

/// What a node does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It launches this kernel of the system.
    Kernel(usize),
    /// It copies on this engine for up to so long.
    Copy(usize, Duration),
    /// It runs on a core for up to so long.
    Host(Duration),
    /// Nothing: it only joins edges.
    Nothing,
}

impl Graphs {
    /// The graphs.
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// The GPU, and the kernels that nodes launch.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The cores.
    pub fn cores(&self) -> &Cores {
        &self.cores
    }

    /// The copy engines.
    pub fn copies(&self) -> &Copies {
        &self.copies
    }

    /// The kernel that a node launches, if it launches one.
    pub(super) fn kernel(&self, node: &Node) -> Option<&Task> {
        let Work::Kernel(kernel) = node.work else { return None };
        self.system.tasks().get(kernel)
    }
}

impl Graph {
    /// Whether any node launches a kernel.
    pub fn has_kernels(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node.work, Work::Kernel(_)))
    }

    /// The nodes that launch kernels.
    pub(super) fn kernel_nodes(&self) -> impl Iterator<Item = (usize, usize)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| match node.work {
            Work::Kernel(kernel) => Some((number, kernel)),
            Work::Copy(..) | Work::Host(_) | Work::Nothing => None,
        })
    }
}
