//! The tables of a system file that make graphs of its kernels. [`graph`](crate::graph) reads and analyses them.
//!
//! ```toml
//! [cores]                       # what host nodes run on
//! count = 1
//! policy = "any"                # or "fixed-priority": a more urgent graph preempts at once
//! [copies]                      # what copy nodes run on
//! engines = ["copy"]            # the copy engines; a node names one where there are several
//! policy = "any"                # or "fixed-priority": the most urgent copy is next, and none is preempted
//! [[graph]]
//! name = "perception"           # else G and its number
//! period = 33                   # without a period the graph is launched once
//! deadline = 33                 # of the whole graph, by default the period
//! # jitter = 0
//! # priority = 0                # on cores and copy engines; larger is more urgent
//! # multiprocessors = 4         # of its own, or "search": as many as prove the deadlines
//! [[graph.node]]
//! name = "load"                 # else that of its kernel, or N and its number
//! copy = 1.5                    # time on a copy engine, with engine = "copy"; or kernel = "K1"; or host = 2; or nothing
//! # after = ["load"]            # the nodes that must be complete before it begins
//! ```

use schemars::JsonSchema;
use serde::Deserialize;

use crate::System;
use warpspan_model::source::{Spanned, WholeOrText};

/// What host nodes run on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoresTable {
    /// The number of cores; 1 if it is not given.
    pub(crate) count: Option<Spanned<i64>>,
    /// `any` (the default): a core is idle only while no host node is ready; or `fixed-priority`: besides, a less urgent
    /// node never runs while a more urgent one waits.
    pub(crate) policy: Option<Spanned<String>>,
}

/// What copy nodes run on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopiesTable {
    /// The copy engines; one if they are not given.
    pub(crate) engines: Option<Spanned<Vec<Spanned<String>>>>,
    /// `any` (the default): an engine is idle only while no copy is ready; or `fixed-priority`: besides, it begins the most
    /// urgent copy that is ready.
    pub(crate) policy: Option<Spanned<String>>,
}

/// A graph of nodes that is launched as a whole.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphTable {
    /// Its name; else G and its number.
    pub(crate) name: Option<String>,
    /// The least time between arrivals of launches; one launch only if it is not given.
    #[schemars(with = "Option<f64>")]
    pub(crate) period: Option<Spanned<toml::Value>>,
    /// How long after its arrival a launch is released at most; 0 if it is not given.
    #[schemars(with = "Option<f64>")]
    pub(crate) jitter: Option<Spanned<toml::Value>>,
    /// How long a launch may take from its arrival until all its nodes are complete; the period if it is not given.
    #[schemars(with = "Option<f64>")]
    pub(crate) deadline: Option<Spanned<toml::Value>>,
    /// How urgent its host and copy nodes are where a policy asks; larger is more urgent, and 0 if it is not given.
    #[serde(default)]
    pub(crate) priority: i64,
    /// The multiprocessors that run its blocks and no others, or `search`; if it is not given, the graph shares those that
    /// no graph has of its own.
    #[schemars(with = "Option<WholeOrText>")]
    pub(crate) multiprocessors: Option<Spanned<toml::Value>>,
    /// Its nodes, in any order.
    #[serde(default)]
    pub(crate) node: Vec<Spanned<NodeTable>>,
}

/// A node: a kernel, a copy, work of the host, or nothing at all.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeTable {
    /// Its name; else that of its kernel, or N and its number.
    pub(crate) name: Option<String>,
    /// The kernel that it launches: the name of a `[[kernel]]`.
    pub(crate) kernel: Option<Spanned<String>>,
    /// The time that it copies.
    #[schemars(with = "Option<f64>")]
    pub(crate) copy: Option<Spanned<toml::Value>>,
    /// The copy engine of `copy`; that of the file if there is only one.
    pub(crate) engine: Option<Spanned<String>>,
    /// The time that it runs on a core.
    #[schemars(with = "Option<f64>")]
    pub(crate) host: Option<Spanned<toml::Value>>,
    /// The nodes that must be complete before it begins.
    #[serde(default)]
    pub(crate) after: Vec<Spanned<String>>,
}

/// What a file says of graphs, and the system of its kernels.
pub(crate) struct Tables {
    pub(crate) system: System,
    pub(crate) cores: Option<CoresTable>,
    pub(crate) copies: Option<CopiesTable>,
    pub(crate) graphs: Vec<Spanned<GraphTable>>,
}
