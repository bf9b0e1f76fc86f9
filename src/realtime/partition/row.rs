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
    /// The test: edf, np-edf, np-dm.
    pub test: String,
    /// The share b/a of compute-intensive tasks.
    pub serial_compute: f64,
    /// The share b/a of memory-intensive tasks.
    pub serial_memory: f64,
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
    /// Whether two rows belong to the same experiment, so that they may stand in one table.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        let of = |row: &Self| (row.figure.clone(), row.multiprocessors, row.test.clone(), row.seed, row.sets);
        let shares = |row: &Self| (row.serial_compute.to_bits(), row.serial_memory.to_bits());
        of(self) == of(other) && shares(self) == shares(other)
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
