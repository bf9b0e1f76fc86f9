//! The record of `partition`: which tasks share which multiprocessors.

use crate::Assumption;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Body;
use crate::number::number;
use crate::verify::Found;
use warpspan_model::words;
pub use warpspan_partition::{Kind, Mechanism as MechanismName, PartSetup, Test};
use warpspan_partition::{TaskSet, VerifiedPartition, write_time};

/// Partitions of multiprocessors on which all deadlines hold, or why there are none. Times are in the unit of
/// the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Partition {
    /// The test that decides whether deadlines hold.
    pub test: Test,
    /// How partitions were looked for: `1G`, `exact`, `SMS-INA`, `SMS-ACT`, `BF-INA` or `BF-ACT`; `given` where the file
    /// gives them.
    pub method: String,
    /// Whether the verdict is `schedulable`.
    pub schedulable: bool,
    /// The outcome.
    pub verdict: Verdict,
    /// Why there are no partitions; null where there are.
    pub reason: Option<String>,
    /// What the numbers rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// All tasks, in the order of the file; absent in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<Task>,
    /// The multiprocessors that partitions may take; with slices, those of all slices; with a mechanism, those of the
    /// largest partition that it can set up.
    pub multiprocessors: usize,
    /// The slices that partitions take; null where they take any number of multiprocessors.
    pub slices: Option<Slices>,
    /// What sets partitions up, with the sizes that it can give them; null where they take any number of multiprocessors
    /// or slices.
    pub mechanism: Option<Mechanism>,
    /// The multiprocessors that the method got down to; null where it did not get so far.
    pub required: Option<usize>,
    /// The multiprocessors of all partitions; null where there are none.
    pub used: Option<usize>,
    /// The partitions; empty where there are none.
    pub partitions: Vec<Part>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
}

impl Body for Partition {
    const SCHEMA: &'static str = "warpspan/partition/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.partition(self))
    }
}

/// A task of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// Whether it is memory-intensive or compute-intensive.
    pub kind: Kind,
    /// The time from the release of a job by which it must be done.
    pub deadline: Number,
    /// The least time between two jobs.
    pub period: Number,
}

impl From<&warpspan_partition::Task> for Task {
    fn from(task: &warpspan_partition::Task) -> Self {
        Self {
            name: task.name().to_owned(),
            kind: task.kind(),
            deadline: number(&write_time(task.deadline())),
            period: number(&write_time(task.period())),
        }
    }
}

/// The slices of a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Slices {
    /// How many there are.
    pub count: usize,
    /// The multiprocessors of each.
    pub multiprocessors: usize,
    /// The multiprocessors that belong to none and are not used.
    pub unused: usize,
}

/// What sets partitions up on the GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mechanism {
    /// Its name.
    pub name: MechanismName,
    /// The numbers of multiprocessors that a partition may have.
    pub sizes: Vec<usize>,
    /// The multiprocessors of a TPC, where the mechanism hands out TPCs; else null.
    pub multiprocessors_per_tpc: Option<usize>,
    /// The multiprocessors that it cannot hand out.
    pub unused: usize,
    /// What comes first, for all partitions; empty where there are none.
    pub steps: Vec<String>,
}

impl Mechanism {
    /// The mechanism of a task set, if there is one, with the steps of its setup.
    pub fn of(set: &TaskSet, steps: &[String]) -> Option<Self> {
        let division = set.division()?;
        Some(Self {
            name: division.mechanism(),
            sizes: division.sizes().to_vec(),
            multiprocessors_per_tpc: division.multiprocessors_per_tpc(),
            unused: set.unused(),
            steps: steps.to_vec(),
        })
    }
}

words! {
    /// Whether there are partitions.
    Verdict {
        /// There are, and the verifier has confirmed them.
        Schedulable = "schedulable",
        /// The method found none; there may be others.
        NotFound = "not-found",
        /// There are none for this test, which is proved.
        Impossible = "impossible",
    }
}

/// Multiprocessors and the tasks that share them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// How many multiprocessors it has.
    pub multiprocessors: usize,
    /// The names of its tasks.
    pub tasks: Vec<String>,
    /// By task: whether tasks of other partitions can be in conflict with it.
    pub conflict: BTreeMap<String, bool>,
    /// By task: an upper bound on its execution time on these multiprocessors.
    pub execution: BTreeMap<String, Number>,
    /// What sets it up; null where no mechanism is named.
    pub setup: Option<PartSetup>,
}

impl Part {
    /// A verified partition of a task set, and what sets it up.
    pub fn new(set: &TaskSet, partition: &VerifiedPartition, setup: Option<PartSetup>) -> Self {
        let placed = || partition.tasks.iter().map(|one| (set.tasks()[one.task].name().to_owned(), one));
        Self {
            multiprocessors: partition.multiprocessors,
            tasks: placed().map(|(name, _)| name).collect(),
            conflict: placed().map(|(name, one)| (name, one.conflict)).collect(),
            execution: placed().map(|(name, one)| (name, number(&write_time(one.execution)))).collect(),
            setup,
        }
    }
}
