//! One record of an experiment's table: a method at a utilisation.

use serde::{Deserialize, Serialize};

/// The number of task sets that a method found schedulable, and the time that it took; the fields stand in
/// this order in CSV.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The figure of Si21: 3.4, 3.5 or 3.6.
    pub figure: String,
    /// The number of tasks of a set.
    pub tasks: usize,
    /// M, the number of multiprocessors.
    pub multiprocessors: usize,
    /// The slices in which partitions take multiprocessors, as 7x14; empty where they take any number.
    pub slices: String,
    /// The test: edf, np-edf, np-dm.
    pub test: String,
    /// prm, the probability that a task is memory-intensive.
    pub memory_share: f64,
    /// D/T.
    pub deadline_ratio: f64,
    /// The periods, with spaces between them.
    pub periods: String,
    /// The least a for which a task keeps its period.
    pub shortest: f64,
    /// The share b/a of compute-intensive tasks.
    pub serial_compute: f64,
    /// The share b/a of memory-intensive tasks.
    pub serial_memory: f64,
    /// The factor k of compute-intensive tasks in conflict.
    pub factor_compute: String,
    /// The factor k of memory-intensive tasks in conflict.
    pub factor_memory: String,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The sum of a/T.
    pub utilisation: u32,
    /// The number of sets drawn.
    pub sets: u32,
    /// 1G, SMS-INA, SMS-ACT, BF-INA or BF-ACT.
    pub method: String,
    /// The number of sets for which it found partitions, each of them verified.
    pub schedulable: u32,
    /// The number of sets that no method can schedule, by Lemma 1 or 2; it is the same for all methods.
    pub impossible: u32,
    /// The mean time of a set in seconds, including the pairs beforehand.
    pub seconds: f64,
    /// The mean time of the pairs beforehand in seconds (ACT).
    pub seconds_beforehand: f64,
    /// The version of warpspan.
    pub version: String,
}

impl Row {
    /// The row without its point, its method and its results: rows of the same experiment, and no others, are
    /// equal then.
    pub fn of_experiment(&self) -> Self {
        Self {
            tasks: 0,
            utilisation: 0,
            method: String::new(),
            schedulable: 0,
            impossible: 0,
            seconds: 0.0,
            seconds_beforehand: 0.0,
            version: String::new(),
            ..self.clone()
        }
    }

    /// The columns that identify the row within its table.
    pub(super) fn key(&self) -> (usize, u32, &str) {
        (self.tasks, self.utilisation, &self.method)
    }

    /// The share of the sets that the method found schedulable, from 0 to 1.
    pub fn rate(&self) -> f64 {
        f64::from(self.schedulable) / f64::from(self.sets.max(1))
    }
}
