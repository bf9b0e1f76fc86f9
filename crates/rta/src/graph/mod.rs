//! Graphs of kernels, copies and host work: makespans and response times from the first node to the last.
//!
//! A CUDA graph, or a chain such as copy, kernel, copy, is launched as a whole, again and again. How long does it take
//! until all its nodes are complete, alone and with other graphs? `docs/graphs.md` has the proofs.
//!
//! # The bound
//!
//! Follow a launch from its release. Of the node that completes last, take the node before it that completes last, and so
//! on: a path. At each moment one node of the path runs or waits. Kernels wait for multiprocessors, host nodes for one of m
//! cores, copies for their engine, and while they wait that resource is busy with other nodes. With `F_v` what a kernel adds
//! to a path on which it is followed, and `P_u` what it adds to others ([`rta`](crate)),
//!
//! ```text
//! R <= the largest over paths of
//!        sum over kernels v on it of (F_v - P_v), over host nodes of (h - h/m)
//!      + sum over the resources that the path uses of
//!          all nodes of the graph there: P_u, h/m, or the time of a copy
//!        + what launches of other graphs add there
//!        + what a copy of a less urgent graph that has begun adds, where copy engines serve the most urgent first
//! ```
//!
//! Where every C is given, F = C + (g - 1) w C / M and P = g w C / M, with the weight w of a block and M multiprocessors.
//!
//! A graph falls into stretches, each of which is complete before the next begins; then each has a path and resources of
//! its own. What launches of another graph add is that of all that can be incomplete in the window, or, if a launch adds no
//! more than the time for which it is there, no more than that.
//!
//! RTGPU (A. Zou, J. Li, C. D. Gill, X. Zhang, *RTGPU: Real-Time GPU Scheduling of Hard Deadline Parallel Tasks with
//! Fine-Grain Utilization*, IEEE TPDS 2023) is the case of chains with multiprocessors to themselves, one core and one
//! bus.

mod analysis;
mod bound;
mod costs;
mod dag;
mod exact;
mod file;
mod model;
mod profile;
mod reason;
mod search;
mod unbounded;

pub use analysis::{Added, Analysis, Explanation, GraphResult, Resource, Searched, analyse};
pub use file::{is_graphs, read_graphs};
pub use model::{
    Copies, Cores, Graph, Graphs, MOST_ENGINES, MOST_NODES, Multiprocessors, Node, Policy, Work,
};
pub use search::is_proved;
pub use unbounded::Unbounded;
