//! One record of an experiment's table: a method at a utilisation.

use serde::{Deserialize, Serialize};

/// How many task sets a method found schedulable, and how long it took; the fields stand in this order in CSV.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The figure of Si21: 3.4, 3.5 or 3.6.
    pub figure: String,
    /// Tasks of a set.
    pub tasks: usize,
    /// M.
    pub multiprocessors: usize,
    /// The test: edf, np-edf, np-dm.
    pub test: String,
    /// b/a of compute-intensive tasks.
    pub serial_compute: f64,
    /// b/a of memory-intensive tasks.
    pub serial_memory: f64,
    /// Of the random numbers.
    pub seed: u64,
    /// The sum of a/T.
    pub utilisation: u32,
    /// Sets drawn.
    pub sets: u32,
    /// 1G, SMS-INA, SMS-ACT, BF-INA or BF-ACT.
    pub method: String,
    /// Sets for which it found partitions, each of them verified.
    pub schedulable: u32,
    /// Sets that no method can schedule, by Lemma 1 or 2; the same for all methods.
    pub impossible: u32,
    /// Mean time of a set, pairs beforehand included.
    pub seconds: f64,
    /// Mean time for the pairs beforehand (ACT).
    pub seconds_beforehand: f64,
    /// Version of warpspan.
    pub version: String,
}

impl Row {
    /// Whether two rows are of the same experiment, so that they may stand in one table.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        let of = |row: &Self| (row.figure.clone(), row.multiprocessors, row.test.clone(), row.seed, row.sets);
        let shares = |row: &Self| (row.serial_compute.to_bits(), row.serial_memory.to_bits());
        of(self) == of(other) && shares(self) == shares(other)
    }

    /// What in the table it stands for.
    pub(super) fn key(&self) -> (usize, u32, &str) {
        (self.tasks, self.utilisation, &self.method)
    }

    /// Share of the sets found schedulable, from 0 to 1.
    pub fn rate(&self) -> f64 {
        f64::from(self.schedulable) / f64::from(self.sets.max(1))
    }
}
